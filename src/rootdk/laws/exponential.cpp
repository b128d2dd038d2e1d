#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/hyperexponential.hpp>
#include <boost/math/distributions/laplace.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/hyperexponential_distribution.hpp>
#include <boost/random/laplace_distribution.hpp>
#include <numeric>
#include <stdexcept>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"

namespace rootdk::laws {
namespace {

using BoostExponential = boost::math::exponential_distribution<double, Policy>;
using BoostHyperexponential = boost::math::hyperexponential_distribution<double, Policy>;
using BoostLaplace = boost::math::laplace_distribution<double, Policy>;
using BoostPareto = boost::math::pareto_distribution<double, Policy>;

// n!/rate^n.
std::vector<Precise> exponential_moments(double rate, int order) {
  std::vector<Precise> m{1};
  for (int n = 1; n <= order; ++n) m.push_back(m.back() * n / rate);
  return m;
}

class Exponential final : public ContinuousFamily<BoostExponential> {
 public:
  explicit Exponential(double rate)
      : ContinuousFamily("exponential", {{"rate", rate}}, {0, infinity}, BoostExponential(rate)), rate_(rate) {}

  std::vector<Precise> raw_moments(int order) const override { return exponential_moments(rate_, order); }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    return 1.0 / std::complex<double>(1, -t / rate_);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    const boost::random::exponential_distribution<double> draw(rate_);
    for (double& x : out) x = draw(stream);
  }

 private:
  double rate_;
};

class Hyperexponential final : public ContinuousFamily<BoostHyperexponential> {
 public:
  Hyperexponential(const std::vector<double>& probabilities, const std::vector<double>& rates)
      : ContinuousFamily("hyperexponential", named(probabilities, rates), {0, infinity},
                         BoostHyperexponential(probabilities, rates)),
        probabilities_(probabilities),
        rates_(rates) {}

  // The mixture of n!/rate^n; the weights are divided by their sum, as in Boost.
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m(static_cast<std::size_t>(order) + 1, Precise(0));
    Precise sum = 0;
    for (const double p : probabilities_) sum += p;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const std::vector<Precise> part = exponential_moments(rates_[i], order);
      for (std::size_t n = 0; n < m.size(); ++n) m[n] += probabilities_[i] / sum * part[n];
    }
    m[0] = 1;
    return m;
  }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    std::complex<double> sum = 0;
    double total = 0;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      sum += probabilities_[i] / std::complex<double>(1, -t / rates_[i]);
      total += probabilities_[i];
    }
    return sum / total;
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    const boost::random::hyperexponential_distribution<double> draw(probabilities_, rates_);
    for (double& x : out) x = draw(stream);
  }

 private:
  static std::vector<Parameter> named(const std::vector<double>& p, const std::vector<double>& r) {
    std::vector<Parameter> all;
    for (std::size_t i = 0; i < p.size(); ++i) all.push_back({"p" + std::to_string(i + 1), p[i]});
    for (std::size_t i = 0; i < r.size(); ++i) {
      all.push_back({"rate" + std::to_string(i + 1), r[i]});
    }
    return all;
  }

  std::vector<double> probabilities_;
  std::vector<double> rates_;
};

class Laplace final : public ContinuousFamily<BoostLaplace> {
 public:
  Laplace(double mu, double scale)
      : ContinuousFamily("laplace", {{"mu", mu}, {"scale", scale}}, {-infinity, infinity}, BoostLaplace(mu, scale)),
        mu_(mu),
        scale_(scale) {}

  // mu + scale L, where E(L^n) = n! for even n and 0 for odd n.
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m = exponential_moments(1, order);
    for (std::size_t n = 1; n < m.size(); n += 2) m[n] = 0;
    return affine_moments(m, Precise(mu_), Precise(scale_));
  }

  std::vector<double> kinks() const override { return {mu_}; }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    return std::polar(1.0, mu_ * t) / (1 + scale_ * scale_ * t * t);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    const boost::random::laplace_distribution<double> draw(mu_, scale_);
    for (double& x : out) x = draw(stream);
  }

 private:
  double mu_;
  double scale_;
};

class Pareto final : public ContinuousFamily<BoostPareto> {
 public:
  Pareto(double alpha, double scale)
      : ContinuousFamily("pareto", {{"alpha", alpha}, {"scale", scale}}, {scale, infinity}, BoostPareto(scale, alpha)),
        alpha_(alpha),
        scale_(scale) {}

  MomentLimit moment_limit() const override { return {"alpha", alpha_, 1}; }

  // alpha scale^n / (alpha - n).
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m;
    Precise power = 1;
    for (int n = 0; n <= order; ++n) {
      m.push_back(alpha_ * power / (Precise(alpha_) - n));
      power *= scale_;
    }
    return m;
  }

  // scale e^{E/alpha}, E standard exponential.
  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    const boost::random::exponential_distribution<double> draw(alpha_);
    for (double& x : out) x = scale_ * std::exp(draw(stream));
  }

 private:
  double alpha_;
  double scale_;
};

}  // namespace

Law exponential(double rate) {
  require(positive(rate), "exponential", "a finite rate > 0", rate);
  return Law(std::make_shared<Exponential>(rate));
}

Law hyperexponential(std::span<const double> probabilities, std::span<const double> rates) {
  if (probabilities.empty() || probabilities.size() != rates.size()) {
    throw std::domain_error(
        "hyperexponential: expected as many rates as probabilities, at least 1,"
        " given " +
        std::to_string(rates.size()) + " and " + std::to_string(probabilities.size()));
  }
  for (const double p : probabilities) {
    require(p > 0 && p <= 1, "hyperexponential", "probabilities in (0, 1]", p);
  }
  for (const double r : rates) require(positive(r), "hyperexponential", "finite rates > 0", r);
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  require(std::abs(sum - 1) <= 1e-12, "hyperexponential", "probabilities of sum 1", sum);
  return Law(std::make_shared<Hyperexponential>(std::vector<double>(probabilities.begin(), probabilities.end()),
                                                std::vector<double>(rates.begin(), rates.end())));
}

Law laplace(double mu, double scale) {
  require(finite(mu), "laplace", "a finite mu", mu);
  require(positive(scale), "laplace", "a finite scale > 0", scale);
  return Law(std::make_shared<Laplace>(mu, scale));
}

Law pareto(double alpha, double scale) {
  require(positive(alpha), "pareto", "a finite alpha > 0", alpha);
  require(positive(scale), "pareto", "a finite scale > 0", scale);
  return Law(std::make_shared<Pareto>(alpha, scale));
}

}  // namespace rootdk::laws
