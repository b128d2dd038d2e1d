#include <algorithm>
#include <boost/math/distributions/arcsine.hpp>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/random/triangle_distribution.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/draws.hpp"

namespace rootdk::laws {
namespace {

using BoostUniform = boost::math::uniform_distribution<double, Policy>;
using BoostTriangular = boost::math::triangular_distribution<double, Policy>;
using BoostArcsine = boost::math::arcsine_distribution<double, Policy>;
using BoostBeta = boost::math::beta_distribution<double, Policy>;

// The moments of a B-spline density with knots t_0..t_k: E(X^n) = h_n(t_0, .., t_k) / C(n+k, k),
// h_n the sum of all monomials of degree n. Uniform has the two ends as knots, triangular also the
// mode (the Hermite-Genocchi formula for divided differences of x^{n+k}).
std::vector<Precise> spline_moments(const std::vector<double>& knots, int order) {
  std::vector<Precise> h(static_cast<std::size_t>(order) + 1, Precise(0));
  h[0] = 1;
  for (const double t : knots) {
    for (std::size_t n = 1; n < h.size(); ++n) h[n] += Precise(t) * h[n - 1];
  }
  const int k = static_cast<int>(knots.size()) - 1;
  Precise choose = 1;
  for (int n = 1; n <= order; ++n) {
    choose = choose * (n + k) / n;
    h[static_cast<std::size_t>(n)] /= choose;
  }
  return h;
}

// E(B^n) = prod_{j<n} (alpha + j)/(alpha + beta + j).
std::vector<Precise> beta_moments(double alpha, double beta, int order) {
  std::vector<Precise> m{1};
  for (int j = 0; j < order; ++j) {
    m.push_back(m.back() * (Precise(alpha) + j) / (Precise(alpha) + beta + j));
  }
  return m;
}

class Uniform final : public ContinuousFamily<BoostUniform> {
 public:
  Uniform(double lower, double upper)
      : ContinuousFamily("uniform", {{"lower", lower}, {"upper", upper}}, {lower, upper}, BoostUniform(lower, upper)) {}

  std::vector<Precise> raw_moments(int order) const override {
    return spline_moments({support().lower, support().upper}, order);
  }

  // e^{itm} sin(th)/(th), m the middle and h half the length.
  std::optional<std::complex<double>> characteristic_function(double t) const override {
    const auto [a, b] = support();
    const double th = t * (b - a) / 2;
    const double sinc = std::abs(th) < 1e-4 ? 1 - th * th / 6 : std::sin(th) / th;
    return std::polar(1.0, t * (a + b) / 2) * sinc;
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    // Boost.Random divides a 64-bit word by their number, which costs more than the word.
    const auto [a, b] = support();
    for (double& x : out) {
      const double u = open_uniform(stream);
      x = (1 - u) * a + u * b;
    }
  }
};

class Triangular final : public ContinuousFamily<BoostTriangular> {
 public:
  Triangular(double lower, double mode, double upper)
      : ContinuousFamily("triangular", {{"lower", lower}, {"mode", mode}, {"upper", upper}}, {lower, upper},
                         BoostTriangular(lower, mode, upper)),
        mode_(mode) {}

  std::vector<Precise> raw_moments(int order) const override {
    return spline_moments({support().lower, mode_, support().upper}, order);
  }

  std::vector<double> kinks() const override { return {mode_}; }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::triangle_distribution<double> draw(support().lower, mode_, support().upper);
    for (double& x : out) x = draw(stream);
  }

 private:
  double mode_;
};

class Arcsine final : public ContinuousFamily<BoostArcsine> {
 public:
  Arcsine(double lower, double upper)
      : ContinuousFamily("arcsine", {{"lower", lower}, {"upper", upper}}, {lower, upper}, BoostArcsine(lower, upper)) {}

  // lower + (upper - lower) B with B of the law beta(1/2, 1/2).
  std::vector<Precise> raw_moments(int order) const override {
    const auto [a, b] = support();
    return affine_moments(beta_moments(0.5, 0.5, order), Precise(a), Precise(b) - a);
  }

  double density(const Point& y) const override {
    return 1 / (boost::math::constants::pi<double>() * std::sqrt(y.above_lower) * std::sqrt(y.below_upper));
  }

  // The middle plus half the length times cos(pi U): e^{itm} J_0(th).
  std::optional<std::complex<double>> characteristic_function(double t) const override {
    const auto [a, b] = support();
    return std::polar(1.0, t * (a + b) / 2) * boost::math::cyl_bessel_j(0, t * (b - a) / 2);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    const auto [a, b] = support();
    for (double& x : out) {
      const double s = std::sin(boost::math::constants::half_pi<double>() * open_uniform(stream));
      x = a + (b - a) * s * s;
    }
  }
};

class Beta final : public ContinuousFamily<BoostBeta> {
 public:
  Beta(double alpha, double beta)
      : ContinuousFamily("beta", {{"alpha", alpha}, {"beta", beta}}, {0, 1}, BoostBeta(alpha, beta)),
        alpha_(alpha),
        beta_(beta),
        total_(boost::math::beta(alpha, beta, Policy())) {}

  std::vector<Precise> raw_moments(int order) const override { return beta_moments(alpha_, beta_, order); }

  double density(const Point& y) const override {
    // For large parameters B(alpha, beta) and the powers underflow while their quotient does not.
    if (alpha_ + beta_ > 100) {
      return y.above_lower <= y.below_upper ? boost::math::ibeta_derivative(alpha_, beta_, y.above_lower, Policy())
                                            : boost::math::ibeta_derivative(beta_, alpha_, y.below_upper, Policy());
    }
    return std::pow(y.above_lower, alpha_ - 1) * std::pow(y.below_upper, beta_ - 1) / total_;
  }

  // G / (G + H) for gamma variables of shapes alpha and beta; for small shapes both may underflow to 0.
  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    if (std::max(alpha_, beta_) < small_gamma_shape) {
      LogGammaDraw log_first(alpha_);
      LogGammaDraw log_second(beta_);
      for (double& x : out) {
        const double g = log_first(stream);
        x = 1 / (1 + std::exp(log_second(stream) - g));
      }
      return;
    }
    GammaDraw first(alpha_);
    GammaDraw second(beta_);
    for (double& x : out) {
      const double g = first(stream);
      x = g / (g + second(stream));
    }
  }

 private:
  double alpha_;
  double beta_;
  double total_;
};

void require_range(const char* family, double lower, double upper) {
  require(finite(lower), family, "a finite lower", lower);
  require(finite(upper), family, "a finite upper", upper);
  require(lower < upper, family, "lower < upper", {{"lower", lower}, {"upper", upper}});
  require(finite(upper - lower), family, "a finite upper - lower", {{"lower", lower}, {"upper", upper}});
}

}  // namespace

Law uniform(double lower, double upper) {
  require_range("uniform", lower, upper);
  return Law(std::make_shared<Uniform>(lower, upper));
}

Law triangular(double lower, double mode, double upper) {
  require_range("triangular", lower, upper);
  require(lower <= mode && mode <= upper, "triangular", "lower <= mode <= upper",
          {{"lower", lower}, {"mode", mode}, {"upper", upper}});
  return Law(std::make_shared<Triangular>(lower, mode, upper));
}

Law arcsine(double lower, double upper) {
  require_range("arcsine", lower, upper);
  return Law(std::make_shared<Arcsine>(lower, upper));
}

Law beta(double alpha, double beta) {
  require(positive(alpha), "beta", "a finite alpha > 0", alpha);
  require(positive(beta), "beta", "a finite beta > 0", beta);
  return Law(std::make_shared<Beta>(alpha, beta));
}

}  // namespace rootdk::laws
