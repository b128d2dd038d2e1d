#pragma once

/// \file
/// RapidCheck generators of finite laws with rational atoms and weights, by hypothesis.
///
/// `joint_law<"independent_pair", "zero_mean">(2)` yields laws that satisfy the hypotheses named
/// and what they imply, and as a rule nothing else. Laws are built from small integers and shrink
/// through them, so a shrunk law satisfies the same hypotheses: fewer atoms, smaller numerators,
/// smaller denominators. Sizes do not depend on RapidCheck's size parameter: the first case is as
/// rich as the last.

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "rootdk/derivation.hpp"
#include "rootdk/laws/finite_law.hpp"
#include "rootdk/laws/joint_law.hpp"
#include "support/hypotheses_hold.hpp"
#include "support/property.hpp"

namespace rootdk::testing {

using laws::FiniteLaw;
using laws::JointLaw;
using laws::Rational;

/// Where a law of pairs \f$ (U_i, V_i) \f$ with `zero_mean` has its zero means.
enum class ZeroMean { everywhere, one_of_each_pair };

namespace detail {

enum class Dependence { any, uncorrelated, independent_pairs, independent_vectors, mutually_independent };

/// What a list of hypotheses asks of a finite law.
struct Demands {
  Dependence dependence = Dependence::any;
  bool zero_mean = false;
  bool unit_variance = false;
  int least_dimension = 0;
};

/// A list of hypotheses for which there is no generator does not compile.
template <HypothesisRef... H>
consteval Demands demands() {
  Demands result;
  [[maybe_unused]] const auto ask = [&result](HypothesisRef h) {
    const auto depend = [&result](Dependence wanted) {
      const auto strength = [](Dependence d) { return static_cast<int>(d); };
      if (result.dependence != Dependence::any &&
          (result.dependence == Dependence::uncorrelated) != (wanted == Dependence::uncorrelated)) {
        throw "uncorrelated_terms goes with none of the independences";
      }
      if (strength(wanted) > strength(result.dependence)) result.dependence = wanted;
    };
    if (same(h, "uncorrelated_terms")) {
      depend(Dependence::uncorrelated);
    } else if (same(h, "independent_pair") || same(h, "independent_pairs")) {
      depend(Dependence::independent_pairs);
    } else if (same(h, "independent_vectors")) {
      depend(Dependence::independent_vectors);
    } else if (same(h, "mutually_independent")) {
      depend(Dependence::mutually_independent);
    } else if (same(h, "zero_mean")) {
      result.zero_mean = true;
    } else if (same(h, "unit_variance")) {
      result.unit_variance = true;
    } else if (same(h, "positive_dimension")) {
      if (result.least_dimension < 1) result.least_dimension = 1;
    } else if (same(h, "two_or_more_dimensions")) {
      result.least_dimension = 2;
    } else if (!holds_for_every_finite_law(h)) {
      throw "no generator for this hypothesis";
    }
  };
  (ask(H), ...);
  return result;
}

rc::Gen<FiniteLaw<Rational>> finite_law(const Demands& demands);
rc::Gen<JointLaw<Rational>> joint_law(const Demands& demands, int variables, ZeroMean where);
rc::Gen<JointLaw<Rational>> query_key_law(const Demands& demands, int most, ZeroMean where);

}  // namespace detail

/// Integers from least to most, all equally likely, that shrink towards the simplest.
/// @throws std::invalid_argument unless least <= simplest <= most
rc::Gen<int> integer(int least, int most, int simplest);

/// The range of an integer, and the value it shrinks towards.
struct Range {
  int least, most, simplest;
};

/// The integers that a value is made from: some by themselves, and any number of rows of them.
struct Integers {
  std::vector<int> head;
  std::vector<std::vector<int>> rows;
};

/// An integer of each range in the head, and `least` to `most` rows with an integer of each range of a row; shrinks as
/// vector_of() does. Generators of other values are maps of this one: each `rc::gen::tuple` of its own would cost
/// seconds of compilation.
rc::Gen<Integers> integers(std::vector<Range> head, int least = 0, int most = 0, std::vector<Range> row = {});

/// A fraction with numerator and denominator in two ranges; the denominators are at least 1.
rc::Gen<Rational> fraction(Range numerator, Range denominator);

/// Vectors of `least` to `most` entries, all lengths equally likely, that shrink by losing entries
/// and then entry by entry.
/// @throws std::invalid_argument unless 0 <= least <= most
template <class T>
rc::Gen<std::vector<T>> vector_of(int least, int most, rc::Gen<T> entry);

/// The law of one variable: any finite law, or one with `zero_mean`, `unit_variance` or both.
///
/// A law of mean 0 is a mixture of laws on \f$ \{-a, b\} \f$ and an atom at 0, and so is every such
/// law. For variance 1 the weights of the mixture are chosen so that \f$ \sum_j c_j a_j b_j = 1
/// \f$.
template <HypothesisRef... H>
Generated<FiniteLaw<Rational>, H...> finite_law() {
  constexpr auto demands = detail::demands<H...>();
  static_assert(demands.dependence == detail::Dependence::any && demands.least_dimension == 0,
                "this hypothesis is about several variables");
  return {detail::finite_law(demands)};
}

/// The joint law of a fixed number of variables: a pair (U, V), terms, or a query and a key in the
/// order \f$ (U_1, \dots, U_d, V_1, \dots, V_d) \f$.
///
/// Marginal laws are drawn as for one variable, then joined:
/// - without a hypothesis on dependence by mixtures of couplings of the marginals (each coupling
/// lays
///   the weights end to end in some order of the atoms), which reach every joint law with them;
/// - with `independent_pairs` by couplings of the product laws of the pairs, so that nothing is
/// said
///   across pairs;
/// - with `independent_vectors` by a product of two couplings, with `mutually_independent` by a
/// product;
/// - with `uncorrelated_terms` from a coupling, either by subtracting from each variable its linear
///   regression on those before, or by multiplying its deviations from the mean by pairwise
///   independent signs (always the latter with `unit_variance`).
///
/// @param variables their number, even where the hypotheses speak of pairs
/// @throws std::invalid_argument if the number does not fit the hypotheses
template <HypothesisRef... H>
Generated<JointLaw<Rational>, H...> joint_law(int variables, ZeroMean where = ZeroMean::everywhere) {
  return {detail::joint_law(detail::demands<H...>(), variables, where)};
}

/// The joint law of a query and a key of some dimension d up to `most`, from 0 on unless
/// `positive_dimension` or `two_or_more_dimensions` is named.
/// @throws std::invalid_argument if `most` is below the least dimension
template <HypothesisRef... H>
Generated<JointLaw<Rational>, H...> query_key_law(int most = 3, ZeroMean where = ZeroMean::everywhere) {
  return {detail::query_key_law(detail::demands<H...>(), most, where)};
}

/// The laws of the components \f$ (U_i, V_i) \f$ of a query and a key whose 2d components are
/// mutually independent: `first` holds those of q, `second` those of k.
using ComponentLaws = std::pair<std::vector<FiniteLaw<Rational>>, std::vector<FiniteLaw<Rational>>>;

/// Component laws on \f$ \tfrac12\mathbb Z \cap [-2, 2] \f$, different from one another,
/// standardised and of any skew. Products then lie on \f$ \tfrac14\mathbb Z \f$ and a dot product
/// is a LatticeLaw.
/// @param least,most the range of d, all equally likely
rc::Gen<ComponentLaws> half_lattice_components_gen(int least, int most);

/// \copydoc half_lattice_components_gen
template <HypothesisRef... H>
Generated<ComponentLaws, H...> half_lattice_components(int least, int most) {
  constexpr auto demands = detail::demands<H...>();
  static_assert(
      demands.dependence == detail::Dependence::mutually_independent && demands.zero_mean && demands.unit_variance,
      "these laws are mutually independent and standardised: name all three");
  return {half_lattice_components_gen(std::max(least, demands.least_dimension), most)};
}

/// Counts the law in the current property under one of nine classes: some variable is `constant`,
/// or some is `skewed`, or all are `unskewed`; and together they are `correlated`, or `dependent`
/// though uncorrelated, or `independent`.
void classify(const JointLaw<Rational>& law);

// ------------------------------------------------------------------------------------------------

namespace detail {

void require_range(int least, int simplest, int most, const char* what);
int draw(rc::Random& random, int least, int most);

/// The entries' own shrinkables, drawn one by one, as a shrinkable vector of at least `least`.
template <class T>
rc::Shrinkable<std::vector<T>> shrinkable_vector(std::vector<rc::Shrinkable<T>> entries, std::size_t least) {
  using Entries = std::vector<rc::Shrinkable<T>>;
  auto shrunk = rc::shrinkable::shrinkRecur(std::move(entries), [least](const Entries& now) {
    auto shorter =
        rc::seq::filter(rc::shrink::removeChunks(now), [least](const Entries& fewer) { return fewer.size() >= least; });
    auto simpler = rc::shrink::eachElement(now, [](const rc::Shrinkable<T>& entry) { return entry.shrinks(); });
    return rc::seq::concat(std::move(shorter), std::move(simpler));
  });
  return rc::shrinkable::map(std::move(shrunk), [](const Entries& now) {
    std::vector<T> values;
    values.reserve(now.size());
    for (const auto& entry : now) values.push_back(entry.value());
    return values;
  });
}

}  // namespace detail

template <class T>
rc::Gen<std::vector<T>> vector_of(int least, int most, rc::Gen<T> entry) {
  detail::require_range(0, least, most, "vector_of");
  return [=](const rc::Random& random, int size) {
    rc::Random stream(random);
    rc::Random lengths = stream.split();
    std::vector<rc::Shrinkable<T>> entries;
    for (int n = detail::draw(lengths, least, most); n > 0; --n) {
      entries.push_back(entry(stream.split(), size));
    }
    return detail::shrinkable_vector<T>(std::move(entries), static_cast<std::size_t>(least));
  };
}

/// One value from each generator, in order; shrinks entry by entry.
template <class T>
rc::Gen<std::vector<T>> one_of_each(std::vector<rc::Gen<T>> gens) {
  return [gens = std::move(gens)](const rc::Random& random, int size) {
    rc::Random stream(random);
    std::vector<rc::Shrinkable<T>> entries;
    for (const auto& gen : gens) entries.push_back(gen(stream.split(), size));
    const std::size_t n = entries.size();
    return detail::shrinkable_vector<T>(std::move(entries), n);
  };
}

extern template rc::Gen<std::vector<int>> vector_of(int, int, rc::Gen<int>);
extern template rc::Gen<std::vector<Rational>> vector_of(int, int, rc::Gen<Rational>);

}  // namespace rootdk::testing

namespace rc {

/// Any finite law.
template <>
struct Arbitrary<rootdk::laws::FiniteLaw<rootdk::laws::Rational>> {
  static Gen<rootdk::laws::FiniteLaw<rootdk::laws::Rational>> arbitrary() {
    return rootdk::testing::finite_law<>().gen;
  }
};

/// Any joint law of one to three variables.
template <>
struct Arbitrary<rootdk::laws::JointLaw<rootdk::laws::Rational>> {
  static Gen<rootdk::laws::JointLaw<rootdk::laws::Rational>> arbitrary() {
    return gen::mapcat(rootdk::testing::integer(1, 3, 1), [](int n) { return rootdk::testing::joint_law<>(n).gen; });
  }
};

}  // namespace rc
