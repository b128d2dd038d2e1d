#pragma once

/// \file
/// The variance of the logit under any scale.

#include <cstddef>
#include <stdexcept>

#include "rootdk/dot_product/dot_product_variance.hpp"
#include "rootdk/dot_product/variance_rules.hpp"
#include "rootdk/scale.hpp"

namespace rootdk::dot_product {

/// \f$ \operatorname{Var}\bigl((q \cdot k)/c\bigr) = d/c^2 \f$ for standardised, mutually independent
/// components and a scale of your choice: the step \ref scale_uniqueness. It is 1 for
/// `Scale::inverse_sqrt()`, and for no other positive divisor.
///
/// @param scale what the logit is divided by
/// @param d     dimension, at least 1
/// @return the variance; relative error at most \f$ 4u \f$ and twice that of the divisor, to first order
/// @throws std::domain_error for d = 0 (positive_dimension), and in exact arithmetic if the divisor is
/// not rational
// [scale_uniqueness]
template <class S>
S logit_variance(const Scale& scale, std::size_t d) {
  const S divisor = scale.divisor_for<S>(d);
  return variance_of_multiple(S(S(1) / divisor), dot_product_variance<S>(d));
}
// [scale_uniqueness]

}  // namespace rootdk::dot_product
