#pragma once

/// \file
/// The gradient of a loss through scaled dot-product attention, backwards line by line.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rootdk/attention/attention_definition.hpp"
#include "rootdk/shown.hpp"
#include "rootdk/softmax/softmax_chain_rule.hpp"

namespace rootdk::attention {

/// The gradient of a loss by queries, keys and values.
template <class S>
struct AttentionGradient {
  Matrix<S> queries;  ///< \f$ dQ \f$, n x d
  Matrix<S> keys;     ///< \f$ dK \f$, m x d
  Matrix<S> values;   ///< \f$ dV \f$, m x d_v
};

/// The gradient of a loss by the inputs and the projections.
template <class S>
struct AttentionLayerGradient {
  Matrix<S> x;                 ///< \f$ dX \f$
  Matrix<S> y;                 ///< \f$ dY \f$; in self-attention the gradient by the one input is the sum of both
  Projections<S> projections;  ///< \f$ dW_Q, dW_K, dW_V \f$
};

/// \f$ dS_i = J(A_i)\,dA_i \f$ for each row i of weights: the step \ref attention_gradient.
///
/// @param weights A, n x m; a masked entry is 0
/// @param mask    which entries are seen
/// @param upstream \f$ dA = \partial L/\partial A \f$, n x m
/// @return n x m; exactly 0 where masked. Each entry is as accurate as softmax_vjp makes it
/// @throws std::invalid_argument if the shapes differ (matching_shapes); std::domain_error if, where a key is seen, a
/// weight is negative, infinite or NaN (simplex_point) or an entry of dA infinite or NaN (finite_entries)
template <class S>
Matrix<S> score_gradient(const Matrix<S>& weights, const Mask& mask, const Matrix<S>& upstream) {
  detail::require_mask("score_gradient", mask, weights.rows(), weights.columns());
  detail::require_equal("score_gradient", "A and dA of the same height", weights.rows(), upstream.rows(),
                        "A " + weights.shape() + " and dA " + upstream.shape());
  detail::require_equal("score_gradient", "A and dA of the same width", weights.columns(), upstream.columns(),
                        "A " + weights.shape() + " and dA " + upstream.shape());
  const auto refuse = [](const std::string& expected, const S& given, const char* name, std::size_t i, std::size_t j) {
    throw std::domain_error("score_gradient: " + expected + ", given " + shown(given) + " in " + name + " at row " +
                            std::to_string(i) + ", column " + std::to_string(j));
  };
  Matrix<S> result(weights.rows(), weights.columns());
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    const std::vector<std::size_t> seen = mask.visible_keys(i);
    if (seen.empty()) continue;
    std::vector<S> s, g;
    for (std::size_t j : seen) {
      const S &weight = weights(i, j), &entry = upstream(i, j);
      if (!(weight >= S(0)) || !is_finite(weight))
        refuse("simplex_point: expected finite weights of at least 0", weight, "A", i, j);
      if (!is_finite(entry)) refuse("finite_entries: expected finite numbers", entry, "dA", i, j);
      s.push_back(weight);
      g.push_back(entry);
    }
    const std::vector<S> row = softmax::softmax_vjp<S>(s, g);
    for (std::size_t l = 0; l < seen.size(); ++l) result(i, seen[l]) = row[l];
  }
  return result;
}

/// The gradient of a loss L by Q, K and V, given its gradient by the output: the step \ref attention_gradient.
///
/// @param queries Q, n x d
/// @param keys    K, m x d
/// @param values  V, m x d_v
/// @param upstream \f$ dO = \partial L/\partial O \f$, n x d_v
/// @param options  those of the forward pass
/// @return dQ, dK, dV. A query that sees no key gets the gradient 0 and gives none; so does a key that no query
/// sees. The error in floating point is derived on the page of the step
/// @throws as scaled_dot_product_attention; std::invalid_argument if dO has another shape than the output
/// (matching_shapes); std::domain_error if an entry of it is infinite or NaN (finite_entries), or if a row of dO times
/// a row of V that is seen overflows, or a sum of products in dQ, dK or dV, if only on the way
/// \source A, B
// [attention_gradient]
template <class S>
AttentionGradient<S> attention_gradient(const Matrix<S>& queries, const Matrix<S>& keys, const Matrix<S>& values,
                                        const Matrix<S>& upstream, const AttentionOptions& options = {}) {
  detail::require_values("attention_gradient", keys, values);
  const Matrix<S> weights = attention_weights(queries, keys, options);
  detail::require_equal("attention_gradient", "dO as high as Q", upstream.rows(), queries.rows(),
                        "dO " + upstream.shape() + " and Q " + queries.shape());
  detail::require_equal("attention_gradient", "dO as wide as V", upstream.columns(), values.columns(),
                        "dO " + upstream.shape() + " and V " + values.shape());
  detail::require_finite("attention_gradient", "dO", upstream);
  const Mask mask = options.mask.value_or(Mask::all(queries.rows(), keys.rows()));
  const S divisor = options.scale.divisor_for<S>(queries.columns());
  const auto scaled = [&](const S& x) { return S(x / divisor); };

  const Matrix<S> d_weights = product(upstream, values.transposed());  // dA = dO V^T
  for (std::size_t i = 0; i < d_weights.rows(); ++i)
    for (std::size_t j : mask.visible_keys(i))
      if (!is_finite(d_weights(i, j)))
        throw std::domain_error("attention_gradient: expected dA = dO V^T in the range of the scalar, but row " +
                                std::to_string(i) + " of dO times row " + std::to_string(j) + " of V overflows");
  const Matrix<S> d_scores = score_gradient(weights, mask, d_weights);  // dS_i = J(A_i) dA_i
  const auto in_range = [](const char* what, Matrix<S> result) {
    return detail::in_range("attention_gradient", what, std::move(result));
  };
  return {.queries = in_range("dQ", product(d_scores, keys).map(scaled)),               // dS K / sqrt d
          .keys = in_range("dK", product(d_scores.transposed(), queries).map(scaled)),  // dS^T Q / sqrt d
          .values = in_range("dV", product(weights.transposed(), upstream))};           // A^T dO
}
// [attention_gradient]

/// The gradient of a loss by the inputs and the projections: the step \ref attention_gradient.
///
/// @param x,y,w    as for attention_layer
/// @param upstream \f$ dO = \partial L/\partial O \f$, n x d_v
/// @param options  those of the forward pass
/// @return dX, dY and the gradients by the projections. The error in floating point is derived on the page of the step
/// @throws as attention_layer and attention_gradient; std::domain_error if a sum of products overflows
template <class S>
AttentionLayerGradient<S> attention_layer_gradient(const Matrix<S>& x, const Matrix<S>& y, const Projections<S>& w,
                                                   const Matrix<S>& upstream, const AttentionOptions& options = {}) {
  const Projected<S> p = project(x, y, w);
  const AttentionGradient<S> d = attention_gradient(p.queries, p.keys, p.values, upstream, options);
  const auto in_range = [](const char* what, Matrix<S> result) {
    return detail::in_range("attention_layer_gradient", what, std::move(result));
  };
  return {.x = in_range("dX", product(d.queries, w.queries.transposed())),
          .y = in_range("dY", sum(product(d.keys, w.keys.transposed()), product(d.values, w.values.transposed()))),
          .projections = {.queries = in_range("dW_Q", product(x.transposed(), d.queries)),
                          .keys = in_range("dW_K", product(y.transposed(), d.keys)),
                          .values = in_range("dW_V", product(y.transposed(), d.values))}};
}

}  // namespace rootdk::attention
