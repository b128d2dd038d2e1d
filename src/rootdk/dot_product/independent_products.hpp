#pragma once

/// \file
/// The expectation of a product of independent variables.

#include <cmath>
#include <concepts>
#include <stdexcept>
#include <string>

#include "rootdk/in_range.hpp"
#include "rootdk/shown.hpp"

namespace rootdk::dot_product {

/// \f$ E(UV) = E(U)\,E(V) \f$ for independent \f$ U, V \f$: the step \ref independent_products.
///
/// @param mean_u,mean_v \f$ E(U) \f$ and \f$ E(V) \f$, finite
/// @return the mean of the product; relative error at most \f$ u \f$ in floating point
/// @throws std::domain_error if a mean is infinite or NaN (integrable), or if the product overflows
// [independent_products]
template <class S>
constexpr S mean_of_product(const S& mean_u, const S& mean_v) {
  if constexpr (std::floating_point<S>) {
    if (!std::isfinite(mean_u) || !std::isfinite(mean_v))
      throw std::domain_error("mean_of_product: integrable: expected finite means, given " + shown(mean_u) + " and " +
                              shown(mean_v));
  }
  return in_range(S(mean_u * mean_v), "mean_of_product", "the product of the means");
}

/// \f$ E(U^2V^2) = E(U^2)\,E(V^2) \f$ in \f$ [0, \infty] \f$ for independent \f$ U, V \f$: the step
/// \ref independent_products.
///
/// A second moment may be infinite; then so is the product's, unless the other factor is 0 almost
/// surely: \f$ 0 \cdot \infty = 0 \f$ here, as in the integral it stands for.
/// @param second_u,second_v \f$ E(U^2) \f$ and \f$ E(V^2) \f$, at least 0
/// @return the second moment of the product; relative error at most \f$ u \f$ in floating point
/// @throws std::domain_error if one is negative or NaN, or if the product of finite ones overflows
template <class S>
constexpr S second_moment_of_product(const S& second_u, const S& second_v) {
  if (!(second_u >= 0) || !(second_v >= 0))
    throw std::domain_error("second_moment_of_product: expected second moments of at least 0, given " +
                            shown(second_u) + " and " + shown(second_v));
  if (second_u == 0 || second_v == 0) return S(0);
  const S product = second_u * second_v;
  if constexpr (std::floating_point<S>)
    if (std::isfinite(second_u) && std::isfinite(second_v))
      return in_range(product, "second_moment_of_product", "the product of the second moments");
  return product;
}
// [independent_products]

}  // namespace rootdk::dot_product
