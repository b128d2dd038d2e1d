#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/inverse_gamma.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/draws.hpp"

namespace rootdk::laws {
namespace {

using BoostGamma = boost::math::gamma_distribution<double, Policy>;
using BoostChiSquared = boost::math::chi_squared_distribution<double, Policy>;
using BoostInverseGamma = boost::math::inverse_gamma_distribution<double, Policy>;

// scale^n prod_{j<n} (shape + j).
std::vector<Precise> gamma_moments(const Precise& shape, double scale, int order) {
  std::vector<Precise> m{1};
  for (int j = 0; j < order; ++j) m.push_back(m.back() * scale * (shape + j));
  return m;
}

std::complex<double> gamma_characteristic(double shape, double scale, double t) {
  return std::pow(std::complex<double>(1, -scale * t), -shape);
}

class Gamma final : public ContinuousFamily<BoostGamma> {
 public:
  Gamma(double shape, double scale)
      : ContinuousFamily("gamma", {{"shape", shape}, {"scale", scale}}, {0, infinity}, BoostGamma(shape, scale)),
        shape_(shape),
        scale_(scale) {}

  double density(const Point& y) const override {
    return y.value == 0 ? density_at_0(shape_, scale_) : ContinuousFamily::density(y);
  }

  std::vector<Precise> raw_moments(int order) const override { return gamma_moments(shape_, scale_, order); }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    return gamma_characteristic(shape_, scale_, t);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    GammaDraw draw(shape_);
    for (double& x : out) x = scale_ * draw(stream);
  }

 private:
  double shape_;
  double scale_;
};

class ChiSquared final : public ContinuousFamily<BoostChiSquared> {
 public:
  explicit ChiSquared(double nu)
      : ContinuousFamily("chi_squared", {{"nu", nu}}, {0, infinity}, BoostChiSquared(nu)), nu_(nu) {}

  double density(const Point& y) const override {
    return y.value == 0 ? density_at_0(nu_ / 2, 2) : ContinuousFamily::density(y);
  }

  // The law gamma(nu/2, 2).
  std::vector<Precise> raw_moments(int order) const override { return gamma_moments(Precise(nu_) / 2, 2, order); }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    return gamma_characteristic(nu_ / 2, 2, t);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    GammaDraw draw(nu_ / 2);
    for (double& x : out) x = 2 * draw(stream);
  }

 private:
  double nu_;
};

class InverseGamma final : public ContinuousFamily<BoostInverseGamma> {
 public:
  InverseGamma(double shape, double scale)
      : ContinuousFamily("inverse_gamma", {{"shape", shape}, {"scale", scale}}, {0, infinity},
                         BoostInverseGamma(shape, scale)),
        shape_(shape),
        scale_(scale) {}

  MomentLimit moment_limit() const override { return {"shape", shape_, 1}; }

  // scale^n / prod_{1<=j<=n} (shape - j).
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m{1};
    for (int j = 1; j <= order; ++j) m.push_back(m.back() * scale_ / (Precise(shape_) - j));
    return m;
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    // A gamma draw may underflow where the quotient is within the range of double.
    if (shape_ < small_gamma_shape) {
      LogGammaDraw log_draw(shape_);
      for (double& x : out) x = std::exp(std::log(scale_) - log_draw(stream));
      return;
    }
    GammaDraw draw(shape_);
    for (double& x : out) x = scale_ / draw(stream);
  }

 private:
  double shape_;
  double scale_;
};

}  // namespace

Law gamma(double shape, double scale) {
  require(positive(shape), "gamma", "a finite shape > 0", shape);
  require(positive(scale), "gamma", "a finite scale > 0", scale);
  return Law(std::make_shared<Gamma>(shape, scale));
}

Law chi_squared(double nu) {
  require(positive(nu), "chi_squared", "a finite nu > 0", nu);
  return Law(std::make_shared<ChiSquared>(nu));
}

Law inverse_gamma(double shape, double scale) {
  require(positive(shape), "inverse_gamma", "a finite shape > 0", shape);
  require(positive(scale), "inverse_gamma", "a finite scale > 0", scale);
  return Law(std::make_shared<InverseGamma>(shape, scale));
}

}  // namespace rootdk::laws
