#pragma once

/// \file
/// Scaled dot-product attention, as it is written: the reference version, clear rather than fast.

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rootdk/in_range.hpp"
#include "rootdk/matrix.hpp"
#include "rootdk/scale.hpp"
#include "rootdk/shown.hpp"
#include "rootdk/softmax/softmax_simplex.hpp"

/// Attention and its gradient.
namespace rootdk::attention {

/// Which keys each query sees. A key that is not seen weighs exactly 0, however large its score: unlike a large
/// negative number added to the score, a boolean cannot leak.
class Mask {
 public:
  /// Every query sees every key.
  static Mask all(std::size_t queries, std::size_t keys) {
    return Mask(queries, keys, std::vector<bool>(queries * keys, true));
  }

  /// Query i sees the keys 0 to i + before.
  /// @param before how many keys precede the first query: 0 where both sequences start together, keys - queries
  /// where they end together, as with a cache of keys
  static Mask causal(std::size_t queries, std::size_t keys, std::ptrdiff_t before = 0) {
    Mask mask(queries, keys, std::vector<bool>(queries * keys, false));
    for (std::size_t i = 0; i < queries; ++i)
      for (std::size_t j = 0; j < keys; ++j)
        mask.visible_[i * keys + j] = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i) <= before;
    return mask;
  }

  /// @param visible by rows, one row a query: true where the key is seen
  /// @throws std::invalid_argument if there are not queries * keys of them
  Mask(std::size_t queries, std::size_t keys, std::vector<bool> visible)
      : queries_(queries), keys_(keys), visible_(std::move(visible)) {
    if (visible_.size() != queries * keys)
      throw std::invalid_argument("Mask: expected " + std::to_string(queries) + " x " + std::to_string(keys) +
                                  " entries, given " + std::to_string(visible_.size()));
  }

  std::size_t queries() const { return queries_; }
  std::size_t keys() const { return keys_; }
  bool visible(std::size_t query, std::size_t key) const { return visible_[query * keys_ + key]; }

  /// The keys that a query sees, in order.
  std::vector<std::size_t> visible_keys(std::size_t query) const {
    std::vector<std::size_t> result;
    for (std::size_t j = 0; j < keys_; ++j)
      if (visible(query, j)) result.push_back(j);
    return result;
  }

 private:
  std::size_t queries_, keys_;
  std::vector<bool> visible_;
};

/// How to attend.
struct AttentionOptions {
  Scale scale = Scale::inverse_sqrt();  ///< what the scores are divided by
  std::optional<Mask> mask{};           ///< n queries by m keys; without one all keys are seen
  bool return_weights = false;          ///< whether the result holds the weights
};

/// The output of attention, and its weights if they were asked for.
template <class S>
struct Attention {
  Matrix<S> output;                  ///< \f$ O = AV \f$, n x d_v
  std::optional<Matrix<S>> weights;  ///< \f$ A \f$, n x m
};

/// The matrices that make queries, keys and values of the inputs.
template <class S>
struct Projections {
  Matrix<S> queries;  ///< \f$ W_Q \f$, width of X by d
  Matrix<S> keys;     ///< \f$ W_K \f$, width of Y by d
  Matrix<S> values;   ///< \f$ W_V \f$, width of Y by d_v
};

/// Queries, keys and values.
template <class S>
struct Projected {
  Matrix<S> queries;  ///< \f$ Q = XW_Q \f$, n x d
  Matrix<S> keys;     ///< \f$ K = YW_K \f$, m x d
  Matrix<S> values;   ///< \f$ V = YW_V \f$, m x d_v
};

namespace detail {

inline void require_equal(std::string_view who, std::string_view what, std::size_t left, std::size_t right,
                          const std::string& given) {
  if (left != right)
    throw std::invalid_argument(std::string(who) + ": matching_shapes: expected " + std::string(what) + ", given " +
                                given);
}

template <class S>
void require_finite(std::string_view who, std::string_view name, const Matrix<S>& a) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j)
      if (!is_finite(a(i, j)))
        throw std::domain_error(std::string(who) + ": finite_entries: expected real numbers, given " + shown(a(i, j)) +
                                " in " + std::string(name) + " at row " + std::to_string(i) + ", column " +
                                std::to_string(j));
}

// A result, all of it in the range of the scalar.
template <class S>
Matrix<S> in_range(std::string_view who, const std::string& what, Matrix<S> result) {
  for (std::size_t i = 0; i < result.rows(); ++i)
    for (std::size_t j = 0; j < result.columns(); ++j)
      if (!is_finite(result(i, j)))
        throw std::domain_error(std::string(who) + ": expected " + what + " in the range of the scalar, but row " +
                                std::to_string(i) + ", column " + std::to_string(j) + " overflows");
  return result;
}

template <class S>
void require_queries_and_keys(std::string_view who, const Matrix<S>& queries, const Matrix<S>& keys) {
  require_equal(who, "Q and K of the same width", queries.columns(), keys.columns(),
                "Q " + queries.shape() + " and K " + keys.shape());
  if (queries.columns() == 0)
    throw std::domain_error(std::string(who) +
                            ": positive_dimension: expected a head dimension of at least 1, given 0");
  if (keys.rows() == 0)
    throw std::domain_error(std::string(who) + ": one_visible_key: expected at least one key, given K " + keys.shape());
  require_finite(who, "Q", queries);
  require_finite(who, "K", keys);
}

template <class S>
void require_values(std::string_view who, const Matrix<S>& keys, const Matrix<S>& values) {
  require_equal(who, "K and V of the same height", keys.rows(), values.rows(),
                "K " + keys.shape() + " and V " + values.shape());
  require_finite(who, "V", values);
}

inline void require_mask(std::string_view who, const Mask& mask, std::size_t queries, std::size_t keys) {
  if (mask.queries() != queries || mask.keys() != keys)
    throw std::invalid_argument(std::string(who) + ": matching_shapes: expected a mask " + std::to_string(queries) +
                                " x " + std::to_string(keys) + ", queries by keys, given " +
                                std::to_string(mask.queries()) + " x " + std::to_string(mask.keys()));
}

template <class S>
Matrix<S> scores(const Matrix<S>& queries, const Matrix<S>& keys, const Scale& scale) {
  const S divisor = scale.divisor_for<S>(queries.columns());
  return product(queries, keys.transposed()).map([&](const S& dot) { return S(dot / divisor); });
}

// A V. The weights of a row add up to 1 but for roundings, which alone can bring a combination out of the range of the
// scalar: then it is the largest or smallest of the values.
template <class S>
Matrix<S> combined(const Matrix<S>& weights, const Matrix<S>& values) {
  Matrix<S> result = product(weights, values);
  for (std::size_t i = 0; i < result.rows(); ++i)
    for (std::size_t k = 0; k < result.columns(); ++k) {
      if (is_finite(result(i, k))) continue;
      const bool above = result(i, k) > S(0);
      result(i, k) = S(0);
      for (std::size_t j = 0; j < values.rows(); ++j)
        if (weights(i, j) > S(0) && (above ? values(j, k) > result(i, k) : values(j, k) < result(i, k)))
          result(i, k) = values(j, k);
    }
  return result;
}

}  // namespace detail

/// \f$ QK^{\mathsf T}/\sqrt d \f$, or divided by another scale: the logits of \ref attention_definition.
///
/// @param queries Q, n x d, d at least 1
/// @param keys    K, m x d, m at least 1
/// @param scale   what the dot products are divided by; exact arithmetic needs it to be rational
/// @return n x m. In floating point the error of each entry is at most
/// \f$ (d + 2)u\,\sum_l \lvert q_{il}k_{jl}\rvert/\sqrt d \f$ to first order, barring underflow
/// @throws std::invalid_argument for different widths (matching_shapes)
/// @throws std::domain_error for d = 0 (positive_dimension), no keys (one_visible_key), an infinite or NaN entry
/// (finite_entries), a scale beyond the range of the scalar, or a dot product that overflows, if only on the way
/// \source A, B
template <class S>
Matrix<S> attention_scores(const Matrix<S>& queries, const Matrix<S>& keys,
                           const Scale& scale = Scale::inverse_sqrt()) {
  detail::require_queries_and_keys("attention_scores", queries, keys);
  return detail::in_range("attention_scores", "Q K^T", detail::scores(queries, keys, scale));
}

/// \f$ A = \operatorname{softmax}(QK^{\mathsf T}/\sqrt d) \f$ by rows, over the keys that are seen: the step
/// \ref attention_definition.
///
/// @param queries Q, n x d, d at least 1
/// @param keys    K, m x d, m at least 1
/// @param options scale and mask
/// @return n x m weights. A masked entry is exactly 0; a row without a visible key is 0. In floating point, with
/// \f$ \eta \f$ the largest error of the row's scores and \f$ \omega \f$ the relative error of softmax, the
/// relative error of a weight is at most \f$ 2\eta + \omega \f$ to first order
/// @throws as attention_scores; std::invalid_argument for a mask of another shape; std::domain_error if a score
/// that is seen overflows
/// \source A, B
// [attention_definition]
template <class S>
Matrix<S> attention_weights(const Matrix<S>& queries, const Matrix<S>& keys, const AttentionOptions& options = {}) {
  detail::require_queries_and_keys("attention_weights", queries, keys);
  const Matrix<S> scores = detail::scores(queries, keys, options.scale);  // a hidden one may overflow
  const Mask mask = options.mask.value_or(Mask::all(scores.rows(), scores.columns()));
  detail::require_mask("attention_weights", mask, scores.rows(), scores.columns());
  Matrix<S> weights(scores.rows(), scores.columns());
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    const std::vector<std::size_t> seen = mask.visible_keys(i);
    if (seen.empty()) continue;
    std::vector<S> logits;
    for (std::size_t j : seen) {
      if (!is_finite(scores(i, j)))
        throw std::domain_error("attention_weights: expected scores in the range of the scalar, but that of query " +
                                std::to_string(i) + " and key " + std::to_string(j) + " overflows");
      logits.push_back(scores(i, j));
    }
    const std::vector<S> row = softmax::softmax<S>(logits);
    for (std::size_t l = 0; l < seen.size(); ++l) weights(i, seen[l]) = row[l];
  }
  return weights;
}

/// \f$ O = AV \f$: each row is a convex combination of the values whose keys are seen, the step
/// \ref attention_definition.
///
/// @param queries Q, n x d, d at least 1
/// @param keys    K, m x d, m at least 1; n and m may differ
/// @param values  V, m x d_v
/// @param options scale, mask, and whether to return the weights
/// @return O, n x d_v, and A on request. The output of a query that sees no key is 0. In floating point the error
/// of an entry is at most \f$ \sum_j A_{ij}\lvert V_{jk}\rvert\,(\rho_{ij} + mu) \f$ to first order, \f$ \rho \f$
/// the relative error of the weights
/// @throws as attention_weights; std::invalid_argument if K and V differ in height (matching_shapes)
/// \source A, B
template <class S>
Attention<S> scaled_dot_product_attention(const Matrix<S>& queries, const Matrix<S>& keys, const Matrix<S>& values,
                                          const AttentionOptions& options = {}) {
  detail::require_values("scaled_dot_product_attention", keys, values);
  Matrix<S> weights = attention_weights(queries, keys, options);
  Attention<S> result{detail::combined(weights, values), std::nullopt};
  if (options.return_weights) result.weights = std::move(weights);
  return result;
}
// [attention_definition]

/// \f$ Q = XW_Q \f$, \f$ K = YW_K \f$, \f$ V = YW_V \f$: see \ref attention_definition.
///
/// @param x the inputs that ask, n rows
/// @param y the inputs that are asked, m rows; y is x in self-attention
/// @param w the projections
/// @return the products. In floating point the error of an entry of XW is at most \f$ ku\sum_l \lvert
/// X_{il}W_{lj}\rvert \f$ to first order, k the width of X, barring underflow
/// @throws std::invalid_argument if a width and a height do not fit (matching_shapes)
/// @throws std::domain_error for an infinite or NaN entry (finite_entries), or if a product overflows
template <class S>
Projected<S> project(const Matrix<S>& x, const Matrix<S>& y, const Projections<S>& w) {
  const auto fit = [](std::string_view what, const Matrix<S>& inputs, const Matrix<S>& matrix,
                      const std::string& names) {
    detail::require_equal("project", what, inputs.columns(), matrix.rows(),
                          names + " of " + inputs.shape() + " and " + matrix.shape());
  };
  fit("X as wide as W_Q is high", x, w.queries, "X and W_Q");
  fit("Y as wide as W_K is high", y, w.keys, "Y and W_K");
  fit("Y as wide as W_V is high", y, w.values, "Y and W_V");
  detail::require_finite("project", "X", x);
  detail::require_finite("project", "Y", y);
  detail::require_finite("project", "W_Q", w.queries);
  detail::require_finite("project", "W_K", w.keys);
  detail::require_finite("project", "W_V", w.values);
  return {detail::in_range("project", "X W_Q", product(x, w.queries)),
          detail::in_range("project", "Y W_K", product(y, w.keys)),
          detail::in_range("project", "Y W_V", product(y, w.values))};
}

/// Attention from the inputs: projections, then \ref scaled_dot_product_attention.
///
/// @param x,y,w   as for project
/// @param options as for scaled_dot_product_attention
/// @return as for scaled_dot_product_attention. The error in floating point follows from those of project by the rules
/// on the page of the step
/// @throws as project and scaled_dot_product_attention
template <class S>
Attention<S> attention_layer(const Matrix<S>& x, const Matrix<S>& y, const Projections<S>& w,
                             const AttentionOptions& options = {}) {
  const Projected<S> p = project(x, y, w);
  return scaled_dot_product_attention(p.queries, p.keys, p.values, options);
}

}  // namespace rootdk::attention
