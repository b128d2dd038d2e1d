// 1. In exact arithmetic Var(cX) = c^2 Var X for any law, and the variance of a sum of uncorrelated
//    terms, dependent ones included, is the sum of their variances.
// 2. Both by quadrature over the catalogue.
// 3. Sums of uncorrelated and dependent terms, sampled.
// 4. A correlated pair breaks the sum; a law without a second moment is refused by name.

#include "rootdk/dot_product/variance_rules.hpp"

#include <limits>

#include "rootdk/laws/catalogue.hpp"
#include "support/batches.hpp"
#include "support/generators.hpp"
#include "support/test.hpp"

namespace variance_rules_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::variance_of_multiple;
using dot_product::variance_of_sum;

namespace {

Rational sum(std::span<const Rational> terms) {
  Rational total = 0;
  for (const Rational& term : terms) total += term;
  return total;
}

std::vector<Rational> marginal_variances(const JointLaw<Rational>& law) {
  std::vector<Rational> variances;
  for (std::size_t i = 0; i < law.dimension(); ++i) variances.push_back(law.variance(i));
  return variances;
}

}  // namespace

TEST_CASE("exact: the variance of a multiple") {
  const Generated<std::vector<int>> fraction{vector_of(2, 2, integer(-9, 9, 1))};
  for_all(Kind::exact, "Var(cX) for any law and any rational c", std::tuple{finite_law<>(), fraction},
          [](const FiniteLaw<Rational>& law, const std::vector<int>& parts) {
            const Rational c = Rational(parts[0]) / (parts[1] == 0 ? 1 : parts[1]);
            RC_CLASSIFY(c == 0, "c is 0");
            RC_CLASSIFY(c < 0, "c is negative");
            RC_CLASSIFY(c > 0, "c is positive");
            RC_ASSERT(law.affine(0, c).variance() == variance_of_multiple(c, law.variance()));
          });
}

TEST_CASE("exact: the variance of a sum of uncorrelated terms") {
  for (const int terms : {1, 2, 3, 4}) {
    // [variance_rules]
    for_all(Kind::exact, fmt::format("uncorrelated terms, dependent or not: {}", terms),
            joint_law<"uncorrelated_terms">(terms), [](const JointLaw<Rational>& law) {
              classify(law);
              const std::vector<Rational> variances = marginal_variances(law);
              RC_ASSERT(law.push_forward(sum).variance() == variance_of_sum(std::span<const Rational>(variances)));
            });
    // [variance_rules]
  }
}

TEST_CASE("exact: variances that are none are refused") {
  CHECK_THROWS_AS(variance_of_multiple(Rational(2), Rational(-1)), std::domain_error);
  CHECK_THROWS_WITH(variance_of_multiple(std::numeric_limits<double>::quiet_NaN(), 1.0),
                    Catch::Contains("expected a finite factor, given nan"));
  CHECK_THROWS_WITH(variance_of_multiple(std::numeric_limits<double>::infinity(), 0.0),
                    Catch::Contains("expected a finite factor, given inf"));
  CHECK_THROWS_WITH(variance_of_multiple(1e200, 1.0), Catch::Contains("in the range of the scalar, but it is inf"));
  const std::vector<double> two_large{1e308, 1e308};
  CHECK_THROWS_WITH(variance_of_sum(std::span<const double>(two_large)),
                    Catch::Contains("the sum of the variances in the range of the scalar"));
  const double with_nan[] = {1.0, std::numeric_limits<double>::quiet_NaN()};
  CHECK_THROWS_AS(variance_of_sum(std::span<const double>(with_nan)), std::domain_error);
  CHECK(variance_of_sum(std::span<const Rational>()) == 0);
}

TEST_CASE("numeric: the variance of a multiple by quadrature") {
  Comparison check(Kind::numeric, "Var(cX) for c in -3, 1/8, 5/2 over the catalogue", slugs<>());
  for (const laws::Law& law : laws::catalogue()) {
    check.law(law.name());
    for (const double c : {-3.0, 0.125, 2.5}) {
      const laws::Estimate measured = law.expectation([&](double x) { return c * x * c * x; });
      check.compare(measured.value, variance_of_multiple(c, law.variance()), measured.error, law.name());
    }
  }
}

TEST_CASE("numeric: the variance of a sum by two-dimensional quadrature") {
  Comparison check(Kind::numeric, "Var(X + 2Y) for independent neighbours in the catalogue",
                   slugs<"uncorrelated_terms">());
  const auto all = laws::catalogue();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const laws::Law &x = all[i], &y = all[(i + 1) % all.size()];
    check.law(x.name());
    const laws::Estimate measured =
        laws::expectation(x, y, [](double a, double b) { return (a + 2 * b) * (a + 2 * b); });
    const double variances[] = {x.variance(), variance_of_multiple(2.0, y.variance())};
    check.compare(measured.value, variance_of_sum(std::span<const double>(variances)), measured.error,
                  x.name() + " and " + y.name());
  }
}

TEST_CASE("statistical: a sum of uncorrelated and dependent terms") {
  // X_1 = U and X_2 = WU with a fair sign W are uncorrelated, and each determines |U|.
  StatisticalCheck check("mean of (U + WU)^2 for a fair sign W", slugs<"uncorrelated_terms">());
  constexpr std::size_t n = 4096;
  const laws::Law sign = laws::rademacher();
  for (const laws::Law& law : laws::catalogue()) {
    if (!law.has_moment(4)) continue;
    const double variances[] = {law.moment(2), law.moment(2)};
    const double claimed = variance_of_sum(std::span<const double>(variances));
    // (U + WU)^2 is 4U^2 or 0, each with probability 1/2
    const double sigma_b = std::sqrt((8 * law.moment(4) - claimed * claimed) / n);
    std::vector<double> signs(n);
    const auto means = batch_means(check, law.name(), 2, n, [&](auto& stream, std::span<double> out) {
      law.sample(stream, out);
      sign.sample(stream, signs);
      for (std::size_t i = 0; i < n; ++i) {
        const double total = out[i] + signs[i] * out[i];
        out[i] = total * total;
      }
    });
    check.check(law.name(), claimed, sigma_b, means, claimed);
  }
}

TEST_CASE("falsifier: correlated terms and missing moments") {
  const auto twice = JointLaw<Rational>::uniform({{1, 1}, {-1, -1}});
  const std::vector<Rational> variances = marginal_variances(twice);
  falsifier("uncorrelated_terms", "\\(X_2 = X_1\\), a fair \\(\\pm 1\\)", "\\(\\operatorname{Var}(X_1 + X_2)\\)",
            twice.push_forward(sum).variance(), variance_of_sum(std::span<const Rational>(variances)));
  refusal("finite_second_moment", "Student t with 2 degrees of freedom",
          [] { (void)variance_of_multiple(2.0, laws::student_t(2).variance()); });
  refusal("finite_second_moment", "an infinite variance",
          [] { (void)variance_of_multiple(2.0, std::numeric_limits<double>::infinity()); });
}

}  // namespace variance_rules_test
