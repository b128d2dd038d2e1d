// 1. In exact arithmetic all four lines are the variance, for any law of X and any dependence of U, V.
//    So is the longer formula for Var(UV) through the covariance of the squares.
// 2. Over the catalogue each line, by quadrature, is the closed form within the quadrature's error.
//    In double a large mean leaves the last line no digit.
// 3. Sampled squared deviations have the mean that the last line gives.
// 4. Without a second moment the law is refused by name.

#include "rootdk/dot_product/variance_expansion.hpp"

#include "rootdk/laws/catalogue.hpp"
#include "support/batches.hpp"
#include "support/generators.hpp"
#include "support/test.hpp"

namespace variance_expansion_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::variance_expansion;
using dot_product::variance_from_moments;

namespace {

// Half the mean squared difference of two independent copies: a road to the variance that takes no
// mean and expands no square.
Rational variance_by_differences(const FiniteLaw<Rational>& law) {
  Rational total = 0;
  for (std::size_t i = 0; i < law.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Rational difference = law.atoms()[i] - law.atoms()[j];
      total += law.weights()[i] * law.weights()[j] * difference * difference;
    }
  return total;
}

Rational product(std::span<const Rational> w) { return w[0] * w[1]; }

// Laws with a mean that is not 0, so that no term of the expansion vanishes.
laws::Law off_centre(const laws::Law& standardised) { return standardised.affine(1.5, 2); }

// The expectation by quadrature, with the largest error estimate of its calls.
struct Quadrature {
  const laws::Law& law;
  mutable double error = 0;
  double operator()(const std::function<double(double)>& f) const {
    const laws::Estimate e = law.expectation(f);
    error = std::max(error, e.error);
    return e.value;
  }
};

}  // namespace

TEST_CASE("exact: every line of the expansion is the variance") {
  // [variance_expansion]
  for_all(Kind::exact, "X = UV for any joint law of U and V, dependent or not", joint_law<>(2),
          [](const JointLaw<Rational>& law) {
            classify(law);
            const auto lines = variance_expansion([&](const auto& f) { return law.expect(f); }, product);
            const FiniteLaw<Rational> x = law.push_forward(product);
            const Rational variance = variance_by_differences(x);
            RC_ASSERT(x.variance() == variance);
            RC_ASSERT(lines.definition == variance);
            RC_ASSERT(lines.expanded == variance);
            RC_ASSERT(lines.linear == variance);
            RC_ASSERT(lines.moments == variance);
          });
  // [variance_expansion]
}

TEST_CASE("exact: the variance of a product through the covariance of the squares") {
  const auto longer = [](const JointLaw<Rational>& law) -> Rational {
    const JointLaw<Rational> squares = law.map([](std::span<const Rational> w) {
      return std::vector<Rational>{w[0] * w[0], w[1] * w[1]};
    });
    const Rational first = law.covariance(0, 1) + law.mean(0) * law.mean(1);
    return squares.covariance(0, 1) + squares.mean(0) * squares.mean(1) - first * first;
  };
  for_all(Kind::exact, "Cov(U^2, V^2) + E(U^2)E(V^2) - (Cov(U, V) + E(U)E(V))^2 for any joint law of U and V",
          joint_law<>(2), [&](const JointLaw<Rational>& law) {
            classify(law);
            RC_ASSERT(longer(law) == variance_by_differences(law.push_forward(product)));
            RC_ASSERT(longer(law) >= 0);  // whatever the law: moments that give less belong to none
          });
  // an independent standard pair: 1, where the covariance of the squares alone would be 0
  const auto sign = FiniteLaw<Rational>::rademacher();
  CHECK(longer(JointLaw<Rational>::product(std::vector{sign, sign})) == 1);
}

TEST_CASE("exact: the difference of moments is the variance of any finite law") {
  for_all(Kind::exact, "E(X^2) - E(X)^2 for any finite law", finite_law<>(), [](const FiniteLaw<Rational>& law) {
    RC_CLASSIFY(law.size() == 1, "constant");
    RC_CLASSIFY(law.size() > 1, "not constant");
    RC_ASSERT(variance_from_moments(law.moment(1), law.moment(2)) == variance_by_differences(law));
  });
}

TEST_CASE("exact: moments of no law are refused") {
  CHECK_THROWS_AS(variance_from_moments(Rational(2), Rational(3)), std::domain_error);
  CHECK_THROWS_WITH(variance_from_moments(2.0, 3.0), Catch::Contains("expected E(X^2) >= E(X)^2"));
  CHECK_THROWS_WITH(variance_from_moments(1e200, 1e300), Catch::Contains("the square of the mean in the range"));
  // a constant, its moments rounded
  for (int k = 1; k < 1000; ++k) {
    const double m = k / 10.0, below = std::nextafter(m * m, 0);
    CHECK(variance_from_moments(m, below) == 0);
    CHECK_THROWS_AS(variance_from_moments(m, m * m * (1 - 1e-14)), std::domain_error);
  }
  CHECK(variance_from_moments(Rational(2), Rational(4)) == 0);
}

TEST_CASE("numeric: a difference of large moments keeps no digit in double") {
  const FiniteLaw<double> coin = FiniteLaw<double>::uniform({1e8 - 1, 1e8 + 1});
  const auto lines =
      variance_expansion([&](const auto& f) { return coin.expect(f); }, [](double x) -> double { return x; });
  CHECK(lines.definition == 1);
  CHECK(std::abs(lines.moments - 1) >= 1);
}

TEST_CASE("numeric: every line by quadrature over the catalogue") {
  Comparison check(Kind::numeric, "each line for X = U with mean 3/2, by quadrature", slugs<>());
  for (const laws::Law& standardised : laws::catalogue()) {
    const laws::Law law = off_centre(standardised);
    const Quadrature expect{law};
    const auto lines = variance_expansion(expect, [](double w) -> double { return w; });
    // an error e of each expectation enters a line with factors that add up to at most 1 + 4|m|
    const double bound = expect.error * (1 + 4 * std::abs(law.mean()));
    check.law(standardised.name());
    check.compare(lines.definition, law.variance(), bound, standardised.name() + ", definition");
    check.compare(lines.expanded, law.variance(), bound, standardised.name() + ", expanded");
    check.compare(lines.linear, law.variance(), bound, standardised.name() + ", linear");
    check.compare(lines.moments, law.variance(), bound, standardised.name() + ", moments");
  }
}

TEST_CASE("numeric: X = UV with V = U over the catalogue") {
  Comparison check(Kind::numeric, "Var(U^2) by quadrature against E(U^4) - E(U^2)^2", slugs<>());
  for (const laws::Law& standardised : laws::catalogue()) {
    if (!standardised.has_moment(4)) continue;
    const laws::Law law = off_centre(standardised);
    const Quadrature expect{law};
    const auto lines = variance_expansion(expect, [](double w) -> double { return w * w; });
    check.law(standardised.name());
    check.compare(lines.definition, variance_from_moments(law.moment(2), law.moment(4)),
                  expect.error * (1 + 4 * law.moment(2)), standardised.name());
  }
}

TEST_CASE("statistical: squared deviations have the mean of the last line") {
  StatisticalCheck check("mean of (X - m)^2 for X = U with m = 3/2", slugs<>());
  constexpr std::size_t n = 4096;
  for (const laws::Law& standardised : laws::catalogue()) {
    if (!standardised.has_moment(4)) continue;
    const laws::Law law = off_centre(standardised);
    const double mean = law.mean(), claimed = variance_from_moments(mean, law.moment(2));
    const double sigma_b = std::sqrt((law.central_moment(4) - claimed * claimed) / n);
    const auto means = batch_means(check, law.name(), 1, n, [&](auto& stream, std::span<double> out) {
      law.sample(stream, out);
      for (double& x : out) x = (x - mean) * (x - mean);
    });
    check.check(standardised.name(), claimed, sigma_b, means, claimed);
  }
}

TEST_CASE("falsifier: a law without a second moment is refused by name") {
  refusal("finite_second_moment", "Student t with 2 degrees of freedom", [] { (void)laws::student_t(2).variance(); });
  refusal("finite_second_moment", "an infinite second moment",
          [] { (void)variance_from_moments(0.0, std::numeric_limits<double>::infinity()); });
}

}  // namespace variance_expansion_test
