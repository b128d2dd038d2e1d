#pragma once

/// \file
/// The dot product as a similarity: norm, cosine, and how two vectors lie to one another.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "rootdk/in_range.hpp"
#include "rootdk/laws/rational.hpp"
#include "rootdk/pairwise_sum.hpp"
#include "rootdk/shown.hpp"

namespace rootdk::softmax {

namespace detail {

template <class S>
void require_finite(std::span<const S> a, const char* who, const char* of) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!is_finite(a[i]))
      throw std::domain_error(std::string(who) + ": expected finite numbers, given " + shown(a[i]) + " as entry " +
                              std::to_string(i) + " of " + of);
}

template <class S>
void require_not_zero(const S& largest, const char* who, const char* which) {
  if (largest == S(0))
    throw std::domain_error(std::string(who) + ": non_zero_vectors: expected two vectors other than 0, given 0 as " +
                            which);
}

// An exact number has a root if numerator and denominator, in lowest terms, are squares.
template <class S>
S square_root(const S& x) {
  using std::sqrt;
  if constexpr (requires { numerator(x); }) {
    const auto p = numerator(x), q = denominator(x);
    const decltype(p) root_p = sqrt(p), root_q = sqrt(q);
    if (root_p * root_p != p || root_q * root_q != q)
      throw std::domain_error("norm: expected a rational norm in exact arithmetic, given the square " + x.str());
    return S(root_p) / S(root_q);
  } else {
    return sqrt(x);
  }
}

template <class S>
S largest_magnitude(std::span<const S> a) {
  S largest(0);
  for (const S& x : a) largest = std::max<S>(largest, x < S(0) ? S(-x) : x);
  return largest;
}

template <class S>
std::vector<S> divided(std::span<const S> a, const S& divisor) {
  std::vector<S> result;
  for (const S& x : a) result.push_back(x / divisor);
  return result;
}

// The entries of a over a power of two that makes all of them whole numbers, without rounding.
template <std::floating_point S>
std::vector<laws::Integer> whole_multiples(std::span<const S> a) {
  constexpr int digits = std::numeric_limits<S>::digits;
  constexpr int least = std::numeric_limits<S>::min_exponent - 2 * digits;  // below every exponent that is left here
  std::vector<laws::Integer> result;
  for (const S& x : a) {
    int exponent = 0;
    const S mantissa = std::ldexp(std::frexp(x, &exponent), digits);
    result.push_back(laws::Integer(mantissa) << static_cast<unsigned>(exponent - digits - least));
  }
  return result;
}

}  // namespace detail

/// \f$ a \cdot b = \sum_i a_ib_i \f$: see \ref dot_product_similarity.
///
/// @tparam S any scalar
/// @param a,b vectors of one size; of size 0 the sum is 0
/// @return the dot product; in floating point the error is at most
/// \f$ (\lceil\log_2 n\rceil + 1)\,u \sum_i \lvert a_ib_i\rvert \f$ to first order, unless a
/// product underflows
/// @throws std::invalid_argument if the sizes differ
/// @throws std::domain_error for an entry that is infinite or NaN, or if the sum overflows, if only on the way
/// \source B
template <class S>
S dot(std::span<const S> a, std::span<const S> b) {
  if (a.size() != b.size())
    throw std::invalid_argument("dot: expected vectors of one size, given " + std::to_string(a.size()) + " and " +
                                std::to_string(b.size()));
  detail::require_finite(a, "dot", "the first vector");
  detail::require_finite(b, "dot", "the second vector");
  std::vector<S> products;
  products.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) products.push_back(a[i] * b[i]);
  return in_range(pairwise_sum<S>(products), "dot", "the dot product");
}

/// \f$ \lVert a\rVert = \sqrt{a \cdot a} \f$: see \ref dot_product_similarity.
///
/// The entries are divided by the largest first, so no square overflows.
///
/// @tparam S any scalar; with exact arithmetic the norm must be rational
/// @param a n finite numbers
/// @return the norm, 0 of the zero vector; in floating point the relative error is at most
/// \f$ \bigl(\lceil\log_2 n\rceil/2 + 4\bigr)u \f$ to first order, and a norm below the smallest normal number has a
/// further absolute error of at most half the smallest subnormal one
/// @throws std::domain_error for an entry that is infinite or NaN, for a norm above all numbers of the format, or for
/// an irrational norm in exact arithmetic
template <class S>
S norm(std::span<const S> a) {
  detail::require_finite(a, "norm", "the vector");
  const S largest = detail::largest_magnitude(a);
  if (largest == S(0)) return largest;
  const std::vector<S> b = detail::divided(a, largest);
  const S result = largest * detail::square_root(dot<S>(b, b));
  if (!(result - result == S(0)))
    throw std::domain_error("norm: expected a norm in the range of the scalar, given entries of up to " +
                            shown(largest) + " in size");
  return result;
}

/// \f$ \cos\theta = \frac{a \cdot b}{\lVert a\rVert\,\lVert b\rVert} \f$: the step \ref
/// dot_product_similarity, which puts it between -1 and 1.
///
/// @tparam S any scalar; with exact arithmetic the norms must be rational
/// @param a,b vectors of one size, finite and not 0
/// @return the cosine of the angle between a and b; in floating point the absolute error is at most
/// \f$ (2\lceil\log_2 n\rceil + 11)\,u \f$ to first order
/// @throws std::invalid_argument if the sizes differ
/// @throws std::domain_error for a zero vector (non_zero_vectors), an entry that is infinite or
/// NaN, or an irrational norm in exact arithmetic \source B
// [dot_product_similarity]
template <class S>
S cosine(std::span<const S> a, std::span<const S> b) {
  detail::require_finite(a, "cosine", "the first vector");
  detail::require_finite(b, "cosine", "the second vector");
  const S largest_a = detail::largest_magnitude(a), largest_b = detail::largest_magnitude(b);
  detail::require_not_zero(largest_a, "cosine", "the first vector");
  detail::require_not_zero(largest_b, "cosine", "the second vector");
  const std::vector<S> x = detail::divided(a, largest_a), y = detail::divided(b, largest_b);
  const S quotient = dot<S>(x, y) / (norm<S>(x) * norm<S>(y));
  return std::clamp<S>(quotient, S(-1), S(1));
}
// [dot_product_similarity]

/// How two vectors lie to one another.
enum class Alignment { aligned, opposed, orthogonal, oblique };

namespace detail {

template <class S>
Alignment alignment_of_non_zero(std::span<const S> a, std::span<const S> b) {
  const S product = dot<S>(a, b);
  if (product == S(0)) return Alignment::orthogonal;
  std::size_t k = 0;
  while (a[k] == S(0)) ++k;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] * b[k] != a[k] * b[i]) return Alignment::oblique;
  return product > S(0) ? Alignment::aligned : Alignment::opposed;
}

}  // namespace detail

/// Whether \f$ b = ta \f$ with \f$ t > 0 \f$ or \f$ t < 0 \f$, or \f$ a \cdot b = 0 \f$, or none of
/// these; decided by the components, not by a norm: see \ref dot_product_similarity.
///
/// @tparam S any scalar. The answer is exact for `float`, `double` and `long double`, whose entries are taken as the
/// whole numbers that they are multiples of, and for exact scalars; for others where products and sums are
/// @param a,b vectors of one size, finite and not 0
/// @return the relation
/// @throws std::invalid_argument if the sizes differ
/// @throws std::domain_error for a zero vector (non_zero_vectors), or an entry that is infinite or
/// NaN
template <class S>
Alignment alignment(std::span<const S> a, std::span<const S> b) {
  detail::require_finite(a, "alignment", "the first vector");
  detail::require_finite(b, "alignment", "the second vector");
  detail::require_not_zero(detail::largest_magnitude(a), "alignment", "the first vector");
  detail::require_not_zero(detail::largest_magnitude(b), "alignment", "the second vector");
  if constexpr (std::floating_point<S>) {
    return detail::alignment_of_non_zero<laws::Integer>(detail::whole_multiples(a), detail::whole_multiples(b));
  } else {
    return detail::alignment_of_non_zero<S>(a, b);
  }
}

}  // namespace rootdk::softmax
