#pragma once

/// \file
/// The variance of the dot product.

#include <cstddef>
#include <span>
#include <vector>

#include "rootdk/dot_product/centred_product_variance.hpp"
#include "rootdk/dot_product/dot_product_mean.hpp"
#include "rootdk/dot_product/unit_second_moment.hpp"
#include "rootdk/dot_product/variance_rules.hpp"

namespace rootdk::dot_product {

/// \f$ \operatorname{Var}(q \cdot k) = \sum_i \operatorname{Var}(U_iV_i) = \sum_i E(U_i^2)\,E(V_i^2) \f$ for
/// mutually independent components, of each pair one with mean 0: the step \ref dot_product_variance.
///
/// @param q,k moments of the components, finite and those of a law
/// @return the variance; for components of mean 0 and variance 1 it is d. Relative error at most
/// \f$ du \f$ to first order in floating point: no term is negative
/// @throws std::invalid_argument if the dimensions differ
/// @throws std::domain_error as centred_product_variance()
// [dot_product_variance]
template <class S>
constexpr S dot_product_variance(std::span<const Moments<S>> q, std::span<const Moments<S>> k) {
  detail::require_same_dimension(q.size(), k.size(), "dot_product_variance");
  std::vector<S> variances;
  for (std::size_t i = 0; i < q.size(); ++i) variances.push_back(centred_product_variance(q[i], k[i]));
  return variance_of_sum(std::span<const S>(variances));
}

/// The same for d standardised pairs: \f$ d \f$.
/// @param d dimension; for 0 the dot product is the constant 0
template <class S>
constexpr S dot_product_variance(std::size_t d) {
  const Moments<S> standardised{S(0), second_moment(S(0), S(1))};
  const std::vector<Moments<S>> components(d, standardised);
  return dot_product_variance(std::span<const Moments<S>>(components), std::span<const Moments<S>>(components));
}
// [dot_product_variance]

}  // namespace rootdk::dot_product
