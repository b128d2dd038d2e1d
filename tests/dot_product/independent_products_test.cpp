// 1. In exact arithmetic E(UV) = E(U)E(V) and E(U^2 V^2) = E(U^2)E(V^2) for every independent pair.
// 2. Both by two-dimensional quadrature over all pairs of the catalogue.
// 3. Both sampled, with means that are not 0.
// 4. In [0, infinity] the second holds with 0 * infinity = 0.
// 5. Dependent pairs break each of them, though one keeps both; a law without a mean is refused by name.

#include "rootdk/dot_product/independent_products.hpp"

#include <limits>

#include "rootdk/laws/catalogue.hpp"
#include "support/batches.hpp"
#include "support/catalogue_with_mean.hpp"
#include "support/generators.hpp"
#include "support/test.hpp"

namespace independent_products_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::mean_of_product;
using dot_product::second_moment_of_product;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Rational product(std::span<const Rational> w) { return w[0] * w[1]; }
Rational squared_product(std::span<const Rational> w) { return w[0] * w[0] * w[1] * w[1]; }

// P(X = ±2^j) = 3/(2*4^j) for j >= 1, its tail beyond 2^cut moved to 0: the second moment is 3 cut.
FiniteLaw<Rational> cut_heavy_law(int cut) {
  std::vector<Rational> atoms{0}, weights{1};
  Rational power = 1;
  for (int j = 1; j <= cut; ++j) {
    power *= 2;
    const Rational weight = Rational(3) / (2 * power * power);
    for (const int sign : {-1, 1}) {
      atoms.push_back(sign * power);
      weights.push_back(weight);
      weights[0] -= weight;
    }
  }
  return FiniteLaw<Rational>(atoms, weights);
}

}  // namespace

TEST_CASE("exact: both products for any independent pair") {
  // [independent_products]
  for_all(Kind::exact, "E(UV) and E(U^2 V^2), enumerated, for any independent pair", joint_law<"independent_pair">(2),
          [](const JointLaw<Rational>& law) {
            classify(law);
            const FiniteLaw<Rational> u = law.marginal(0), v = law.marginal(1);
            RC_ASSERT(law.expect(product) == mean_of_product(u.moment(1), v.moment(1)));
            RC_ASSERT(law.expect(squared_product) == second_moment_of_product(u.moment(2), v.moment(2)));
          });
  // [independent_products]
}

TEST_CASE("exact: second moments that grow without bound") {
  Comparison check(Kind::exact, "P(X = 2^j or -2^j) = 3/4^j cut at J = 1 to 24, times a fair 0 or 2",
                   slugs<"independent_pair">());
  const FiniteLaw<Rational> v({0, 2}, {Rational(1) / 2, Rational(1) / 2});
  for (int cut = 1; cut <= 24; ++cut) {
    const FiniteLaw<Rational> u = cut_heavy_law(cut);
    const auto law = JointLaw<Rational>::product(std::vector{u, v});
    check.compare_as<Rational>(u.moment(2), 3 * cut, 0, "second moment of the cut law");
    check.compare_as<Rational>(law.expect(squared_product), second_moment_of_product(u.moment(2), v.moment(2)), 0,
                               "product");
  }
}

TEST_CASE("exact: both products do not make a pair independent") {
  const JointLaw<Rational> law({{{1, 1}, Rational(1) / 4}, {{1, -1}, Rational(1) / 4}, {{-1, 0}, Rational(1) / 2}});
  const FiniteLaw<Rational> u = law.marginal(0), v = law.marginal(1);
  CHECK_FALSE(law.independent(0, 1));
  CHECK(law.expect(product) == mean_of_product(u.moment(1), v.moment(1)));
  CHECK(law.expect(squared_product) == second_moment_of_product(u.moment(2), v.moment(2)));
  CHECK(v.moment(2) == Rational(1) / 2);
}

TEST_CASE("exact: infinite second moments") {
  Comparison check(Kind::exact, "second moments that are 0 or infinite", slugs<"independent_pair">());
  const auto same = [&](double measured, double expected, const std::string& what) {
    check.error(measured == expected ? 0 : infinity, 0, what);
  };
  same(second_moment_of_product(infinity, 2.0), infinity, "infinity times 2");
  same(second_moment_of_product(infinity, infinity), infinity, "infinity times infinity");
  same(second_moment_of_product(0.0, infinity), 0, "0 times infinity: U is 0 almost surely");
  CHECK_THROWS_AS(second_moment_of_product(-1.0, 2.0), std::domain_error);
  CHECK_THROWS_WITH(second_moment_of_product(1e200, 1e200), Catch::Contains("in the range of the scalar"));
  CHECK_THROWS_WITH(mean_of_product(1e200, -1e200), Catch::Contains("in the range of the scalar"));
  CHECK_THROWS_AS(second_moment_of_product(std::numeric_limits<double>::quiet_NaN(), 2.0), std::domain_error);
}

TEST_CASE("numeric: the mean for all pairs of the catalogue by two-dimensional quadrature") {
  Comparison check(Kind::numeric, "E(UV) and E(U^2 V^2) for all pairs of laws with mean 3/4",
                   slugs<"independent_pair">());
  const auto all = catalogue_with_mean(0.75);
  for (std::size_t i = 0; i < all.size(); ++i) {
    check.law(all[i].name());
    // both integrands are symmetric and the means are the same: the pair (j, i) is the pair (i, j)
    for (std::size_t j = 0; j <= i; ++j) {
      const laws::Law &u = all[i], &v = all[j];
      const std::string pair = u.name() + " and " + v.name();
      const laws::Estimate first = laws::expectation(u, v, [](double a, double b) { return a * b; });
      check.compare(first.value, mean_of_product(u.mean(), v.mean()), first.error, pair + ", E(UV)");
      const laws::Estimate second = laws::expectation(u, v, [](double a, double b) { return a * a * b * b; });
      check.compare(second.value, second_moment_of_product(u.moment(2), v.moment(2)), second.error,
                    pair + ", E(U^2 V^2)");
    }
  }
}

TEST_CASE("statistical: sampled products") {
  StatisticalCheck check("means of UV and of U^2 V^2 for independent U, V with mean 3/4", slugs<"independent_pair">());
  constexpr std::size_t n = 4096;
  for (const laws::Law& law : catalogue_with_mean(0.75)) {
    if (!law.has_moment(4)) continue;
    std::vector<double> v(n), squares;  // the batch means of U^2 V^2, from the pairs of those of UV
    const auto products = batch_means(check, law.name(), 1, n, [&](auto& stream, std::span<double> out) {
      law.sample(stream, out);
      law.sample(stream, v);
      long double total = 0;
      for (std::size_t i = 0; i < n; ++i) {
        out[i] *= v[i];
        total += out[i] * out[i];
      }
      squares.push_back(static_cast<double>(total / n));
    });
    const double mean = mean_of_product(law.mean(), law.mean());
    const double second = second_moment_of_product(law.moment(2), law.moment(2));
    const double fourth = law.moment(4) * law.moment(4);
    check.check(law.name() + ", UV", mean, std::sqrt((second - mean * mean) / n), products, 1);
    check.check(law.name() + ", U^2 V^2", second, std::sqrt((fourth - second * second) / n), squares, second);
  }
}

TEST_CASE("falsifier: dependent pairs and a law without a mean") {
  const auto same = JointLaw<Rational>::uniform({{1, 1}, {-1, -1}});
  falsifier("independent_pair", "\\(V = U\\), a fair \\(\\pm 1\\)", "\\(E(UV)\\)", same.expect(product),
            mean_of_product(same.mean(0), same.mean(1)));
  const auto cross = JointLaw<Rational>::uniform({{1, 0}, {-1, 0}, {0, 1}, {0, -1}});
  falsifier("independent_pair", "\\((U, V)\\) uniform on \\((\\pm 1, 0), (0, \\pm 1)\\): uncorrelated",
            "\\(E(U^2V^2)\\)", cross.expect(squared_product),
            second_moment_of_product(cross.marginal(0).moment(2), cross.marginal(1).moment(2)));
  refusal("integrable", "Cauchy", [] { (void)mean_of_product(laws::cauchy().mean(), 0.0); });
  refusal("integrable", "an infinite mean", [] { (void)mean_of_product(infinity, 0.0); });
}

}  // namespace independent_products_test
