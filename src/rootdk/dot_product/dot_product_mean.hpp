#pragma once

/// \file
/// The dot product, and its mean.

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include "rootdk/dot_product/independent_products.hpp"

namespace rootdk::dot_product {

namespace detail {

inline void require_same_dimension(std::size_t q, std::size_t k, const char* function) {
  if (q != k)
    throw std::invalid_argument(std::string(function) + ": expected query and key of one dimension, given " +
                                std::to_string(q) + " and " + std::to_string(k));
}

}  // namespace detail

/// \f$ q \cdot k = \sum_{i=1}^{d} U_iV_i \f$, added from left to right.
///
/// @param q,k vectors of the same dimension d; for d = 0 the sum is 0
/// @return the dot product; absolute error at most \f$ du \sum_i |U_iV_i| \f$ to first order in floating
/// point
/// @throws std::invalid_argument if the dimensions differ
/// @throws std::domain_error if a component is infinite or NaN, or if the sum overflows, if only on the way
template <class S>
constexpr S dot(std::span<const S> q, std::span<const S> k) {
  detail::require_same_dimension(q.size(), k.size(), "dot");
  S total = 0;
  for (std::size_t i = 0; i < q.size(); ++i) total += q[i] * k[i];
  if constexpr (std::floating_point<S>) {
    if (!std::isfinite(total))
      for (std::size_t i = 0; i < q.size(); ++i)
        if (!std::isfinite(q[i]) || !std::isfinite(k[i]))
          throw std::domain_error("dot: expected finite components, given " + shown(q[i]) + " and " + shown(k[i]) +
                                  " at " + std::to_string(i));
  }
  return in_range(total, "dot", "the dot product");
}

/// \f$ E(q \cdot k) = \sum_i E(U_i)\,E(V_i) \f$ if each \f$ U_i \f$ is independent of its \f$ V_i \f$,
/// which is 0 for components of mean 0: the step \ref dot_product_mean.
///
/// @param means_q,means_k \f$ E(U_1), \dots, E(U_d) \f$ and \f$ E(V_1), \dots, E(V_d) \f$, finite
/// @return the mean; absolute error at most \f$ du \sum_i |E(U_i)E(V_i)| \f$ to first order
/// @throws std::invalid_argument if the dimensions differ
/// @throws std::domain_error if a mean is infinite or NaN (integrable), or if a product or the sum overflows
// [dot_product_mean]
template <class S>
constexpr S dot_product_mean(std::span<const S> means_q, std::span<const S> means_k) {
  detail::require_same_dimension(means_q.size(), means_k.size(), "dot_product_mean");
  S total = 0;
  for (std::size_t i = 0; i < means_q.size(); ++i) total += mean_of_product(means_q[i], means_k[i]);
  return in_range(total, "dot_product_mean", "the sum of the products");
}
// [dot_product_mean]

}  // namespace rootdk::dot_product
