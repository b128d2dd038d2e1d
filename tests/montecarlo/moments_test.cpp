#include "rootdk/montecarlo/moments.hpp"

#include <utility>
#include <vector>

#include "rootdk/laws/rational.hpp"
#include "support/test.hpp"

using namespace rootdk;
using namespace rootdk::montecarlo;
using rootdk::laws::Rational;

namespace {

// Value and weight of each outcome.
using Table = std::vector<std::pair<Rational, Rational>>;

const Table skewed{{Rational(-1, 2), Rational(2, 3)}, {1, Rational(1, 6)}, {3, Rational(1, 6)}};
const Table shifted{{2, Rational(1, 4)}, {Rational(-7, 5), Rational(3, 4)}};

template <class Combine>
Table combine(const Table& x, const Table& y, Combine f) {
  Table result;
  for (const auto& [a, p] : x) {
    for (const auto& [b, q] : y) result.emplace_back(f(a, b), p * q);
  }
  return result;
}

RawMoments<Rational> enumerate(const Table& table, std::size_t order = 8) {
  std::vector<Rational> m(order + 1, 0);
  for (const auto& [value, weight] : table) {
    Rational power = weight;
    for (Rational& sum : m) {
      sum += power;
      power *= value;
    }
  }
  return RawMoments<Rational>(m);
}

void check_equal(const RawMoments<Rational>& a, const RawMoments<Rational>& b) {
  REQUIRE(a.order() == b.order());
  for (std::size_t k = 0; k <= a.order(); ++k) CHECK(a[k] == b[k]);
}

}  // namespace

TEST_CASE("moments of a sum of independent variables equal the enumerated ones") {
  check_equal(sum_of_independent(enumerate(skewed), enumerate(shifted)),
              enumerate(combine(skewed, shifted, [](auto a, auto b) { return Rational(a + b); })));
}

TEST_CASE("moments of a product of independent variables equal the enumerated ones") {
  check_equal(product_of_independent(enumerate(skewed), enumerate(shifted)),
              enumerate(combine(skewed, shifted, [](auto a, auto b) { return Rational(a * b); })));
}

TEST_CASE("moments of a sum of copies equal the enumerated ones") {
  Table sum{{0, 1}};
  for (std::size_t n = 0; n <= 7; ++n) {
    check_equal(sum_of_copies(enumerate(skewed), n), enumerate(sum));
    sum = combine(sum, skewed, [](auto a, auto b) { return Rational(a + b); });
  }
}

TEST_CASE("moments of a multiple and of a power equal the enumerated ones") {
  Table multiple = skewed;
  for (auto& [value, weight] : multiple) value *= Rational(-3, 2);
  check_equal(scaled(enumerate(skewed), Rational(-3, 2)), enumerate(multiple));

  Table cubes = skewed;
  for (auto& [value, weight] : cubes) value = value * value * value;
  check_equal(power(enumerate(skewed), 3), enumerate(cubes, 2));
}

TEST_CASE("the variance of a mean of powers equals the enumerated one") {
  const Table mean = combine(skewed, skewed, [](auto a, auto b) { return Rational((a * a + b * b) / 2); });
  const RawMoments<Rational> m = enumerate(mean, 2);
  CHECK(variance_of_mean_power(enumerate(skewed), 2, 2) == m[2] - m[1] * m[1]);
}

TEST_CASE("orders are the smaller of the two and asking beyond is refused") {
  const RawMoments<double> low({1, 0, 1, 0, 3});
  const RawMoments<double> high({1, 0, 1, 0, 3, 0, 15});
  CHECK(sum_of_independent(low, high).order() == 4);
  CHECK(product_of_independent(high, low).order() == 4);
  CHECK_THROWS_AS(low[5], std::domain_error);
  CHECK_THROWS_AS(variance_of_mean_power(low, 3, 1), std::domain_error);
  CHECK_THROWS_AS(variance_of_mean_power(low, 2, 0), std::domain_error);
  CHECK_THROWS_AS(power(low, 0), std::domain_error);
  CHECK_THROWS_AS(RawMoments<double>({}), std::invalid_argument);
  CHECK_THROWS_AS(RawMoments<double>({2, 1}), std::invalid_argument);
}

TEST_CASE("the dot product of normal components has the fourth moment 3 d squared plus 6 d") {
  const RawMoments<double> normal({1, 0, 1, 0, 3, 0, 15, 0, 105});
  for (const std::size_t d : {1u, 2u, 64u, 512u}) {
    const RawMoments<double> logit = sum_of_copies(product_of_independent(normal, normal), d);
    const double n = static_cast<double>(d);
    CHECK(logit[2] == n);
    CHECK(logit[4] == 3 * n * n + 6 * n);
  }
}
