#pragma once

/// \file
/// Batch estimates for the statistical checks: each batch draws from its own stream, so that the
/// result does not depend on what else runs or on how many threads there are.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "rootdk/montecarlo/stream.hpp"
#include "support/checks.hpp"
#include "support/identity.hpp"

namespace rootdk::testing {

/// The means of `StatisticalCheck::batches()` independent batches of n values.
/// \param draw fills a span with independent values of the statistic: `draw(stream, span)`
template <class Draw>
std::vector<double> batch_means(const StatisticalCheck& check, std::string_view law, std::size_t dimension,
                                std::size_t n, const Draw& draw) {
  std::vector<double> means(StatisticalCheck::batches()), values(n);
  for (std::size_t batch = 0; batch < means.size(); ++batch) {
    montecarlo::Stream stream(
        {check.seed(), montecarlo::stream_label(step_slug()), montecarlo::stream_label(law), dimension, batch});
    draw(stream, std::span<double>(values));
    long double total = 0;
    for (double value : values) total += value;
    means[batch] = static_cast<double>(total / static_cast<long double>(n));
  }
  return means;
}

}  // namespace rootdk::testing
