#include "rootdk/montecarlo/median_interval.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "rootdk/laws/catalogue.hpp"
#include "rootdk/montecarlo/median_of_batches.hpp"
#include "support/test.hpp"

using namespace rootdk;
using montecarlo::binomial_upper_tail;
using montecarlo::Interval;
using montecarlo::median_interval;

TEST_CASE("the ends are the innermost order statistics that the share allows") {
  for (const std::size_t n : {60u, 61u, 1000u})
    for (const double share : {0.3, 1e-3, 1e-12}) {
      std::vector<double> ranks(n);
      std::iota(ranks.begin(), ranks.end(), 1.0);
      const Interval i = median_interval(ranks, share);
      CHECK(i.low + i.high == static_cast<double>(n + 1));
      const auto r = static_cast<std::size_t>(i.low);
      // fewer than r of n below the median
      CHECK(binomial_upper_tail(n, 0.5, n - r + 1) <= share / 2);
      CHECK(binomial_upper_tail(n, 0.5, n - r) > share / 2);
    }
  // 10 values: below all of them lies the median with probability 2^-10
  const std::vector<double> ten{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  CHECK(median_interval(ten, 0.002).high == 9);
  CHECK_THROWS_AS(median_interval(ten, 0.0019), std::domain_error);
  CHECK_THROWS_AS(median_interval(std::vector<double>{}, 0.5), std::domain_error);
  CHECK_THROWS_AS(median_interval(ten, 1), std::domain_error);
  CHECK_THROWS_AS(median_interval(ten, std::nan("")), std::domain_error);
}

TEST_CASE("the median of a sample's law is inside, that of its neighbours is not") {
  montecarlo::Stream stream({3, 0, 0, 0, 0});
  const laws::Law law = laws::exponential(1);
  std::vector<double> x(100'000);
  law.sample(stream, x);
  std::sort(x.begin(), x.end());
  const Interval i = median_interval(x, 1e-9);
  CHECK(i.low < std::log(2.0));
  CHECK(std::log(2.0) < i.high);
  CHECK(law.cdf(i.high) - law.cdf(i.low) < 0.02);
}
