#pragma once

/// \file
/// The variance of an independent product of which one factor has mean 0.

#include <stdexcept>

#include "rootdk/dot_product/product_variance.hpp"

namespace rootdk::dot_product {

/// \f$ \operatorname{Var}(UV) = E(U^2)\,E(V^2) \f$ for independent \f$ U, V \f$ of which one has mean 0:
/// the step \ref centred_product_variance.
///
/// @param u,v moments of the two variables, finite and those of a law; at least one mean is 0
/// @return the variance of the product; relative error at most \f$ u \f$ in floating point: there is
/// no subtraction left
/// @throws std::domain_error if neither mean is 0 (zero_mean), or as product_variance()
// [centred_product_variance]
template <class S>
constexpr S centred_product_variance(const Moments<S>& u, const Moments<S>& v) {
  if (u.mean != 0 && v.mean != 0)
    throw std::domain_error("centred_product_variance: zero_mean: expected one mean to be 0, given " + shown(u.mean) +
                            " and " + shown(v.mean));
  return product_variance(u, v);
}
// [centred_product_variance]

}  // namespace rootdk::dot_product
