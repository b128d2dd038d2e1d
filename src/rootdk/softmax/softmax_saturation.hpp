#pragma once

/// \file
/// How near softmax is to one-hot, from the gap between the largest logit and the runner-up.

#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "rootdk/softmax/softmax_simplex.hpp"

namespace rootdk::softmax {

/// \f$ \Delta = \max z - \f$ the runner-up, 0 where the largest logit occurs twice: see \ref
/// softmax_saturation.
///
/// @tparam S any ordered scalar, exact ones too
/// @param z n logits, n at least 2; infinities count as they are, two of \f$ +\infty \f$ have gap 0
/// @return the gap; one rounding in floating point
/// @throws std::domain_error for fewer than two logits (two_or_more_logits), or a NaN
/// \source B
template <class S>
S logit_gap(std::span<const S> z) {
  if (z.size() < 2)
    throw std::domain_error("logit_gap: two_or_more_logits: expected n >= 2, given " + std::to_string(z.size()));
  const std::size_t top = detail::index_of_largest(z, "logit_gap");
  std::size_t runner_up = top == 0 ? 1 : 0;
  for (std::size_t i = 0; i < z.size(); ++i)
    if (i != top && z[i] > z[runner_up]) runner_up = i;
  return z[top] == z[runner_up] ? S(0) : S(z[top] - z[runner_up]);
}

/// The bound \f$ r/(1+r) \f$ on the weight that the largest logit leaves to the others, and
/// \f$ r = (n-1)e^{-\Delta} \f$.
template <class S>
struct SaturationBound {
  S r;      ///< \f$ (n-1)e^{-\Delta} \f$
  S bound;  ///< \f$ r/(1+r) \f$, less than r; rounded, it may equal r
};

/// \f$ 1 - s_{\max} \le r/(1+r) < r \f$ with \f$ r = (n-1)e^{-\Delta} \f$: the step \ref
/// softmax_saturation.
///
/// @tparam S a scalar with an exponential
/// @param gap \f$ \Delta \ge 0 \f$, as logit_gap gives it
/// @param n   the number of logits, at least 2
/// @return r and the bound. In floating point the relative error of r is at most \f$ u\,(\Delta +
/// 3) \f$ if the gap was rounded once, that of the bound \f$ u\,(\Delta + 5) \f$, to first order;
/// where \f$ e^{-\Delta} \f$ is below the smallest normal number, each has a further absolute error of at most
/// \f$ n\eta \f$, \f$ \eta \f$ the smallest subnormal number, and may be 0
/// @throws std::domain_error for n < 2 (two_or_more_logits), or a gap that is negative or NaN
/// \source B
// [softmax_saturation]
template <class S>
SaturationBound<S> saturation_bound(const S& gap, std::size_t n) {
  using std::exp;
  if (n < 2)
    throw std::domain_error("saturation_bound: two_or_more_logits: expected n >= 2, given " + std::to_string(n));
  if (!(gap >= S(0))) throw std::domain_error("saturation_bound: expected a gap of 0 or more, given " + shown(gap));
  const S others = static_cast<S>(static_cast<double>(n - 1));
  const S r = gap < detail::infinity<S>() ? S(others * exp(-gap)) : S(0);
  return {r, r / (S(1) + r)};
}
// [softmax_saturation]

/// \f$ 1 - s_{\max} = R/(1+R) \f$ with \f$ R = \sum_{j \ne m} e^{z_j - \max z} \f$.
///
/// The weight that the largest logit leaves to the others, which 1 minus the rounded weight would
/// lose.
///
/// @tparam S a scalar with an exponential
/// @param z n logits, n at least 1; of a single one the result is 0
/// @return \f$ 1 - s_{\max} \f$; in floating point the relative error is at most
/// \f$ u\,(\Delta + \log n + \lceil\log_2 n\rceil + 4) \f$ to first order, \f$ \Delta \f$ the gap,
/// and where an exponential is below the smallest normal number there is a further absolute error of at most n
/// times the smallest subnormal one
/// @throws std::domain_error as softmax
template <class S>
S missing_weight(std::span<const S> z) {
  const auto [x, top] = detail::exponents(z, S(1), "missing_weight");
  const S rest = detail::sum_without(detail::exponentials(x), top);
  return rest / (S(1) + rest);
}

}  // namespace rootdk::softmax
