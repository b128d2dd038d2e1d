#pragma once

/// \file
/// The error bounds of the pages on attention, rule by rule, carried along with the exact values. A rule takes
/// exact inputs with bounds on the error of the computed ones, and gives the exact result with a bound on the
/// error of the computed result.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "attention/attention_cases.hpp"
#include "rootdk/attention/attention_definition.hpp"
#include "rootdk/laws/precise.hpp"
#include "support/checks.hpp"

namespace rootdk::testing {

using Real = laws::Precise;

/// An arithmetic: unit roundoff, smallest normal number.
struct Arithmetic {
  double u;
  double smallest;
};
template <class S>
Arithmetic arithmetic() {
  return {static_cast<double>(std::numeric_limits<S>::epsilon()) / 2,
          std::max(static_cast<double>((std::numeric_limits<S>::min)()), std::numeric_limits<double>::min())};
}

/// Exact values, and for each a bound on the error of what was computed.
struct Enclosed {
  Matrix<Real> value;
  Matrix<double> error;

  double size(std::size_t i, std::size_t j) const { return std::abs(static_cast<double>(value(i, j))); }
  Enclosed transposed() const { return {value.transposed(), error.transposed()}; }
};

/// Bounds for every stage of attention, forward and backward.
class RunningError {
 public:
  explicit RunningError(Arithmetic arithmetic) : u_(arithmetic.u), smallest_(arithmetic.smallest) {}

  /// A matrix that is given as it is.
  static Enclosed exact(const Matrix<double>& a) { return {a.convert<Real>(), Matrix<double>(a.rows(), a.columns())}; }

  /// Rule 1: a product of matrices, k terms an entry.
  Enclosed product(const Enclosed& a, const Enclosed& b) const {
    Enclosed result{rootdk::product(a.value, b.value), Matrix<double>(a.value.rows(), b.value.columns())};
    const std::size_t k = a.value.columns();
    for (std::size_t i = 0; i < result.error.rows(); ++i)
      for (std::size_t j = 0; j < result.error.columns(); ++j) {
        double inherited = 0, terms = 0;
        for (std::size_t l = 0; l < k; ++l) {
          const double x = a.size(i, l), y = b.size(l, j), dx = a.error(i, l), dy = b.error(l, j);
          inherited += x * dy + dx * y + dx * dy;
          terms += (x + dx) * (y + dy);
        }
        result.error(i, j) = inherited + gamma(k) * terms + static_cast<double>(k) * smallest_ * u_;
      }
    return result;
  }

  /// Rule 2: division by the divisor of a scale, itself correctly rounded.
  Enclosed divided(const Enclosed& a, const Real& divisor) const {
    Enclosed result{a.value.map([&](const Real& x) { return Real(x / divisor); }), a.error};
    const double c = std::abs(static_cast<double>(divisor));
    for (std::size_t i = 0; i < a.error.rows(); ++i)
      for (std::size_t j = 0; j < a.error.columns(); ++j)
        result.error(i, j) = (a.error(i, j) + gamma(2) * (a.size(i, j) + a.error(i, j))) / c + smallest_ * u_;
    return result;
  }

  /// Rule 3: a sum of two matrices.
  Enclosed sum(const Enclosed& a, const Enclosed& b) const {
    Enclosed result{rootdk::sum(a.value, b.value), rootdk::sum(a.error, b.error)};
    for (std::size_t i = 0; i < a.error.rows(); ++i)
      for (std::size_t j = 0; j < a.error.columns(); ++j)
        result.error(i, j) += u_ * (result.size(i, j) + result.error(i, j));
    return result;
  }

  /// Rule 4: softmax of a row over the keys that are seen.
  Enclosed weights(const Enclosed& scores, const attention::Mask& mask) const {
    const std::size_t n = scores.value.rows(), m = scores.value.columns();
    Enclosed result{Matrix<Real>(n, m), Matrix<double>(n, m)};
    for (std::size_t i = 0; i < n; ++i) {
      const auto seen = mask.visible_keys(i);
      if (seen.empty()) continue;
      std::vector<Real> logits;
      double eta = 0;
      for (std::size_t j : seen) {
        logits.push_back(scores.value(i, j));
        eta = std::max(eta, scores.error(i, j));
      }
      const std::vector<Real> row = softmax::softmax<Real>(logits);
      const Real largest = *std::max_element(logits.begin(), logits.end());
      for (std::size_t l = 0; l < seen.size(); ++l) {
        const double x = std::abs(static_cast<double>(logits[l] - largest));
        const double k = static_cast<double>(seen.size());
        const double omega = u_ * (x + std::log(k) + std::ceil(std::log2(k)) + 5);
        const double weight = static_cast<double>(row[l]);
        result.value(i, seen[l]) = row[l];
        result.error(i, seen[l]) = weight * std::expm1(2 * eta + second_order * omega) + smallest_;
      }
    }
    return result;
  }

  /// Rule 5: the product of the Jacobian with a row, \f$ a_j\sum_l a_l(g_j - g_l) \f$ over the keys that are seen.
  Enclosed score_gradient(const Enclosed& weights, const attention::Mask& mask, const Enclosed& upstream) const {
    const std::size_t n = weights.value.rows(), m = weights.value.columns();
    Enclosed result{Matrix<Real>(n, m), Matrix<double>(n, m)};
    for (std::size_t i = 0; i < n; ++i) {
      const auto seen = mask.visible_keys(i);
      const double k = static_cast<double>(seen.size());
      const double own = second_order * (3 * std::ceil(std::log2(k)) + 8) * u_;
      for (std::size_t j : seen) {
        double inherited = 0, computed = 0;
        for (std::size_t l : seen) {
          const Real difference = upstream.value(i, j) - upstream.value(i, l);
          result.value(i, j) += weights.value(i, j) * weights.value(i, l) * difference;
          const double g = std::abs(static_cast<double>(difference));
          const double dg = upstream.error(i, j) + upstream.error(i, l);
          const double a = weights.size(i, j), b = weights.size(i, l);
          const double da = weights.error(i, j), db = weights.error(i, l);
          inherited += a * b * dg + (a * db + da * b + da * db) * (g + dg);
          computed += (a + da) * (b + db) * (g + dg);
        }
        result.error(i, j) = inherited + own * computed + smallest_;
      }
    }
    return result;
  }

 private:
  // covers terms of second order while those of first order are below 1/200
  static constexpr double second_order = 1.01;

  double gamma(std::size_t k) const {
    const double ku = static_cast<double>(k) * u_;
    return ku / (1 - ku);
  }

  double u_, smallest_;
};

/// Attention of exact inputs, forward and backward, with the bounds.
struct EnclosedAttention {
  Enclosed scores, weights, output, d_queries, d_keys, d_values;
};

inline EnclosedAttention enclose(const RunningError& rules, const Enclosed& q, const Enclosed& k, const Enclosed& v,
                                 const Enclosed& upstream, const attention::AttentionOptions& options) {
  const attention::Mask mask = options.mask.value_or(attention::Mask::all(q.value.rows(), k.value.rows()));
  const Real divisor = options.scale.divisor_for<Real>(q.value.columns());
  EnclosedAttention e;
  e.scores = rules.divided(rules.product(q, k.transposed()), divisor);
  e.weights = rules.weights(e.scores, mask);
  e.output = rules.product(e.weights, v);
  const Enclosed d_scores = rules.score_gradient(e.weights, mask, rules.product(upstream, v.transposed()));
  e.d_queries = rules.divided(rules.product(d_scores, k), divisor);
  e.d_keys = rules.divided(rules.product(d_scores.transposed(), q), divisor);
  e.d_values = rules.product(e.weights.transposed(), upstream);
  return e;
}

/// A layer forward, with its projections, and backward.
struct EnclosedLayer {
  Enclosed queries, keys, values;
  EnclosedAttention attention;
  Enclosed d_x, d_y, d_wq, d_wk, d_wv;
};

inline EnclosedLayer enclose(const RunningError& rules, const Layer& l) {
  const auto exact = [](const Matrix<double>& a) { return RunningError::exact(a); };
  const Enclosed x = exact(l.x), y = exact(l.y), wq = exact(l.w.queries), wk = exact(l.w.keys), wv = exact(l.w.values);
  EnclosedLayer e;
  e.queries = rules.product(x, wq);
  e.keys = rules.product(y, wk);
  e.values = rules.product(y, wv);
  e.attention = enclose(rules, e.queries, e.keys, e.values, exact(l.upstream), l.options);
  const EnclosedAttention& d = e.attention;
  e.d_x = rules.product(d.d_queries, wq.transposed());
  e.d_y = rules.sum(rules.product(d.d_keys, wk.transposed()), rules.product(d.d_values, wv.transposed()));
  e.d_wq = rules.product(x.transposed(), d.d_queries);
  e.d_wk = rules.product(y.transposed(), d.d_keys);
  e.d_wv = rules.product(y.transposed(), d.d_values);
  return e;
}

inline EnclosedAttention enclose(const RunningError& rules, const AttentionCase& c) {
  const auto exact = [](const Matrix<double>& a) { return RunningError::exact(a); };
  return enclose(rules, exact(c.queries), exact(c.keys), exact(c.values), exact(c.upstream), c.options());
}

/// Calls each(error over bound) for every entry. Where the bound is 0, as for what is masked, only the exact value
/// will do.
template <class S, class Each>
void each_ratio(const Matrix<S>& computed, const Enclosed& e, const Each& each) {
  for (std::size_t i = 0; i < computed.rows(); ++i)
    for (std::size_t j = 0; j < computed.columns(); ++j) {
      const Real difference = Real(computed(i, j)) - e.value(i, j);
      const double error = std::abs(static_cast<double>(difference));
      each(e.error(i, j) > 0 ? error / e.error(i, j) : difference == 0 ? 0.0 : HUGE_VAL);
    }
}

template <class S>
void compare_entries(Comparison& check, const Matrix<S>& computed, const Enclosed& e, const std::string& what) {
  each_ratio(computed, e, [&](double ratio) { check.error(ratio, 1, what); });
}

}  // namespace rootdk::testing
