#pragma once

/// \file
/// What each hypothesis says of a finite joint law, from its definition on the enumerated table.
/// Generators are held to these predicates, and falsifiers show with them what they drop and keep.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "rootdk/derivation.hpp"
#include "rootdk/laws/joint_law.hpp"

namespace rootdk::testing {

constexpr bool same(HypothesisRef a, HypothesisRef b) { return a.index == b.index; }

/// Conditions on the size of the tails, which every law with finitely many values meets.
constexpr bool holds_for_every_finite_law(HypothesisRef h) {
  return same(h, "integrable") || same(h, "finite_second_moment") || same(h, "finite_third_moment") ||
         same(h, "finite_fourth_moment");
}

/// The head dimension d of a law of \f$ (U_1, \dots, U_d, V_1, \dots, V_d) \f$.
/// @throws std::invalid_argument if the number of variables is odd
template <class S>
std::size_t head_dimension(const laws::JointLaw<S>& law) {
  if (law.dimension() % 2 != 0) {
    throw std::invalid_argument("head_dimension: expected an even number of variables, given " +
                                std::to_string(law.dimension()));
  }
  return law.dimension() / 2;
}

/// In each pair \f$ (U_i, V_i) \f$, does at least one of the two have mean 0?
template <class S>
bool one_zero_mean_in_each_pair(const laws::JointLaw<S>& law) {
  const std::size_t d = head_dimension(law);
  for (std::size_t i = 0; i < d; ++i) {
    if (law.mean(i) != 0 && law.mean(d + i) != 0) return false;
  }
  return true;
}

/// Does the law meet the hypothesis?
///
/// `uncorrelated_terms`, `zero_mean` and `unit_variance` speak of all its variables,
/// `independent_pair` of a law of two, the others of a query and a key.
/// @throws std::invalid_argument if the number of variables does not fit the hypothesis
template <HypothesisRef H, class S>
bool satisfies(const laws::JointLaw<S>& law) {
  if constexpr (holds_for_every_finite_law(H)) {
    return true;
  } else if constexpr (same(H, "uncorrelated_terms")) {
    return law.uncorrelated();
  } else if constexpr (same(H, "independent_pair")) {
    if (law.dimension() != 2) {
      throw std::invalid_argument("independent_pair: expected a law of 2 variables, given " +
                                  std::to_string(law.dimension()));
    }
    return law.independent(0, 1);
  } else if constexpr (same(H, "independent_pairs")) {
    const std::size_t d = head_dimension(law);
    for (std::size_t i = 0; i < d; ++i) {
      if (!law.independent(i, d + i)) return false;
    }
    return true;
  } else if constexpr (same(H, "independent_vectors")) {
    const std::size_t d = head_dimension(law);
    std::vector<std::size_t> query, key;
    for (std::size_t i = 0; i < d; ++i) {
      query.push_back(i);
      key.push_back(d + i);
    }
    return law.independent({query, key});
  } else if constexpr (same(H, "mutually_independent")) {
    return law.mutually_independent();
  } else if constexpr (same(H, "zero_mean")) {
    for (std::size_t i = 0; i < law.dimension(); ++i) {
      if (law.mean(i) != 0) return false;
    }
    return true;
  } else if constexpr (same(H, "unit_variance")) {
    for (std::size_t i = 0; i < law.dimension(); ++i) {
      if (law.variance(i) != 1) return false;
    }
    return true;
  } else if constexpr (same(H, "positive_dimension")) {
    return head_dimension(law) >= 1;
  } else if constexpr (same(H, "two_or_more_dimensions")) {
    return head_dimension(law) >= 2;
  } else {
    static_assert(H.index == hypotheses.size(), "this hypothesis says nothing of a finite law yet");
  }
}

/// The same for a single variable.
template <HypothesisRef H, class S>
bool satisfies(const laws::FiniteLaw<S>& law) {
  return satisfies<H>(laws::JointLaw<S>::single(law));
}

}  // namespace rootdk::testing
