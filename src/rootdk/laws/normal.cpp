#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/normal_distribution.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"

namespace rootdk::laws {
namespace {

using BoostNormal = boost::math::normal_distribution<double, Policy>;
using BoostLognormal = boost::math::lognormal_distribution<double, Policy>;

class Normal final : public ContinuousFamily<BoostNormal> {
 public:
  Normal(double mu, double sigma)
      : ContinuousFamily("normal", {{"mu", mu}, {"sigma", sigma}}, {-infinity, infinity}, BoostNormal(mu, sigma)),
        mu_(mu),
        sigma_(sigma) {}

  // m_n = mu m_{n-1} + (n-1) sigma^2 m_{n-2}, by Stein's identity.
  std::vector<Precise> raw_moments(int order) const override {
    const Precise mu = mu_;
    const Precise variance = Precise(sigma_) * sigma_;
    std::vector<Precise> m{1, mu};
    for (int n = 2; n <= order; ++n) {
      m.push_back(mu * m.end()[-1] + (n - 1) * variance * m.end()[-2]);
    }
    m.resize(static_cast<std::size_t>(order) + 1);
    return m;
  }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    const double s = sigma_ * t;
    return std::exp(std::complex<double>(-s * s / 2, mu_ * t));
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::normal_distribution<double> draw(mu_, sigma_);
    for (double& x : out) x = draw(stream);
  }

 private:
  double mu_;
  double sigma_;
};

class Lognormal final : public ContinuousFamily<BoostLognormal> {
 public:
  Lognormal(double mu, double sigma)
      : ContinuousFamily("lognormal", {{"mu", mu}, {"sigma", sigma}}, {0, infinity}, BoostLognormal(mu, sigma)),
        mu_(mu),
        sigma_(sigma) {}

  // E e^{n(mu + sigma Z)} = exp(n mu + n^2 sigma^2 / 2).
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m;
    for (int n = 0; n <= order; ++n) {
      const Precise s = n * Precise(sigma_);
      m.push_back(exp(Precise(n * Precise(mu_) + s * s / 2)));
    }
    return m;
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::lognormal_distribution<double> draw(mu_, sigma_);
    for (double& x : out) x = draw(stream);
  }

 private:
  double mu_;
  double sigma_;
};

}  // namespace

Law normal(double mu, double sigma) {
  require(finite(mu), "normal", "a finite mu", mu);
  require(positive(sigma), "normal", "a finite sigma > 0", sigma);
  return Law(std::make_shared<Normal>(mu, sigma));
}

Law lognormal(double mu, double sigma) {
  require(finite(mu), "lognormal", "a finite mu", mu);
  require(positive(sigma), "lognormal", "a finite sigma > 0", sigma);
  return Law(std::make_shared<Lognormal>(mu, sigma));
}

}  // namespace rootdk::laws
