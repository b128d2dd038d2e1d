// 1. In exact arithmetic, for square d, q.k/sqrt(d) has mean 0 and variance 1 for every law of mutually
//    independent standardised components: d = 1 over the joint table, d = 4 to 64 by convolution.
// 2. Between squares in 50 digits.
// 3. Sampled, d = 1 to 512.
// 4. d = 0, and each of the hypotheses of the variance, break it.
// 5. Known answers: where to put the scale.

#include "rootdk/dot_product/unit_variance_scaling.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "rootdk/laws/catalogue.hpp"
#include "support/dot_product_law.hpp"
#include "support/drops_only.hpp"
#include "support/generators.hpp"
#include "support/logit_sample.hpp"
#include "support/test.hpp"

namespace unit_variance_scaling_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::scaled_logit;
using dot_product::scaled_logit_variance;
using Fifty = boost::multiprecision::cpp_bin_float_50;

namespace {

constexpr auto assumed = slugs<"mutually_independent", "zero_mean", "unit_variance", "positive_dimension">();

Rational scaled(std::span<const Rational> w) { return scaled_logit(w.first(w.size() / 2), w.last(w.size() / 2)); }

}  // namespace

TEST_CASE("exact: mean 0 and variance 1 for square dimensions") {
  // [unit_variance_scaling]
  for_all(
      Kind::exact, "E and Var of q.k/sqrt(d) for d = 1, 4, 9, 16, 25, 36, 49, 64, by convolution",
      half_lattice_components<"mutually_independent", "zero_mean", "unit_variance", "positive_dimension">(64, 64),
      [](const ComponentLaws& components) {
        const std::vector<laws::LatticeLaw> logits = dot_product_laws(components);
        for (std::size_t root = 1; root <= 8; ++root) {
          const Rational divisor = Scale::inverse_sqrt().divisor_for<Rational>(root * root);
          const auto [mean, variance] = quotient_moments(logits[root * root - 1], divisor);
          RC_ASSERT(mean == 0);
          RC_ASSERT(variance == 1);
        }
      },
      Cases{100});
  // [unit_variance_scaling]
}

TEST_CASE("exact: the scaled logit over the joint table") {
  const Generated<FiniteLaw<Rational>, "mutually_independent", "zero_mean", "unit_variance", "positive_dimension">
      component{finite_law<"zero_mean", "unit_variance">().gen};
  for_all(Kind::exact, "E and Var of q.k/sqrt(d), enumerated, for d = 1", std::tuple{component, component},
          [](const FiniteLaw<Rational>& u, const FiniteLaw<Rational>& v) {
            const auto law = JointLaw<Rational>::product(std::vector{u, v}).push_forward(scaled);
            RC_ASSERT(law.mean() == 0);
            RC_ASSERT(law.variance() == 1);
          });
  for_all(
      Kind::exact, "E and Var of q.k/sqrt(d), enumerated, for d = 4 and a query of signs", component,
      [](const FiniteLaw<Rational>& v) {
        std::vector<FiniteLaw<Rational>> all(4, FiniteLaw<Rational>::rademacher());
        all.insert(all.end(), {FiniteLaw<Rational>::rademacher(), v, FiniteLaw<Rational>::rademacher(), v});
        const auto law = JointLaw<Rational>::product(all).push_forward(scaled);
        RC_ASSERT(law.mean() == 0);
        RC_ASSERT(law.variance() == 1);
      },
      Cases{25});
}

TEST_CASE("exact: a dimension that is no square has no rational root") {
  CHECK_THROWS_WITH(scaled_logit_variance<Rational>(2), Catch::Contains("expected a rational value"));
  CHECK(scaled_logit_variance<Rational>(4096) == 1);
}

TEST_CASE("numeric: variance 1 in every dimension") {
  Comparison check(Kind::numeric, "Var(q.k/sqrt(d)) for d = 1 to 4096 in 50 digits and in double", assumed);
  for (std::size_t d = 1; d <= 4096; d += (d < 64 ? 1 : 61)) {
    // root and division each add an error of u, which the square doubles; square and product add u each, and the
    // sum none: it counts exactly. That is 6u, and epsilon is 2u.
    check.compare_as<Fifty>(scaled_logit_variance<Fifty>(d), 1, 3 * std::numeric_limits<Fifty>::epsilon(),
                            fmt::format("d = {}, 50 digits", d));
    check.compare(scaled_logit_variance<double>(d), 1, 3 * std::numeric_limits<double>::epsilon(),
                  fmt::format("d = {}, double", d));
  }
}

TEST_CASE("statistical: sampled scaled logits") {
  StatisticalCheck check("means of q.k/sqrt(d) and of its square, keys uniform, or normal as the queries", assumed);
  for (const laws::Law& law : laws::catalogue())
    for (const LogitSample& sample : logit_samples(law)) {
      const std::size_t d = sample.dimension;
      const double divisor = Scale::inverse_sqrt().divisor_for<double>(d);
      std::vector<double> means = sample.mean, squares = sample.square;
      for (double& x : means) x /= divisor;
      CHECK(check.check(label(law, d) + ", mean", 0, sample.sigma_mean() / std::sqrt(static_cast<double>(d)), means,
                        1) <= sample.target);
      if (!sample.has_square) continue;
      for (double& x : squares) x /= divisor * divisor;
      CHECK(check.check(label(law, d) + ", square", 1, sample.sigma_square / static_cast<double>(d), squares, 1) <=
            sample.target);
    }
}

TEST_CASE("falsifier: each hypothesis") {
  refusal("positive_dimension", "\\(d = 0\\)", [] { (void)scaled_logit_variance<double>(0); });
  falsifier("positive_dimension", "\\(d = 0\\), the empty sum, divided by anything", "\\(\\operatorname{Var}\\)",
            dot_product::dot_product_variance<Rational>(0), Rational(1));

  const auto sign = FiniteLaw<Rational>::rademacher();
  const auto same = JointLaw<Rational>::uniform({{1, 1}, {-1, -1}});
  drops_only<"mutually_independent", "zero_mean", "unit_variance", "positive_dimension">(same);
  falsifier("mutually_independent", "\\(V = U\\), a fair \\(\\pm 1\\), \\(d = 1\\)",
            "\\(\\operatorname{Var}(q \\cdot k/\\sqrt d)\\)", same.push_forward(scaled).variance(), Rational(1));
  const auto shifted = JointLaw<Rational>::product(std::vector{sign, sign.affine(1, 1)});
  drops_only<"zero_mean", "mutually_independent", "unit_variance", "positive_dimension">(shifted);
  falsifier("zero_mean", "fair signs, that of \\(k\\) moved by 1, \\(d = 1\\)",
            "\\(\\operatorname{Var}(q \\cdot k/\\sqrt d)\\)", shifted.push_forward(scaled).variance(), Rational(1));
  const auto stretched = JointLaw<Rational>::product(std::vector{sign.affine(0, 2), sign});
  drops_only<"unit_variance", "mutually_independent", "zero_mean", "positive_dimension">(stretched);
  falsifier("unit_variance", "\\(U\\) twice a fair sign, \\(d = 1\\)", "\\(\\operatorname{Var}(q \\cdot k/\\sqrt d)\\)",
            stretched.push_forward(scaled).variance(), Rational(1));
}

TEST_CASE("exact: where the scale is put") {
  // The form is bilinear: on the product, on q alone, or d^(-1/4) on both give variance 1; d^(-1/2) on
  // both gives 1/d. Here d = 16, so that every divisor is rational.
  const std::size_t d = 16;
  const Rational half = Scale::power(1, 2).divisor_for<Rational>(d),
                 fourth = Scale::power(1, 4).divisor_for<Rational>(d);
  const Rational variance = dot_product::dot_product_variance<Rational>(d);
  const auto divided = [&](const Rational& by_q, const Rational& by_k) {
    return dot_product::variance_of_multiple(Rational(1 / (by_q * by_k)), variance);
  };
  CHECK(divided(half, 1) == 1);
  CHECK(divided(fourth, fourth) == 1);
  CHECK(divided(half, half) == Rational(1) / 16);
  // the width of the model in place of the head's: 16/64
  CHECK(dot_product::variance_of_multiple(Rational(1) / 8, variance) == Rational(1) / 4);
  // an initialisation with Var(q_i) = 1/d gives Var(q.k) = 1 by itself; scaling again gives 1/d
  const std::vector<dot_product::Moments<Rational>> q(d, {0, Rational(1) / 16}), k(d, {0, 1});
  const Rational initialised = dot_product::dot_product_variance<Rational>(q, k);
  CHECK(initialised == 1);
  CHECK(dot_product::variance_of_multiple(Rational(1 / half), initialised) == Rational(1) / 16);
}

TEST_CASE("numeric: scaling the query first is exact only for powers of two") {
  Comparison check(Kind::numeric, "(q/sqrt d).k against (q.k)/sqrt d in float: entries that differ", assumed);
  for (const std::size_t d : {4u, 16u, 64u, 256u, 36u, 100u, 128u}) {
    montecarlo::Stream stream({1, montecarlo::stream_label("scaling_first"), 0, d, 0});  // no sample but examples
    const laws::Law normal = laws::normal(0, 1);
    const auto root = static_cast<float>(Scale::inverse_sqrt().divisor_for<double>(d));
    int differ = 0;
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<float> q(d), scaled_q(d), k(d);
      for (std::size_t i = 0; i < d; ++i) {
        q[i] = static_cast<float>(normal.sample(stream));
        k[i] = static_cast<float>(normal.sample(stream));
        scaled_q[i] = q[i] / root;
      }
      differ += dot_product::dot<float>(scaled_q, k) != scaled_logit<float>(q, k);
    }
    if (d == 4 || d == 16 || d == 64 || d == 256)
      check.error(differ, 0, fmt::format("d = {}", d));
    else
      CHECK(differ > (d == 128 ? 100 : 0));
  }
}

}  // namespace unit_variance_scaling_test
