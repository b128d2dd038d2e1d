#pragma once

/// \file
/// Inputs of attention for the tests: small generated ones that shrink, and larger ones from a stream.

#include <array>
#include <cstddef>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "rootdk/attention/attention_definition.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "support/generators.hpp"
#include "support/test.hpp"

namespace rootdk::testing {

/// Queries, keys and values, the gradient of a loss by the output, and a mask. All entries are exact in `float`.
struct AttentionCase {
  Matrix<double> queries, keys, values, upstream;
  attention::Mask mask;

  attention::AttentionOptions options() const { return {.mask = mask, .return_weights = true}; }
};

inline std::ostream& operator<<(std::ostream& out, const Matrix<double>& a) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    out << (i == 0 ? "{" : "; ");
    for (std::size_t j = 0; j < a.columns(); ++j) out << (j == 0 ? "" : " ") << a(i, j);
  }
  return out << '}';
}

inline std::ostream& operator<<(std::ostream& out, const AttentionCase& c) {
  out << "Q = " << c.queries << ", K = " << c.keys << ", V = " << c.values << ", dO = " << c.upstream << ", sees ";
  for (std::size_t i = 0; i < c.mask.queries(); ++i) {
    out << (i == 0 ? "{" : "; ");
    for (std::size_t j = 0; j < c.mask.keys(); ++j) out << c.mask.visible(i, j);
  }
  return out << '}';
}

namespace detail {

// Takes entries from a list, one after the other.
class Pool {
 public:
  explicit Pool(const std::vector<int>& entries) : entries_(&entries) {}
  int next() { return (*entries_)[at_++]; }
  Matrix<double> matrix(std::size_t rows, std::size_t columns, double unit) {
    Matrix<double> result(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) result(i, j) = unit * next();
    return result;
  }

 private:
  const std::vector<int>* entries_;
  std::size_t at_ = 0;
};

}  // namespace detail

/// The factors that make rows of weights nearly uniform, moderate and saturated.
inline constexpr std::array<double, 3> query_factors{0.015625, 1, 64};

/// Up to 4 queries and keys of width up to 4, entries in (1/8)Z, queries larger by one of the factors; every
/// query sees a key.
template <HypothesisRef... H>
Generated<AttentionCase, H...> attention_case() {
  const auto build = [](const Integers& drawn) {
    const auto head = [&](std::size_t i) { return static_cast<std::size_t>(drawn.head[i]); };
    const std::size_t n = head(0), m = head(1), d = head(2), width = head(3);
    std::vector<int> entries;
    for (const auto& row : drawn.rows) entries.push_back(row[0]);
    detail::Pool pool(entries);
    Matrix<double> queries = pool.matrix(n, d, 0.125 * query_factors[head(4)]);
    Matrix<double> keys = pool.matrix(m, d, 0.125);
    Matrix<double> values = pool.matrix(m, width, 0.125);
    Matrix<double> upstream = pool.matrix(n, width, 0.125);
    std::vector<bool> visible(n * m);
    for (std::size_t i = 0; i < visible.size(); ++i)
      visible[i] = drawn.rows[i][1] != 1 || i % m == i / m % m;  // one key a query is always seen
    return AttentionCase{std::move(queries), std::move(keys), std::move(values), std::move(upstream),
                         attention::Mask(n, m, std::move(visible))};
  };
  // sizes and query factor; entries, and whether a key is hidden
  return {rc::gen::map(
      integers({{1, 4, 1}, {2, 4, 2}, {1, 4, 1}, {1, 3, 1}, {0, 2, 1}}, 56, 56, {{-16, 16, 0}, {0, 4, 0}}), build)};
}

/// Whether a row of weights is `saturated` (one weight above 0.99), `nearly uniform` (none above 1.1 times the
/// average) or `moderate`; a row with a single key says nothing.
inline std::string class_of_row(const Matrix<double>& weights, const attention::Mask& mask, std::size_t i) {
  const std::size_t seen = mask.visible_keys(i).size();
  if (seen < 2) return "fewer than two keys";
  const auto row = weights.row(i);
  const double largest = *std::max_element(row.begin(), row.end());
  if (largest > 0.99) return "saturated";
  return largest * static_cast<double>(seen) <= 1.1 ? "nearly uniform" : "moderate";
}

/// A case of given sizes: normal entries rounded to `float`, queries times a factor, a causal mask or none.
inline AttentionCase sampled_case(std::size_t n, std::size_t m, std::size_t d, std::size_t width, double factor,
                                  bool causal, std::uint64_t seed) {
  montecarlo::Stream stream({seed, montecarlo::stream_label("attention"), n, m, d});
  static const laws::Law normal = laws::normal(0, 1);
  const auto matrix = [&](std::size_t rows, std::size_t columns, double scale) {
    Matrix<double> result(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) result(i, j) = static_cast<float>(scale * normal.sample(stream));
    return result;
  };
  Matrix<double> queries = matrix(n, d, factor), keys = matrix(m, d, 1), values = matrix(m, width, 1),
                 upstream = matrix(n, width, 1);
  return {std::move(queries), std::move(keys), std::move(values), std::move(upstream),
          causal ? attention::Mask::causal(n, m) : attention::Mask::all(n, m)};
}

/// Inputs of a layer and its projections, the gradient of a loss by the output, and a mask.
struct Layer {
  Matrix<double> x, y;
  attention::Projections<double> w;
  Matrix<double> upstream;
  attention::AttentionOptions options;
};

/// The same with every entry converted.
template <class S>
attention::Projections<S> convert(const attention::Projections<double>& w) {
  return {w.queries.convert<S>(), w.keys.convert<S>(), w.values.convert<S>()};
}

/// A layer of n queries, m keys, inputs of width 3, head dimension 4 and values of width 2, of sampled cases.
inline Layer sampled_layer(std::size_t n, std::size_t m, double factor, bool causal, std::uint64_t seed) {
  const AttentionCase inputs = sampled_case(n, m, 3, 2, factor, causal, seed);  // X is n x 3, Y is m x 3
  const AttentionCase matrices = sampled_case(3, 3, 4, 2, 1, false, seed + 1000);
  return {inputs.queries,
          inputs.keys,
          {matrices.queries, matrices.keys, matrices.values},
          inputs.upstream,
          {.mask = inputs.mask, .return_weights = true}};
}

/// Counts rows of weights by class, and fails the test case when it goes out of scope with less than a tenth of them
/// in one of the three.
class AttentionRowClasses {
 public:
  AttentionRowClasses() = default;
  AttentionRowClasses(const AttentionRowClasses&) = delete;
  AttentionRowClasses& operator=(const AttentionRowClasses&) = delete;
  ~AttentionRowClasses() {
    for (const char* name : {"saturated", "moderate", "nearly uniform"}) {
      const bool enough = 10 * counts_[name] >= total_ && counts_[name] > 0;
      UNSCOPED_INFO(name << ": " << counts_[name] << " of " << total_ << " rows");
      CHECK(enough);
    }
  }

  /// Counts every row of a case or of a layer, in the evidence too.
  void count(Comparison& check, const AttentionCase& c) {
    count(check, attention::attention_weights(c.queries, c.keys, c.options()), c.mask);
  }
  void count(Comparison& check, const Layer& l) {
    count(check, *attention::attention_layer(l.x, l.y, l.w, l.options).weights, *l.options.mask);
  }

  /// Counts the first row of the case of the running property, in the evidence too.
  void count_case(const AttentionCase& c) {
    RC_TAG(count_row(attention::attention_weights(c.queries, c.keys, c.options()), c.mask, 0));
  }

 private:
  void count(Comparison& check, const Matrix<double>& weights, const attention::Mask& mask) {
    for (std::size_t i = 0; i < weights.rows(); ++i) check.classify("rows: " + count_row(weights, mask, i));
  }
  std::string count_row(const Matrix<double>& weights, const attention::Mask& mask, std::size_t i) {
    const std::string name = class_of_row(weights, mask, i);
    ++counts_[name];
    ++total_;
    return name;
  }

  std::map<std::string, int> counts_;
  int total_ = 0;
};

}  // namespace rootdk::testing
