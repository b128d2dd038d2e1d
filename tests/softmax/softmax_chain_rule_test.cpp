// 1. In exact arithmetic softmax_vjp and softmax_jvp are the product of the matrix J with the vector, and component i
//    is s_i sum_j s_j (g_i - g_j), at any rational point that is the softmax of finite logits.
// 2. In 50 digits softmax_vjp is the derivative of L(softmax(z)) by differences, for three losses; by automatic
//    differentiation softmax_jvp is the derivative of softmax along a direction, and softmax_vjp has its own.
// 3. In double and float each component stays within the bound of the page, at every saturation and at the worst inputs
//    that searches find; the formula without the shift does not, by many orders of magnitude.
// 4. Without differentiability, or at infinite logits, the rule gives another number than the derivative.

#include "rootdk/softmax/softmax_chain_rule.hpp"

#include "support/autodiff.hpp"
#include "support/floating.hpp"
#include "support/simplex_points.hpp"
#include "support/softmax_reference.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"
#include "support/worst_input.hpp"

namespace softmax_chain_rule_test {

using namespace rootdk;
using namespace rootdk::testing;
using laws::Rational;
using softmax::softmax_jvp;
using softmax::softmax_vjp;

namespace {

using Rationals = std::vector<Rational>;
using Doubles = std::vector<double>;

// A loss of the weights with its gradient, each written down by hand.
struct Loss {
  const char* name;
  Precise (*value)(const std::vector<Precise>& s);
  std::vector<Precise> (*gradient)(const std::vector<Precise>& s);
};

const Loss losses[] = {
    {"cross-entropy with the first key", [](const std::vector<Precise>& s) -> Precise { return -log(s[0]); },
     [](const std::vector<Precise>& s) {
       std::vector<Precise> g(s.size(), 0);
       g[0] = -1 / s[0];
       return g;
     }},
    {"entropy",
     [](const std::vector<Precise>& s) {
       Precise total = 0;
       for (const Precise& weight : s) total -= weight * log(weight);
       return total;
     },
     [](const std::vector<Precise>& s) {
       std::vector<Precise> g;
       for (const Precise& weight : s) g.push_back(-log(weight) - 1);
       return g;
     }},
    {"a cubic that is not symmetric",
     [](const std::vector<Precise>& s) {
       Precise total = 0;
       for (std::size_t i = 0; i < s.size(); ++i) total += Precise(i + 1) * s[i] * s[i] * s[i] - s[i] * s[0];
       return total;
     },
     [](const std::vector<Precise>& s) {
       std::vector<Precise> g;
       Precise sum = 0;
       for (const Precise& weight : s) sum += weight;
       for (std::size_t i = 0; i < s.size(); ++i) g.push_back(3 * Precise(i + 1) * s[i] * s[i] - s[0]);
       g[0] -= sum;
       return g;
     }},
};

// s_i sum_j s_j |g_i - g_j|, what the error of component i is measured against, and the component itself.
struct Component {
  Precise value, size;
};
Component component(const std::vector<Precise>& s, const std::vector<Precise>& g, std::size_t i) {
  Component c{0, 0};
  for (std::size_t j = 0; j < s.size(); ++j) {
    const Precise term = s[i] * s[j] * (g[i] - g[j]);
    c.value += term;
    c.size += abs(term);
  }
  return c;
}

// The formula that cancels.
template <class S>
std::vector<S> unshifted_vjp(const std::vector<S>& s, const std::vector<S>& g) {
  S mean(0);
  for (std::size_t i = 0; i < s.size(); ++i) mean += s[i] * g[i];
  std::vector<S> result;
  for (std::size_t i = 0; i < s.size(); ++i) result.push_back(s[i] * (g[i] - mean));
  return result;
}

// The largest error of a component over u s_i sum_j s_j |g_i - g_j|, apart from what underflow may add.
template <class S>
double worst_component(const std::vector<S>& s, const std::vector<S>& g, const std::vector<S>& computed) {
  const auto weights = as<Precise>(s), gradient = as<Precise>(g);
  const Precise unit = std::numeric_limits<S>::epsilon() / 2;
  const Precise underflow = Precise(s.size() + 2) / 2 * std::numeric_limits<S>::denorm_min();
  double worst = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Component c = component(weights, gradient, i);
    const Precise error = abs(Precise(static_cast<Precise>(computed[i]) - c.value));
    if (c.size == 0) {
      CHECK(error == 0);
    } else {
      worst = std::max(worst, static_cast<double>(Precise((error - underflow) / c.size / unit)));
    }
  }
  return worst;
}

template <class S>
void in_floating_point(const char* name) {
  Comparison check(Kind::floating,
                   fmt::format("each component in {} against 50 digits, in units of u s_i sum_j s_j |g_i - g_j|", name),
                   slugs<"finite_logits", "differentiable_loss">());
  Shares shares;
  std::mt19937_64 random(seed_of("floating, " + format_name<S>()));
  for (const double scale : {0.01, 0.03, 1.0, 3.0, 10.0, 30.0})
    for (const std::size_t n : {2u, 3u, 8u, 64u})
      for (const double common : {0.0, 1.0, 1e6}) {
        const auto s = softmax::softmax<S>(as<S>(normal_vector(scale, n, random)));
        auto g = as<S>(normal_vector(1, n, random));
        for (S& entry : g) entry += static_cast<S>(common);
        check.error(worst_component(s, g, softmax_vjp<S>(s, g)), 3 * ceil_log2(n) + 8,
                    fmt::format("scale {}, n {}, shift {}", scale, n, common));
        shares.count(saturation<S>(s));
        check.classify(saturation<S>(s));
      }
  // the upstream entry of the dominant key is an outlier, or all but one agree
  for (const std::size_t n : {2u, 8u, 64u})
    for (const double gap : {0.0, 5.0, 30.0}) {
      std::vector<S> z(n, S(0)), g(n, S(1) / 3);
      z[0] = static_cast<S>(gap);
      for (const std::size_t outlier : {std::size_t{0}, n - 1}) {
        auto spiked = g;
        spiked[outlier] = S(1e6);
        const auto s = softmax::softmax<S>(z);
        check.error(worst_component(s, spiked, softmax_vjp<S>(s, spiked)), 3 * ceil_log2(n) + 8,
                    fmt::format("gap {}, n {}, outlier {}", gap, n, outlier));
      }
    }
  shares.require_every_saturation();
}

}  // namespace

TEST_CASE("exact: the product with J without the matrix") {
  Shares shares;
  // [softmax_chain_rule]
  for_all(Kind::exact, "softmax_vjp = softmax_jvp = Jg, component i is s_i sum_j s_j (g_i - g_j)",
          simplex_point<"finite_logits", "differentiable_loss">(8, true), [&](const Rationals& s) {
            const std::size_t n = s.size();
            const Rationals g = *rational_vector_gen(static_cast<int>(n));
            const Rationals product = softmax_vjp<Rational>(s, g);
            RC_ASSERT(product == times(softmax::jacobian_of_weights<Rational>(s), g));
            RC_ASSERT(product == softmax_jvp<Rational>(s, g));
            for (std::size_t i = 0; i < n; ++i) {
              Rational expected = 0;
              for (std::size_t j = 0; j < n; ++j) expected += s[i] * s[j] * (g[i] - g[j]);
              RC_ASSERT(product[i] == expected);
            }
            // [softmax_chain_rule]
            shares.count(saturation<Rational>(s));
            RC_TAG(saturation<Rational>(s));
          });
  shares.require_every_saturation();
}

// Known answer: a backward pass that copies its upstream gradient is right only when what is upstream is the
// gradient of the fused softmax and cross-entropy. An upstream gradient of ones gives 0, so it tests nothing.
TEST_CASE("exact: what a copied upstream gradient gets wrong") {
  const Rationals s{Rational(1) / 2, Rational(1) / 3, Rational(1) / 6};
  CHECK(softmax_vjp<Rational>(s, Rationals{1, 1, 1}) == Rationals{0, 0, 0});
  const Rationals upstream{-2, 0, 0};  // of -log s_1
  CHECK(softmax_vjp<Rational>(s, upstream) == Rationals{-Rational(1) / 2, Rational(1) / 3, Rational(1) / 6});
  CHECK(softmax_vjp<Rational>(s, Rationals{1, 0, 0}) ==
        Rationals{Rational(1) / 4, -Rational(1) / 6, -Rational(1) / 12});
  const Doubles weights = softmax::softmax<double>(Doubles{700, 1, 2.5, -3});
  CHECK(softmax_vjp<double>(weights, Doubles(4, 1e300)) == Doubles(4, 0.0));
}

// Known answer: of five logits the second is masked by -infinity and the others are equal. The log-likelihood of the
// third has the gradient (-1/4, 0, 3/4, -1/4, -1/4): no NaN, and 0 where the mask is.
TEST_CASE("exact: a masked logit below a cross-entropy") {
  const Rational quarter = Rational(1) / 4;
  CHECK(softmax_vjp<Rational>(Rationals{quarter, 0, quarter, quarter, quarter}, Rationals{0, 0, 4, 0, 0}) ==
        Rationals{-quarter, 0, 3 * quarter, -quarter, -quarter});
  const double inf = std::numeric_limits<double>::infinity();
  const Doubles s = softmax::softmax<double>(Doubles{7, -inf, 7, 7, 7});
  CHECK(softmax_vjp<double>(s, Doubles{0, 0, 4, 0, 0}) == Doubles{-0.25, 0, 0.75, -0.25, -0.25});
  CHECK(softmax_vjp<double>(s, Doubles{0, 0, -4, 0, 0}) == Doubles{0.25, 0, -0.75, 0.25, 0.25});
  CHECK(softmax_vjp<double>(Doubles(3, 0.0), Doubles{1, 2, 3}) == Doubles(3, 0.0));  // a fully masked row
}

TEST_CASE("exact: vectors that fit no row are refused") {
  const Doubles s{0.5, 0.5};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(softmax_vjp<double>(s, Doubles{1, 2, 3}), std::invalid_argument);
  CHECK_THROWS_WITH(softmax_vjp<double>(s, Doubles{1, 2, 3}),
                    Catch::Contains("softmax_vjp: expected a vector as long as the weights, 2"));
  CHECK_THROWS_WITH(softmax_vjp<double>(s, Doubles{1, nan}), Catch::Contains("entry 1"));
  CHECK_THROWS_WITH(softmax_vjp<double>(Doubles{nan, 1}, s), Catch::Contains("weight 0"));
  CHECK_THROWS_WITH(softmax_jvp<double>(s, Doubles{1, 2, 3}), Catch::Contains("softmax_jvp"));
  CHECK_THROWS_WITH(softmax_jvp<double>(s, Doubles{1, nan}),
                    Catch::Contains("softmax_jvp") && Catch::Contains("entry 1"));
}

TEST_CASE("numeric: the derivative of a loss by differences") {
  Comparison check(Kind::numeric, "softmax_vjp against central differences of L(softmax(z)), 50 digits",
                   slugs<"finite_logits", "differentiable_loss">());
  Shares shares;
  std::mt19937_64 random(seed_of("differences"));
  const Precise h = Precise(1) / 1000000000000LL, epsilon = std::numeric_limits<Precise>::epsilon();
  for (const double scale : {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0})
    for (std::size_t n = 2; n <= 6; ++n) {
      const auto z = as<Precise>(normal_vector(scale, n, random));
      const auto s = softmax::softmax<Precise>(z);
      for (const Loss& loss : losses) {
        const auto gradient = softmax_vjp<Precise>(s, loss.gradient(s));
        const Precise size = abs(loss.value(s)) + 1;
        for (std::size_t i = 0; i < n; ++i) {
          const auto difference = [&](const Precise& by) -> Precise {
            auto up = z, down = z;
            up[i] += by, down[i] -= by;
            return (loss.value(softmax::softmax<Precise>(up)) - loss.value(softmax::softmax<Precise>(down))) / (2 * by);
          };
          // halving the step takes the error to a quarter, so the change is three times what remains
          const Precise coarse = difference(h), fine = difference(h / 2);
          const Precise bound = abs(Precise(coarse - fine)) + 1000 * epsilon * size / h;
          check.compare_as<Precise>(gradient[i], fine, bound, fmt::format("{}, scale {}", loss.name, scale));
        }
      }
      shares.count(saturation<Precise>(s));
      check.classify(saturation<Precise>(s));
    }
  shares.require_every_saturation();
}

TEST_CASE("numeric: along a direction, and the second derivative, by automatic differentiation") {
  Comparison check(Kind::numeric, "softmax_jvp and the derivative of softmax_vjp, over s_i, in 50 digits",
                   slugs<"finite_logits", "differentiable_loss">());
  Shares shares;
  std::mt19937_64 random(seed_of("autodiff"));
  const auto largest = [](const std::vector<Precise>& a) {
    Precise result = 0;
    for (const Precise& x : a) result = std::max<Precise>(result, abs(x));
    return result;
  };
  for (const double scale : {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0})
    for (std::size_t n = 2; n <= 8; ++n) {
      const auto z = as<Precise>(normal_vector(scale, n, random)), v = as<Precise>(normal_vector(1, n, random)),
                 g = as<Precise>(normal_vector(1, n, random)), s = reference_weights(z);
      const auto jvp = softmax_jvp<Precise>(s, v);
      const std::vector<Dual> weights = softmax::softmax<Dual>(along(z, v));
      const std::vector<Dual> vjp = softmax_vjp<Dual>(weights, std::vector<Dual>(g.begin(), g.end()));
      const Precise mean = dot(s, g), mean_moved = dot(jvp, g);
      // over s_i all terms are products of at most two differences of entries, with a few exponentials in each
      const Precise granted = 8 * precise_exp_error * 2 * largest(v);
      for (std::size_t i = 0; i < n; ++i) {
        check.compare_as<Precise>(weights[i].derivative(1) / s[i], jvp[i] / s[i], granted, "along v");
        const Precise expected = jvp[i] * (g[i] - mean) - s[i] * mean_moved;
        check.compare_as<Precise>(vjp[i].derivative(1) / s[i], expected / s[i], 4 * granted * 2 * largest(g),
                                  "Jg along v");
      }
      shares.count(saturation<Precise>(s));
      check.classify(saturation<Precise>(s));
    }
  shares.require_every_saturation();
}

TEST_CASE("floating: each component in double and float") {
  in_floating_point<double>("double");
  in_floating_point<float>("float");
}

namespace {

// The error of softmax_vjp, over the bound, at a row: logits in its first half, the upstream gradient in the second.
template <class S>
double ratio_to_bound(const Doubles& row) {
  const std::size_t n = row.size() / 2;
  const std::span<const double> all(row);
  const auto s = softmax::softmax<S>(rounded<S>(all.first(n)));
  const auto g = rounded<S>(all.subspan(n));
  return worst_component(s, g, softmax_vjp<S>(s, g)) / (higher_orders * (3 * ceil_log2(n) + 8));
}

// Found by worst_input with ROOTDK_SEARCH=1000, as it prints them.
const std::vector<Doubles> worst_found{
    {0x1.ab4e7b63bcf2cp+4, 0x1.8e1b6412b7f4bp+5, 0x1.8d0f2fabe6cc4p+5, 0x1.290074c9d6661p-1, 0x1.0bc33239b92c7p+1,
     0x1.1a990973c4933p-1},
    {-0x1.f73b224a4dc98p-9, -0x1.8733333333333p-6, 0x1.0766042cbefa8p-2, 0x1.aa3d70a3d706p-8},
    {-0x1.98a3d70a3d70ap-6, -0x1.4ca3d70a3d70ap-6, 0x1.fd70a3d70a3d7p-9, 0x1.5ee147ae14759p-6, 0x1.3d70a189c911fp-12,
     0x1.00e74e25eb15p-11, -0x1.18528ab18d7abp-6, -0x1.019c90781b323p-6},
    {0x1.4p+3, -0x1.400083eea67dep+4, 0x1.9dde7d7c35d37p-40, -0x1.4000354bb32fdp+4, 0x1.1252e8ee33p-42,
     -0x1.4000333d738d5p+4, 0x1.87155ab8ce90bp-34, 0x1.3fffffffffff8p+3, -0x1.400000000010fp+4, 0x1.3ff18ffa81ed7p+4,
     -0x1.4527ff741bf88p-36, 0x1.5c427522b7ffap-12, -0x1.4000002db0c1cp+4, 0x1.3fff36b67d2a4p+4, -0x1.41138ae5929e8p+4,
     -0x1.7e8252dfed408p-22},
    {0x1.9733333333333p-6, -0x1.7d9f38d5fc06fp-3, 0x1.926919faa060bp-6, 0x1.1bc3d91e9d747p-7},
    {-0x1.46e147ae147aep-6, -0x1.46e12c31f2fe9p-6, -0x1.5b5c28f5c28f6p-6, 0x1.f8a3d70a3d70ap-7, 0x1.4a350af97213fp-6,
     -0x1.3b71f5d43a9b1p-6, 0x1.377ebdcb401d2p-6, -0x1.228f5c28f5c29p-6},
    {-0x1.e847ab1p+19, -0x1.e8483af8p+19, -0x1.e847aap+19, -0x1.e847e318p+19, -0x1.e848349p+19, -0x1.e84839e8p+19,
     -0x1.e848447p+19, -0x1.e8483f08p+19, -0x1.e84b2cddd0af3p+19, -0x1.e8574cb104b87p+19, -0x1.e8574e69d0213p+19,
     -0x1.e8493634b5534p+19, -0x1.e856a8ad057b3p+19, -0x1.e84f764ca0b79p+19, -0x1.e8451498478ep+19,
     -0x1.e852e13a59a43p+19}};

template <class S>
void at_the_worst_inputs() {
  Comparison check(Kind::floating, "the worst inputs found, in units of the bound, " + format_name<S>(),
                   slugs<"finite_logits", "differentiable_loss">());
  auto rows = worst_found;
  for (const int n : {2, 4, 8}) rows.push_back(worst_input(seed_of("search"), 2 * n, 2 * n, ratio_to_bound<S>).row);
  for (const Doubles& row : rows) check.error(ratio_to_bound<S>(row), 1, fmt::format("{} weights", row.size() / 2));
}

}  // namespace

TEST_CASE("floating: the worst gradients that searches found") {
  at_the_worst_inputs<double>();
  at_the_worst_inputs<float>();
}

TEST_CASE("floating: gradients near the largest number") {
  Comparison check(Kind::floating, "each component against 50 digits, in units of the page's bound",
                   slugs<"finite_logits", "differentiable_loss">());
  const auto compare = [&]<class T>(const std::vector<T>& s, const std::vector<T>& g) {
    const std::vector<T> product = softmax_vjp<T>(s, g);
    const double steps = 3 * sum_depth(s.size()) + 8;
    for (std::size_t i = 0; i < s.size(); ++i) {
      Precise exact = 0, scale = 0;
      for (std::size_t j = 0; j < s.size(); ++j) {
        const Precise term = Precise(s[i]) * s[j] * (Precise(g[i]) - g[j]);
        exact += term;
        scale += abs(term);
      }
      check.error(error_in_u(product[i], exact, scale, 8 * (static_cast<double>(s.size()) / 2 + 1)),
                  higher_orders * steps, format_name<T>() + ", component " + std::to_string(i));
    }
  };
  // differences, and differences of differences, that are above the largest number
  compare(std::vector<double>{0.49, 0.49, 0.02}, std::vector<double>{-1.7e308, 0, 1.7e308});
  compare(std::vector<double>{0.5, 0.5}, std::vector<double>{1e308, -1e308});
  compare(std::vector<float>{0.49f, 0.49f, 0.02f}, std::vector<float>{-3e38f, 0, 3e38f});
  compare(std::vector<float>{0.5f, 0.5f}, std::vector<float>{2e38f, -2e38f});
}

TEST_CASE("floating: without the shift a saturated row loses every digit") {
  // s_1 rounds to 1, the mean of g to g_1, and their difference to 0 instead of s_2 (g_1 - g_2) = 4.2e-18.
  const Doubles s = softmax::softmax<double>(Doubles{40, 0}), g{1, 0};
  CHECK(unshifted_vjp(s, g)[0] == 0);
  CHECK(worst_component(s, g, unshifted_vjp(s, g)) >= 0x1p53 * (1 - 1e-15));
  CHECK(worst_component(s, g, softmax_vjp<double>(s, g)) <= 11);
  // With a large common part what is left is noise, ten million times the component.
  const Doubles shifted{1e6 + 1.0 / 3, 1e6, 1e6 + 0.1};
  const Doubles weights = softmax::softmax<double>(Doubles{10, 0, 1});
  CHECK(worst_component(weights, shifted, unshifted_vjp(weights, shifted)) > 1e6);
  CHECK(worst_component(weights, shifted, softmax_vjp<double>(weights, shifted)) <= 14);
}

TEST_CASE("falsifier: no derivative, infinite logits, no logits") {
  // u and v are the distances of the two weights from 1/2. Both partial derivatives are 0 at u = v = 0, while
  // along u = -v the loss is -u/2.
  const auto loss = [](const std::vector<Precise>& s) -> Precise {
    const Precise u = s[0] - Precise(0.5), v = s[1] - Precise(0.5);
    return u == 0 && v == 0 ? Precise(0) : Precise(u * u * v / (u * u + v * v));
  };
  const auto along_first = [&](const Precise& by) {
    return loss(softmax::softmax<Precise>(std::vector<Precise>{by, 0}));
  };
  const Precise h = Precise("1e-12");
  const Doubles half{0.5, 0.5};
  falsifier("differentiable_loss", "\\(L = u^2v/(u^2 + v^2)\\), \\((u, v) = s - \\frac12\\), at \\(z = (0, 0)\\)",
            "\\(\\partial L/\\partial z_1\\)",
            static_cast<double>(Precise((along_first(h) - along_first(-h)) / (2 * h))),
            softmax_vjp<double>(half, Doubles{0, 0})[0], 1e-15);

  const double inf = std::numeric_limits<double>::infinity();
  const double moved =
      softmax::softmax<double>(Doubles{inf + 1, inf})[0] - softmax::softmax<double>(Doubles{inf, inf})[0];
  falsifier("finite_logits", "\\(z = (\\infty, \\infty)\\) with weights \\((\\frac12, \\frac12)\\), \\(L = s_1\\)",
            "\\(L(z + e_1) - L(z)\\) and with it \\(\\partial L/\\partial z_1\\)", moved,
            softmax_vjp<double>(half, Doubles{1, 0})[0]);
  refusal("non_empty", "a row without weights",
          [] { (void)softmax_vjp(std::span<const double>(), std::span<const double>()); });
}

}  // namespace softmax_chain_rule_test
