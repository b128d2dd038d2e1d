// 1. In exact arithmetic Var(UV) = E(U^2)E(V^2) for every independent pair of which one has mean 0;
//    the other's mean is in general not 0, so variances in place of second moments would not do.
// 2. By two-dimensional quadrature over all ordered pairs of the catalogue.
// 3. Sampled.
// 4. Two means that are not 0, and a dependent pair, break it.

#include "rootdk/dot_product/centred_product_variance.hpp"

#include <limits>

#include "rootdk/laws/catalogue.hpp"
#include "support/batches.hpp"
#include "support/catalogue_with_mean.hpp"
#include "support/generators.hpp"
#include "support/test.hpp"

namespace centred_product_variance_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::centred_product_variance;
using dot_product::Moments;

namespace {

Rational product(std::span<const Rational> w) { return w[0] * w[1]; }

Moments<Rational> moments(const FiniteLaw<Rational>& law) { return {law.moment(1), law.moment(2)}; }
Moments<double> moments(const laws::Law& law) { return {law.moment(1), law.moment(2)}; }

}  // namespace

TEST_CASE("exact: the variance of a product with one mean 0") {
  // [centred_product_variance]
  for_all(Kind::exact, "Var(UV), enumerated, for any independent pair of which one has mean 0",
          joint_law<"independent_pair", "zero_mean">(2, ZeroMean::one_of_each_pair), [](const JointLaw<Rational>& law) {
            classify(law);
            const FiniteLaw<Rational> u = law.marginal(0), v = law.marginal(1);
            RC_ASSERT(law.push_forward(product).variance() == u.moment(2) * v.moment(2));
            RC_ASSERT(centred_product_variance(moments(u), moments(v)) == u.moment(2) * v.moment(2));
          });
  // [centred_product_variance]
}

TEST_CASE("numeric: the centred variance for all pairs of the catalogue by two-dimensional quadrature") {
  Comparison check(Kind::numeric, "E((UV)^2) for all ordered pairs of laws, the second with mean -1/2",
                   slugs<"independent_pair", "zero_mean">());
  const auto vs = catalogue_with_mean(-0.5);
  for (const laws::Law& u : laws::catalogue()) {
    check.law(u.name());
    for (const laws::Law& v : vs) {
      // the mean of UV is 0, so that its variance is its second moment
      const laws::Estimate measured = laws::expectation(u, v, [](double a, double b) { return a * b * a * b; });
      check.compare(measured.value, centred_product_variance(moments(u), moments(v)), measured.error,
                    u.name() + " and " + v.name());
    }
  }
}

TEST_CASE("statistical: sampled squares of a centred product") {
  StatisticalCheck check("mean of (UV)^2 for independent U and normal V with mean -1/2",
                         slugs<"independent_pair", "zero_mean">());
  constexpr std::size_t n = 8192;
  const laws::Law v = laws::normal(-0.5, 1);
  for (const laws::Law& u : laws::catalogue()) {
    if (!u.has_moment(4)) continue;
    const double claimed = centred_product_variance(moments(u), moments(v));
    const double fourth = u.moment(4) * v.moment(4);
    std::vector<double> other(n);
    const auto means = batch_means(check, u.name(), 1, n, [&](auto& stream, std::span<double> out) {
      u.sample(stream, out);
      v.sample(stream, other);
      for (std::size_t i = 0; i < n; ++i) out[i] = out[i] * other[i] * out[i] * other[i];
    });
    check.check(u.name(), claimed, std::sqrt((fourth - claimed * claimed) / n), means, claimed);
  }
}

TEST_CASE("falsifier: two means that are not 0 and a dependent pair") {
  const auto coin = FiniteLaw<Rational>({0, 2}, {Rational(1) / 2, Rational(1) / 2});
  const auto off = JointLaw<Rational>::product(std::vector{coin, coin});
  falsifier("zero_mean", "\\(U, V\\) independent copies of 1 + a fair \\(\\pm 1\\)", "\\(\\operatorname{Var}(UV)\\)",
            off.push_forward(product).variance(), Rational(coin.moment(2) * coin.moment(2)));
  refusal("zero_mean", "two means of 1", [] {
    (void)centred_product_variance(Moments<double>{1, 2}, Moments<double>{1, 2});
  });
  const auto same = JointLaw<Rational>::uniform({{1, 1}, {-1, -1}});
  falsifier("independent_pair", "\\(V = U\\), a fair \\(\\pm 1\\)", "\\(\\operatorname{Var}(UV)\\)",
            same.push_forward(product).variance(),
            centred_product_variance(moments(same.marginal(0)), moments(same.marginal(1))));
  const auto cross = JointLaw<Rational>::uniform({{1, 0}, {-1, 0}, {0, 1}, {0, -1}});
  falsifier("independent_pair",
            "\\((U, V)\\) uniform on \\((\\pm\\sqrt 2, 0), (0, \\pm\\sqrt 2)\\), here divided by \\(\\sqrt 2\\): "
            "uncorrelated",
            "\\(\\operatorname{Var}(UV)\\)", cross.push_forward(product).variance(),
            centred_product_variance(moments(cross.marginal(0)), moments(cross.marginal(1))));
  refusal("finite_second_moment", "Student t with 2 degrees of freedom", [] {
    (void)centred_product_variance(moments(laws::student_t(2)), {0, 1});
  });
}

}  // namespace centred_product_variance_test
