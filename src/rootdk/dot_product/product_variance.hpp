#pragma once

/// \file
/// The variance of an independent product.

#include "rootdk/dot_product/independent_products.hpp"
#include "rootdk/dot_product/variance_expansion.hpp"

namespace rootdk::dot_product {

/// The first two moments of a variable.
template <class S>
struct Moments {
  S mean;    ///< \f$ E(U) \f$
  S second;  ///< \f$ E(U^2) \f$
};

/// \f$ \operatorname{Var}(UV) = E(U^2)\,E(V^2) - E^2(U)\,E^2(V) \f$ for independent \f$ U, V \f$: the
/// step \ref product_variance.
///
/// @param u,v moments of the two variables, finite and those of a law
/// @return the variance of the product; relative error at most
/// \f$ 4u\,E(U^2)E(V^2)/\operatorname{Var}(UV) \f$ to first order in floating point: the difference
/// cancels if both means are large
/// @throws std::domain_error if a moment is infinite or NaN (finite_second_moment), or if the moments
/// belong to no law
// [product_variance]
template <class S>
constexpr S product_variance(const Moments<S>& u, const Moments<S>& v) {
  (void)variance_from_moments(u.mean, u.second);
  (void)variance_from_moments(v.mean, v.second);
  return variance_from_moments(mean_of_product(u.mean, v.mean), second_moment_of_product(u.second, v.second));
}
// [product_variance]

}  // namespace rootdk::dot_product
