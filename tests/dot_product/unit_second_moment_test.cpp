// 1. In exact arithmetic E(U^2) = 1 for every law with mean 0 and variance 1, and Var U + E(U)^2 for
//    every law.
// 2. By quadrature over the catalogue.
// 3. Sampled.
// 4. A mean that is not 0, and a variance that is not 1, break it.

#include "rootdk/dot_product/unit_second_moment.hpp"

#include <limits>

#include "rootdk/laws/catalogue.hpp"
#include "support/batches.hpp"
#include "support/generators.hpp"
#include "support/test.hpp"

namespace unit_second_moment_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::second_moment;

namespace {

Rational enumerated_second_moment(const FiniteLaw<Rational>& law) {
  return law.expect([](const Rational& u) -> Rational { return u * u; });
}

}  // namespace

TEST_CASE("exact: the second moment of a standardised law") {
  // [unit_second_moment]
  for_all(Kind::exact, "E(U^2), enumerated, for any law with mean 0 and variance 1",
          finite_law<"zero_mean", "unit_variance">(), [](const FiniteLaw<Rational>& law) {
            const Rational skewness = law.central_moment(3);
            RC_CLASSIFY(skewness != 0, "skewed");
            RC_CLASSIFY(skewness == 0, "unskewed");
            RC_ASSERT(enumerated_second_moment(law) == 1);
            RC_ASSERT(second_moment(law.mean(), law.variance()) == 1);
          });
  // [unit_second_moment]
}

TEST_CASE("exact: the second moment of a law that is shifted and stretched") {
  const Generated<std::vector<int>> numbers{vector_of(2, 2, integer(-9, 9, 1))};
  for_all(Kind::exact, "Var(a + bU) + E(a + bU)^2 for a standardised U and integers a, b",
          std::tuple{finite_law<"zero_mean", "unit_variance">(), numbers},
          [](const FiniteLaw<Rational>& law, const std::vector<int>& ab) {
            const Rational a = ab[0], b = ab[1];
            RC_ASSERT(enumerated_second_moment(law.affine(a, b)) == second_moment(a, Rational(b * b)));
          });
}

TEST_CASE("exact: components uniform on the unit interval have second moment 1/3") {
  CHECK(second_moment(Rational(1) / 2, Rational(1) / 12) == Rational(1) / 3);
}

TEST_CASE("numeric: the catalogue by quadrature") {
  Comparison check(Kind::numeric, "E(U^2) over the catalogue", slugs<"zero_mean", "unit_variance">());
  for (const laws::Law& law : laws::catalogue()) {
    check.law(law.name());
    const laws::Estimate measured = law.expectation([](double u) { return u * u; });
    check.compare(measured.value, second_moment(0.0, 1.0), measured.error, law.name());
  }
}

TEST_CASE("statistical: sampled squares") {
  StatisticalCheck check("mean of U^2", slugs<"zero_mean", "unit_variance">());
  constexpr std::size_t n = 16384;
  for (const laws::Law& law : laws::catalogue()) {
    if (!law.has_moment(4)) continue;
    const auto means = batch_means(check, law.name(), 1, n, [&](auto& stream, std::span<double> out) {
      law.sample(stream, out);
      for (double& u : out) u *= u;
    });
    check.check(law.name(), second_moment(0.0, 1.0), std::sqrt((law.moment(4) - 1) / n), means, 1);
  }
}

TEST_CASE("falsifier: a shifted and a stretched coin") {
  const auto shifted = FiniteLaw<Rational>::rademacher().affine(1, 1);
  falsifier("zero_mean", "1 + a fair \\(\\pm 1\\)", "\\(E(U^2)\\)", enumerated_second_moment(shifted), Rational(1));
  const auto stretched = FiniteLaw<Rational>::rademacher().affine(0, 2);
  falsifier("unit_variance", "twice a fair \\(\\pm 1\\)", "\\(E(U^2)\\)", enumerated_second_moment(stretched),
            Rational(1));
  CHECK_THROWS_WITH(second_moment(1.0, -0.5), Catch::Contains("expected a variance of at least 0, given -0.5"));
  CHECK_THROWS_WITH(second_moment(std::numeric_limits<double>::quiet_NaN(), 1.0),
                    Catch::Contains("expected a finite mean, given nan"));
  CHECK_THROWS_WITH(second_moment(1e200, 1.0), Catch::Contains("in the range of the scalar"));
  CHECK_THROWS_AS(second_moment(0.0, std::numeric_limits<double>::infinity()), std::domain_error);
}

}  // namespace unit_second_moment_test
