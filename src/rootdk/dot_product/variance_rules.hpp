#pragma once

/// \file
/// The variance of a multiple and of a sum.

#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include "rootdk/dot_product/variance_expansion.hpp"

namespace rootdk::dot_product {

namespace detail {

template <class S>
constexpr void require_variance(const S& variance, const char* function) {
  if constexpr (std::floating_point<S>) {
    if (!std::isfinite(variance))
      throw std::domain_error(std::string(function) + ": finite_second_moment: expected a finite variance, given " +
                              shown(variance));
  }
  if (variance < 0)
    throw std::domain_error(std::string(function) + ": expected a variance of at least 0, given " + shown(variance));
}

}  // namespace detail

/// \f$ \operatorname{Var}(cX) = c^2 \operatorname{Var} X \f$: the step \ref variance_rules.
///
/// @param c        the factor, any finite number
/// @param variance \f$ \operatorname{Var} X \f$, finite and at least 0
/// @return the variance of the multiple; relative error at most \f$ 2u \f$ in floating point
/// @throws std::domain_error if the variance is negative, or infinite or NaN (finite_second_moment), if the factor is
/// infinite or NaN, or if the result overflows
// [variance_rules]
template <class S>
constexpr S variance_of_multiple(const S& c, const S& variance) {
  detail::require_variance(variance, "variance_of_multiple");
  if constexpr (std::floating_point<S>) {
    if (!std::isfinite(c)) throw std::domain_error("variance_of_multiple: expected a finite factor, given " + shown(c));
  }
  return in_range(S(c * c * variance), "variance_of_multiple", "c^2 Var X");
}

/// \f$ \operatorname{Var} \sum_i X_i = \sum_i \operatorname{Var} X_i \f$ for uncorrelated terms: the
/// step \ref variance_rules.
///
/// @param variances \f$ \operatorname{Var} X_1, \dots, \operatorname{Var} X_n \f$, each finite and at
/// least 0; of no terms the sum is the constant 0, which has variance 0
/// @return the variance of the sum; relative error at most \f$ (n - 1)u \f$ to first order, since no
/// term is negative
/// @throws std::domain_error as variance_of_multiple()
template <class S>
constexpr S variance_of_sum(std::span<const S> variances) {
  S total = 0;
  for (const S& variance : variances) {
    detail::require_variance(variance, "variance_of_sum");
    total += variance;
  }
  return in_range(total, "variance_of_sum", "the sum of the variances");
}
// [variance_rules]

}  // namespace rootdk::dot_product
