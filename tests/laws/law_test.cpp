#include "rootdk/laws/law.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
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

std::vector<Law> all_laws() {
  std::vector<Law> all(catalogue().begin(), catalogue().end());
  for (const Law& law : testing::varied_laws()) all.push_back(law);
  return all;
}

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
  for (const Law& law : all_laws()) {
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
      const Estimate measured =
          law.expectation([k, mean](double x) { return std::pow(x - mean, k); });
      // The mean is rounded: the derivative of the moment times its rounding.
      const double slack = k * epsilon * std::abs(mean) * law.absolute_moment(k - 1).value;
      c.compare(measured.value, law.central_moment(k), measured.error + slack,
                law.name() + ", central moment " + std::to_string(k));
    }
  }
}

TEST_CASE("absolute moments from the distribution function equal those from the density") {
  testing::Comparison c(Kind::numeric, "absolute moments 1 and 3, two ways", {});
  for (const Law& law : all_laws()) {
    for (const int k : {1, 3}) {
      if (!law.has_moment(k)) continue;
      const Estimate measured = law.absolute_moment(k);
      const std::array<double, 1> kink{0.0};
      const Estimate expected =
          law.expectation([k](double x) { return std::pow(std::abs(x), k); }, kink);
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
}

TEST_CASE("the catalogue is standardised") {
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
  CHECK(message_of([] { (void)cauchy().mean(); }) ==
        "cauchy: integrable fails: E|X| is infinite for nu <= 1, given 1");
  CHECK(message_of([] { (void)student_t(2.5).moments(4); }) ==
        "student_t(nu=2.5): finite_fourth_moment fails: E(X^4) is infinite for nu <= 4, given 2.5");
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
  for (const Law& law : all_laws()) {
    for (const double p : {0.001, 0.2, 0.5, 0.9, 0.9999}) {
      const double x = law.quantile(p);
      const std::array<double, 1> jump{x};
      const double slack = law.is_discrete() ? 1e-9 * (1 + std::abs(x)) : 0;
      const Estimate below =
          law.expectation([&](double y) { return y <= x + slack ? 1.0 : 0.0; }, jump);
      // Rounding of x moves the distribution function by the density.
      const double moved = law.is_discrete() ? 0 : 4 * epsilon * std::abs(x) * law.pdf(x);
      const std::string context = law.name() + " at " + std::to_string(x);
      c.compare(law.cdf(x), below.value, below.error + moved, context);
      c.compare(law.cdf(x) + law.survival(x), 1, rounding_of_density, context);
    }
  }
}

TEST_CASE("the quantile is the smallest x that the distribution function brings to p") {
  for (const Law& law : all_laws()) {
    INFO(law.name());
    for (const double p : {1e-6, 0.01, 0.25, 0.5, 0.77, 0.999}) {
      const double x = law.quantile(p);
      if (law.is_discrete()) {
        CHECK(law.cdf(x) >= p);
        CHECK(law.mass(x) > 0);
        CHECK(law.cdf(x) - law.mass(x) < p * (1 + rounding_of_density));
      } else {
        const double moved = 8 * epsilon * std::max(std::abs(x), 1.0) * law.pdf(x);
        // epsilon is the rounding of 1 - p, from which a mirrored law starts.
        CHECK(std::abs(law.cdf(x) - p) <= 1e-12 * p + epsilon + moved);
      }
    }
    CHECK_THROWS_AS(law.quantile(0), std::domain_error);
    CHECK_THROWS_AS(law.quantile(1), std::domain_error);
    CHECK_THROWS_AS(law.quantile(std::nan("")), std::domain_error);
  }
}

TEST_CASE("atoms are increasing, have the mass of the law, and sum to 1") {
  for (const Law& law : all_laws()) {
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
  for (const Law& law : all_laws()) {
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

TEST_CASE("characteristic functions equal the quadrature or sum of the wave") {
  testing::Comparison c(Kind::numeric, "characteristic function against the density", {});
  for (const Law& law : all_laws()) {
    for (const double t : {-2.0, -0.1, 0.0, 0.7, 4.0}) {
      const ComplexEstimate phi = law.characteristic_function(t);
      const Estimate real = law.expectation([t](double x) { return std::cos(t * x); });
      const Estimate imaginary = law.expectation([t](double x) { return std::sin(t * x); });
      const double bound = phi.error + real.error + imaginary.error;
      const std::string context = law.name() + " at " + std::to_string(t);
      c.compare(phi.value.real(), real.value, bound, context);
      c.compare(phi.value.imag(), imaginary.value, bound, context);
    }
    CHECK_THROWS_AS(law.characteristic_function(infinity), std::domain_error);
  }
}

TEST_CASE("the kept rule integrates the powers") {
  testing::Comparison c(Kind::numeric, "kept rule against the moments", {});
  for (const Law& law : all_laws()) {
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
      c.compare(measured.value, x.moment(4) + 24 + 16 * y.moment(4), measured.error,
                x.name() + " and " + y.name());
    }
  }
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
  CHECK_THROWS_WITH(uniform(1, 1), "uniform: expected a finite upper > lower, given 1");
  CHECK_THROWS_AS(laplace(std::nan(""), 1), std::domain_error);
  CHECK_THROWS_AS(exponential(0), std::domain_error);
  CHECK_THROWS_AS(gamma(-1, 1), std::domain_error);
  CHECK_THROWS_AS(gamma(1, infinity), std::domain_error);
  CHECK_THROWS_AS(student_t(0), std::domain_error);
  CHECK_THROWS_AS(lognormal(0, 0), std::domain_error);
  CHECK_THROWS_AS(bernoulli(1), std::domain_error);
  CHECK_THROWS_AS(poisson(-2), std::domain_error);
}
