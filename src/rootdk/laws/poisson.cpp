#include <boost/math/distributions/geometric.hpp>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/random/geometric_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <cstdint>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/draws.hpp"
#include "rootdk/laws/wave.hpp"

namespace rootdk::laws {
namespace {

// Counts of a mean up to 1e9 may exceed 32 bits: the tails of the geometric and negative binomial laws reach far
// beyond their mean.
using Count = std::int64_t;

constexpr double largest_mean = 1e9;

using BoostPoisson = boost::math::poisson_distribution<double, Policy>;
using BoostGeometric = boost::math::geometric_distribution<double, Policy>;
using BoostNegativeBinomial = boost::math::negative_binomial_distribution<double, Policy>;

// Factorial moments r(r+1)..(r+j-1) ((1-p)/p)^j.
std::vector<Precise> negative_binomial_moments(const Precise& r, double p, int order) {
  const Precise odds = (1 - Precise(p)) / p;
  std::vector<Precise> f{1};
  for (int j = 0; j < order; ++j) f.push_back(f.back() * (r + j) * odds);
  return moments_from_factorial(f);
}

// ((1 - (1-p) e^{it})/p)^{-r}, where the base is 1 - ((1-p)/p)(e^{it} - 1).
std::complex<double> negative_binomial_characteristic(double r, double p, double t) {
  return std::exp(-r * log_wave(-(1 - p) / p, t));
}

class Poisson final : public DiscreteFamily<BoostPoisson> {
 public:
  explicit Poisson(double mean)
      : DiscreteFamily("poisson", {{"mean", mean}}, {0, infinity}, BoostPoisson(mean)), mean_(mean) {}

  // Factorial moments mean^j.
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> f{1};
    for (int j = 0; j < order; ++j) f.push_back(f.back() * mean_);
    return moments_from_factorial(f);
  }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    const double s = std::sin(t / 2);
    return std::exp(mean_ * std::complex<double>(-2 * s * s, std::sin(t)));
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    const boost::random::poisson_distribution<Count, double> draw(mean_);
    for (double& x : out) x = static_cast<double>(draw(stream));
  }

 private:
  double mean_;
};

class Geometric final : public DiscreteFamily<BoostGeometric> {
 public:
  explicit Geometric(double p) : DiscreteFamily("geometric", {{"p", p}}, {0, infinity}, BoostGeometric(p)), p_(p) {}

  std::vector<Precise> raw_moments(int order) const override { return negative_binomial_moments(1, p_, order); }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    return negative_binomial_characteristic(1, p_, t);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    const boost::random::geometric_distribution<Count, double> draw(p_);
    for (double& x : out) x = static_cast<double>(draw(stream));
  }

 private:
  double p_;
};

class NegativeBinomial final : public DiscreteFamily<BoostNegativeBinomial> {
 public:
  NegativeBinomial(double r, double p)
      : DiscreteFamily("negative_binomial", {{"r", r}, {"p", p}}, {0, infinity}, BoostNegativeBinomial(r, p)),
        r_(r),
        p_(p) {}

  std::vector<Precise> raw_moments(int order) const override { return negative_binomial_moments(r_, p_, order); }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    return negative_binomial_characteristic(r_, p_, t);
  }

  // Poisson with a mean of the law gamma(r, (1-p)/p); Boost.Random's own takes integer r only.
  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    GammaDraw draw(r_);
    const double odds = (1 - p_) / p_;
    for (double& x : out) {
      const double m = odds * draw(stream);
      x = m > 0 ? static_cast<double>(boost::random::poisson_distribution<Count, double>(m)(stream)) : 0;
    }
  }

 private:
  double r_;
  double p_;
};

}  // namespace

Law poisson(double mean) {
  require(mean > 0 && mean <= largest_mean, "poisson", "a mean in (0, 1e9]", mean);
  return Law(std::make_shared<Poisson>(mean));
}

Law geometric(double p) {
  require(p > 0 && p < 1, "geometric", "p in (0, 1)", p);
  require((1 - p) / p <= largest_mean, "geometric", "a mean (1-p)/p <= 1e9", {{"p", p}});
  return Law(std::make_shared<Geometric>(p));
}

Law negative_binomial(double r, double p) {
  require(positive(r), "negative_binomial", "a finite r > 0", r);
  require(p > 0 && p < 1, "negative_binomial", "p in (0, 1)", p);
  require(r * (1 - p) / p <= largest_mean, "negative_binomial", "a mean r(1-p)/p <= 1e9", {{"r", r}, {"p", p}});
  return Law(std::make_shared<NegativeBinomial>(r, p));
}

}  // namespace rootdk::laws
