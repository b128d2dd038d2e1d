#pragma once

/// \file
/// The Jacobian of softmax, from the weights and from the logits.

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "rootdk/in_range.hpp"
#include "rootdk/shown.hpp"
#include "rootdk/softmax/softmax_simplex.hpp"

namespace rootdk::softmax {

/// \f$ J = \operatorname{diag}(s) - ss^{\mathsf T} \f$: the step \ref softmax_jacobian.
///
/// @tparam S any scalar, exact ones too: no exponential is taken
/// @param s n finite numbers, n at least 1; they need not be weights
/// @return J by rows, n * n entries: \f$ J_{ii} = s_i(1 - s_i) \f$ and \f$ J_{ij} = -s_is_j \f$. In
/// floating point the relative error of each entry is at most \f$ 2u \f$ for the given s, to first
/// order, and an entry below the smallest normal number has a further absolute error of at most half the smallest
/// subnormal one: a product may come out as 0. Where s is the rounded result of softmax and one weight
/// is near 1, its own entry is lost in the rounding: use softmax_jacobian
/// @throws std::domain_error for no numbers (non_empty), one that is infinite or NaN, or an entry of J above all
/// numbers of the format
/// \source B
// [softmax_jacobian]
template <class S>
std::vector<S> jacobian_of_weights(std::span<const S> s) {
  const std::size_t n = s.size();
  if (n == 0) throw std::domain_error("jacobian_of_weights: non_empty: expected at least one weight, given none");
  std::vector<S> jacobian;
  jacobian.reserve(n * n);
  for (std::size_t i = 0; i < n; ++i)
    if (!is_finite(s[i]))
      throw std::domain_error("jacobian_of_weights: expected finite numbers, given " + shown(s[i]) + " as entry " +
                              std::to_string(i));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      jacobian.push_back(i == j ? S(s[i] * (S(1) - s[i])) : S(-s[i] * s[j]));
      if (!is_finite(jacobian.back()))
        throw std::domain_error("jacobian_of_weights: expected products in the range of the scalar, given " +
                                shown(s[i]) + " and " + shown(s[j]) + " as entries " + std::to_string(i) + " and " +
                                std::to_string(j));
    }
  return jacobian;
}
// [softmax_jacobian]

/// \f$ \partial s_i/\partial z_j \f$ for \f$ s = \operatorname{softmax}(z) \f$: the step \ref
/// softmax_jacobian.
///
/// On the diagonal \f$ 1 - s_i \f$ is taken as \f$ \sum_{j \ne i} s_j \f$, which does not cancel
/// where \f$ s_i \f$ is near 1.
///
/// @tparam S a scalar with an exponential
/// @param z n logits, n at least 1; they should be finite, since elsewhere softmax is a limit and J
/// no derivative
/// @return J by rows, n * n entries. In floating point, with \f$ x = z - \max z \f$ and the gap \f$
/// \Delta \f$ to the runner-up, the relative error of each entry is at most \f$ u\,(\lvert
/// x_i\rvert + \lvert x_j\rvert + \Delta_{ij} + 2\log n + 3\lceil\log_2 n\rceil + 11) \f$ to first
/// order, where \f$ \Delta_{ij} \f$ is \f$ \Delta + \log n \f$ on the diagonal and 0 elsewhere;
/// where a weight or a product is below the smallest normal number there is a further absolute error of at most
/// \f$ 2n + 3 \f$ smallest subnormal numbers
/// @throws std::domain_error as softmax
template <class S>
std::vector<S> softmax_jacobian(std::span<const S> z) {
  const std::vector<S> s = softmax(z);
  std::vector<S> jacobian = jacobian_of_weights<S>(s);
  for (std::size_t i = 0; i < s.size(); ++i) jacobian[i * s.size() + i] = s[i] * detail::sum_without(s, i);
  return jacobian;
}

}  // namespace rootdk::softmax
