#pragma once

/// \file
/// The second moment from mean and variance.

#include "rootdk/dot_product/variance_expansion.hpp"

namespace rootdk::dot_product {

/// \f$ E(U^2) = \operatorname{Var} U + E^2(U) \f$, which is 1 for mean 0 and variance 1: the step
/// \ref unit_second_moment.
///
/// This is variance_from_moments() read from right to left.
/// @param mean     \f$ E(U) \f$, finite
/// @param variance \f$ \operatorname{Var} U \f$, finite and at least 0
/// @return the second moment; relative error at most \f$ 2u \f$ in floating point, since both terms are
/// at least 0
/// @throws std::domain_error if the variance is negative, if one of them is infinite or NaN, or if the result overflows
// [unit_second_moment]
template <class S>
constexpr S second_moment(const S& mean, const S& variance) {
  if (!(variance >= 0))
    throw std::domain_error("second_moment: expected a variance of at least 0, given " + shown(variance));
  if constexpr (std::floating_point<S>) {
    if (!std::isfinite(mean)) throw std::domain_error("second_moment: expected a finite mean, given " + shown(mean));
  }
  const S second = in_range(S(variance + mean * mean), "second_moment", "Var U + E^2(U)");
  (void)variance_from_moments(mean, second);
  return second;
}
// [unit_second_moment]

}  // namespace rootdk::dot_product
