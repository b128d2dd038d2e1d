#pragma once

#include <span>
#include <vector>

#include "rootdk/laws/finite_law.hpp"
#include "rootdk/laws/rational.hpp"

namespace rootdk::laws {

/// A law on the lattice \f$ \tfrac1L \mathbb{Z} \f$ with integer weights:
/// \f$ P(X = (a + j)/L) = w_j / W \f$ for \f$ j = 0, 1, \dots \f$, \f$ W = \sum_j w_j \f$.
///
/// The sum of many independent variables has far too many outcomes to enumerate, but on a lattice
/// few distinct values: this is the exact law of such a sum, with no fraction to reduce on the way.
class LatticeLaw {
 public:
  /// The same law as a table on the lattice.
  /// @param law atoms that are multiples of 1/denominator
  /// @param denominator \f$ L \ge 1 \f$
  /// @throws std::domain_error if L is 0 or an atom is not on the lattice
  LatticeLaw(const FiniteLaw<Rational>& law, unsigned denominator);

  unsigned denominator() const { return denominator_; }
  /// \f$ a \f$: the least value of the table, times L.
  long long first() const { return first_; }
  /// \f$ w_0, w_1, \dots \f$; inner ones may be 0.
  const std::vector<Integer>& weights() const { return weights_; }
  /// \f$ W \f$.
  const Integer& total() const { return total_; }

  /// The raw moment \f$ E(X^k) = \sum_j w_j (a+j)^k / (W L^k) \f$.
  Rational moment(unsigned k) const;
  /// \f$ E(X) \f$.
  Rational mean() const { return moment(1); }
  /// \f$ \operatorname{Var}(X) = E((X - EX)^2) \f$, by this definition.
  Rational variance() const;

  /// The same law as a list of atoms.
  FiniteLaw<Rational> finite_law() const;

  /// The law of \f$ X + Y \f$ for independent X and Y.
  /// @throws std::invalid_argument if the denominators differ
  friend LatticeLaw convolve(const LatticeLaw& x, const LatticeLaw& y);

 private:
  LatticeLaw() = default;

  unsigned denominator_ = 1;
  long long first_ = 0;
  std::vector<Integer> weights_;
  Integer total_ = 1;
};

LatticeLaw convolve(const LatticeLaw& x, const LatticeLaw& y);

/// The law of \f$ X_1 + \dots + X_n \f$ for independent terms, which need not have the same law.
/// @param terms at least one, on one lattice
/// @throws std::invalid_argument if there are none or the denominators differ
LatticeLaw sum_of_independent(std::span<const LatticeLaw> terms);

}  // namespace rootdk::laws
