// Tests that go wrong, each in one way, and a few that do not. flow_test.cpp runs them one at a time. The
// program passes for a test of variance_rules, so that its checks are held to that row of the table.

#include <csignal>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "support/identity.hpp"
#include "support/test.hpp"

namespace rootdk::testing {
constexpr TestOf this_file[] = {{"misbehaving", "variance_rules", "misbehaving"}};
const std::span<const TestOf> tests_of_steps = this_file;
const std::string_view shared_hash = "misbehaving";
}  // namespace rootdk::testing

using namespace rootdk;
using namespace rootdk::testing;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN();
const double infinite = std::numeric_limits<double>::infinity();

template <HypothesisRef... H>
Generated<int, H...> digit() {
  return {rc::gen::inRange(0, 10)};
}

// Batch estimates about 1 with deviation 0.1, their mean off by some deviations.
std::vector<double> estimates(double deviations, std::size_t count = StatisticalCheck::batches()) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> noise(1 + 0.1 * deviations, 0.1);
  std::vector<double> result(count);
  for (double& x : result) x = noise(engine);
  return result;
}

}  // namespace

// ---------------------------------------------------------------------------------- what is in order

TEST_CASE("good property") {
  for_all(Kind::exact, "digits", digit<>(), [](int x) {
    RC_CLASSIFY(x == 0, "zero");
    RC_CLASSIFY(x != 0, "not zero");
    RC_ASSERT(x < 10);
  });
}
TEST_CASE("good comparison") {
  Comparison check(Kind::numeric, "close", slugs<"uncorrelated_terms">());
  check.compare(1.0, 1.0625, 0.125);
  check.compare(1.0, 1.0, 0);
}
TEST_CASE("good statistics") {
  StatisticalCheck check("on the mark", slugs<>());
  check.check("one law", 1, 0.1, estimates(0), 1);
  check.bounded("another method", 0.5, 1, 1e-14);
}
TEST_CASE("good falsifiers") {
  falsifier("uncorrelated_terms", "a case", "it", 4, 2);
  falsifier("uncorrelated_terms", "a divergent case", "it", infinite, 2.0, 1e-3);
  refusal("finite_second_moment", "a law", [] { throw std::domain_error("finite_second_moment fails"); });
}

// ------------------------------------------------------------------------------------------ properties

TEST_CASE("property that is false") {
  for_all(Kind::exact, "digits below 5", digit<>(), [](int x) { RC_ASSERT(x < 5); });
}
TEST_CASE("property that throws") {
  for_all(Kind::exact, "digits that throw", digit<>(), [](int x) {
    if (x == 7) throw std::runtime_error("seven");
  });
}
TEST_CASE("property that gives up") {
  for_all(Kind::exact, "impossible digits", digit<>(), [](int x) { RC_PRE(x > 10); });
}
TEST_CASE("property on no cases") {
  for_all(
      Kind::exact, "nothing", digit<>(), [](int) {}, Cases{0});
}
TEST_CASE("property of other hypotheses") {
  for_all(Kind::exact, "digits", digit<"zero_mean">(), [](int) {});
}
TEST_CASE("property of too many hypotheses") {
  for_all(Kind::exact, "digits", std::tuple{digit<"uncorrelated_terms">(), digit<"zero_mean">()}, [](int, int) {});
}

// ----------------------------------------------------------------------------------------- comparisons

TEST_CASE("comparison of nothing") { Comparison check(Kind::numeric, "nothing", slugs<>()); }
TEST_CASE("comparison beyond its bound") {
  Comparison check(Kind::numeric, "far", slugs<>());
  check.compare(1.0, 1.0, 0);
  check.compare(1.0, 1.25, 0.125);
  check.compare(1.0, 1.0, 0);
}
TEST_CASE("comparison that measured NaN") {
  Comparison(Kind::numeric, "nan", slugs<>()).compare(not_a_number, 1.0, 1.0);
}
TEST_CASE("comparison that expected NaN") {
  Comparison(Kind::numeric, "nan", slugs<>()).compare(1.0, not_a_number, 1.0);
}
TEST_CASE("comparison with a NaN bound") {
  Comparison(Kind::numeric, "nan", slugs<>()).compare(1.0, 1.0, not_a_number);
}
TEST_CASE("comparison with an infinite bound") {
  Comparison(Kind::numeric, "infinite", slugs<>()).compare(1.0, 2.0, infinite);
}
TEST_CASE("comparison of infinities") {
  Comparison(Kind::numeric, "infinite", slugs<>()).compare(infinite, infinite, 1.0);
}
TEST_CASE("comparison of other hypotheses") {
  Comparison(Kind::numeric, "other", slugs<"zero_mean">()).compare(1.0, 1.0, 0);
}

// ------------------------------------------------------------------------------------------ statistics

TEST_CASE("statistics of nothing") { StatisticalCheck check("nothing", slugs<>()); }
TEST_CASE("statistics off by four deviations") {
  StatisticalCheck("shifted", slugs<>()).check("one law", 1, 0.1, estimates(4), 1);
}
TEST_CASE("statistics off by minus four deviations") {
  StatisticalCheck("shifted", slugs<>()).check("one law", 1, 0.1, estimates(-4), 1);
}
TEST_CASE("statistics on too few batches") {
  StatisticalCheck("few", slugs<>()).check("one law", 1, 0.1, estimates(0, 9), 1);
}
TEST_CASE("statistics with a NaN batch") {
  auto values = estimates(0);
  values[3] = not_a_number;
  StatisticalCheck("nan", slugs<>()).check("one law", 1, 0.1, values, 1);
}
TEST_CASE("statistics with an infinite deviation") {
  StatisticalCheck("infinite", slugs<>()).check("one law", 1, infinite, estimates(0), 1);
}
TEST_CASE("statistics of a NaN statistic") {
  StatisticalCheck("nan", slugs<>()).bounded("one law", not_a_number, 1, 1e-14);
}
TEST_CASE("statistics beyond the share") { StatisticalCheck("dear", slugs<>()).bounded("one law", 0.5, 1, 1e-3); }

// ------------------------------------------------------------------------------------------ falsifiers

TEST_CASE("falsifier where the conclusion holds") { falsifier("uncorrelated_terms", "a case", "it", 2, 2); }
TEST_CASE("falsifier within its bound") { falsifier("uncorrelated_terms", "a case", "it", 2.0, 2.1, 0.5); }
TEST_CASE("falsifier that measured NaN") { falsifier("uncorrelated_terms", "a case", "it", not_a_number, 2.0); }
TEST_CASE("falsifier of another hypothesis") { falsifier("zero_mean", "a case", "it", 4, 2); }
TEST_CASE("refusal that names nothing") {
  refusal("finite_second_moment", "a law", [] { throw std::domain_error("bad law"); });
}
TEST_CASE("refusal that names another") {
  refusal("finite_second_moment", "a law", [] { throw std::domain_error("zero_mean fails"); });
}
TEST_CASE("refusal that accepts") {
  refusal("finite_second_moment", "a law", [] {});
}
TEST_CASE("refusal of the wrong type") {
  refusal("finite_second_moment", "a law", [] { throw std::runtime_error("finite_second_moment fails"); });
}

// ---------------------------------------------------------------------------------------- ways to end

TEST_CASE("good check in a case that fails") {
  Comparison(Kind::numeric, "close", slugs<>()).compare(1.0, 1.0, 0);
  CHECK(1 == 2);
}
TEST_CASE("exception in the case") {
  Comparison check(Kind::numeric, "close", slugs<>());
  check.compare(1.0, 1.0, 0);
  throw std::runtime_error("out of the case");
}
TEST_CASE("abort in the case") {
  Comparison(Kind::numeric, "close", slugs<>()).compare(1.0, 1.0, 0);
  std::abort();
}
TEST_CASE("segmentation fault in the case") {
  Comparison(Kind::numeric, "close", slugs<>()).compare(1.0, 1.0, 0);
  std::raise(SIGSEGV);
}
TEST_CASE("kill in the case") {
  Comparison(Kind::numeric, "close", slugs<>()).compare(1.0, 1.0, 0);
  std::raise(SIGKILL);
}
TEST_CASE("exit in the case") {
  Comparison(Kind::numeric, "close", slugs<>()).compare(1.0, 1.0, 0);
  std::_Exit(0);
}
