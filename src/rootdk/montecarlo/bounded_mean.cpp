#include "rootdk/montecarlo/bounded_mean.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "rootdk/montecarlo/median_of_batches.hpp"

namespace rootdk::montecarlo {
namespace {

// KL(x || p) of two coins; p in (0, 1).
double relative_entropy(double x, double p) {
  const auto term = [](double a, double b) { return a > 0 ? a * std::log(a / b) : 0.0; };
  return term(x, p) + term(1 - x, 1 - p);
}

// The point between `inside`, where the condition is false, and `outside`, where it holds, at which it changes; the
// returned point satisfies it. If it does not hold at `outside`, that is returned.
template <class Condition>
double crossing(double inside, double outside, Condition holds) {
  if (!holds(outside)) return outside;
  for (;;) {
    const double middle = inside + (outside - inside) / 2;
    if (middle == inside || middle == outside) return outside;
    (holds(middle) ? outside : inside) = middle;
  }
}

void require(bool condition, const std::string& expected) {
  if (!condition) throw std::domain_error("bounded_mean: expected " + expected + ", given another");
}

}  // namespace

Interval bounded_mean_interval(double claimed, double upper, std::size_t count, double share) {
  require(upper > 0 && claimed > 0 && claimed < upper, "0 < claimed < upper");
  require(count >= 1, "at least one value");
  require(share > 0 && share < 1, "a share in (0, 1)");
  const double p = claimed / upper, needed = std::log(2 / share) / static_cast<double>(count);
  const auto rare = [&](double x) { return relative_entropy(x, p) >= needed; };
  return {upper * crossing(p, 0.0, rare), upper * crossing(p, 1.0, rare)};
}

Interval bounded_mean_confidence(double mean, double upper, std::size_t count, double share) {
  require(upper > 0 && mean >= 0 && mean <= upper, "0 <= mean <= upper");
  require(count >= 1, "at least one value");
  require(share > 0 && share < 1, "a share in (0, 1)");
  const double x = mean / upper, needed = std::log(2 / share) / static_cast<double>(count);
  const auto rare = [&](double p) { return relative_entropy(x, p) >= needed; };
  return {upper * crossing(x, 0.0, rare), upper * crossing(x, 1.0, rare)};
}

double detectable_deviation(const Interval& interval, double claimed, double upper, std::size_t count, double power) {
  require(0 <= interval.low && interval.low <= interval.high && interval.high <= upper, "an interval in [0, upper]");
  require(0 <= claimed && claimed <= upper, "a claim in [0, upper]");
  require(count >= 1, "at least one value");
  require(power > 0 && power < 1, "a power in (0, 1)");
  const double needed = -std::log(1 - power) / static_cast<double>(count);
  // a true mean p' misses if the mean of the values is not beyond x; p' on the far side of x
  const auto seen_from = [&](double x, double end) {
    if (x == end) return std::numeric_limits<double>::infinity();
    const double nearly = end + (x - end) * 1e-12;
    const auto seen = [&](double p) { return relative_entropy(x, p) >= needed; };
    if (!seen(nearly)) return std::numeric_limits<double>::infinity();
    return std::abs(crossing(x, nearly, seen) * upper - claimed);
  };
  return std::min(seen_from(interval.low / upper, 0.0), seen_from(interval.high / upper, 1.0));
}

Interval proportion_interval(double low, double high, std::size_t count, double share) {
  require(low >= 0 && low <= high && high <= 1, "0 <= low <= high <= 1");
  require(count >= 1, "at least one value");
  require(share > 0 && share < 1, "a share in (0, 1)");
  // the most successes that are still common, and the fewest: failures are successes of the other kind
  const auto most = [&](double p) {
    std::size_t inside = 0, outside = count + 1;  // P(Bin >= outside) <= share / 2
    while (outside - inside > 1) {
      const std::size_t middle = inside + (outside - inside) / 2;
      (binomial_upper_tail(count, p, middle) <= share / 2 ? outside : inside) = middle;
    }
    return static_cast<double>(inside) / static_cast<double>(count);
  };
  return {1 - most(1 - low), most(high)};
}

}  // namespace rootdk::montecarlo
