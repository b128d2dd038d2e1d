// The generators both ways: all they yield satisfies the hypotheses named, also after shrinking,
// and among 1000 outputs some violate each hypothesis that is neither named nor implied.
#include "support/generators.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "support/test.hpp"

using namespace rootdk::testing;
using rootdk::HypothesisRef;
using rootdk::laws::FiniteLaw;
using rootdk::laws::JointLaw;
using rootdk::laws::Rational;
using Law = FiniteLaw<Rational>;
using Joint = JointLaw<Rational>;

namespace {

template <class T, HypothesisRef... H>
std::vector<rc::Shrinkable<T>> outputs(const Generated<T, H...>& generated, int count = 1000) {
  rc::Random random(seed_of("generators"));
  std::vector<rc::Shrinkable<T>> result;
  for (int i = 0; i < count; ++i) result.push_back(generated.gen(random.split()));
  return result;
}

/// Shrinks as RapidCheck does, to a value none of whose shrinks is kept.
template <class T, class Keep>
T shrink_while(rc::Shrinkable<T> now, Keep keep) {
  while (true) {
    auto shrinks = now.shrinks();
    bool moved = false;
    while (auto next = shrinks.next()) {
      if (!keep(next->value())) continue;
      now = *next;
      moved = true;
      break;
    }
    if (!moved) return now.value();
  }
}

template <HypothesisRef H, class T, HypothesisRef... Named>
void some_violate_unless_implied(const Generated<T, Named...>&, const std::vector<T>& laws) {
  if (rootdk::implied_by(slugs<Named...>())[H.index]) return;
  INFO("not named: " << H->slug);
  CHECK(std::any_of(laws.begin(), laws.end(), [](const T& law) { return !satisfies<H>(law); }));
}

/// Both ways, against the hypotheses that a law of this kind can satisfy or not.
template <HypothesisRef... Against, class T, HypothesisRef... Named>
void both_ways(const Generated<T, Named...>& generated) {
  const auto drawn = outputs(generated);
  std::vector<T> laws;
  for (const auto& shrinkable : drawn) laws.push_back(shrinkable.value());
  const auto all_named = [](const T& law) { return (satisfies<Named>(law) && ...); };
  CHECK(std::all_of(laws.begin(), laws.end(), all_named));
  (some_violate_unless_implied<Against>(generated, laws), ...);

  for (std::size_t i = 0; i < 50; ++i) {
    auto shrinks = drawn[i].shrinks();
    for (int tried = 0; tried < 20; ++tried) {
      const auto next = shrinks.next();
      if (!next) break;
      INFO(laws[i] << " shrinks to " << next->value());
      CHECK(all_named(next->value()));
    }
  }
  for (std::size_t i = 0; i < 5; ++i) {
    const T least = shrink_while(drawn[i], [](const T&) { return true; });
    INFO(laws[i] << " shrinks in the end to " << least);
    CHECK(all_named(least));
  }
}

/// Those of terms or of one law.
template <class G>
void both_ways_terms(const G& generated) {
  both_ways<"uncorrelated_terms", "zero_mean", "unit_variance">(generated);
}
template <class G>
void both_ways_law(const G& generated) {
  both_ways<"zero_mean", "unit_variance">(generated);
}
template <class G>
void both_ways_pair(const G& generated) {
  both_ways<"independent_pair", "zero_mean", "unit_variance">(generated);
}
template <class G>
void both_ways_query_key(const G& generated) {
  both_ways<"independent_pairs", "independent_vectors", "mutually_independent", "zero_mean", "unit_variance",
            "positive_dimension", "two_or_more_dimensions">(generated);
}

bool is_skewed(const Law& law) { return law.central_moment(3) != 0; }

template <class T, class F>
int count(const std::vector<rc::Shrinkable<T>>& drawn, F f) {
  return static_cast<int>(std::count_if(drawn.begin(), drawn.end(), [&](const auto& s) { return f(s.value()); }));
}

}  // namespace

TEST_CASE("laws of one variable satisfy what is named and no more") {
  both_ways_law(finite_law<>());
  both_ways_law(finite_law<"zero_mean">());
  both_ways_law(finite_law<"unit_variance">());
  both_ways_law(finite_law<"zero_mean", "unit_variance">());
}

TEST_CASE("terms satisfy what is named and no more") {
  both_ways_terms(joint_law<>(3));
  both_ways_terms(joint_law<"uncorrelated_terms">(2));
  both_ways_terms(joint_law<"uncorrelated_terms">(3));
  both_ways_terms(joint_law<"uncorrelated_terms", "zero_mean">(4));
  both_ways_terms(joint_law<"uncorrelated_terms", "unit_variance">(3));
  both_ways_terms(joint_law<"uncorrelated_terms", "zero_mean", "unit_variance">(2));
}

TEST_CASE("pairs satisfy what is named and no more") {
  both_ways_pair(joint_law<>(2));
  both_ways_pair(joint_law<"zero_mean">(2));
  both_ways_pair(joint_law<"unit_variance">(2));
  both_ways_pair(joint_law<"zero_mean", "unit_variance">(2));
  both_ways_pair(joint_law<"independent_pair">(2));
  both_ways_pair(joint_law<"independent_pair", "zero_mean">(2));
  both_ways_pair(joint_law<"independent_pair", "unit_variance">(2));
}

TEST_CASE("queries and keys satisfy what is named and no more") {
  both_ways_query_key(query_key_law<>(2));
  both_ways_query_key(query_key_law<"independent_pairs">(3));
  both_ways_query_key(query_key_law<"independent_pairs", "zero_mean">(3));
  both_ways_query_key(query_key_law<"independent_vectors", "unit_variance">(2));
  both_ways_query_key(query_key_law<"mutually_independent">(2));
  both_ways_query_key(query_key_law<"mutually_independent", "zero_mean">(2));
  both_ways_query_key(query_key_law<"mutually_independent", "unit_variance", "positive_dimension">(2));
  both_ways_query_key(query_key_law<"zero_mean", "unit_variance", "two_or_more_dimensions">(2));
}

TEST_CASE("standardised queries and keys of dimension up to three are mutually independent") {
  const auto drawn = outputs(query_key_law<"mutually_independent", "zero_mean", "unit_variance">(3), 200);
  std::set<std::size_t> dimensions;
  for (const auto& shrinkable : drawn) {
    const Joint law = shrinkable.value();
    dimensions.insert(head_dimension(law));
    CHECK(satisfies<"mutually_independent">(law));
    CHECK(satisfies<"zero_mean">(law));
    CHECK(satisfies<"unit_variance">(law));
  }
  CHECK(dimensions == std::set<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("uncorrelated terms are often dependent, independent pairs often dependent on one another") {
  const auto dependent = [](const Joint& law) { return !law.mutually_independent(); };
  CHECK(count(outputs(joint_law<"uncorrelated_terms">(2)), dependent) > 250);
  CHECK(count(outputs(joint_law<"uncorrelated_terms">(3)), dependent) > 250);
  CHECK(count(outputs(joint_law<"independent_pairs">(4)),
              [](const Joint& law) { return !satisfies<"independent_vectors">(law); }) > 250);
}

TEST_CASE("one zero mean in each pair is not always the same one") {
  const auto drawn = outputs(joint_law<"independent_pairs", "zero_mean">(4, ZeroMean::one_of_each_pair));
  CHECK(count(drawn, one_zero_mean_in_each_pair<Rational>) == 1000);
  CHECK(count(drawn, [](const Joint& law) { return law.mean(0) != 0; }) > 100);
  CHECK(count(drawn, [](const Joint& law) { return law.mean(2) != 0; }) > 100);
  CHECK(count(drawn, [](const Joint& law) { return law.mean(0) != 0 && law.mean(3) != 0; }) > 10);
  for (std::size_t i = 0; i < 20; ++i) {
    auto shrinks = drawn[i].shrinks();
    while (const auto next = shrinks.next()) CHECK(one_zero_mean_in_each_pair(next->value()));
  }
}

TEST_CASE("standardised laws are of either skew, with and without an atom at 0") {
  const auto drawn = outputs(finite_law<"zero_mean", "unit_variance">());
  CHECK(count(drawn, [](const Law& law) { return law.moment(3) > 0; }) > 100);
  CHECK(count(drawn, [](const Law& law) { return law.moment(3) < 0; }) > 100);
  CHECK(count(drawn, [](const Law& law) { return law.moment(3) == 0; }) > 10);
  CHECK(count(drawn, [](const Law& law) { return law.size() == 2; }) > 10);
  CHECK(count(drawn, [](const Law& law) { return std::count(law.atoms().begin(), law.atoms().end(), 0) == 1; }) > 100);
}

TEST_CASE("shrinking ends at the least law that still shows the failure") {
  const auto correlated = [](const Joint& law) { return !law.uncorrelated(); };
  std::set<std::string> ends;
  for (const auto& shrinkable : outputs(joint_law<>(2), 200)) {
    if (!correlated(shrinkable.value())) continue;
    const Joint least = shrink_while(shrinkable, correlated);
    INFO(shrinkable.value() << " shrinks to " << least);
    CHECK(least.rows().size() == 2);
    for (const auto& row : least.rows()) {
      CHECK(row.weight == Rational(1, 2));
      for (const Rational& x : row.outcome) CHECK(abs(x) <= 1);
    }
  }
  const auto spread = [](const Law& law) { return law.variance() > 2; };
  for (const auto& shrinkable : outputs(finite_law<>(), 200)) {
    if (!spread(shrinkable.value())) continue;
    const Law least = shrink_while(shrinkable, spread);
    INFO(shrinkable.value() << " shrinks to " << least);
    CHECK(least.size() == 2);
    CHECK(least.variance() <= 4);
  }
  for (const auto& shrinkable : outputs(finite_law<"zero_mean", "unit_variance">(), 200)) {
    CHECK(shrink_while(shrinkable, [](const Law&) { return true; }) == Law::rademacher());
  }
}

TEST_CASE("half lattice components are standardised, on the lattice, skewed and not identical") {
  const auto drawn = outputs(half_lattice_components<"mutually_independent", "zero_mean", "unit_variance">(0, 8), 300);
  int skewed = 0, all_equal = 0;
  std::set<std::size_t> dimensions;
  for (const auto& shrinkable : drawn) {
    const ComponentLaws components = shrinkable.value();
    REQUIRE(components.first.size() == components.second.size());
    dimensions.insert(components.first.size());
    std::vector<Law> laws = components.first;
    laws.insert(laws.end(), components.second.begin(), components.second.end());
    for (const Law& law : laws) {
      CHECK(law.mean() == 0);
      CHECK(law.variance() == 1);
      for (const Rational& x : law.atoms()) CHECK((denominator(Rational(2 * x)) == 1 && abs(x) <= 2));
      skewed += is_skewed(law) ? 1 : 0;
    }
    if (laws.size() > 2 && std::adjacent_find(laws.begin(), laws.end(), std::not_equal_to<>()) == laws.end()) {
      ++all_equal;
    }
  }
  CHECK(dimensions.size() == 9);
  CHECK(skewed > 300);
  CHECK(all_equal == 0);
}

TEST_CASE("the predicates tell known laws apart") {
  // Rademacher U_1, U_2, V_1 and V_2 = U_1 U_2 V_1, as (U_1, U_2, V_1, V_2).
  std::vector<std::vector<Rational>> outcomes;
  for (const int a : {-1, 1}) {
    for (const int b : {-1, 1}) {
      for (const int c : {-1, 1}) outcomes.push_back({a, b, c, a * b * c});
    }
  }
  const Joint three_wise = Joint::uniform(outcomes);
  CHECK(satisfies<"independent_pairs">(three_wise));
  CHECK(satisfies<"uncorrelated_terms">(three_wise));
  CHECK_FALSE(satisfies<"independent_vectors">(three_wise));
  CHECK_FALSE(satisfies<"mutually_independent">(three_wise));
  CHECK(satisfies<"zero_mean">(three_wise));
  CHECK(satisfies<"unit_variance">(three_wise));
  CHECK(satisfies<"two_or_more_dimensions">(three_wise));

  const Joint same_twice = Joint::uniform({{1, 1}, {-1, -1}});
  CHECK_FALSE(satisfies<"independent_pair">(same_twice));
  CHECK_FALSE(satisfies<"uncorrelated_terms">(same_twice));
  CHECK(satisfies<"positive_dimension">(same_twice));
  CHECK_FALSE(satisfies<"two_or_more_dimensions">(same_twice));
  CHECK(satisfies<"finite_fourth_moment">(same_twice));

  // The query's components are one variable, the key's are another: independent as vectors.
  const Joint blocks = Joint::product(std::vector<Joint>{same_twice, same_twice});
  CHECK(satisfies<"independent_vectors">(blocks));
  CHECK_FALSE(satisfies<"mutually_independent">(blocks));

  const Joint shifted = Joint::product({Law::uniform({0, 2}), Law::rademacher()});
  CHECK_FALSE(satisfies<"zero_mean">(shifted));
  CHECK(one_zero_mean_in_each_pair(shifted));
  CHECK_FALSE(one_zero_mean_in_each_pair(Joint::product({Law::uniform({0, 2}), Law::uniform({1})})));
  CHECK_FALSE(satisfies<"unit_variance">(Law::uniform({-2, 2})));

  CHECK_THROWS_AS(satisfies<"independent_pair">(three_wise), std::invalid_argument);
  CHECK_THROWS_AS(satisfies<"independent_pairs">(Joint::single(Law::rademacher())), std::invalid_argument);
}

TEST_CASE("primitive generators keep to their range and reach all of it") {
  std::set<int> values;
  for (const auto& drawn : outputs(Generated<int>{integer(-3, 4, 1)})) {
    values.insert(drawn.value());
    CHECK(shrink_while(drawn, [](int) { return true; }) == 1);
  }
  CHECK(values == std::set<int>{-3, -2, -1, 0, 1, 2, 3, 4});
  std::set<std::size_t> lengths;
  for (const auto& drawn : outputs(Generated<std::vector<int>>{vector_of(2, 5, integer(0, 9, 0))})) {
    lengths.insert(drawn.value().size());
    CHECK(shrink_while(drawn, [](const auto&) { return true; }) == std::vector<int>{0, 0});
  }
  CHECK(lengths == std::set<std::size_t>{2, 3, 4, 5});
}

TEST_CASE("generators refuse ranges and numbers of variables that do not fit") {
  CHECK_THROWS_AS(integer(3, 1, 2), std::invalid_argument);
  CHECK_THROWS_AS(vector_of(2, 1, integer(0, 1, 0)), std::invalid_argument);
  CHECK_THROWS_AS(vector_of(-1, 1, integer(0, 1, 0)), std::invalid_argument);
  CHECK_THROWS_WITH(joint_law<"independent_pairs">(3), Catch::Contains("even number of variables, given 3"));
  CHECK_THROWS_AS(joint_law<>(-1), std::invalid_argument);
  CHECK_THROWS_AS(query_key_law<"two_or_more_dimensions">(1), std::invalid_argument);
}

TEST_CASE("laws are shown by value and have default generators") {
  std::ostringstream out;
  rc::show(Joint::uniform({{1, 2}}), out);
  CHECK(out.str() == "{(1, 2): 1}");
  rc::Random random(seed_of("arbitrary"));
  std::set<std::size_t> dimensions;
  for (int i = 0; i < 100; ++i) {
    dimensions.insert(rc::gen::arbitrary<Joint>()(random.split()).value().dimension());
    CHECK(rc::gen::arbitrary<Law>()(random.split()).value().size() >= 1);
  }
  CHECK(dimensions == std::set<std::size_t>{1, 2, 3});
}
