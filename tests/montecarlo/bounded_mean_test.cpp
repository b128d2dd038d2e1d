#include "rootdk/montecarlo/bounded_mean.hpp"

#include <cmath>

#include "rootdk/montecarlo/median_of_batches.hpp"
#include "support/test.hpp"

using rootdk::montecarlo::binomial_upper_tail;
using rootdk::montecarlo::bounded_mean_confidence;
using rootdk::montecarlo::bounded_mean_interval;
using rootdk::montecarlo::detectable_deviation;
using rootdk::montecarlo::Interval;
using rootdk::montecarlo::proportion_interval;

TEST_CASE("the interval of a bounded mean holds the exact tails of a coin") {
  // coins are the worst case of Hoeffding's bound: their exact tails must be within it, and not far below
  for (const double p : {0.01, 0.2, 0.5, 0.97})
    for (const std::size_t n : {100u, 4000u}) {
      const double share = 1e-6;
      const Interval i = bounded_mean_interval(p, 1, n, share);
      const auto above = static_cast<std::size_t>(std::ceil(i.high * static_cast<double>(n)));
      const auto below = static_cast<std::size_t>(std::ceil((1 - i.low) * static_cast<double>(n)));
      // an interval that ends at 0 or 1 leaves nothing beyond
      if (i.low > 0) CHECK(binomial_upper_tail(n, 1 - p, below) <= share / 2);
      if (i.high == 1) continue;
      CHECK(binomial_upper_tail(n, p, above) <= share / 2);
      CHECK(binomial_upper_tail(n, p, above) >= share / 2000);
    }
}

TEST_CASE("the interval scales with the range and shrinks with the count") {
  const Interval one = bounded_mean_interval(0.3, 1, 1000, 1e-9), four = bounded_mean_interval(1.2, 4, 1000, 1e-9);
  CHECK(four.low == Approx(4 * one.low).epsilon(1e-12));
  CHECK(four.high == Approx(4 * one.high).epsilon(1e-12));
  const Interval more = bounded_mean_interval(0.3, 1, 100000, 1e-9);
  CHECK(more.high - more.low < (one.high - one.low) / 9);
  CHECK(bounded_mean_interval(0.3, 1, 1, 1e-9).high == 1);  // one value says nothing
}

TEST_CASE("the means that a sample allows are those whose interval holds it") {
  for (const double mean : {0.0, 0.004, 0.3, 1.2, 2.0}) {
    const Interval allowed = bounded_mean_confidence(mean, 2, 4000, 1e-6);
    CHECK(allowed.low <= mean);
    CHECK(mean <= allowed.high);
    for (const double end : {allowed.low, allowed.high}) {
      if (end == 0 || end == 2) continue;
      const double out = 1e-9 * (end - mean);
      const auto holds = [&](double true_mean) {
        const Interval i = bounded_mean_interval(true_mean, 2, 4000, 1e-6);
        return i.low <= mean && mean <= i.high;
      };
      CHECK(holds(end - out));
      CHECK_FALSE(holds(end + out));
    }
  }
  CHECK(bounded_mean_confidence(0, 1, 1000, 1e-6).low == 0);
  CHECK(bounded_mean_confidence(1, 1, 1000, 1e-6).high == 1);
  CHECK_THROWS_AS(bounded_mean_confidence(1.5, 1, 1000, 1e-6), std::domain_error);
}

TEST_CASE("the detectable deviation is seen") {
  for (const double p : {0.05, 0.4}) {
    const std::size_t n = 2000;
    const Interval i = bounded_mean_interval(p, 1, n, 1e-9);
    const double seen = detectable_deviation(i, p, 1, n);
    CHECK(seen > std::min(i.high - p, p - i.low));
    CHECK(seen < 0.3);
    // a coin with that mean on either side, exactly
    const auto above = static_cast<std::size_t>(std::floor(i.high * static_cast<double>(n))) + 1;
    const auto below = static_cast<std::size_t>(std::floor((1 - i.low) * static_cast<double>(n))) + 1;
    const double up = binomial_upper_tail(n, p + seen, above);
    const double down = p > seen ? binomial_upper_tail(n, 1 - p + seen, below) : 0;
    CHECK(std::max(up, down) >= 0.999);
  }
}

TEST_CASE("a single success is seen where none is expected") {
  // of 1000 trials one succeeds with probability 0.999 if each does with probability 1 - 0.001^(1/1000)
  CHECK(detectable_deviation({0, 0}, 1e-17, 1, 1000) == Approx(1 - std::pow(0.001, 0.001)).epsilon(1e-9));
  CHECK(detectable_deviation({1, 1}, 1, 1, 1000) == Approx(1 - std::pow(0.001, 0.001)).epsilon(1e-9));
  CHECK(std::isinf(detectable_deviation({0, 1}, 0.5, 1, 1000)));
}

TEST_CASE("the interval of a proportion is the exact binomial one") {
  const std::size_t n = 500;
  const double share = 1e-4;
  const Interval i = proportion_interval(0.3, 0.4, n, share);
  const auto most = static_cast<std::size_t>(std::lround(i.high * n));
  const auto least = static_cast<std::size_t>(std::lround(i.low * n));
  CHECK(binomial_upper_tail(n, 0.4, most + 1) <= share / 2);
  CHECK(binomial_upper_tail(n, 0.4, most) > share / 2);
  CHECK(binomial_upper_tail(n, 0.7, n - least + 1) <= share / 2);
  CHECK(binomial_upper_tail(n, 0.7, n - least) > share / 2);
  CHECK(proportion_interval(0, 1, n, share).low == 0);
  CHECK(proportion_interval(0, 1, n, share).high == 1);
}

TEST_CASE("intervals refuse what is out of range") {
  CHECK_THROWS_AS(bounded_mean_interval(0, 1, 10, 1e-9), std::domain_error);
  CHECK_THROWS_AS(bounded_mean_interval(2, 1, 10, 1e-9), std::domain_error);
  CHECK_THROWS_AS(bounded_mean_interval(0.5, 1, 0, 1e-9), std::domain_error);
  CHECK_THROWS_AS(bounded_mean_interval(0.5, 1, 10, 0), std::domain_error);
  CHECK_THROWS_AS(detectable_deviation({0.4, 0.6}, 0.5, 1, 10, 1), std::domain_error);
  CHECK_THROWS_AS(detectable_deviation({0.6, 0.4}, 0.5, 1, 10), std::domain_error);
  CHECK_THROWS_AS(detectable_deviation({0.4, 1.6}, 0.5, 1, 10), std::domain_error);
  CHECK_THROWS_AS(proportion_interval(0.5, 0.4, 10, 1e-9), std::domain_error);
}
