#pragma once

/// \file
/// Where the Jacobian of softmax vanishes.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "rootdk/softmax/jacobian_structure.hpp"

namespace rootdk::softmax {

/// Is one entry 1 and every other 0? No sum is taken, so nothing is rounded.
///
/// @tparam S any scalar
/// @param s any number of entries, of any sign
// [jacobian_vanishes]
template <class S>
bool is_one_hot(std::span<const S> s) {
  return std::count(s.begin(), s.end(), S(1)) == 1 &&
         std::count(s.begin(), s.end(), S(0)) == static_cast<std::ptrdiff_t>(s.size()) - 1;
}

/// \f$ J = \operatorname{diag}(s) - ss^{\mathsf T} = 0 \f$, which for entries that sum to 1 is so if and only if s is
/// one-hot: the step \ref jacobian_vanishes.
///
/// @tparam S any scalar, exact ones too
/// @param s n finite numbers that sum to 1, of any sign; n at least 1
/// @return whether every entry \f$ s_i(\delta_{ij} - s_j) \f$ is 0. In floating point products below the smallest
/// subnormal number round to 0, and so may a J that is not 0
/// @throws std::domain_error for no numbers (non_empty), or one that is infinite or NaN
/// \source B, for \f$ n = 4 \f$ and in the direction from one-hot to 0
template <class S>
bool jacobian_vanishes(std::span<const S> s) {
  const std::vector<S> jacobian = jacobian_of_weights(s);
  return std::all_of(jacobian.begin(), jacobian.end(), [](const S& entry) { return entry == S(0); });
}
// [jacobian_vanishes]

}  // namespace rootdk::softmax
