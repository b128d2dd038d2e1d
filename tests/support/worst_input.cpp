#include "support/worst_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>

#include "support/logits.hpp"

namespace rootdk::testing {

std::string WorstInput::literals() const { return fmt::format("{{{:a}}}", fmt::join(row, ", ")); }

double worse_ratio(double worst, double error, double bound) {
  return std::isnan(error) ? HUGE_VAL : std::max(worst, error / bound);
}

WorstInput worst_input(std::uint64_t seed, int least, int most,
                       const std::function<double(const std::vector<double>&)>& ratio, SearchEffort effort) {
  if (const char* factor = std::getenv("ROOTDK_SEARCH")) {
    effort.random *= std::atoi(factor);
    effort.climb *= std::atoi(factor);
  }
  WorstInput worst{{}, -1};
  const auto attempt = [&](const std::vector<double>& row) {
    const double found = ratio(row);
    if (!(found <= worst.ratio)) worst = {row, found};
  };
  for (int i = 0; i < effort.random; ++i) attempt(sampled_logits(seed, static_cast<std::size_t>(i), least, most).z);

  std::mt19937_64 bits(seed);
  const auto uniform = [&bits] { return std::ldexp(static_cast<double>(bits() >> 11), -53); };
  for (int i = 0; i < effort.climb; ++i) {
    std::vector<double> row = worst.row;
    double& entry = row[bits() % row.size()];
    // from a change of the last bits to one of the order of the entry
    const double size = (1 + std::abs(entry)) * std::exp2(-52 * uniform());
    entry += (2 * uniform() - 1) * size;
    attempt(row);
  }
  std::cout << fmt::format("worst input of {} rows: ratio {:.6g}, {}\n", effort.random + effort.climb, worst.ratio,
                           worst.literals());
  return worst;
}

}  // namespace rootdk::testing
