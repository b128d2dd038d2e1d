#pragma once

/// \file
/// The products of the Jacobian of softmax with a vector, without the matrix.

#include <cstddef>
#include <span>
#include <vector>

#include "rootdk/softmax/jacobian_structure.hpp"

namespace rootdk::softmax {
namespace detail {

// [softmax_chain_rule]
// J g, each component from differences to the weighted median of g; see softmax_vjp().
template <class S>
std::vector<S> jacobian_times(std::span<const S> s, std::span<const S> g, const char* who) {
  const S factor = headroom(g);
  std::vector<S> h = centred<S>(s, multiple(factor, g), who);
  const S total = pairwise_sum(s), mean = weighted_sum(s, h);
  for (std::size_t i = 0; i < s.size(); ++i) h[i] = s[i] * (h[i] * total - mean) / factor;
  return h;
}
// [softmax_chain_rule]

}  // namespace detail

/// \f$ \partial L/\partial z = J\,\partial L/\partial s \f$, component i being \f$ s_i \sum_j s_j(g_i - g_j) \f$: the
/// step \ref softmax_chain_rule.
///
/// With \f$ h_i = g_i - c \f$, c the weighted median of g, component i is
/// \f$ s_i\bigl(h_i\sum_j s_j - \sum_j s_jh_j\bigr) \f$, in linear time. Without the shift the two terms cancel where
/// one weight is near 1.
///
/// @tparam S any scalar, exact ones too
/// @param s the weights \f$ s = \operatorname{softmax}(z) \f$, n of them, n at least 1; a row of zeros, as of a fully
/// masked query, gives zeros
/// @param g \f$ \partial L/\partial s \f$, n finite numbers
/// @return \f$ \partial L/\partial z \f$, n numbers. In floating point
/// \f$ \lvert\text{error}_i\rvert \le (3\lceil\log_2 n\rceil + 8)\,u\,s_i\sum_j s_j\lvert g_i - g_j\rvert \f$ to first
/// order for the given s and g, whatever the saturation; where a product underflows there is a further absolute error
/// of at most \f$ n/2 + 1 \f$ times the smallest subnormal number, eight times that if an entry of g is above a
/// sixteenth of the largest number: g is then divided by 8 first, so that no difference overflows
/// @throws std::domain_error for no weights (non_empty), a weight that is negative, infinite or NaN, an entry of g that
/// is infinite or NaN; std::invalid_argument if the lengths differ
/// \source B
template <class S>
std::vector<S> softmax_vjp(std::span<const S> s, std::span<const S> g) {
  return detail::jacobian_times(s, g, "softmax_vjp");
}

/// \f$ Jv \f$, the derivative of softmax along v: see \ref softmax_chain_rule. Since \f$ J = J^{\mathsf T} \f$ it is
/// the same function as softmax_vjp, with the same arguments, error bound and errors.
template <class S>
std::vector<S> softmax_jvp(std::span<const S> s, std::span<const S> v) {
  return detail::jacobian_times(s, v, "softmax_jvp");
}

}  // namespace rootdk::softmax
