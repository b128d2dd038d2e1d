// 1. In exact arithmetic Var(q.k) = d for every law of mutually independent standardised components:
//    d <= 3 over the full joint table, up to d = 64 by convolution on a lattice.
// 2. From the characteristic function, over the catalogue.
// 3. Sampled, for every law with a fourth moment, d = 1 to 512.
// 4. Three-wise independent components, means that are not 0 and variances that are not 1 break it.
// 5. Known answers: components with a mean, uniform on [0, 1), self-attention, heavy tails.

#include "rootdk/dot_product/dot_product_variance.hpp"

#include <complex>
#include <span>

#include "rootdk/laws/catalogue.hpp"
#include "support/dot_product_law.hpp"
#include "support/drops_only.hpp"
#include "support/generators.hpp"
#include "support/logit_sample.hpp"
#include "support/test.hpp"

namespace dot_product_variance_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::dot_product_variance;
using dot_product::Moments;

namespace {

Rational dot(std::span<const Rational> w) { return dot_product::dot(w.first(w.size() / 2), w.last(w.size() / 2)); }

Rational variance_by_formula(const JointLaw<Rational>& law) {
  std::vector<Moments<Rational>> components;
  for (std::size_t i = 0; i < law.dimension(); ++i)
    components.push_back({law.marginal(i).moment(1), law.marginal(i).moment(2)});
  const std::span<const Moments<Rational>> all(components);
  return dot_product_variance(all.first(all.size() / 2), all.last(all.size() / 2));
}

// Var(q.k) from the characteristic function of one product at one small argument.
//
// With a = 1 - Re phi_UV(h) = E 2 sin^2(hUV/2) and b = Im phi_UV(h), the sum has
// phi = (1 - a + ib)^d, and 2(1 - Re phi(h))/h^2 = E X^2 - R with 0 <= R <= h^2 E X^4/12.
laws::Estimate variance_from_characteristic_function(const laws::Law& u, const laws::Law& v, std::size_t d,
                                                     double fourth_moment) {
  const double h = 1e-6 / std::sqrt(static_cast<double>(d));
  const laws::Estimate a = laws::expectation(u, v, [h](double x, double y) {
    const double s = std::sin(h * x * y / 2);
    return 2 * s * s;
  });
  const laws::Estimate b = laws::expectation(u, v, [h](double x, double y) { return std::sin(h * x * y); });
  const std::complex<double> w(-a.value, b.value);
  // log1p and expm1 of a small complex number, to the order that double sees
  const std::complex<double> log = w * (1.0 - w * (0.5 - w * (1.0 / 3 - w / 4.0)));
  const std::complex<double> z = static_cast<double>(d) * log;
  const double rest = -std::real(z * (1.0 + z * (0.5 + z * (1.0 / 6 + z / 24.0))));
  const double measured = 2 * rest / (h * h);
  const double terms = static_cast<double>(d) * (a.error + 2 * std::abs(b.value) * b.error) * 2 / (h * h);
  const double rounding = 32 * std::numeric_limits<double>::epsilon() * measured;
  return {measured, terms + rounding + h * h * fourth_moment / 12};
}

}  // namespace

TEST_CASE("exact: the variance of the dot product by brute force") {
  // [dot_product_variance]
  for_all(
      Kind::exact, "Var(q.k), enumerated, for d up to 3",
      query_key_law<"mutually_independent", "zero_mean", "unit_variance">(3),
      [](const JointLaw<Rational>& law) {
        const std::size_t d = law.dimension() / 2;
        RC_CLASSIFY(d == 0, "d = 0");
        RC_CLASSIFY(d == 1, "d = 1");
        RC_CLASSIFY(d == 2, "d = 2");
        RC_CLASSIFY(d == 3, "d = 3");
        RC_ASSERT(law.push_forward(dot).variance() == Rational(d));
        RC_ASSERT(variance_by_formula(law) == Rational(d));
        RC_ASSERT(dot_product_variance<Rational>(d) == Rational(d));
      },
      Cases{1500});  // a quarter have no component
  // [dot_product_variance]
}

TEST_CASE("exact: the variance of the dot product up to d = 64") {
  for_all(
      Kind::exact, "Var(q.k) by convolution on the quarter lattice, components of different laws",
      half_lattice_components<"mutually_independent", "zero_mean", "unit_variance">(4, 64),
      [](const ComponentLaws& components) {
        const std::size_t d = components.first.size();
        RC_CLASSIFY(d < 32, "d below 32");
        RC_CLASSIFY(d >= 32, "d from 32 to 64");
        RC_ASSERT(dot_product_laws(components).back().variance() == Rational(d));
      },
      Cases{100});
}

TEST_CASE("numeric: the variance from the characteristic function") {
  Comparison check(Kind::numeric,
                   "Var(q.k) from the characteristic function, d = 1, 8, 64, neighbours in the catalogue",
                   slugs<"mutually_independent", "zero_mean", "unit_variance">());
  const auto all = laws::catalogue();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const laws::Law &u = all[i], &v = all[(i + 1) % all.size()];
    if (!u.has_moment(4) || !v.has_moment(4)) continue;
    check.law(u.name());
    for (const std::size_t d : {1u, 8u, 64u}) {
      const auto term = montecarlo::product_of_independent(u.moments(4), v.moments(4));
      const double fourth = montecarlo::sum_of_copies(term, d)[4];
      const laws::Estimate measured = variance_from_characteristic_function(u, v, d, fourth);
      check.compare(measured.value, dot_product_variance<double>(d), measured.error, u.name() + " and " + v.name());
    }
  }
}

TEST_CASE("statistical: sampled squares of logits have mean d") {
  StatisticalCheck check("mean of (q.k)^2, keys uniform, or normal as the queries",
                         slugs<"mutually_independent", "zero_mean", "unit_variance">());
  const std::span<const laws::Law> catalogue = laws::catalogue();
  // backwards: two such tests at a time draw the samples of different laws for each other
  for (auto law = catalogue.rbegin(); law != catalogue.rend(); ++law)
    for (const LogitSample& sample : logit_samples(*law)) {
      const std::size_t d = sample.dimension;
      if (!sample.has_square) continue;
      const double claimed = dot_product_variance<double>(d);
      CHECK(check.check(label(*law, d), claimed, sample.sigma_square, sample.square, claimed) <= sample.target);
    }
}

TEST_CASE("falsifier: three-wise independent components") {
  // V_2 = U_1 U_2 V_1 with fair signs: any three of the four components are independent
  std::vector<std::vector<Rational>> outcomes;
  for (const int u1 : {-1, 1})
    for (const int u2 : {-1, 1})
      for (const int v1 : {-1, 1}) outcomes.push_back({u1, u2, v1, u1 * u2 * v1});
  const auto law = JointLaw<Rational>::uniform(outcomes);
  drops_only<"mutually_independent", "zero_mean", "unit_variance">(law);
  for (const std::vector<std::vector<std::size_t>>& three :
       {std::vector<std::vector<std::size_t>>{{0}, {1}, {2}}, {{0}, {1}, {3}}, {{0}, {2}, {3}}, {{1}, {2}, {3}}})
    CHECK(law.independent(three));
  CHECK(law.push_forward(dot).variance() == 4);
  falsifier("mutually_independent", "\\(V_2 = U_1U_2V_1\\) with fair signs: any three components are independent",
            "\\(\\operatorname{Var}(q \\cdot k)\\)", law.push_forward(dot).variance(),
            dot_product_variance<Rational>(2));
}

TEST_CASE("falsifier: means that are not 0 and variances that are not 1") {
  const auto sign = FiniteLaw<Rational>::rademacher();
  const auto shifted = JointLaw<Rational>::product(std::vector{sign, sign, sign.affine(1, 1), sign.affine(1, 1)});
  drops_only<"zero_mean", "mutually_independent", "unit_variance">(shifted);
  falsifier("zero_mean", "fair signs, those of \\(k\\) moved by 1, \\(d = 2\\)",
            "\\(\\operatorname{Var}(q \\cdot k)\\)", shifted.push_forward(dot).variance(),
            dot_product_variance<Rational>(2));
  const auto twice = sign.affine(0, 2);
  const auto stretched = JointLaw<Rational>::product(std::vector{twice, sign});
  drops_only<"unit_variance", "mutually_independent", "zero_mean">(stretched);
  falsifier("unit_variance", "\\(U\\) twice a fair sign, \\(d = 1\\)", "\\(\\operatorname{Var}(q \\cdot k)\\)",
            stretched.push_forward(dot).variance(), dot_product_variance<Rational>(1));
  refusal("finite_second_moment", "components of Student's t with 2 degrees of freedom", [] {
    const auto tailed = laws::student_t(2);
    const std::vector<dot_product::Moments<double>> q{{tailed.moment(1), tailed.moment(2)}}, k{{0, 1}};
    (void)dot_product_variance<double>(q, k);
  });
  // the mean is given as 0: to ask the Cauchy law for it is refused already
  refusal("finite_second_moment", "Cauchy components", [] {
    const std::vector<dot_product::Moments<double>> q{{0, laws::cauchy().moment(2)}}, k{{0, 1}};
    (void)dot_product_variance<double>(q, k);
  });
}

TEST_CASE("numeric: a second moment is enough") {
  const laws::Law t3 = laws::student_t(3).standardised();
  const std::vector<dot_product::Moments<double>> heavy(64, {t3.moment(1), t3.moment(2)});
  CHECK(dot_product_variance<double>(heavy, heavy) == 64);
  const laws::Estimate square = laws::expectation(t3, t3, [](double a, double b) { return a * b * a * b; });
  CHECK(std::abs(square.value - 1) <= square.error);
  CHECK_FALSE(t3.has_moment(4));
}

TEST_CASE("exact: known answers beyond the hypotheses") {
  const auto sign = FiniteLaw<Rational>::rademacher();
  // mean μ and variance 1: d(1 + 2μ²), by convolution at d = 64
  const auto variance_of = [](const FiniteLaw<Rational>& component) {
    const std::vector<FiniteLaw<Rational>> all(64, component);
    return dot_product_laws({all, all}).back().variance();
  };
  CHECK(variance_of(sign.affine(Rational(1) / 2, 1)) == 96);
  CHECK(variance_of(sign.affine(1, 1)) == 192);
  // variance σ²: σ⁴d, here with σ = 2
  CHECK(variance_of(sign.affine(0, 2)) == 16 * 64);
  // given q the variance is |q|², here 1 + 4 + 9
  std::vector<FiniteLaw<Rational>> row{FiniteLaw<Rational>::uniform({1}), FiniteLaw<Rational>::uniform({2}),
                                       FiniteLaw<Rational>::uniform({-3})};
  row.insert(row.end(), 3, sign);
  CHECK(JointLaw<Rational>::product(row).push_forward(dot).variance() == 14);
  // components uniform on [0, 1): E(U^2) = 1/3, mean 1/2; variance 7/144 a term
  const dot_product::Moments<Rational> component{Rational(1) / 2, Rational(1) / 3};
  const std::vector<Rational> products(64, dot_product::product_variance(component, component));
  CHECK(dot_product::variance_of_sum<Rational>(products) == Rational(28) / 9);
  const laws::Law unit = laws::uniform(0, 1);
  const laws::Estimate term =
      laws::expectation(unit, unit, [](double a, double b) { return (a * b - 0.25) * (a * b - 0.25); });
  CHECK(std::abs(term.value - 7.0 / 144) <= term.error);
  // q = k normal: mean d and variance 2d, since each term is a square
  CHECK(laws::normal(0, 1).moment(4) - 1 == 2);
}

}  // namespace dot_product_variance_test
