#include "rootdk/laws/law.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "laws/varied_laws.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "support/test.hpp"

using namespace rootdk;
using namespace rootdk::laws;
using Catch::Matchers::Contains;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::domain_error& e) {
    return e.what();
  }
  return "no std::domain_error";
}

}  // namespace

TEST_CASE("moments equal the quadrature or sum of the density") {
  testing::Comparison c(Kind::numeric, "moments 0 to 8 against the density", {});
  for (const Law& law : testing::all_laws()) {
    c.law(law.name());
    for (int k = 0; k <= 8 && law.has_moment(k); ++k) {
      const Estimate measured = law.expectation([k](double x) { return std::pow(x, k); });
      const double expected = law.moment(k);
      c.compare(measured.value, expected, measured.error + epsilon * std::abs(expected),
                law.name() + ", moment " + std::to_string(k));
    }
  }
}

TEST_CASE("central moments equal the quadrature or sum of the density") {
  testing::Comparison c(Kind::numeric, "central moments 1 to 8 against the density", {});
  for (const Law& law : testing::varied_laws()) {
    c.law(law.name());
    for (int k = 1; k <= 8 && law.has_moment(k); ++k) {
      const double mean = law.mean();
      const Estimate measured = law.expectation([k, mean](double x) { return std::pow(x - mean, k); });
      // The mean is rounded: the derivative of the moment times its rounding.
      const double slack = k * epsilon * std::abs(mean) * law.absolute_moment(k - 1).value;
      c.compare(measured.value, law.central_moment(k), measured.error + slack,
                law.name() + ", central moment " + std::to_string(k));
    }
  }
}

TEST_CASE("absolute moments from the distribution function equal those from the density") {
  testing::Comparison c(Kind::numeric, "absolute moments 1 and 3, two ways", {});
  for (const Law& law : testing::all_laws()) {
    for (const int k : {1, 3}) {
      if (!law.has_moment(k)) continue;
      const Estimate measured = law.absolute_moment(k);
      const std::array<double, 1> kink{0.0};
      const Estimate expected = law.expectation([k](double x) { return std::pow(std::abs(x), k); }, kink);
      c.compare(measured.value, expected.value, measured.error + expected.error, law.name());
    }
  }
}

TEST_CASE("absolute third moments that are known in closed form") {
  const auto third = [](const Law& law) { return law.standardised().absolute_moment(3).value; };
  const double pi = boost::math::constants::pi<double>();
  CHECK(third(normal(0, 1)) == Approx(2 * std::sqrt(2 / pi)).epsilon(1e-13));
  CHECK(third(uniform(0, 1)) == Approx(3 * std::sqrt(3) / 4).epsilon(1e-13));
  CHECK(third(laplace(0, 1)) == Approx(3 / std::sqrt(2)).epsilon(1e-13));
  CHECK(third(exponential(1)) == Approx(12 / std::exp(1) - 2).epsilon(1e-13));
  CHECK(third(rademacher()) == 1);
}

TEST_CASE("excess kurtosis that is known in closed form") {
  const auto excess = [](const Law& law) { return law.standardised().moment(4) - 3; };
  CHECK(excess(normal(5, 2)) == 0);
  CHECK(excess(uniform(0, 1)) == Approx(-1.2).epsilon(1e-14));
  CHECK(excess(laplace(0, 1)) == Approx(3).epsilon(1e-14));
  CHECK(excess(exponential(2)) == Approx(6).epsilon(1e-14));
  CHECK(excess(gamma(4, 3)) == Approx(6.0 / 4).epsilon(1e-14));
  CHECK(excess(student_t(5)) == Approx(6).epsilon(1e-14));
  CHECK(excess(poisson(4)) == Approx(0.25).epsilon(1e-13));
  CHECK(excess(bernoulli(0.3)) == Approx((1 - 6 * 0.21) / 0.21).epsilon(1e-13));
  CHECK(excess(rademacher()) == -2);
  CHECK(excess(logistic(3, 2)) == Approx(1.2).epsilon(1e-14));
  CHECK(excess(gumbel(1, 3)) == Approx(2.4).epsilon(1e-14));
  CHECK(excess(arcsine(0, 2)) == Approx(-1.5).epsilon(1e-14));
  CHECK(excess(triangular(0, 0.25, 1)) == Approx(-0.6).epsilon(1e-14));
  CHECK(excess(chi_squared(6)) == Approx(2).epsilon(1e-14));
  CHECK(excess(inverse_gaussian(1, 4)) == Approx(15.0 / 4).epsilon(1e-14));
  CHECK(excess(inverse_gamma(30, 1)) == Approx(834.0 / (27 * 26)).epsilon(1e-14));
  CHECK(excess(binomial(10, 0.3)) == Approx((1 - 6 * 0.21) / 2.1).epsilon(1e-13));
  CHECK(excess(geometric(0.4)) == Approx(6 + 0.16 / 0.6).epsilon(1e-14));
  CHECK(excess(negative_binomial(5, 0.5)) == Approx(6.0 / 5 + 0.25 / 2.5).epsilon(1e-13));
}

TEST_CASE("the catalogue has thirty laws and is standardised") {
  CHECK(catalogue().size() == 30);
  for (const Law& law : catalogue()) {
    INFO(law.name());
    CHECK(law.is_standardised());
    CHECK(law.moment(0) == 1);
    CHECK(law.mean() == 0);
    CHECK(law.variance() == 1);
  }
}

TEST_CASE("a moment that does not exist is refused with law, parameter and hypothesis") {
  CHECK(message_of([] { (void)student_t(2).moment(2); }) ==
        "student_t(nu=2): finite_second_moment fails: E(X^2) is infinite for nu <= 2, given 2");
  CHECK(message_of([] { (void)student_t(2).standardised(); }) ==
        "student_t(nu=2): finite_second_moment fails: E(X^2) is infinite for nu <= 2, given 2");
  CHECK(message_of([] { (void)student_t(3).absolute_moment(3); }) ==
        "student_t(nu=3): finite_third_moment fails: E|X|^3 is infinite for nu <= 3, given 3");
  CHECK(message_of([] { (void)student_t(3).standardised().moment(4); }) ==
        "student_t(nu=3): finite_fourth_moment fails: E(X^4) is infinite for nu <= 4, given 3");
  CHECK(message_of([] { (void)student_t(5).central_moment(6); }) ==
        "student_t(nu=5): a finite moment of order 6 fails: E(X^6) is infinite for nu <= 6, given "
        "5");
  CHECK(message_of([] { (void)cauchy().mean(); }) == "cauchy: integrable fails: E|X| is infinite for nu <= 1, given 1");
  CHECK(message_of([] { (void)student_t(2.5).moments(4); }) ==
        "student_t(nu=2.5): finite_fourth_moment fails: E(X^4) is infinite for nu <= 4, given 2.5");
  CHECK(message_of([] { (void)pareto(2, 1).moment(2); }) ==
        "pareto(alpha=2, scale=1): finite_second_moment fails: E(X^2) is infinite for alpha <= 2, "
        "given 2");
  CHECK(message_of([] { (void)fisher_f(3, 8).moment(4); }) ==
        "fisher_f(d1=3, d2=8): finite_fourth_moment fails: E(X^4) is infinite for d2 <= 8, given "
        "8");
  CHECK(message_of([] { (void)inverse_gamma(1, 1).standardised(); }) ==
        "inverse_gamma(shape=1, scale=1): finite_second_moment fails: E(X^2) is infinite for shape "
        "<= 2, given 1");
  CHECK(message_of([] { (void)non_central_t(3, 1).moment(3); }) ==
        "non_central_t(nu=3, delta=1): finite_third_moment fails: E|X|^3 is infinite for nu <= 3, "
        "given 3");
  CHECK_THROWS_AS(normal(0, 1).moment(-1), std::domain_error);
  CHECK_FALSE(student_t(5).has_moment(5));
  CHECK(student_t(5).has_moment(4));
  CHECK(student_t(5.1).has_moment(5));
  CHECK_FALSE(normal(0, 1).has_moment(-1));
}

TEST_CASE("the hypotheses that a law names stand in the table") {
  for (const int k : {1, 2, 3, 4}) {
    const std::string message = message_of([k] { (void)cauchy().moment(k); });
    INFO(message);
    CHECK(std::any_of(hypotheses.begin(), hypotheses.end(), [&](const Hypothesis& h) {
      return message.find(" " + std::string(h.slug) + " fails") != std::string::npos;
    }));
  }
}

TEST_CASE("the distribution function is the integral of the density") {
  testing::Comparison c(Kind::numeric, "distribution function against the density", {});
  for (const Law& law : testing::all_laws()) {
    for (const double p : {0.001, 0.2, 0.5, 0.9, 0.9999}) {
      const double x = law.quantile(p);
      const std::array<double, 1> jump{x};
      const double slack = law.is_discrete() ? 1e-9 * (1 + std::abs(x)) : 0;
      const Estimate below = law.expectation([&](double y) { return y <= x + slack ? 1.0 : 0.0; }, jump);
      // Rounding of x moves the distribution function by the density.
      const double moved = law.is_discrete() ? 0 : 4 * epsilon * std::abs(x) * law.pdf(x);
      const std::string context = law.name() + " at " + std::to_string(x);
      c.compare(law.cdf(x), below.value, below.error + moved, context);
      c.compare(law.cdf(x) + law.survival(x), 1, rounding_of_density, context);
    }
  }
}

TEST_CASE("the quantile is the smallest x that the distribution function brings to p") {
  // At their own location and scale: there the rounding of x is relative to x.
  for (const Law& law : testing::varied_laws()) {
    INFO(law.name());
    for (const double p : {1e-6, 0.01, 0.25, 0.5, 0.77, 0.999}) {
      const double x = law.quantile(p);
      if (law.is_discrete()) {
        CHECK(law.cdf(x) >= p);
        CHECK(law.mass(x) > 0);
        CHECK(law.cdf(x) - law.mass(x) < p * (1 + rounding_of_density));
      } else {
        const double moved = 8 * epsilon * std::max(std::abs(x), 1.0) * law.pdf(x);
        CHECK(std::abs(law.cdf(x) - p) <= 1e-12 * p + moved);
      }
    }
    CHECK_THROWS_AS(law.quantile(0), std::domain_error);
    CHECK_THROWS_AS(law.quantile(1), std::domain_error);
    CHECK_THROWS_AS(law.quantile(std::nan("")), std::domain_error);
  }
}

TEST_CASE("atoms are increasing, have the mass of the law, and sum to 1") {
  for (const Law& law : testing::all_laws()) {
    INFO(law.name());
    if (!law.is_discrete()) {
      CHECK_THROWS_AS(law.atoms(), std::domain_error);
      CHECK(law.mass(law.quantile(0.5)) == 0);
      continue;
    }
    CHECK_THROWS_AS(law.pdf(0), std::domain_error);
    double sum = 0;
    double last = -infinity;
    for (const Atom& a : law.atoms()) {
      CHECK(a.value > last);
      CHECK(law.mass(a.value) == a.mass);
      sum += a.mass;
      last = a.value;
      CHECK(std::abs(law.cdf(a.value) - sum) <= rounding_of_density);
    }
    CHECK(std::abs(sum - 1) <= rounding_of_density);
  }
}

TEST_CASE("outside the support there is no probability") {
  for (const Law& law : testing::all_laws()) {
    INFO(law.name());
    const Support s = law.support();
    CHECK(law.cdf(-infinity) == 0);
    CHECK(law.survival(-infinity) == 1);
    CHECK(law.cdf(infinity) == 1);
    CHECK(law.survival(infinity) == 0);
    if (std::isfinite(s.lower)) {
      CHECK(law.cdf(s.lower - 1) == 0);
      CHECK((law.is_discrete() ? law.mass(s.lower - 1) : law.pdf(s.lower - 1)) == 0);
    }
    if (std::isfinite(s.upper)) {
      CHECK(law.survival(s.upper + 1) == 0);
      CHECK((law.is_discrete() ? law.mass(s.upper + 1) : law.pdf(s.upper + 1)) == 0);
    }
    CHECK_THROWS_AS(law.cdf(std::nan("")), std::domain_error);
    CHECK_THROWS_AS(law.mass(std::nan("")), std::domain_error);
  }
}

// A long tail is followed turn by turn up to where it holds 1e-7; beyond, its mass is the bound.
TEST_CASE("characteristic functions equal the quadrature or sum of the wave") {
  testing::Comparison c(Kind::numeric, "characteristic function against the density", {});
  for (const Law& law : testing::all_laws()) {
    c.law(law.name());
    for (const double t : {-2.0, -0.1, 0.0, 0.7, 4.0}) {
      const ComplexEstimate phi = law.characteristic_function(t);
      std::vector<double> turns;
      double tail = 0;
      if (!law.has_moment(16) && t != 0) {
        tail = 2e-7;
        const double half = boost::math::constants::pi<double>() / std::abs(t);
        const double end = law.quantile(1 - 1e-7);
        for (double x = law.quantile(1e-7); x < end; x += half) turns.push_back(x);
        turns.push_back(end);
      }
      const Estimate real = law.expectation([t](double x) { return std::cos(t * x); }, turns);
      const Estimate imaginary = law.expectation([t](double x) { return std::sin(t * x); }, turns);
      const double bound = phi.error + real.error + imaginary.error + tail;
      const std::string context = law.name() + " at " + std::to_string(t);
      c.compare(phi.value.real(), real.value, bound, context);
      c.compare(phi.value.imag(), imaginary.value, bound, context);
      CHECK(phi.error < 1e-9);
    }
    CHECK_THROWS_AS(law.characteristic_function(infinity), std::domain_error);
  }
}

TEST_CASE("densities are finite and not negative at the ends of the range") {
  for (const Law& law : testing::all_laws()) {
    if (law.is_discrete()) continue;
    INFO(law.name());
    const Support s = law.support();
    for (int exponent = -300; exponent <= 300; exponent += 4) {
      for (const double distance : {std::pow(10.0, exponent), -std::pow(10.0, exponent)}) {
        const double x = (std::isfinite(s.lower) ? s.lower : 0) + distance;
        if (x <= s.lower || x >= s.upper) continue;
        INFO(x);
        CHECK(law.pdf(x) >= 0);
        CHECK(std::isfinite(law.pdf(x)));
      }
    }
  }
}

TEST_CASE("the kept rule integrates the powers") {
  testing::Comparison c(Kind::numeric, "kept rule against the moments", {});
  for (const Law& law : testing::all_laws()) {
    for (int k = 0; k <= 8 && law.has_moment(k); ++k) {
      double sum[2] = {0, 0};
      double absolute = 0;
      for (const Resolution r : {Resolution::coarse, Resolution::fine}) {
        const QuadratureRule& rule = law.rule(r);
        absolute = 0;
        for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
          const double term = rule.weights[i] * std::pow(rule.nodes[i], k);
          sum[r == Resolution::fine] += term;
          absolute += std::abs(term);
        }
      }
      c.compare(sum[1], law.moment(k), std::abs(sum[1] - sum[0]) + rounding_of_density * absolute,
                law.name() + ", moment " + std::to_string(k));
    }
  }
}

TEST_CASE("double integrals of independent variables") {
  testing::Comparison c(Kind::numeric, "E(X + 2Y)^4 by a double integral", {});
  for (const Law& x : catalogue()) {
    for (const Law& y : catalogue()) {
      if (!x.has_moment(4) || !y.has_moment(4)) continue;
      const Estimate measured = expectation(x, y, [](double a, double b) {
        const double s = a + 2 * b;
        return s * s * s * s;
      });
      c.compare(measured.value, x.moment(4) + 24 + 16 * y.moment(4), measured.error, x.name() + " and " + y.name());
    }
  }
}

TEST_CASE("Boost throws where Student t has no moment, and its kurtosis is 3 above the excess") {
  using T = boost::math::students_t;
  CHECK_THROWS_AS(variance(T(2)), std::domain_error);
  CHECK(variance(T(3)) == 3);
  CHECK_THROWS_AS(kurtosis(T(4)), std::domain_error);
  CHECK_THROWS_AS(kurtosis_excess(T(4)), std::domain_error);
  CHECK(kurtosis(T(5)) == 9);
  CHECK(kurtosis_excess(T(5)) == 6);
  CHECK_FALSE(student_t(4).has_moment(4));
}

TEST_CASE("moving and scaling a law moves and scales everything") {
  const Law base = gamma(3, 2);
  for (const double scale : {0.5, -2.0}) {
    const Law law = base.affine(7, scale);
    CHECK(law.mean() == Approx(7 + scale * base.mean()));
    CHECK(law.variance() == Approx(scale * scale * base.variance()));
    const double x = 7 + scale * 4;
    CHECK(law.pdf(x) == Approx(base.pdf(4) / std::abs(scale)));
    CHECK(law.cdf(x) == Approx(scale > 0 ? base.cdf(4) : base.survival(4)));
    CHECK(law.affine(-7 / scale, 1 / scale).moment(3) == Approx(base.moment(3)));
  }
  CHECK(base.affine(7, -2).support().upper == 7);
  CHECK(base.affine(7, -2).support().lower == -infinity);
  CHECK_FALSE(base.standardised().affine(1, 1).is_standardised());
  CHECK(base.standardised().affine(0, -1).is_standardised());
  CHECK_THROWS_AS(base.affine(0, 0), std::domain_error);
  CHECK_THROWS_AS(base.affine(infinity, 1), std::domain_error);
  CHECK_THROWS_AS(base.affine(0, std::nan("")), std::domain_error);
}

TEST_CASE("factories refuse parameters and say what they expected") {
  CHECK_THROWS_WITH(normal(0, -1), "normal: expected a finite sigma > 0, given -1");
  CHECK_THROWS_WITH(uniform(1, 1), "uniform: expected lower < upper, given lower = 1 and upper = 1");
  CHECK_THROWS_AS(laplace(std::nan(""), 1), std::domain_error);
  CHECK_THROWS_AS(exponential(0), std::domain_error);
  CHECK_THROWS_AS(gamma(-1, 1), std::domain_error);
  CHECK_THROWS_AS(gamma(1, infinity), std::domain_error);
  CHECK_THROWS_AS(student_t(0), std::domain_error);
  CHECK_THROWS_AS(lognormal(0, 0), std::domain_error);
  CHECK_THROWS_AS(bernoulli(1), std::domain_error);
  CHECK_THROWS_AS(poisson(-2), std::domain_error);
  CHECK_THROWS_WITH(uniform(2, 1), "uniform: expected lower < upper, given lower = 2 and upper = 1");
  CHECK_THROWS_WITH(triangular(0, 2, 1),
                    "triangular: expected lower <= mode <= upper, given lower = 0, mode = 2 and upper = 1");
  CHECK_THROWS_WITH(hypergeometric(10, 11, 3),
                    "hypergeometric: expected marked in 1..population-1, given population = 10 and marked = 11");
  CHECK_THROWS_AS(arcsine(2, 1), std::domain_error);
  CHECK_THROWS_AS(beta(0, 1), std::domain_error);
  CHECK_THROWS_AS(beta(1, std::nan("")), std::domain_error);
  CHECK_THROWS_AS(logistic(0, -1), std::domain_error);
  CHECK_THROWS_AS(chi_squared(0), std::domain_error);
  CHECK_THROWS_AS(inverse_gamma(1, 0), std::domain_error);
  CHECK_THROWS_AS(inverse_gaussian(-1, 1), std::domain_error);
  CHECK_THROWS_AS(weibull(0, 1), std::domain_error);
  CHECK_THROWS_AS(rayleigh(0), std::domain_error);
  CHECK_THROWS_AS(gumbel(infinity, 1), std::domain_error);
  CHECK_THROWS_AS(skew_normal(0, 1, infinity), std::domain_error);
  CHECK_THROWS_AS(non_central_t(0, 1), std::domain_error);
  CHECK_THROWS_AS(fisher_f(1, 0), std::domain_error);
  CHECK_THROWS_AS(pareto(0, 1), std::domain_error);
  CHECK_THROWS_AS(hyperexponential(std::array{0.5, 0.4}, std::array{1.0, 2.0}), std::domain_error);
  CHECK_THROWS_AS(hyperexponential(std::array{1.0}, std::array{1.0, 2.0}), std::domain_error);
  CHECK_THROWS_AS(hyperexponential({}, {}), std::domain_error);
  CHECK_THROWS_AS(binomial(0, 0.5), std::domain_error);
  CHECK_THROWS_AS(geometric(1), std::domain_error);
  CHECK_THROWS_AS(geometric(1e-10), std::domain_error);
  CHECK_THROWS_AS(negative_binomial(0, 0.5), std::domain_error);
  CHECK_THROWS_AS(hypergeometric(10, 11, 3), std::domain_error);
  CHECK_THROWS_AS(hypergeometric(10, 3, 10), std::domain_error);
}

TEST_CASE("moments: those that 50 digits do not hold are refused and the others right") {
  const std::string digits = "50 digits do not hold this moment because the mean is too far from 0 in deviations";
  CHECK(uniform(1e6, 1e6 + 1).variance() == Approx(1.0 / 12).epsilon(1e-15));
  CHECK(uniform(1e6, 1e6 + 1).central_moment(4) == Approx(1.0 / 80).epsilon(1e-15));
  CHECK_THROWS_WITH(uniform(1e6, 1e6 + 1).central_moment(8), Contains("uniform(") && Contains(digits));
  CHECK_THROWS_WITH(normal(1e7, 1).central_moment(10), Contains("E((X - EX)^10)") && Contains(digits));
  CHECK(normal(1e7, 1).standardised().moment(4) == 3);
  CHECK_THROWS_WITH(normal(1e7, 1).standardised().moment(8), Contains("E(X^8)") && Contains(digits));
  CHECK(weibull(1e30, 1).mean() == Approx(1).epsilon(1e-15));
  CHECK_THROWS_WITH(weibull(1e30, 1).variance(), Contains(digits));
  CHECK_THROWS_WITH(weibull(1e30, 1).standardised(), Contains(digits));
  // A shift of the family is no cancellation for central moments.
  CHECK(normal(0, 1).affine(1e30, 1).central_moment(8) == 105);
  CHECK(normal(0, 1).affine(1e30, 1).standardised().moment(8) == 105);
  CHECK(pareto(1.5, 1).affine(-3, 1).mean() == 0);
}

TEST_CASE("moments: those beyond the range of double are refused") {
  const std::string range = "is beyond the range of double";
  CHECK_THROWS_WITH(normal(0, 1e200).variance(), Contains("normal(mu=0, sigma=1e+200)") && Contains(range));
  CHECK_THROWS_WITH(normal(0, 1e-200).variance(), Contains(range));
  CHECK_THROWS_WITH(lognormal(0, 1).moment(100), Contains("E(X^100) " + range));
  CHECK(normal(0, 1e200).central_moment(1) == 0);
  CHECK(normal(0, 1e200).standardised().moment(4) == 3);
}

TEST_CASE("moments: an overflow on the way to one names the law") {
  const std::string overflow = "beyond the range of 50-digit numbers";
  CHECK(non_central_t(2e9, 1).cdf(1) == Approx(0.5).margin(1e-8));
  CHECK_THROWS_WITH(non_central_t(2e9, 1).mean(), Contains("non_central_t(nu=2e+09, delta=1)") && Contains(overflow));
  CHECK_THROWS_WITH(weibull(1e-10, 1).mean(), Contains("weibull(shape=1e-10, scale=1)") && Contains(overflow));
  CHECK_THROWS_WITH(weibull(1e-10, 1).moment(9), Contains(overflow));
  CHECK_THROWS_WITH(weibull(1e-10, 1).standardised(), Contains(overflow));
}

TEST_CASE("standardised: laws whose draws or moments doubles do not hold are refused") {
  CHECK_THROWS_AS(lognormal(0, 30).standardised(), std::domain_error);
  CHECK_THROWS_AS(lognormal(0, 1e5).standardised(), std::domain_error);
  CHECK_THROWS_AS(normal(1e30, 1).standardised(), std::domain_error);
  CHECK_THROWS_WITH(normal(0, 1e-310).standardised(), Contains("a deviation that is a normal double"));
  CHECK_THROWS_WITH(normal(1e10, 1).standardised(), Contains("a mean within 2^33 deviations of 0, given 1e+10"));
  CHECK(normal(1e9, 1).standardised().variance() == 1);
}

TEST_CASE("affine: a law that leaves the range of double is refused") {
  const std::string range = "affine: expected a law within the range of double";
  const Law law = normal(0, 1);
  CHECK_THROWS_WITH(law.affine(1e300, 1).affine(0, 1e10), Contains(range));
  CHECK_THROWS_WITH(law.affine(0, 1e300).affine(0, 1e10), Contains(range));
  CHECK_THROWS_WITH(law.affine(0, 1e-300).affine(0, 1e-10), Contains(range));
  CHECK_THROWS_WITH(law.affine(0, 1e-300).affine(0, 1e-300), Contains(range));
  CHECK_THROWS_WITH(uniform(0, 1e300).affine(0, 1e10), Contains(range));
}

TEST_CASE("quadrature: a law whose mass it misses is refused") {
  const auto one = [](const Law& law) { return law.expectation([](double) { return 1.0; }); };
  const std::string missed = "where a law has 1";
  const std::string unit = "quadrature needs quartiles at a positive finite distance";
  CHECK_THROWS_WITH(one(gamma(0.005, 1)), Contains("gamma(shape=0.005, scale=1): ") && Contains(missed));
  CHECK_THROWS_WITH(one(weibull(0.004, 1)), Contains(missed));
  CHECK_THROWS_WITH(one(gamma(1e-4, 1)), Contains(unit));
  CHECK_THROWS_WITH(one(normal(1e20, 1)), Contains(unit));
  const Law long_tail = student_t(0.01);
  CHECK_THROWS_WITH(one(long_tail), Contains(missed));
  CHECK_THROWS_WITH(one(long_tail), Contains(missed));
  CHECK_THROWS_WITH(long_tail.rule(Resolution::fine), Contains(missed));
  CHECK_THROWS_WITH(long_tail.characteristic_function(1e-8), Contains(missed));
  CHECK_THROWS_WITH(normal(1e20, 1).absolute_moment(1), Contains(unit));
  for (const Law& law : {beta(600, 600), beta(3000, 0.5), inverse_gaussian(1, 300)}) {
    INFO(law.name());
    const Estimate mass = one(law);
    CHECK(std::abs(mass.value - 1) <= mass.error);
    CHECK(mass.error < 1e-11);
  }
}

TEST_CASE("density: at an end of the support it is the limit from inside") {
  CHECK(weibull(2, 1).pdf(0) == 0);
  CHECK(weibull(1, 2).pdf(0) == 0.5);
  CHECK(weibull(0.5, 2).pdf(0) == infinity);
  CHECK(gamma(2, 1).pdf(0) == 0);
  CHECK(gamma(1, 4).pdf(0) == 0.25);
  CHECK(gamma(0.5, 1).pdf(0) == infinity);
  CHECK(gamma(1, 4).affine(3, -2).pdf(3) == 0.125);
  CHECK(chi_squared(3).pdf(0) == 0);
  CHECK(chi_squared(2).pdf(0) == 0.5);
  CHECK(chi_squared(1).pdf(0) == infinity);
  CHECK(fisher_f(3, 3).pdf(0) == 0);
  CHECK(fisher_f(2, 3).pdf(0) == 1);
  CHECK(fisher_f(1, 3).pdf(0) == infinity);
  CHECK(rayleigh(1).pdf(0) == 0);
  CHECK(exponential(3).pdf(0) == 3);
  CHECK(pareto(3, 2).pdf(2) == 1.5);
  CHECK(beta(1, 200).pdf(0) == Approx(200));
  CHECK(beta(0.5, 200).pdf(0) == infinity);
}

TEST_CASE("density: beta with large parameters, where the beta function underflows") {
  // Gamma(1200)/Gamma(600)^2 / 2^1198 = (1199/2) C(1198, 599)/2^1197, by Stirling to two terms.
  const double m = 599;
  const double middle = std::exp(std::log1p(-1 / (8 * m) + 1 / (128 * m * m))) /
                        std::sqrt(boost::math::constants::pi<double>() * m) * 1199;
  CHECK(beta(600, 600).pdf(0.5) == Approx(middle).epsilon(1e-9));
  CHECK(beta(600, 600).cdf(0.5) == Approx(0.5));
}

TEST_CASE("inverse Gaussian: a ratio at which its distribution function overflows is refused") {
  CHECK_THROWS_WITH(inverse_gaussian(1, 400), Contains("inverse_gaussian: expected lambda/mu <= 300") &&
                                                  Contains("given mu = 1 and lambda = 400"));
  CHECK(std::isfinite(inverse_gaussian(1, 300).cdf(1)));
}

TEST_CASE("hyperexponential: probabilities within rounding of 1 give a characteristic function with 1 at 0") {
  const Law law = hyperexponential(std::array{0.5, 0.5 - 9e-13}, std::array{1.0, 3.0});
  CHECK(std::abs(law.characteristic_function(0).value - 1.0) <= 2 * epsilon);
}

TEST_CASE("skew normal: the light tail keeps its digits") {
  // The survival function is 2 int_x^oo phi(y) Phi(alpha y) dy; here Phi(-4 y) is at most phi(4 y)/(4 y).
  const double survival = skew_normal(0, 1, -4).survival(3);
  CHECK(survival == Approx(3.05e-37).epsilon(0.01));
  CHECK(skew_normal(0, 1, 4).cdf(-3) == Approx(survival).epsilon(1e-12));
  CHECK(skew_normal(1, 2, -4).survival(7) == Approx(survival).epsilon(1e-12));
  CHECK(skew_normal(0, 1, 0).survival(5) == Approx(normal(0, 1).survival(5)).epsilon(1e-12));
  CHECK(skew_normal(0, 1, -4).survival(30) == 0);
}
