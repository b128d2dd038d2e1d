#pragma once

/// \file
/// The variance, line by line, as a difference of moments.

#include <cmath>
#include <concepts>
#include <limits>
#include <stdexcept>
#include <string>

#include "rootdk/in_range.hpp"
#include "rootdk/shown.hpp"

namespace rootdk::dot_product {

/// The four lines of the expansion of a variance; all are equal.
///
/// @tparam S the scalar
template <class S>
struct VarianceExpansion {
  S definition;  ///< \f$ E\bigl[(X - m)^2\bigr] \f$
  S expanded;    ///< \f$ E\bigl[X^2 - 2mX + m^2\bigr] \f$
  S linear;      ///< \f$ E(X^2) - 2m\,E(X) + m^2 \f$
  S moments;     ///< \f$ E(X^2) - m^2 \f$
};

/// \f$ \operatorname{Var} X = E\bigl[(X - m)^2\bigr] = E(X^2) - m^2 \f$ with \f$ m = E(X) \f$, line by
/// line: the step \ref variance_expansion.
///
/// Each line is evaluated as it is written, on whatever the expectation is taken over: a finite law,
/// a quadrature rule, a sample. In exact arithmetic the four are equal.
///
/// @param expect the expectation: takes a function of an outcome and returns the mean of its values
/// @param x      the variable: a function of an outcome, such as \f$ (u, v) \mapsto uv \f$
/// @return the value of each line
///
/// In floating point the relative error of `definition` is that of the expectation, while `moments`
/// loses a factor \f$ 1 + m^2/\operatorname{Var} X \f$ to cancellation.
/// @throws whatever `expect` throws where the second moment does not exist
// [variance_expansion]
template <class Expectation, class Variable>
constexpr auto variance_expansion(const Expectation& expect, const Variable& x) {
  using S = decltype(expect(x));
  const S m = expect(x);
  const S second = expect([&](const auto& w) -> S { return x(w) * x(w); });
  return VarianceExpansion<S>{
      .definition = expect([&](const auto& w) -> S { return (x(w) - m) * (x(w) - m); }),
      .expanded = expect([&](const auto& w) -> S { return x(w) * x(w) - 2 * m * x(w) + m * m; }),
      .linear = second - 2 * m * expect(x) + m * m,
      .moments = second - m * m};
}
// [variance_expansion]

/// \f$ E(X^2) - E^2(X) \f$ from two moments that are known: the step \ref variance_expansion.
///
/// @param mean   \f$ E(X) \f$
/// @param second \f$ E(X^2) \f$, finite and at least `mean * mean`; in floating point it may be less by \f$ 16u\,m^2
/// \f$, since both are rounded, and the variance is then 0
/// @return the variance; relative error at most \f$ 2u\,(1 + 2m^2/\operatorname{Var} X) \f$ in
/// floating point, none in exact arithmetic
/// @throws std::domain_error if a moment is infinite or NaN (finite_second_moment), if \f$ m^2 \f$ overflows, or if the
/// two belong to no law because \f$ E(X^2) < E^2(X) \f$
template <class S>
constexpr S variance_from_moments(const S& mean, const S& second) {
  if constexpr (std::floating_point<S>) {
    if (!std::isfinite(mean) || !std::isfinite(second))
      throw std::domain_error("variance_from_moments: finite_second_moment: expected finite moments, given E(X) = " +
                              shown(mean) + " and E(X^2) = " + shown(second));
  }
  const S square = in_range(S(mean * mean), "variance_from_moments", "the square of the mean"),
          variance = second - square;
  if constexpr (!std::numeric_limits<S>::is_exact)
    if (variance < 0 && variance >= -8 * std::numeric_limits<S>::epsilon() * square) return S(0);
  if (variance < 0)
    throw std::domain_error(
        "variance_from_moments: expected E(X^2) >= E(X)^2, which every law satisfies, given E(X) = " + shown(mean) +
        " and E(X^2) = " + shown(second));
  return variance;
}

}  // namespace rootdk::dot_product
