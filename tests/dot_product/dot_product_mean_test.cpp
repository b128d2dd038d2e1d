// 1. In exact arithmetic E(q.k) is the sum of the products of the means, 0 when they are 0, for every
//    law whose pairs are independent, whatever the dependence across pairs, d = 0 to 3; up to d = 64
//    for independent pairs of different laws, by convolution on a lattice.
// 2. By quadrature over the catalogue, term by term.
// 3. Sampled, for every law with a second moment, d = 1 to 512.
// 4. V = U, and means that are not 0, break it; a law without a mean is refused by name.
// 5. Known answers: dμ², d/4.

#include "rootdk/dot_product/dot_product_mean.hpp"

#include <limits>

#include "rootdk/laws/catalogue.hpp"
#include "support/catalogue_with_mean.hpp"
#include "support/dot_product_law.hpp"
#include "support/drops_only.hpp"
#include "support/generators.hpp"
#include "support/logit_sample.hpp"
#include "support/test.hpp"

namespace dot_product_mean_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::dot_product_mean;

namespace {

Rational dot(std::span<const Rational> w) { return dot_product::dot(w.first(w.size() / 2), w.last(w.size() / 2)); }

Rational mean_by_formula(const JointLaw<Rational>& law) {
  std::vector<Rational> means;
  for (std::size_t i = 0; i < law.dimension(); ++i) means.push_back(law.mean(i));
  const std::span<const Rational> all(means);
  return dot_product_mean(all.first(all.size() / 2), all.last(all.size() / 2));
}

}  // namespace

TEST_CASE("exact: the mean of the dot product") {
  // [dot_product_mean]
  for_all(Kind::exact, "E(q.k), enumerated, for any law of independent pairs with mean 0",
          query_key_law<"independent_pairs", "zero_mean">(3), [](const JointLaw<Rational>& law) {
            classify(law);
            RC_ASSERT(law.expect(dot) == 0);
            RC_ASSERT(mean_by_formula(law) == 0);
          });
  // [dot_product_mean]
  for_all(Kind::exact, "E(q.k), enumerated, where one of each pair has mean 0",
          query_key_law<"independent_pairs", "zero_mean">(3, ZeroMean::one_of_each_pair),
          [](const JointLaw<Rational>& law) {
            classify(law);
            RC_ASSERT(law.expect(dot) == mean_by_formula(law));
            RC_ASSERT(law.expect(dot) == 0);
          });
}

TEST_CASE("exact: the mean of the dot product up to d = 64") {
  const Generated<ComponentLaws, "independent_pairs", "zero_mean"> components{
      half_lattice_components<"mutually_independent", "zero_mean", "unit_variance">(4, 64).gen};
  const auto mean = [](const FiniteLaw<Rational>& law) { return law.mean(); };
  for_all(
      Kind::exact, "E(q.k) by convolution on the quarter lattice, keys moved by 1/2, components of different laws",
      components,
      [&](ComponentLaws drawn) {
        auto& [us, vs] = drawn;
        // one of each pair has mean 0
        for (FiniteLaw<Rational>& v : vs) v = v.affine(Rational(1) / 2, 1);
        RC_CLASSIFY(us.size() < 32, "d below 32");
        RC_CLASSIFY(us.size() >= 32, "d from 32 to 64");
        for (const laws::LatticeLaw& logit : dot_product_laws(drawn)) RC_ASSERT(logit.mean() == 0);
        std::vector<Rational> means_q, means_k;
        std::transform(us.begin(), us.end(), std::back_inserter(means_q), mean);
        std::transform(vs.begin(), vs.end(), std::back_inserter(means_k), mean);
        RC_ASSERT(dot_product_mean<Rational>(means_q, means_k) == 0);
      },
      Cases{100});
}

TEST_CASE("exact: means that are not 0") {
  // the sum of the products, dμ² for a common mean μ: the formula without the hypothesis zero_mean
  const auto coin = FiniteLaw<Rational>({0, 2}, {Rational(1) / 2, Rational(1) / 2});
  for (std::size_t d = 0; d <= 4; ++d) {
    const auto law = JointLaw<Rational>::product(std::vector(2 * d, coin));
    CHECK(law.expect(dot) == mean_by_formula(law));
    CHECK(mean_by_formula(law) == Rational(d));
  }
  const std::vector<FiniteLaw<Rational>> coins(64, coin);
  CHECK(dot_product_laws({coins, coins}).back().mean() == 64);
  // components uniform on [0, 1) have mean 1/2: d/4
  const std::vector<Rational> halves(64, Rational(1) / 2);
  CHECK(dot_product_mean(std::span<const Rational>(halves), std::span<const Rational>(halves)) == 16);
}

TEST_CASE("exact: dimensions that differ are refused") {
  const std::vector<Rational> two(2), three(3);
  CHECK_THROWS_WITH(dot_product_mean(std::span<const Rational>(two), std::span<const Rational>(three)),
                    Catch::Contains("given 2 and 3"));
  using Vector = std::vector<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto product_of = [](const Vector& q, const Vector& k) {
    return dot_product::dot(std::span<const double>(q), std::span<const double>(k));
  };
  CHECK_THROWS_WITH(product_of({1, nan}, {1, 1}),
                    Catch::Contains("dot: expected finite components, given nan and 1 at 1"));
  CHECK_THROWS_WITH(product_of({0, 1}, {INFINITY, 1}), Catch::Contains("given 0 and inf at 0"));
  CHECK_THROWS_WITH(product_of({1e200, 1e200}, {1e200, -1e200}), Catch::Contains("the dot product in the range"));
  const Vector same{1e154, 1e154};
  CHECK_THROWS_WITH(dot_product_mean(std::span<const double>(same), std::span<const double>(same)),
                    Catch::Contains("the sum of the products in the range"));
  CHECK_THROWS_AS(dot_product::dot(std::span<const Rational>(two), std::span<const Rational>(three)),
                  std::invalid_argument);
}

TEST_CASE("numeric: the mean of a term by quadrature") {
  Comparison check(Kind::numeric, "64 E(UV) for all ordered pairs of laws, the second with mean -1/2",
                   slugs<"independent_pairs", "zero_mean">());
  const auto vs = catalogue_with_mean(-0.5);
  for (const laws::Law& u : laws::catalogue()) {
    check.law(u.name());
    for (const laws::Law& v : vs) {
      const laws::Estimate term = laws::expectation(u, v, [](double a, double b) { return a * b; });
      const std::vector<double> means_u(64, u.mean()), means_v(64, v.mean());
      check.compare(64 * term.value, dot_product_mean<double>(means_u, means_v), 64 * term.error,
                    u.name() + " and " + v.name());
    }
  }
}

TEST_CASE("statistical: sampled logits have mean 0") {
  StatisticalCheck check("mean of q.k, keys uniform, or normal as the queries",
                         slugs<"independent_pairs", "zero_mean">());
  for (const laws::Law& law : laws::catalogue())
    for (const LogitSample& sample : logit_samples(law)) {
      const std::size_t d = sample.dimension;
      // relative to the logit's own standard deviation
      CHECK(check.check(label(law, d), 0, sample.sigma_mean(), sample.mean, std::sqrt(static_cast<double>(d))) <=
            sample.target);
    }
}

TEST_CASE("falsifier: dependent pairs and means that are not 0") {
  const auto same = JointLaw<Rational>::uniform({{1, 1}, {-1, -1}});
  drops_only<"independent_pairs", "zero_mean">(same);
  falsifier("independent_pairs", "\\(V = U\\), a fair \\(\\pm 1\\), \\(d = 1\\)", "\\(E(q \\cdot k)\\)",
            same.expect(dot), mean_by_formula(same));
  const auto coin = FiniteLaw<Rational>({0, 2}, {Rational(1) / 2, Rational(1) / 2});
  const auto off = JointLaw<Rational>::product(std::vector(2, coin));
  drops_only<"zero_mean", "independent_pairs">(off);
  falsifier("zero_mean", "\\(U, V\\) independent copies of 1 + a fair \\(\\pm 1\\), \\(d = 1\\)", "\\(E(q \\cdot k)\\)",
            off.expect(dot), Rational(0));
  const double infinite[] = {std::numeric_limits<double>::infinity()}, zero[] = {0.0};
  refusal("integrable", "a component with an infinite mean",
          [&] { (void)dot_product_mean(std::span<const double>(infinite), std::span<const double>(zero)); });
  refusal("integrable", "Cauchy components", [&] {
    const double mean[] = {laws::cauchy().mean()};
    (void)dot_product_mean(std::span<const double>(mean), std::span<const double>(zero));
  });
}

}  // namespace dot_product_mean_test
