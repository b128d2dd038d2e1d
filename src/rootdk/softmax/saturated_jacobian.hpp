#pragma once

/// \file
/// Trace and norms of the Jacobian of softmax, and how small a gap makes them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "rootdk/softmax/jacobian_structure.hpp"
#include "rootdk/softmax/softmax_saturation.hpp"

namespace rootdk::softmax {

/// \f$ \operatorname{tr} J = \sum_i s_i(1 - s_i) \f$: the step \ref saturated_jacobian.
///
/// \f$ 1 - s_i \f$ is taken as the sum of the other weights, here and below: nothing cancels where one weight is
/// near 1.
///
/// @tparam S any scalar, exact ones too
/// @param s n weights, at least 0, that sum to 1; n at least 1
/// @return the trace. In floating point the relative error is at most \f$ (3\lceil\log_2 n\rceil + 2)u \f$ to first
/// order for the given s; each weight with a relative error of \f$ \varepsilon \f$ of its own adds at most \f$
/// 2\varepsilon \f$; where a product underflows there is a further absolute error of at most \f$ n\eta/2 \f$,
/// \f$ \eta \f$ the smallest subnormal number
/// @throws std::domain_error for no weights (non_empty), a weight that is negative, infinite or NaN (simplex_point)
/// \source not in B, which has no norm
template <class S>
S jacobian_trace(std::span<const S> s) {
  detail::require_weights(s, "jacobian_trace");
  std::vector<S> terms = detail::sums_of_the_others(s);
  for (std::size_t i = 0; i < s.size(); ++i) terms[i] = s[i] * terms[i];
  return pairwise_sum<S>(terms);
}

/// \f$ \lVert J\rVert_\infty = \max_i 2s_i(1 - s_i) \f$, the largest absolute row sum: the step \ref
/// saturated_jacobian.
///
/// @tparam S any scalar, exact ones too
/// @param s as for jacobian_trace()
/// @return the norm; errors as for jacobian_trace(), with \f$ (2\lceil\log_2 n\rceil + 2)u \f$ and \f$ \eta/2 \f$
/// @throws std::domain_error as jacobian_trace()
// [saturated_jacobian]
template <class S>
S jacobian_infinity_norm(std::span<const S> s) {
  detail::require_weights(s, "jacobian_infinity_norm");
  const std::vector<S> others = detail::sums_of_the_others(s);
  S largest(0);
  for (std::size_t i = 0; i < s.size(); ++i) largest = std::max<S>(largest, 2 * s[i] * others[i]);
  return largest;
}

/// \f$ 2r = 2(n - 1)e^{-\Delta} \f$, which no norm of \f$ J \f$ here exceeds: the step \ref saturated_jacobian.
///
/// @tparam S a scalar with an exponential
/// @param z n finite logits, n at least 2
/// @return the bound; errors as for r in saturation_bound(), the absolute one doubled
/// @throws std::domain_error as logit_gap()
template <class S>
S saturated_jacobian_bound(std::span<const S> z) {
  return 2 * saturation_bound(logit_gap(z), z.size()).r;
}
// [saturated_jacobian]

/// \f$ \lVert J\rVert_F = \bigl(\sum_{i,j} J_{ij}^2\bigr)^{1/2} \f$: the step \ref saturated_jacobian. In \f$ n^2 \f$
/// operations; entries are divided by the largest row sum before they are squared, so that no square underflows that
/// matters.
///
/// @tparam S a floating-point scalar
/// @param s as for jacobian_trace()
/// @return the norm; errors as for jacobian_trace(), with \f$ (3\lceil\log_2 n\rceil + 6)u \f$ and
/// \f$ (n + 1)\eta/2 \f$
/// @throws std::domain_error as jacobian_trace()
template <class S>
S jacobian_frobenius_norm(std::span<const S> s) {
  using std::sqrt;
  detail::require_weights(s, "jacobian_frobenius_norm");
  const S unit = jacobian_infinity_norm(s);
  if (unit == S(0)) return S(0);
  const std::vector<S> others = detail::sums_of_the_others(s);
  std::vector<S> squares;
  squares.reserve(s.size() * s.size());
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t j = 0; j < s.size(); ++j) {
      const S entry = s[i] * (i == j ? others[i] : s[j]) / unit;
      squares.push_back(entry * entry);
    }
  return unit * sqrt(pairwise_sum<S>(squares));
}

}  // namespace rootdk::softmax
