#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rootdk/laws/rational.hpp"

namespace rootdk::laws {

namespace detail {

/// Refuses weights that are not positive or do not sum to 1.
///
/// Exact scalars must sum to exactly 1. In binary arithmetic each of the \f$ n \f$ weights carries
/// one rounding and the sum \f$ n - 1 \f$ more, so a correct list can miss 1 by \f$ n\,u \f$ to
/// first order; \f$ n \f$ times `epsilon` \f$ = 2u \f$ is allowed.
/// @throws std::invalid_argument naming the index and the weight, or the total
template <class S>
void require_probability_weights(const std::vector<S>& weights, const char* what) {
  if (weights.empty()) {
    throw std::invalid_argument(std::string(what) + ": expected at least one weight, given none");
  }
  S total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) {
      std::ostringstream message;
      message << what << ": expected positive weights, given weight " << i << " = " << weights[i];
      throw std::invalid_argument(message.str());
    }
    total += weights[i];
  }
  const S miss = total > 1 ? S(total - 1) : S(1 - total);
  S allowed = 0;
  if constexpr (!std::numeric_limits<S>::is_exact) {
    allowed = static_cast<S>(weights.size()) * std::numeric_limits<S>::epsilon();
  }
  if (!(miss <= allowed)) {
    std::ostringstream message;
    message << what << ": expected weights that sum to 1, given sum " << total;
    throw std::invalid_argument(message.str());
  }
}

/// \f$ x^k \f$ with \f$ x^0 = 1 \f$, by repeated multiplication (exact for exact scalars).
template <class S>
S power(const S& x, unsigned k) {
  S result = 1;
  for (unsigned i = 0; i < k; ++i) result *= x;
  return result;
}

/// Sorts the outcomes and adds up the weights of equal ones.
template <class Outcome, class S>
void sort_and_merge(std::vector<Outcome>& outcomes, std::vector<S>& weights) {
  const bool strictly_sorted =
      std::adjacent_find(outcomes.begin(), outcomes.end(),
                         [](const Outcome& a, const Outcome& b) { return !(a < b); }) == outcomes.end();
  if (strictly_sorted) return;
  std::map<Outcome, S> merged;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto [entry, is_new] = merged.try_emplace(std::move(outcomes[i]), weights[i]);
    if (!is_new) entry->second += weights[i];
  }
  outcomes.clear();
  weights.clear();
  for (auto& [outcome, weight] : merged) {
    outcomes.push_back(outcome);
    weights.push_back(std::move(weight));
  }
}

}  // namespace detail

/// The law of a random variable with finitely many values:
/// \f$ P(X = x_i) = w_i > 0 \f$, \f$ \sum_i w_i = 1 \f$.
///
/// Every quantity is computed from its definition as a sum over the atoms, so with an exact scalar
/// it is the value itself: equality is `==`.
///
/// @tparam S the scalar; exact with Rational, rounded with `double`
template <class S>
class FiniteLaw {
 public:
  /// @param atoms the values in any order; the weights of equal ones are added
  /// @param weights as many, positive, with sum 1 (exactly, for an exact scalar)
  /// @throws std::invalid_argument if the sizes differ, an atom is NaN or infinite, or a weight or their sum is wrong
  FiniteLaw(std::vector<S> atoms, std::vector<S> weights) : atoms_(std::move(atoms)), weights_(std::move(weights)) {
    if (atoms_.size() != weights_.size()) {
      throw std::invalid_argument("FiniteLaw: expected as many weights as atoms, given " +
                                  std::to_string(weights_.size()) + " weights for " + std::to_string(atoms_.size()) +
                                  " atoms");
    }
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      // Only a NaN differs from itself; it would break the order of the atoms.
      if (atoms_[i] != atoms_[i]) {
        throw std::invalid_argument("FiniteLaw: expected atoms that are numbers, given NaN at " + std::to_string(i));
      }
      // Its mean would be infinite or NaN and its variance NaN.
      if (std::numeric_limits<S>::has_infinity && atoms_[i] - atoms_[i] != 0) {
        throw std::invalid_argument("FiniteLaw: expected finite atoms, given an infinite one at " + std::to_string(i));
      }
    }
    detail::require_probability_weights(weights_, "FiniteLaw");
    detail::sort_and_merge(atoms_, weights_);
  }

  /// The law that gives each entry of a list the same weight (an entry given twice weighs double).
  /// @throws std::invalid_argument if the list is empty
  static FiniteLaw uniform(std::vector<S> atoms) {
    const std::size_t n = atoms.size();
    return FiniteLaw(std::move(atoms), std::vector<S>(n, S(1) / S(n == 0 ? 1 : n)));
  }

  /// A fair \f$ \pm 1 \f$.
  static FiniteLaw rademacher() { return uniform({S(-1), S(1)}); }

  /// The values, distinct and increasing.
  const std::vector<S>& atoms() const& { return atoms_; }
  /// By value from a temporary, so that `for (x : joint.marginal(0).atoms())` does not dangle.
  std::vector<S> atoms() && { return std::move(atoms_); }
  /// The probability of each value, in the order of atoms().
  const std::vector<S>& weights() const& { return weights_; }
  /// By value from a temporary.
  std::vector<S> weights() && { return std::move(weights_); }
  std::size_t size() const { return atoms_.size(); }

  /// \f$ E f(X) = \sum_i w_i f(x_i) \f$.
  /// @param f a function of one scalar
  template <class F>
  S expect(F&& f) const {
    S total = 0;
    for (std::size_t i = 0; i < atoms_.size(); ++i) total += weights_[i] * S(f(atoms_[i]));
    return total;
  }

  /// The raw moment \f$ E(X^k) \f$.
  S moment(unsigned k) const {
    return expect([k](const S& x) { return detail::power(x, k); });
  }
  /// \f$ E(X) \f$.
  S mean() const { return moment(1); }
  /// The central moment \f$ E((X - EX)^k) \f$.
  S central_moment(unsigned k) const {
    const S m = mean();
    return expect([&](const S& x) { return detail::power(S(x - m), k); });
  }
  /// \f$ \operatorname{Var}(X) = E((X - EX)^2) \f$, by this definition and no other formula.
  S variance() const { return central_moment(2); }

  /// The law of \f$ f(X) \f$.
  template <class F>
  FiniteLaw map(F&& f) const {
    std::vector<S> images;
    images.reserve(atoms_.size());
    for (const S& x : atoms_) images.push_back(S(f(x)));
    return FiniteLaw(std::move(images), weights_);
  }

  /// The law of shift + scale \f$ \cdot X \f$.
  FiniteLaw affine(const S& shift, const S& scale) const {
    return map([&](const S& x) { return S(shift + scale * x); });
  }

  /// The same law over another scalar; each atom and weight is rounded once.
  template <class T>
  FiniteLaw<T> convert() const {
    std::vector<T> atoms, weights;
    for (const S& x : atoms_) atoms.push_back(static_cast<T>(x));
    for (const S& w : weights_) weights.push_back(static_cast<T>(w));
    return FiniteLaw<T>(std::move(atoms), std::move(weights));
  }

  bool operator==(const FiniteLaw&) const = default;

 private:
  std::vector<S> atoms_;
  std::vector<S> weights_;
};

/// Writes the law as `{-1: 1/2, 1: 1/2}`, value first.
template <class S>
std::ostream& operator<<(std::ostream& out, const FiniteLaw<S>& law) {
  out << '{';
  for (std::size_t i = 0; i < law.size(); ++i) {
    out << (i == 0 ? "" : ", ") << law.atoms()[i] << ": " << law.weights()[i];
  }
  return out << '}';
}

}  // namespace rootdk::laws
