#pragma once

#include <span>

#include "rootdk/montecarlo/bounded_mean.hpp"

namespace rootdk::montecarlo {

/// An interval that holds the median of a law but for a given share of all samples, for any law.
///
/// Of N independent values fewer than r are at most the median m with probability at most
/// \f$ P(\mathrm{Bin}(N, 1/2) < r) \f$, and only then \f$ x_{(r)} > m \f$; the other end is its mirror image. r is the
/// largest number for which that is at most half of the share.
/// @param sorted N values in rising order
/// @param share in (0, 1)
/// @return \f$ [x_{(r)}, x_{(N+1-r)}] \f$
/// @throws std::domain_error if the share is out of range or N too small for it
/// \source H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., section 7.1
Interval median_interval(std::span<const double> sorted, double share);

}  // namespace rootdk::montecarlo
