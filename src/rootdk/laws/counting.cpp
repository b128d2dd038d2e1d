#include <algorithm>
#include <boost/math/distributions/bernoulli.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/random/bernoulli_distribution.hpp>
#include <boost/random/binomial_distribution.hpp>
#include <boost/random/discrete_distribution.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/wave.hpp"

namespace rootdk::laws {
namespace {

using BoostBernoulli = boost::math::bernoulli_distribution<double, Policy>;
using BoostBinomial = boost::math::binomial_distribution<double, Policy>;
using BoostHypergeometric = boost::math::hypergeometric_distribution<double, Policy>;

class Bernoulli final : public DiscreteFamily<BoostBernoulli> {
 public:
  explicit Bernoulli(double p) : DiscreteFamily("bernoulli", {{"p", p}}, {0, 1}, BoostBernoulli(p)), p_(p) {}

  // E(X^n) = p for n >= 1.
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m(static_cast<std::size_t>(order) + 1, Precise(p_));
    m[0] = 1;
    return m;
  }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    return 1 - p_ + p_ * std::polar(1.0, t);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    const boost::random::bernoulli_distribution<double> draw(p_);
    for (double& x : out) x = draw(stream) ? 1 : 0;
  }

 private:
  double p_;
};

class Rademacher final : public Family {
 public:
  Rademacher() : Family("rademacher", {}, {-1, 1}, true) {}

  // 1 for even n, 0 for odd n.
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m(static_cast<std::size_t>(order) + 1, Precise(0));
    for (std::size_t n = 0; n < m.size(); n += 2) m[n] = 1;
    return m;
  }

  double density(const Point& y) const override { return std::abs(y.value) == 1 ? 0.5 : 0; }
  double cdf(double y) const override { return y < -1 ? 0 : y < 1 ? 0.5 : 1; }
  double survival(double y) const override { return 1 - cdf(y); }
  double quantile(double p) const override { return p <= 0.5 ? -1 : 1; }
  std::vector<Atom> atoms() const override { return {{-1, 0.5}, {1, 0.5}}; }

  std::optional<std::complex<double>> characteristic_function(double t) const override { return std::cos(t); }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    for (double& x : out) x = (stream() >> 63) != 0 ? 1 : -1;
  }
};

class Binomial final : public DiscreteFamily<BoostBinomial> {
 public:
  Binomial(int n, double p)
      : DiscreteFamily("binomial", {{"n", static_cast<double>(n)}, {"p", p}}, {0, static_cast<double>(n)},
                       BoostBinomial(n, p)),
        n_(n),
        p_(p) {}

  // Factorial moments n(n-1)..(n-j+1) p^j.
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> f{1};
    for (int j = 0; j < order; ++j) f.push_back(f.back() * std::max(n_ - j, 0) * p_);
    return moments_from_factorial(f);
  }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    return std::exp(static_cast<double>(n_) * log_wave(p_, t));
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    const boost::random::binomial_distribution<int, double> draw(n_, p_);
    for (double& x : out) x = draw(stream);
  }

 private:
  int n_;
  double p_;
};

class Hypergeometric final : public DiscreteFamily<BoostHypergeometric> {
 public:
  Hypergeometric(int population, int marked, int n)
      : DiscreteFamily(
            "hypergeometric",
            {{"population", static_cast<double>(population)},
             {"marked", static_cast<double>(marked)},
             {"n", static_cast<double>(n)}},
            {static_cast<double>(std::max(0, n + marked - population)), static_cast<double>(std::min(n, marked))},
            BoostHypergeometric(static_cast<unsigned>(marked), static_cast<unsigned>(n),
                                static_cast<unsigned>(population))),
        population_(population),
        marked_(marked),
        n_(n) {
    const std::vector<Atom> all = atoms();
    first_ = all.front().value;
    std::vector<double> masses;
    for (const Atom& a : all) masses.push_back(a.mass);
    draw_ = boost::random::discrete_distribution<int, double>(masses);
  }

  // Factorial moments: the product over i < j of (marked - i)(n - i)/(population - i).
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> f{1};
    for (int i = 0; i < order; ++i) {
      const int both = std::min(marked_, n_) - i;
      f.push_back(both <= 0 ? Precise(0) : f.back() * (marked_ - i) * (n_ - i) / (population_ - i));
    }
    return moments_from_factorial(f);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    for (double& x : out) x = first_ + draw_(stream);
  }

 private:
  int population_;
  int marked_;
  int n_;
  double first_;
  boost::random::discrete_distribution<int, double> draw_;
};

}  // namespace

Law bernoulli(double p) {
  require(p > 0 && p < 1, "bernoulli", "p in (0, 1)", p);
  return Law(std::make_shared<Bernoulli>(p));
}

Law rademacher() { return Law(std::make_shared<Rademacher>()); }

Law binomial(int n, double p) {
  require(n >= 1 && n <= 1'000'000'000, "binomial", "n in 1..1e9", n);
  require(p > 0 && p < 1, "binomial", "p in (0, 1)", p);
  return Law(std::make_shared<Binomial>(n, p));
}

Law hypergeometric(int population, int marked, int n) {
  require(population >= 2 && population <= 1'000'000, "hypergeometric", "a population in 2..1e6", population);
  const double size = population;
  require(marked >= 1 && marked < population, "hypergeometric", "marked in 1..population-1",
          {{"population", size}, {"marked", static_cast<double>(marked)}});
  require(n >= 1 && n < population, "hypergeometric", "n in 1..population-1",
          {{"population", size}, {"n", static_cast<double>(n)}});
  return Law(std::make_shared<Hypergeometric>(population, marked, n));
}

}  // namespace rootdk::laws
