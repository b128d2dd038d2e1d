#include <boost/math/distributions/inverse_gaussian.hpp>
#include <boost/random/normal_distribution.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/draws.hpp"

namespace rootdk::laws {
namespace {

using BoostInverseGaussian = boost::math::inverse_gaussian_distribution<double, Policy>;

// exp(2 lambda/mu) in Boost's distribution function overflows at 354.
constexpr double largest_ratio = 300;

class InverseGaussian final : public ContinuousFamily<BoostInverseGaussian> {
 public:
  InverseGaussian(double mu, double lambda)
      : ContinuousFamily("inverse_gaussian", {{"mu", mu}, {"lambda", lambda}}, {0, infinity},
                         BoostInverseGaussian(mu, lambda)),
        mu_(mu),
        lambda_(lambda) {}

  // sqrt(lambda/(2 pi x^3)) exp(-lambda (x - mu)^2/(2 mu^2 x)); Boost's is NaN once x^3 underflows.
  double density(const Point& y) const override {
    const double x = y.value;
    const double deviation = (x - mu_) / mu_;
    const double decay = std::exp(-lambda_ / x * deviation * deviation / 2);
    if (decay == 0) return 0;
    return std::sqrt(lambda_ / (boost::math::constants::two_pi<double>() * x)) / x * decay;
  }

  // m_n = (2n - 3)(mu^2/lambda) m_{n-1} + mu^2 m_{n-2}.
  std::vector<Precise> raw_moments(int order) const override {
    const Precise square = Precise(mu_) * mu_;
    std::vector<Precise> m{1, mu_};
    for (int n = 2; n <= order; ++n) {
      m.push_back((2 * n - 3) * square / lambda_ * m.end()[-1] + square * m.end()[-2]);
    }
    m.resize(static_cast<std::size_t>(order) + 1);
    return m;
  }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    const double ratio = lambda_ / mu_;
    // r(1 - sqrt(1 - w)) without the cancellation for small w.
    const std::complex<double> w(0, 2 * mu_ * t / ratio);
    return std::exp(ratio * w / (1.0 + std::sqrt(1.0 - w)));
  }

  // lambda (X - mu)^2 / (mu^2 X) has the law of Z^2: of the two roots X of that equation the
  // smaller, x, is taken with probability mu/(mu + x) and mu^2/x otherwise.
  // Michael, Schucany and Haas, The American Statistician 30, 1976.
  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::normal_distribution<double> normal;
    for (double& x : out) {
      const double z = normal(stream);
      const double y = mu_ * z * z / (2 * lambda_);
      const double root = mu_ / (1 + y + std::sqrt(y * (2 + y)));
      x = open_uniform(stream) * (mu_ + root) <= mu_ ? root : mu_ / root * mu_;
    }
  }

 private:
  double mu_;
  double lambda_;
};

}  // namespace

Law inverse_gaussian(double mu, double lambda) {
  require(positive(mu), "inverse_gaussian", "a finite mu > 0", mu);
  require(positive(lambda), "inverse_gaussian", "a finite lambda > 0", lambda);
  require(lambda / mu <= largest_ratio, "inverse_gaussian",
          "lambda/mu <= 300, since exp(2 lambda/mu) is a factor of the distribution function",
          {{"mu", mu}, {"lambda", lambda}});
  return Law(std::make_shared<InverseGaussian>(mu, lambda));
}

}  // namespace rootdk::laws
