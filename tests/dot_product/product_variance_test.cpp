// 1. In exact arithmetic the variance of UV, from its enumerated law, is the formula, for every
//    independent pair, whatever the means.
// 2. By two-dimensional quadrature of (UV - EU EV)^2 over all ordered pairs of the catalogue.
// 3. Sampled.
// 4. A dependent pair breaks it; a law without a second moment is refused by name.
// 5. Known answers: a standard pair, uncorrelated normal variables, moments of no law.

#include "rootdk/dot_product/product_variance.hpp"

#include <limits>

#include "rootdk/laws/catalogue.hpp"
#include "support/batches.hpp"
#include "support/catalogue_with_mean.hpp"
#include "support/generators.hpp"
#include "support/test.hpp"

namespace product_variance_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::Moments;
using dot_product::product_variance;

namespace {

Rational product(std::span<const Rational> w) { return w[0] * w[1]; }

Moments<Rational> moments(const FiniteLaw<Rational>& law) { return {law.moment(1), law.moment(2)}; }
Moments<double> moments(const laws::Law& law) { return {law.moment(1), law.moment(2)}; }

}  // namespace

TEST_CASE("exact: the variance of any independent product") {
  // [product_variance]
  for_all(Kind::exact, "Var(UV), enumerated, for any independent pair", joint_law<"independent_pair">(2),
          [](const JointLaw<Rational>& law) {
            classify(law);
            const FiniteLaw<Rational> u = law.marginal(0), v = law.marginal(1);
            const Rational variance = law.push_forward(product).variance();
            RC_ASSERT(variance == product_variance(moments(u), moments(v)));
            RC_ASSERT(variance == u.variance() * v.variance() + u.variance() * v.mean() * v.mean() +
                                      u.mean() * u.mean() * v.variance());
          });
  // [product_variance]
}

TEST_CASE("exact: a standard pair, and moments of no law, which are refused") {
  CHECK(product_variance(Moments<Rational>{0, 1}, Moments<Rational>{0, 1}) == 1);
  const Moments<double> fine{0, 1}, none{2, 3};
  CHECK_THROWS_AS(product_variance(fine, none), std::domain_error);
  CHECK_THROWS_AS(product_variance(none, fine), std::domain_error);
  const Moments<double> large{0, 1e200};
  CHECK_THROWS_WITH(product_variance(large, large), Catch::Contains("product of the second moments in the range"));
  // constants, whose product is one
  for (int i = 1; i < 100; ++i)
    for (int j = 1; j < 100; ++j) {
      const double a = i / 10.0, b = j / 10.0;
      CHECK(product_variance(Moments<double>{a, a * a}, Moments<double>{b, b * b}) <= 1e-14 * a * a * b * b);
    }
}

TEST_CASE("numeric: the variance for all pairs of the catalogue by two-dimensional quadrature") {
  Comparison check(Kind::numeric, "E((UV - EU EV)^2) for all ordered pairs of laws, the means 3/4 and -1/2",
                   slugs<"independent_pair">());
  const auto us = catalogue_with_mean(0.75), vs = catalogue_with_mean(-0.5);
  for (const laws::Law& u : us) {
    check.law(u.name());
    for (const laws::Law& v : vs) {
      const double mean = u.mean() * v.mean();
      const laws::Estimate measured =
          laws::expectation(u, v, [mean](double a, double b) { return (a * b - mean) * (a * b - mean); });
      check.compare(measured.value, product_variance(moments(u), moments(v)), measured.error,
                    u.name() + " and " + v.name());
    }
  }
}

TEST_CASE("statistical: sampled squared deviations of a product") {
  StatisticalCheck check("mean of (UV - EU EV)^2 for independent U with mean 3/4 and normal V with mean -1/2",
                         slugs<"independent_pair">());
  constexpr std::size_t n = 8192;
  const laws::Law v = laws::normal(-0.5, 1);
  for (const laws::Law& standardised : laws::catalogue()) {
    if (!standardised.has_moment(4)) continue;
    const laws::Law u = standardised.affine(0.75, 1);
    const double mean = u.mean() * v.mean();
    const double claimed = product_variance(moments(u), moments(v));
    double fourth = 0;  // central fourth moment of the product, from the raw moments of its factors
    const auto raw = montecarlo::product_of_independent(u.moments(4), v.moments(4));
    const double choose[] = {1, -4, 6, -4, 1};
    for (int k = 0; k <= 4; ++k) fourth += choose[k] * raw[static_cast<std::size_t>(4 - k)] * std::pow(mean, k);
    std::vector<double> other(n);
    const auto means = batch_means(check, u.name(), 1, n, [&](auto& stream, std::span<double> out) {
      u.sample(stream, out);
      v.sample(stream, other);
      for (std::size_t i = 0; i < n; ++i) {
        const double deviation = out[i] * other[i] - mean;
        out[i] = deviation * deviation;
      }
    });
    check.check(standardised.name(), claimed, std::sqrt((fourth - claimed * claimed) / n), means, claimed);
  }
}

TEST_CASE("falsifier: a dependent pair and missing moments") {
  const auto same = JointLaw<Rational>::uniform({{1, 1}, {-1, -1}});
  falsifier("independent_pair", "\\(V = U\\), a fair \\(\\pm 1\\)", "\\(\\operatorname{Var}(UV)\\)",
            same.push_forward(product).variance(),
            product_variance(moments(same.marginal(0)), moments(same.marginal(1))));
  const auto cross = JointLaw<Rational>::uniform({{1, 0}, {-1, 0}, {0, 1}, {0, -1}});
  CHECK(cross.uncorrelated());
  CHECK(cross.variance(0) == Rational(1) / 2);  // times the root of 2: variance 1
  CHECK(cross.variance(1) == Rational(1) / 2);
  CHECK(cross.push_forward(product).variance() == 0);
  falsifier("independent_pair", "\\((U, V)\\) uniform on \\((\\pm 1, 0), (0, \\pm 1)\\): uncorrelated",
            "\\(\\operatorname{Var}(UV)\\)", cross.push_forward(product).variance(),
            product_variance(moments(cross.marginal(0)), moments(cross.marginal(1))));
  refusal("finite_second_moment", "Student t with 2 degrees of freedom", [] {
    (void)product_variance(moments(laws::student_t(2)), {0, 1});
  });
  refusal("finite_second_moment", "an infinite second moment", [] {
    (void)product_variance({0, std::numeric_limits<double>::infinity()}, Moments<double>{0, 1});
  });
}

TEST_CASE("falsifier: uncorrelated normal variables") {
  // U standard normal and V = (U^2 - 1)/sqrt(2): uncorrelated, unit variances, Var(UV) = 5, by quadrature
  const laws::Estimate mean = laws::normal(0, 1).expectation([](double u) { return u * (u * u - 1) / std::sqrt(2.0); });
  const laws::Estimate second =
      laws::normal(0, 1).expectation([](double u) { return u * u * (u * u - 1) * (u * u - 1) / 2; });
  falsifier("independent_pair", "\\(U\\) standard normal, \\(V = (U^2 - 1)/\\sqrt 2\\): uncorrelated",
            "\\(\\operatorname{Var}(UV)\\)", second.value - mean.value * mean.value,
            product_variance<double>({0, 1}, {0, 1}), second.error + mean.error);
  const auto v = [](double u) { return (u * u - 1) / std::sqrt(2.0); };
  const laws::Estimate mean_v = laws::normal(0, 1).expectation(v);
  const laws::Estimate second_v = laws::normal(0, 1).expectation([&](double u) { return v(u) * v(u); });
  CHECK(std::abs(mean.value) <= mean.error);  // of UV, so that the covariance is 0
  CHECK(std::abs(mean_v.value) <= mean_v.error);
  CHECK(std::abs(second_v.value - 1) <= second_v.error);
  CHECK(std::abs(second.value - 5) <= second.error);
}

}  // namespace product_variance_test
