// Joint laws: the table, what is read off it, and independence against its definition.
#include "rootdk/laws/joint_law.hpp"

#include <sstream>

#include "support/generators.hpp"
#include "support/test.hpp"

using namespace rootdk::testing;
using rootdk::Kind;
using rootdk::laws::FiniteLaw;
using rootdk::laws::JointLaw;
using rootdk::laws::Rational;
using Finite = FiniteLaw<Rational>;
using Joint = JointLaw<Rational>;
using Point = std::span<const Rational>;

namespace {

/// P(f(X) is true).
template <class F>
Rational probability(const Joint& law, F f) {
  return law.expect([&](Point x) { return Rational(f(x) ? 1 : 0); });
}

/// Independence of two variables, point by point over the product of their values.
bool independent_point_by_point(const Joint& law, std::size_t i, std::size_t j) {
  for (const Rational& a : law.marginal(i).atoms()) {
    for (const Rational& b : law.marginal(j).atoms()) {
      const auto left = [&](Point x) { return x[i] == a; };
      const auto right = [&](Point x) { return x[j] == b; };
      const auto both = [&](Point x) { return left(x) && right(x); };
      if (probability(law, both) != probability(law, left) * probability(law, right)) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("a joint law refuses ragged or improper tables and says where") {
  CHECK_THROWS_AS(Joint(std::vector<Joint::Row>{}), std::invalid_argument);
  CHECK_THROWS_AS(Joint::uniform({}), std::invalid_argument);
  CHECK_THROWS_WITH(Joint::uniform({{1, 2}, {1}}), Catch::Contains("row 1 with 1 values after 2"));
  CHECK_THROWS_WITH(Joint({{{1}, Rational(1, 2)}, {{2}, Rational(1, 3)}}), Catch::Contains("sum 5/6"));
  CHECK_THROWS_WITH(Joint({{{1}, 2}, {{2}, -1}}), Catch::Contains("weight 1 = -1"));
  const Joint pair = Joint::uniform({{0, 1}});
  CHECK_THROWS_WITH(pair.marginal(2), Catch::Contains("below 2, given 2"));
  CHECK_THROWS_AS(pair.mean(2), std::invalid_argument);
  CHECK_THROWS_AS(pair.covariance(0, 2), std::invalid_argument);
  CHECK_THROWS_AS(pair.marginal(std::vector<std::size_t>{0, 2}), std::invalid_argument);
}

TEST_CASE("a joint law adds the weights of equal outcomes") {
  CHECK(Joint::uniform({{1, 2}, {0, 3}, {1, 2}, {1, 2}}) ==
        Joint({{{0, 3}, Rational(1, 4)}, {{1, 2}, Rational(3, 4)}}));
}

TEST_CASE("no variables have one joint law") {
  const Joint none = Joint::product(std::vector<Finite>{});
  CHECK(none.dimension() == 0);
  CHECK(none.rows().size() == 1);
  CHECK(none.mutually_independent());
  CHECK(none.expect([](Point) { return Rational(7); }) == 7);
  CHECK(Joint::product(std::vector<Joint>{none, Joint::single(Finite::rademacher())}) ==
        Joint::single(Finite::rademacher()));
}

TEST_CASE("the product law has the given marginals and is independent") {
  for_all(
      Kind::exact, "products of three finite laws", std::tuple{finite_law<>(), finite_law<>(), finite_law<>()},
      [](const Finite& a, const Finite& b, const Finite& c) {
        const Joint law = Joint::product({a, b, c});
        RC_ASSERT(law.dimension() == 3U);
        RC_ASSERT(law.rows().size() == a.size() * b.size() * c.size());
        RC_ASSERT(law.marginal(0) == a);
        RC_ASSERT(law.marginal(1) == b);
        RC_ASSERT(law.marginal(2) == c);
        RC_ASSERT(law.mutually_independent());
        RC_ASSERT(law.uncorrelated());
        RC_ASSERT(Joint(law.rows()) == law);
      },
      Cases{200});
}

TEST_CASE("independence agrees with its definition point by point") {
  for_all(Kind::exact, "pairs of any joint law of three variables", joint_law<>(3), [](const Joint& law) {
    classify(law);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        RC_ASSERT(law.independent(i, j) == independent_point_by_point(law, i, j));
      }
    }
  });
}

TEST_CASE("pairwise independence is less than mutual independence") {
  // Two fair signs and their product.
  const Joint law = Joint::uniform({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
  CHECK(law.independent(0, 1));
  CHECK(law.independent(0, 2));
  CHECK(law.independent(1, 2));
  CHECK_FALSE(law.mutually_independent());
  CHECK_FALSE(law.independent({{0, 1}, {2}}));
  CHECK(law.uncorrelated());
}

TEST_CASE("a missing combination or an uneven weight breaks independence") {
  CHECK_FALSE(Joint::uniform({{0, 0}, {0, 1}, {1, 0}}).independent(0, 1));
  const Rational w(1, 4), e(1, 100);
  CHECK_FALSE(Joint({{{0, 0}, w + e}, {{0, 1}, w - e}, {{1, 0}, w - e}, {{1, 1}, w + e}}).independent(0, 1));
  // A variable is independent of itself only if it is constant.
  CHECK_FALSE(Joint::uniform({{0}, {1}}).independent(0, 0));
  CHECK(Joint::uniform({{5}}).independent(0, 0));
}

TEST_CASE("uncorrelated variables may be dependent") {
  const Joint law = Joint::uniform({{1, 0}, {-1, 0}, {0, 1}, {0, -1}});
  CHECK(law.uncorrelated());
  CHECK_FALSE(law.independent(0, 1));
  CHECK(law.variance(0) == Rational(1, 2));
}

TEST_CASE("covariance is bilinear and symmetric") {
  for_all(Kind::exact, "covariances under a linear map", joint_law<>(3), [](const Joint& law) {
    const Joint mapped = law.map([](Point x) { return std::vector<Rational>{Rational(2 * x[0] - x[1] + 3), x[2]}; });
    RC_ASSERT(mapped.covariance(0, 1) == 2 * law.covariance(0, 2) - law.covariance(1, 2));
    RC_ASSERT(law.covariance(0, 1) == law.covariance(1, 0));
    RC_ASSERT(law.variance(2) == law.marginal(2).variance());
    RC_ASSERT(law.mean(1) == law.marginal(1).mean());
  });
}

TEST_CASE("marginals keep the order asked for") {
  const Joint law = Joint::uniform({{1, 2, 3}, {4, 5, 6}});
  CHECK(law.marginal(std::vector<std::size_t>{2, 0}) == Joint::uniform({{3, 1}, {6, 4}}));
  CHECK(law.push_forward([](Point x) { return x[0] * x[1]; }) == Finite::uniform({2, 20}));
}

TEST_CASE("a joint law prints its outcomes and their weights") {
  std::ostringstream out;
  out << Joint::uniform({{1, 0}, {Rational(1, 2), -1}});
  CHECK(out.str() == "{(1/2, -1): 1/2, (1, 0): 1/2}");
}
