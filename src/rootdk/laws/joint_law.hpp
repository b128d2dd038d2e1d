#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rootdk/laws/finite_law.hpp"

namespace rootdk::laws {

/// The joint law of \f$ n \f$ random variables \f$ (X_0, \dots, X_{n-1}) \f$ with finitely many
/// outcomes, dependent or not: a table of outcomes \f$ x \in S^n \f$ and probabilities.
///
/// Every quantity is a sum over the rows of this table. A law of \f$ 2d \f$ variables stands for a
/// query and a key in the order \f$ (U_1, \dots, U_d, V_1, \dots, V_d) \f$.
///
/// @tparam S the scalar; exact with Rational
template <class S>
class JointLaw {
 public:
  /// One outcome and its probability.
  struct Row {
    std::vector<S> outcome;
    S weight;
    bool operator==(const Row&) const = default;
  };

  /// @param rows in any order, outcomes of one length; the weights of equal outcomes are added.
  ///        One row of length 0 is the law of no variables.
  /// @throws std::invalid_argument if there are none, if lengths differ, or if a weight is not
  ///         positive or their sum is not 1
  explicit JointLaw(std::vector<Row> rows) {
    std::vector<std::vector<S>> outcomes;
    std::vector<S> weights;
    outcomes.reserve(rows.size());
    weights.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].outcome.size() != rows[0].outcome.size()) {
        throw std::invalid_argument("JointLaw: expected outcomes of one length, given row " + std::to_string(i) +
                                    " with " + std::to_string(rows[i].outcome.size()) + " values after " +
                                    std::to_string(rows[0].outcome.size()));
      }
      for (const S& x : rows[i].outcome) {
        if (x != x) {
          throw std::invalid_argument("JointLaw: expected numbers, given NaN in row " + std::to_string(i));
        }
      }
    }
    for (Row& row : rows) {
      outcomes.push_back(std::move(row.outcome));
      weights.push_back(std::move(row.weight));
    }
    detail::require_probability_weights(weights, "JointLaw");
    detail::sort_and_merge(outcomes, weights);
    dimension_ = outcomes[0].size();
    rows_.reserve(outcomes.size());
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      rows_.push_back({std::move(outcomes[i]), std::move(weights[i])});
    }
  }

  /// The law of one variable, as a joint law.
  static JointLaw single(const FiniteLaw<S>& law) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < law.size(); ++i) {
      rows.push_back({{law.atoms()[i]}, law.weights()[i]});
    }
    return JointLaw(std::move(rows));
  }

  /// The law that gives each outcome of a list the same weight.
  /// @throws std::invalid_argument as the constructor
  static JointLaw uniform(std::vector<std::vector<S>> outcomes) {
    const S weight = S(1) / S(outcomes.empty() ? 1 : outcomes.size());
    std::vector<Row> rows;
    for (auto& outcome : outcomes) rows.push_back({std::move(outcome), weight});
    return JointLaw(std::move(rows));
  }

  /// Independent variables with these laws: every combination of atoms, with the product of the
  /// weights. No laws give the law of no variables.
  static JointLaw product(const std::vector<FiniteLaw<S>>& laws) {
    std::vector<JointLaw> blocks;
    blocks.reserve(laws.size());
    for (const auto& law : laws) blocks.push_back(single(law));
    return product(blocks);
  }

  /// Independent vectors with these laws, one after the other; inside a vector any dependence
  /// stays.
  static JointLaw product(const std::vector<JointLaw>& blocks) {
    JointLaw result;
    for (const JointLaw& block : blocks) {
      std::vector<Row> rows;
      rows.reserve(result.rows_.size() * block.rows_.size());
      for (const Row& head : result.rows_) {
        for (const Row& tail : block.rows_) {
          std::vector<S> outcome;
          outcome.reserve(head.outcome.size() + tail.outcome.size());
          outcome.insert(outcome.end(), head.outcome.begin(), head.outcome.end());
          outcome.insert(outcome.end(), tail.outcome.begin(), tail.outcome.end());
          rows.push_back({std::move(outcome), S(head.weight * tail.weight)});
        }
      }
      result.rows_ = std::move(rows);
      result.dimension_ += block.dimension_;
    }
    return result;
  }

  /// The number of variables \f$ n \f$.
  std::size_t dimension() const { return dimension_; }
  /// The outcomes, distinct and in lexicographic order, with their probabilities.
  const std::vector<Row>& rows() const& { return rows_; }
  /// By value from a temporary.
  std::vector<Row> rows() && { return std::move(rows_); }

  /// \f$ E f(X) = \sum_x P(X = x) f(x) \f$.
  /// @param f a function of `std::span<const S>` with n entries
  template <class F>
  S expect(F&& f) const {
    S total = 0;
    for (const Row& row : rows_) total += row.weight * S(f(std::span<const S>(row.outcome)));
    return total;
  }

  /// The law of \f$ f(X) \f$ for a scalar f, such as the product of two variables or a dot product.
  template <class F>
  FiniteLaw<S> push_forward(F&& f) const {
    std::vector<S> atoms, weights;
    atoms.reserve(rows_.size());
    weights.reserve(rows_.size());
    for (const Row& row : rows_) {
      atoms.push_back(S(f(std::span<const S>(row.outcome))));
      weights.push_back(row.weight);
    }
    return FiniteLaw<S>(std::move(atoms), std::move(weights));
  }

  /// The law of \f$ f(X) \f$ for an f that returns a `std::vector<S>` of fixed length.
  template <class F>
  JointLaw map(F&& f) const {
    std::vector<Row> rows;
    rows.reserve(rows_.size());
    for (const Row& row : rows_) {
      rows.push_back({std::vector<S>(f(std::span<const S>(row.outcome))), row.weight});
    }
    return JointLaw(std::move(rows));
  }

  /// The law of \f$ X_i \f$.
  /// @throws std::invalid_argument unless i < n
  FiniteLaw<S> marginal(std::size_t i) const {
    require_index(i);
    return push_forward([i](std::span<const S> x) { return x[i]; });
  }

  /// The joint law of some of the variables, in the order given.
  /// @throws std::invalid_argument unless each index is below n
  JointLaw marginal(const std::vector<std::size_t>& indices) const {
    for (const std::size_t i : indices) require_index(i);
    return map([&](std::span<const S> x) {
      std::vector<S> chosen;
      chosen.reserve(indices.size());
      for (const std::size_t i : indices) chosen.push_back(x[i]);
      return chosen;
    });
  }

  /// \f$ E(X_i) \f$.
  S mean(std::size_t i) const {
    require_index(i);
    return expect([i](std::span<const S> x) { return x[i]; });
  }

  /// \f$ \operatorname{Cov}(X_i, X_j) = E((X_i - EX_i)(X_j - EX_j)) \f$, by this definition.
  S covariance(std::size_t i, std::size_t j) const { return covariance_about(i, mean(i), j, mean(j)); }

  /// \f$ \operatorname{Var}(X_i) \f$.
  S variance(std::size_t i) const { return covariance(i, i); }

  /// Are the given groups of variables independent of one another (each group as one vector)?
  ///
  /// From the definition: \f$ P(X_{B_1} = x_1, \dots, X_{B_m} = x_m) = \prod_l P(X_{B_l} = x_l) \f$
  /// at every combination of outcomes. Both sides are laws, so they are equal as tables or not.
  /// @throws std::invalid_argument unless each index is below n
  bool independent(const std::vector<std::vector<std::size_t>>& groups) const {
    std::vector<std::size_t> all;
    std::vector<JointLaw> laws;
    std::size_t combinations = 1;
    for (const auto& group : groups) {
      all.insert(all.end(), group.begin(), group.end());
      laws.push_back(marginal(group));
      combinations *= laws.back().rows_.size();
      // More combinations than outcomes: some combination of positive product has probability 0.
      if (combinations > rows_.size()) return false;
    }
    return marginal(all) == product(laws);
  }

  /// Are \f$ X_i \f$ and \f$ X_j \f$ independent?
  bool independent(std::size_t i, std::size_t j) const {
    return independent(std::vector<std::vector<std::size_t>>{{i}, {j}});
  }

  /// Are all n variables independent together (not only in pairs)?
  bool mutually_independent() const {
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < dimension_; ++i) groups.push_back({i});
    return independent(groups);
  }

  /// Is every covariance of two different variables 0?
  bool uncorrelated() const {
    std::vector<S> means;
    for (std::size_t i = 0; i < dimension_; ++i) means.push_back(mean(i));
    for (std::size_t i = 0; i < dimension_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (covariance_about(i, means[i], j, means[j]) != 0) return false;
      }
    }
    return true;
  }

  bool operator==(const JointLaw&) const = default;

 private:
  /// The law of no variables.
  JointLaw() : rows_{Row{{}, S(1)}} {}

  S covariance_about(std::size_t i, const S& a, std::size_t j, const S& b) const {
    return expect([&](std::span<const S> x) { return S((x[i] - a) * (x[j] - b)); });
  }

  void require_index(std::size_t i) const {
    if (i >= dimension_) {
      throw std::invalid_argument("JointLaw: expected a variable below " + std::to_string(dimension_) + ", given " +
                                  std::to_string(i));
    }
  }

  std::size_t dimension_ = 0;
  std::vector<Row> rows_;
};

/// Writes the law as `{(1, 0): 1/2, (0, 1): 1/2}`, outcome first.
template <class S>
std::ostream& operator<<(std::ostream& out, const JointLaw<S>& law) {
  out << '{';
  const char* between = "";
  for (const auto& row : law.rows()) {
    out << between << '(';
    for (std::size_t i = 0; i < row.outcome.size(); ++i) {
      out << (i == 0 ? "" : ", ") << row.outcome[i];
    }
    out << "): " << row.weight;
    between = ", ";
  }
  return out << '}';
}

}  // namespace rootdk::laws
