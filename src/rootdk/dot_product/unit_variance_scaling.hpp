#pragma once

/// \file
/// The logit divided by the root of the dimension.

#include <cstddef>

#include "rootdk/dot_product/dot_product_mean.hpp"
#include "rootdk/dot_product/dot_product_variance.hpp"
#include "rootdk/dot_product/variance_rules.hpp"
#include "rootdk/scale.hpp"

namespace rootdk::dot_product {

/// \f$ q \cdot k/\sqrt d \f$, the scaled logit: the step \ref unit_variance_scaling.
///
/// @param q,k vectors of the same dimension, at least 1
/// @return the scaled logit; absolute error at most \f$ (d + 2)u \sum_i |U_iV_i|/\sqrt d \f$ to first
/// order in floating point; in exact arithmetic only for square d
/// @throws std::invalid_argument if the dimensions differ
/// @throws std::domain_error for d = 0 (positive_dimension)
// [unit_variance_scaling]
template <class S>
S scaled_logit(std::span<const S> q, std::span<const S> k) {
  const S root = Scale::inverse_sqrt().divisor_for<S>(q.size());
  return dot(q, k) / root;
}

/// \f$ \operatorname{Var}\bigl(q \cdot k/\sqrt d\bigr) \f$ for standardised, mutually independent
/// components, from \f$ \operatorname{Var}(q \cdot k) = d \f$ and the rule for multiples: 1.
///
/// @param d dimension, at least 1; in exact arithmetic a square
/// @return the variance; relative error at most \f$ 6u \f$ to first order in floating point
/// @throws std::domain_error for d = 0 (positive_dimension)
template <class S>
S scaled_logit_variance(std::size_t d) {
  const S root = Scale::inverse_sqrt().divisor_for<S>(d);
  return variance_of_multiple(S(S(1) / root), dot_product_variance<S>(d));
}
// [unit_variance_scaling]

}  // namespace rootdk::dot_product
