#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "rootdk/laws/rational.hpp"
#include "rootdk/montecarlo/median_of_batches.hpp"
#include "support/statistical_policy.hpp"
#include "support/test.hpp"

using namespace rootdk;
using montecarlo::MedianOfBatches;
using rootdk::laws::Rational;

namespace {

// P(Bin(n, p) >= k), term by term.
Rational exact_upper_tail(int n, const Rational& p, int k) {
  Rational total = 0;
  for (int j = k; j <= n; ++j) {
    Rational term = 1;
    for (int i = 0; i < j; ++i) term *= p * (n - i) / (i + 1);
    for (int i = j; i < n; ++i) term *= 1 - p;
    total += term;
  }
  return total;
}

}  // namespace

TEST_CASE("the binomial tail equals the exact sum") {
  testing::Comparison c(Kind::numeric, "binomial tail against rational sums", {});
  for (const int n : {1, 2, 7, 44, 143, 144, 176}) {
    for (const Rational& p : {Rational(1, 4), Rational(1, 2), Rational(3, 7)}) {
      for (const int k : {0, 1, n / 2, n}) {
        const double expected = exact_upper_tail(n, p, k).convert_to<double>();
        c.compare(montecarlo::binomial_upper_tail(static_cast<std::size_t>(n), p.convert_to<double>(),
                                                  static_cast<std::size_t>(k)),
                  expected, 1e-12 * expected);
      }
    }
  }
  CHECK(montecarlo::binomial_upper_tail(3, 0.5, 4) == 0);
  CHECK_THROWS_AS(montecarlo::binomial_upper_tail(3, 1.5, 1), std::domain_error);
  CHECK_THROWS_AS(montecarlo::binomial_upper_tail(3, std::nan(""), 1), std::domain_error);
}

TEST_CASE("false-alarm probabilities that the design states") {
  CHECK(MedianOfBatches(144).false_alarm() == Approx(9.9e-11).epsilon(0.01));
  CHECK(MedianOfBatches(176).false_alarm() == Approx(9.0e-13).epsilon(0.01));
}

TEST_CASE("the number of batches is the smallest for a share") {
  for (const double share : {0.3, 1e-3, 1e-10, testing::share()}) {
    const std::size_t k = MedianOfBatches::for_share(share).batches();
    CHECK(MedianOfBatches(k).false_alarm() <= share);
    for (std::size_t smaller = 1; smaller < k; ++smaller) {
      CHECK(MedianOfBatches(smaller).false_alarm() > share);
    }
  }
  CHECK_THROWS_AS(MedianOfBatches::for_share(0), std::domain_error);
  CHECK_THROWS_AS(MedianOfBatches::for_share(0.5), std::domain_error);
  CHECK_THROWS_AS(MedianOfBatches(0), std::domain_error);
}

TEST_CASE("the median of any order and number of values") {
  CHECK(montecarlo::median(std::array{3.0}) == 3);
  CHECK(montecarlo::median(std::array{9.0, 1.0, 5.0}) == 5);
  CHECK(montecarlo::median(std::array{9.0, 1.0, 5.0, 2.0}) == 3.5);
  CHECK(montecarlo::median(std::array{1e308, 1.5e308}) == 1.25e308);
  CHECK_THROWS_AS(montecarlo::median(std::vector<double>{}), std::invalid_argument);
  CHECK_THROWS_AS(montecarlo::median(std::array{1.0, std::nan("")}), std::invalid_argument);
}

// The three-point law -2 sigma, 0, 2 sigma with weights 1/8, 3/4, 1/8 attains Chebyshev's 1/4. Its
// ends are pushed out a little so that they are outside; every outcome of K batches is enumerated.
TEST_CASE("the bound covers the law that attains Chebyshev") {
  for (int batches = 1; batches <= 9; ++batches) {
    double outside = 0;
    int outcomes = 1;
    for (int b = 0; b < batches; ++b) outcomes *= 3;
    for (int outcome = 0; outcome < outcomes; ++outcome) {
      std::vector<double> values;
      double weight = 1;
      for (int b = 0, rest = outcome; b < batches; ++b, rest /= 3) {
        values.push_back(2.001 * (rest % 3 - 1));
        weight *= rest % 3 == 1 ? 0.75 : 0.125;
      }
      if (std::abs(montecarlo::median(values)) > MedianOfBatches::half_width(1)) outside += weight;
    }
    const double bound = MedianOfBatches(static_cast<std::size_t>(batches)).false_alarm();
    CHECK(outside > 0);
    CHECK(outside <= bound);
  }
}

TEST_CASE("a hundred checks at three deviations raise false alarms, a shared budget does not") {
  // independent normal checks, each at k standard deviations to either side
  const auto some_alarm = [](double k) { return -std::expm1(100 * std::log1p(-std::erfc(k / std::sqrt(2.0)))); };
  CHECK(std::abs(some_alarm(3) - 0.237) <= 0.0005);
  CHECK(std::abs(some_alarm(5) - 5.7e-5) <= 0.05e-5);
  CHECK(testing::share() * testing::planned_checks <= testing::family_false_alarm);
}

TEST_CASE("the deviation that is seen") {
  const MedianOfBatches method(144);
  CHECK(MedianOfBatches::half_width(0.5) == 1);
  CHECK(method.detectable_deviation(1) <= 3.31);
  CHECK(method.detectable_deviation(1) > 3.3);
  CHECK(method.detectable_deviation(7) == Approx(7 * method.detectable_deviation(1)));

  // At the deviation, Cantelli's probability of the near side gives a miss with 1 - power.
  for (const double power : {0.5, 0.9, 0.999}) {
    const double beyond = method.detectable_deviation(1, power) - 2;
    const double near_side = 1 / (1 + beyond * beyond);
    CHECK(montecarlo::binomial_upper_tail(144, near_side, 72) == Approx(1 - power));
  }
  CHECK_THROWS_AS(method.detectable_deviation(-1), std::domain_error);
  CHECK_THROWS_AS(method.detectable_deviation(1, 1), std::domain_error);
  CHECK_THROWS_AS(MedianOfBatches::half_width(std::numeric_limits<double>::infinity()), std::domain_error);
}
