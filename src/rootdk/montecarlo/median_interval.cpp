#include "rootdk/montecarlo/median_interval.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>

#include "rootdk/montecarlo/median_of_batches.hpp"

namespace rootdk::montecarlo {

Interval median_interval(std::span<const double> sorted, double share) {
  const std::size_t n = sorted.size();
  if (!(share > 0 && share < 1))
    throw std::domain_error("median_interval: expected a share in (0, 1), given " + std::to_string(share));
  // P(Bin(n, 1/2) < r) = P(Bin(n, 1/2) > n - r), which grows with r
  const auto rare = [&](std::size_t r) { return binomial_upper_tail(n, 0.5, n - r + 1) <= share / 2; };
  if (n == 0 || !rare(1))
    throw std::domain_error("median_interval: expected enough values for the share " + std::to_string(share) +
                            ", given " + std::to_string(n));
  std::size_t low = 1, high = n / 2 + 1;  // beyond one half the probability is above 1/2
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (rare(middle) ? low : high) = middle;
  }
  return {sorted[low - 1], sorted[n - low]};
}

}  // namespace rootdk::montecarlo
