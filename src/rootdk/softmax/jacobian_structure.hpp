#pragma once

/// \file
/// The quadratic form and the spectral norm of the Jacobian of softmax, from the weights alone.

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "rootdk/in_range.hpp"
#include "rootdk/shown.hpp"
#include "rootdk/softmax/softmax_jacobian.hpp"

namespace rootdk::softmax {

namespace detail {

// Weights as they come out of softmax: at least one, none negative. That they sum to 1 is true only
// up to rounding and therefore not asked.
template <class S>
void require_weights(std::span<const S> s, const char* who) {
  if (s.empty()) throw std::domain_error(std::string(who) + ": non_empty: expected at least one weight, given none");
  for (std::size_t i = 0; i < s.size(); ++i)
    if (!(s[i] >= S(0)) || !is_finite(s[i]))
      throw std::domain_error(std::string(who) + ": simplex_point: expected finite weights of at least 0, given " +
                              shown(s[i]) + " as weight " + std::to_string(i));
}

/// A c for which neither the entries of v below c nor those above it have more than half of the
/// weight: no other shift makes \f$ \sum_j s_j\lvert v_j - c\rvert \f$ smaller. In linear time.
template <class S>
S weighted_median(std::span<const S> s, std::span<const S> v) {
  std::vector<std::size_t> order(s.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t k) { return order.begin() + static_cast<std::ptrdiff_t>(k); };
  const S half = pairwise_sum(s) / 2;
  S below(0);
  std::size_t first = 0, last = s.size();
  while (last - first > 1) {
    const std::size_t middle = first + (last - first) / 2;
    std::nth_element(place(first), place(middle), place(last),
                     [&](std::size_t i, std::size_t j) { return v[i] < v[j]; });
    S left = below;
    for (std::size_t k = first; k < middle; ++k) left = left + s[order[k]];
    if (left > half) {
      last = middle;
    } else {
      first = middle;
      below = left;
    }
  }
  return v[order[first]];
}

/// v less its weighted median. J does not see the shift, since \f$ J\mathbf 1 = 0 \f$; floating point does.
template <class S>
std::vector<S> centred(std::span<const S> s, std::span<const S> v, const char* who) {
  require_weights(s, who);
  if (v.size() != s.size())
    throw std::invalid_argument(std::string(who) + ": expected a vector as long as the weights, " +
                                std::to_string(s.size()) + ", given one of length " + std::to_string(v.size()));
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!is_finite(v[i]))
      throw std::domain_error(std::string(who) + ": expected a vector of finite numbers, given " + shown(v[i]) +
                              " as entry " + std::to_string(i));
  const S shift = weighted_median(s, v);
  std::vector<S> h;
  h.reserve(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    h.push_back(v[i] - shift);
    if (!is_finite(h[i]))
      throw std::domain_error(std::string(who) + ": expected entries whose differences are finite, given entry " +
                              std::to_string(i) + " too far from the others");
  }
  return h;
}

/// A power of 2, at most 1, after which differences of differences of the entries of v stay finite. To multiply by it
/// is exact, short of underflow.
template <class S>
S headroom(std::span<const S> v) {
  if constexpr (std::numeric_limits<S>::is_bounded) {
    const S limit = std::numeric_limits<S>::max() / 16;
    if (std::any_of(v.begin(), v.end(), [&](const S& x) { return x > limit || x < -limit; })) return S(1) / 8;
  }
  return S(1);
}

template <class S>
std::vector<S> multiple(const S& factor, std::span<const S> v) {
  std::vector<S> result(v.begin(), v.end());
  if (factor != S(1))
    for (S& x : result) x = factor * x;
  return result;
}

template <class S>
S weighted_sum(std::span<const S> s, const std::vector<S>& h) {
  std::vector<S> terms(s.begin(), s.end());
  for (std::size_t i = 0; i < h.size(); ++i) terms[i] = terms[i] * h[i];
  return pairwise_sum<S>(terms);
}

/// \f$ \sum_{j \ne i} s_j \f$ for each i, which is \f$ 1 - s_i \f$ on the simplex. Only the largest weight can be
/// more than half of the sum; for all others nothing cancels in the subtraction.
template <class S>
std::vector<S> sums_of_the_others(std::span<const S> s) {
  const auto top = static_cast<std::size_t>(std::max_element(s.begin(), s.end()) - s.begin());
  const S total = pairwise_sum(s);
  std::vector<S> result;
  result.reserve(s.size());
  for (const S& weight : s) result.push_back(total - weight);
  result[top] = sum_without(std::vector<S>(s.begin(), s.end()), top);
  return result;
}

}  // namespace detail

namespace detail {

// The form of entries that are centred already.
template <class S>
S centred_form(std::span<const S> s, const std::vector<S>& h) {
  const S first = weighted_sum(s, h);
  std::vector<S> terms(h.size());
  // weight first: a weight of 0 takes an entry whose square overflows with it
  for (std::size_t i = 0; i < h.size(); ++i) terms[i] = s[i] * h[i] * h[i];
  return pairwise_sum(s) * pairwise_sum<S>(terms) - first * first;
}

/// \f$ \text{factor}^2\,v^{\mathsf T}Jv \f$; the factor is not 1 only where a square or a difference would overflow.
template <class S>
struct ScaledForm {
  S form, factor;
};

template <class S>
ScaledForm<S> scaled_quadratic_form(std::span<const S> s, std::span<const S> v, const char* who) {
  const auto at = [&](const S& factor) {
    return ScaledForm<S>{centred_form<S>(s, centred<S>(s, multiple(factor, v), who)), factor};
  };
  const ScaledForm<S> result = at(headroom(v));
  if constexpr (std::numeric_limits<S>::is_bounded) {
    using std::ldexp;
    if (!is_finite(result.form)) return at(ldexp(S(1), -std::numeric_limits<S>::max_exponent / 2 - 4));
  }
  return result;
}

}  // namespace detail

/// \f$ v^{\mathsf T}Jv = \operatorname{Var}_s(v) \ge 0 \f$ for \f$ J = \operatorname{diag}(s) - ss^{\mathsf T} \f$: the
/// step \ref jacobian_structure.
///
/// With h the entries of v less their weighted median it is
/// \f$ (\sum_i s_i)(\sum_i s_ih_i^2) - (\sum_i s_ih_i)^2 \f$, that is \f$ \sum_{i<j} s_is_j(v_i - v_j)^2 \f$.
///
/// @tparam S any scalar, exact ones too
/// @param s n weights, at least 0, that sum to 1; n at least 1
/// @param v n finite numbers
/// @return the form. In floating point the relative error is at most \f$ (7\lceil\log_2 n\rceil + 18)u \f$ to first
/// order for the given s and v, at any saturation and under any common shift of v; infinity where the form is above all
/// numbers of the format; where a product underflows there is a further absolute error of at most \f$ (n + 1)(1 + \max
/// v - \min v) \f$ smallest subnormal numbers
/// @throws std::domain_error for no weights (non_empty), a weight that is negative, infinite or NaN
/// (simplex_point), an entry of v that is infinite or NaN; std::invalid_argument if the lengths differ
/// \source B; the form as a variance is not in it
// [jacobian_structure]
template <class S>
S jacobian_quadratic_form(std::span<const S> s, std::span<const S> v) {
  const auto [form, factor] = detail::scaled_quadratic_form(s, v, "jacobian_quadratic_form");
  return form / factor / factor;
}
// [jacobian_structure]

namespace detail {

// Two numbers about the root of the equation of jacobian_spectral_norm(), so that its bisection starts some roundings
// apart. Times (lambda - s_2)(s_1 - lambda)/s_1 and in units of the upper end the equation has no pole and no small
// number. Whether the guesses are good decides nothing but the time. The first of the others is their largest.
template <class S>
std::vector<S> near_largest_eigenvalue(const S& largest, const std::vector<S>& others, const S& high) {
  if (!(others.front() < high)) return {};
  std::vector<S> units(others);
  for (S& unit : units) unit /= high;
  const S second = units.front();
  const auto smooth = [&](const S& x) {
    S sum(0);
    for (const S& unit : units) sum += unit / (x - unit);
    return S((x - second) * ((1 - x * high / largest) * sum - 1));
  };
  const S at_second = (1 - others.front() / largest) * second *
                      S(static_cast<double>(std::count(others.begin(), others.end(), others.front())));
  const S at_end = high < largest ? smooth(S(1)) : S(second - 1);
  if (!(at_second > S(0) && at_end < S(0))) return {};
  std::uintmax_t evaluations = 30;
  const auto [below, above] = boost::math::tools::toms748_solve(
      smooth, second, S(1), at_second, at_end, boost::math::tools::eps_tolerance<S>(std::numeric_limits<S>::digits - 3),
      evaluations);
  const S some = 4 * std::numeric_limits<S>::epsilon();
  return {S(below * (1 - some) * high), S(above * (1 + some) * high)};
}

}  // namespace detail

/// \f$ \lVert J\rVert_2 \le 1/2 \f$ for \f$ J = \operatorname{diag}(s) - ss^{\mathsf T} \f$: see \ref
/// jacobian_structure.
///
/// With \f$ s_1 \ge s_2 \f$ the two largest weights, the largest eigenvalue \f$ \lambda \f$ lies in
/// \f$ [s_2, s_1] \f$. If the two differ and \f$ s_2 > 0 \f$ it is the one root there of
/// \f$ \frac{s_1}{s_1 - \lambda} = \sum_{i \ge 2} \frac{s_i}{\lambda - s_i} \f$, whose left side grows and whose right
/// side falls. For two weights it is \f$ 2s_1s_2/(s_1 + s_2) \f$; for more the method of Alefeld, Potra and Shi comes
/// near it, and bisection ends at neighbouring numbers.
///
/// @tparam S a floating-point scalar
/// @param s n weights, at least 0, that sum to 1; n at least 1
/// @return the norm, with a relative error of at most \f$ (\lceil\log_2 n\rceil + 7)u \f$ to first order for the given
/// s, at any saturation, and a further absolute one of the smallest subnormal number; rounded, or for weights that sum
/// to 1 only up to rounding, it may exceed 1/2 by as little
/// @throws std::domain_error for no weights (non_empty), a weight that is negative, infinite or NaN
/// (simplex_point)
/// \source the interlacing of eigenvalues under a change of rank one: G. H. Golub, C. F. Van Loan, Matrix
/// Computations, 4th ed., section 8.4.3
template <class S>
S jacobian_spectral_norm(std::span<const S> s) {
  detail::require_weights(s, "jacobian_spectral_norm");
  std::vector<S> others(s.begin(), s.end());
  std::iter_swap(others.begin(), std::max_element(others.begin(), others.end()));
  const S largest = others.front();
  others.erase(others.begin());
  if (!others.empty()) std::iter_swap(others.begin(), std::max_element(others.begin(), others.end()));
  if (others.empty() || others.front() == S(0)) return S(0);  // one-hot
  if (others.size() == 1) return 2 * (largest / (largest + others.front())) * others.front();
  // above twice the sum of the others the right side is below 1, the left side never is
  S low = others.front(), high = std::min<S>(largest, 2 * pairwise_sum<S>(others));
  std::vector<S> terms(others.size());
  const auto narrow = [&](const S& middle) {
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = others[i] / (middle - others[i]);
    (largest / (largest - middle) < pairwise_sum<S>(terms) ? low : high) = middle;
  };
  for (const S& guess : detail::near_largest_eigenvalue<S>(largest, others, high))
    if (low < guess && guess < high) narrow(guess);
  for (;;) {
    const S middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) return high;
    narrow(middle);
  }
}

}  // namespace rootdk::softmax
