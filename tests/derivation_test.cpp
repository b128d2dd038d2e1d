// 1. No step stands apart: each uses a step or is used by one.
// 2. What hypotheses imply, on samples; that a step's hypotheses must carry over to the steps it uses.
// 3. References by slug, at compile time and at run time.

#include "rootdk/derivation.hpp"

#include "support/test.hpp"

using namespace rootdk;

namespace {

bool implies(const Slugs& given, std::string_view wanted) { return implied_by(given)[hypothesis_index(wanted)]; }

const Step& step(std::string_view slug) { return steps[step_index(slug)]; }

}  // namespace

TEST_CASE("derivation: the table has its 31 steps and no orphan") {
  CHECK(steps.size() == 31);
  for (const Step& s : steps) {
    INFO(s.slug);
    const bool used = std::any_of(steps.begin(), steps.end(), [&](const Step& o) { return o.uses_step(s.slug); });
    CHECK((used || !s.uses.empty()));
    CHECK_FALSE(s.owes.empty());
    CHECK_FALSE(s.theorems.empty());
    CHECK_FALSE(s.title.empty());
    CHECK_FALSE(s.statement.empty());
    CHECK(s.theorems[0].name.starts_with(s.slug));
  }
}

TEST_CASE("derivation: the parts follow one another") {
  for (std::size_t i = 1; i < steps.size(); ++i) CHECK(steps[i - 1].part <= steps[i].part);
}

TEST_CASE("derivation: implications are closed under composition and nothing more") {
  for (const char* weaker : {"mutually_independent", "independent_vectors", "independent_pairs", "independent_pair"})
    CHECK(implies({"mutually_independent"}, weaker));
  CHECK_FALSE(implies({"independent_pair"}, "independent_pairs"));
  CHECK_FALSE(implies({"mutually_independent"}, "zero_mean"));
  CHECK(implies({"unit_variance"}, "integrable"));
  CHECK(implies({"finite_fourth_moment"}, "finite_second_moment"));
  CHECK_FALSE(implies({"finite_second_moment"}, "finite_fourth_moment"));
  CHECK(implies({"standard_normal_components"}, "integrable"));
  CHECK_FALSE(implies({"standard_normal_components"}, "independent_pair"));
  CHECK(implies({"zero_mean", "two_or_more_keys"}, "non_empty"));
  const HypothesisSet nothing = implied_by({});
  CHECK(std::none_of(nothing.begin(), nothing.end(), [](bool b) { return b; }));
}

TEST_CASE("derivation: a hypothesis that a used step needs must be there or be discharged") {
  const Step& variance = step("dot_product_variance");
  CHECK(detail::hypotheses_carry_over(variance, {"variance_rules", {"uncorrelated_terms"}}));
  CHECK(detail::hypotheses_carry_over(step("logit_kurtosis"), {"dot_product_variance"}));
  CHECK_FALSE(detail::hypotheses_carry_over(step("unit_second_moment"), {"independent_products"}));
  CHECK_FALSE(detail::hypotheses_carry_over(step("independent_products"), {"variance_expansion"}));
}

TEST_CASE("derivation: slugs refer, unknown ones throw") {
  constexpr HypothesisRef h("zero_mean");
  constexpr StepRef s("dot_product_variance");
  STATIC_REQUIRE(h->slug == "zero_mean");
  STATIC_REQUIRE(s->slug == "dot_product_variance");
  STATIC_REQUIRE(s.number() == 8);
  CHECK_THROWS_AS(step_index("dot_product_varience"), std::invalid_argument);
  CHECK_THROWS_AS(hypothesis_index(""), std::invalid_argument);
  CHECK_THROWS_AS(implied_by({"zero_meen"}), std::invalid_argument);
}

TEST_CASE("derivation: a row longer than its bound is an error") {
  FixedList<int, 2> list{1, 2};
  CHECK(list.contains(2));
  CHECK_FALSE(list.contains(3));
  CHECK_THROWS_AS(list.push_back(3), std::length_error);
}
