#include <boost/math/distributions/extreme_value.hpp>
#include <boost/math/distributions/logistic.hpp>
#include <boost/math/distributions/rayleigh.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/extreme_value_distribution.hpp>
#include <boost/random/weibull_distribution.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/draws.hpp"

namespace rootdk::laws {
namespace {

using BoostGumbel = boost::math::extreme_value_distribution<double, Policy>;
using BoostLogistic = boost::math::logistic_distribution<double, Policy>;
using BoostRayleigh = boost::math::rayleigh_distribution<double, Policy>;
using BoostWeibull = boost::math::weibull_distribution<double, Policy>;

class Gumbel final : public ContinuousFamily<BoostGumbel> {
 public:
  Gumbel(double mu, double scale)
      : ContinuousFamily("gumbel", {{"mu", mu}, {"scale", scale}}, {-infinity, infinity}, BoostGumbel(mu, scale)),
        mu_(mu),
        scale_(scale) {}

  // Cumulants mu + gamma scale, and (n-1)! zeta(n) scale^n.
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> kappa{0, mu_ + euler_gamma() * scale_};
    Precise factor = scale_;  // (n-1)! scale^n
    for (int n = 2; n <= order; ++n) {
      factor *= (n - 1) * Precise(scale_);
      kappa.push_back(factor * zeta_function(n));
    }
    kappa.resize(static_cast<std::size_t>(order) + 1);
    return moments_from_cumulants(kappa);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::extreme_value_distribution<double> draw(mu_, scale_);
    for (double& x : out) x = draw(stream);
  }

 private:
  double mu_;
  double scale_;
};

class Logistic final : public ContinuousFamily<BoostLogistic> {
 public:
  Logistic(double mu, double scale)
      : ContinuousFamily("logistic", {{"mu", mu}, {"scale", scale}}, {-infinity, infinity}, BoostLogistic(mu, scale)),
        mu_(mu),
        scale_(scale) {}

  // The difference of two Gumbel variables: cumulants 2 (n-1)! zeta(n) scale^n for even n.
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> kappa{0, mu_};
    Precise factor = scale_;
    for (int n = 2; n <= order; ++n) {
      factor *= (n - 1) * Precise(scale_);
      kappa.push_back(n % 2 == 0 ? Precise(2 * factor * zeta_function(n)) : Precise(0));
    }
    kappa.resize(static_cast<std::size_t>(order) + 1);
    return moments_from_cumulants(kappa);
  }

  // e^{it mu} a / sinh(a) with a = pi scale t.
  std::optional<std::complex<double>> characteristic_function(double t) const override {
    const double a = std::abs(boost::math::constants::pi<double>() * scale_ * t);
    const double modulus = a < 1e-4 ? 1 - a * a / 6 : a / std::sinh(a);
    return std::polar(modulus, mu_ * t);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    for (double& x : out) {
      const double u = open_uniform(stream);
      x = mu_ + scale_ * std::log(u / (1 - u));
    }
  }

 private:
  double mu_;
  double scale_;
};

class Weibull final : public ContinuousFamily<BoostWeibull> {
 public:
  Weibull(double shape, double scale)
      : ContinuousFamily("weibull", {{"shape", shape}, {"scale", scale}}, {0, infinity}, BoostWeibull(shape, scale)),
        shape_(shape),
        scale_(scale) {}

  // With z = (x/scale)^shape: shape z e^{-z} / x. Boost's is NaN once z overflows.
  double density(const Point& y) const override {
    if (y.value == 0) return density_at_0(shape_, scale_);
    const double z = std::pow(y.value / scale_, shape_);
    const double decay = std::exp(-z);
    return decay == 0 ? 0 : shape_ / y.value * z * decay;
  }

  // scale^n Gamma(1 + n/shape).
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m;
    Precise power = 1;
    for (int n = 0; n <= order; ++n) {
      m.push_back(power * gamma_function(Precise(1 + n / Precise(shape_))));
      power *= scale_;
    }
    return m;
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::weibull_distribution<double> draw(shape_, scale_);
    for (double& x : out) x = draw(stream);
  }

 private:
  double shape_;
  double scale_;
};

class Rayleigh final : public ContinuousFamily<BoostRayleigh> {
 public:
  explicit Rayleigh(double sigma)
      : ContinuousFamily("rayleigh", {{"sigma", sigma}}, {0, infinity}, BoostRayleigh(sigma)), sigma_(sigma) {}

  // m_n = n sigma^2 m_{n-2}, from 1 and sigma sqrt(pi/2).
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m{1, sigma_ * sqrt(Precise(pi() / 2))};
    for (int n = 2; n <= order; ++n) {
      m.push_back(n * Precise(sigma_) * sigma_ * m.end()[-2]);
    }
    m.resize(static_cast<std::size_t>(order) + 1);
    return m;
  }

  // sigma sqrt(2 E), E standard exponential.
  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::exponential_distribution<double> draw;
    for (double& x : out) x = sigma_ * std::sqrt(2 * draw(stream));
  }

 private:
  double sigma_;
};

}  // namespace

Law gumbel(double mu, double scale) {
  require(finite(mu), "gumbel", "a finite mu", mu);
  require(positive(scale), "gumbel", "a finite scale > 0", scale);
  return Law(std::make_shared<Gumbel>(mu, scale));
}

Law logistic(double mu, double scale) {
  require(finite(mu), "logistic", "a finite mu", mu);
  require(positive(scale), "logistic", "a finite scale > 0", scale);
  return Law(std::make_shared<Logistic>(mu, scale));
}

Law weibull(double shape, double scale) {
  require(positive(shape), "weibull", "a finite shape > 0", shape);
  require(positive(scale), "weibull", "a finite scale > 0", scale);
  return Law(std::make_shared<Weibull>(shape, scale));
}

Law rayleigh(double sigma) {
  require(positive(sigma), "rayleigh", "a finite sigma > 0", sigma);
  return Law(std::make_shared<Rayleigh>(sigma));
}

}  // namespace rootdk::laws
