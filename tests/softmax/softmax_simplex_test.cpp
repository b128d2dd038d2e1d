// 1. In 50 digits the weights are those of the definition; they lie in the simplex, keep the order
// of the
//    logits and ignore a common shift; by automatic differentiation the logarithms have their derivatives.
// 2. In double and float each weight, each logarithm and the logarithm of the sum is within the
// page's bound
//    of 50 digits: on generated rows, on the worst that a search finds, and on the worst found
//    before.
// 3. Infinite logits, temperatures 0 and infinity, and what overflows on the way are as declared.
// 4. What has no answer is refused by name.

#include "rootdk/softmax/softmax_simplex.hpp"

#include "support/autodiff.hpp"
#include "support/floating.hpp"
#include "support/logits.hpp"
#include "support/softmax_reference.hpp"
#include "support/test.hpp"
#include "support/worst_input.hpp"

namespace softmax_simplex_test {

using namespace rootdk;
using namespace rootdk::testing;
using softmax::log_softmax;
using softmax::log_sum_exp;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double lowest = std::numeric_limits<double>::lowest();

std::vector<double> weights(std::vector<double> z, double temperature = 1) {
  return softmax::softmax<double>(z, temperature);
}
std::vector<double> logs(std::vector<double> z, double temperature = 1) { return log_softmax<double>(z, temperature); }
double lse(std::vector<double> z) { return log_sum_exp<double>(z); }

std::vector<Precise> precise(std::span<const double> z) { return {z.begin(), z.end()}; }

double relative_error(const Precise& measured, const Precise& exact) {
  return static_cast<double>(Precise(abs(measured - exact) / abs(exact)));
}

// Each function of the page at a row of the format T, in units of u with the page's bounds.
// Subtracting the largest logit rounds once; dividing by a temperature rounds once more.
template <class T, class Each>
void each_error(const std::vector<double>& row, double temperature, Each each) {
  const std::vector<T> z = rounded<T>(row);
  const T divisor = static_cast<T>(temperature);
  const SoftmaxReference exact(widened(z), static_cast<double>(divisor));
  const std::size_t n = z.size();
  const double k = divisor == T(1) ? 1 : 2, log_n = std::log(static_cast<double>(n));
  const double gap = n > 1 ? static_cast<double>(exact.gap()) : 0;

  const std::vector<T> s = softmax::softmax<T>(z, divisor), l = log_softmax<T>(z, divisor);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = std::abs(static_cast<double>(exact.x(i)));
    each(error_in_u(s[i], exact.weight(i), exact.weight(i), 2), higher_orders * (k * (x + log_n) + sum_depth(n) + 5),
         fmt::format("s_{}", i));
    const Precise log_weight = exact.log_weight(i);
    if (n > 1)
      each(error_in_u(l[i], log_weight, log_weight, 2.0 * static_cast<double>(n)),
           higher_orders * (k * (gap + log_n) + sum_depth(n) + 5), fmt::format("log s_{}", i));
  }
  if (divisor == T(1)) {
    const Precise sum = exact.log_sum_exp();
    each(error_in_u(log_sum_exp<T>(z), sum, Precise(1)),
         higher_orders * (std::abs(static_cast<double>(sum)) + 3 * log_n + sum_depth(n) + 2),
         std::string("log of the sum"));
  }
}

// The worst of one function, so that no function hides behind another whose bound is nearly
// attained.
template <class T>
double worst_ratio(const std::vector<double>& row, const std::string& function) {
  double worst = 0;
  each_error<T>(row, 1, [&](double error, double bound, const std::string& what) {
    if (!what.starts_with(function)) return;
    worst = worse_ratio(worst, error, bound);
  });
  return worst;
}

template <class T>
void within_bounds_on_generated_rows() {
  RowClasses classes;
  Comparison check(Kind::floating, "weights, their logarithms and that of the sum, in u, " + format_name<T>(),
                   slugs<"finite_logits">());
  for (std::size_t i = 0; i < 600; ++i) {
    const Logits row = sampled_logits(seed_of("floating"), i);
    check.classify(classes.count(row));
    each_error<T>(row.z, i % 3 == 0 ? 0.37 : 1, [&](double error, double bound, const std::string& what) {
      check.error(error, bound, fmt::format("{} of row {}", what, i));
    });
  }
}

// Found by worst_input with ROOTDK_SEARCH=3, as it prints them.
const std::vector<std::vector<double>> worst_found{
    {0x1.6760cfaff732fp-10, -0x1.1abda04d1ef29p-2, 0x1.8f00f2c15d53p-1, -0x1.38f4461135dcep-1, 0x1.3d10f7727477ep+4,
     -0x1.b7b2986d6ebbp-12, -0x1.503a1a853e01p-22, 0x1.8bc7203ef01f7p-10, -0x1.7cfe77f3df757p-29, 0x1.5dbe9b93b7a8fp-31,
     -0x1.8f5f6d955a607p-15, 0x1.145ed98a2ad3dp-3, 0x1.fb724d50636dp-10},
    {-0x1.40000000002ccp+3, -0x1.40000000b1d37p+4, 0x0p+0, 0x1.8b467a6251109p-17, 0x1.39d90df5c9fbcp-51,
     -0x1.40000010ef46dp+4},
    {-0x1.8128p+7, 0x1.ccdbf3f059f69p+7, 0x1.1926ffffff488p+8, 0x1.7b7ep+7, 0x1.0c2a000000187p+8, 0x1.d8a8p+6,
     0x1.5a7cp+7, -0x1.b008p+5, 0x1.818cp+6, -0x1.b968p+6, -0x1.2543p+8, -0x1.bbcp+2, -0x1.bcbap+7, 0x1.6c74p+7,
     -0x1.cfacp+7, 0x1.9a28p+5},
    {0x1.59107482cea9fp+3, -0x1.d64ae14f6caecp+3, 0x1.6af3d8e053c13p+4, 0x1.ed3910d796bf4p+1, 0x1.a8350a7e64ec6p+3,
     -0x1.d864c025acb4bp+0, -0x1.9cb52d6059c8ap+2, 0x1.b71170403a82fp+4, 0x1.b48a0fc830e9ap+3, -0x1.3e2f17b6cfd97p+2,
     -0x1.ec92d0337f0a4p+4, 0x1.5c25a76c9e83ep+3, 0x1.cef388e4d4d99p+0},
    {0x1.2affb83ddcadfp-6, 0x1.cc7575141dff9p-6, -0x1.b2b14e79581ccp-7},
    {0x1.000d9a98fb719p+9, 0x1.f955f02e76a4cp+8, 0x1.fdffce0206e4dp+8, 0x1.9cfc8893f886dp+8, 0x1.f461dfb28b2b8p+8,
     0x1.03ffeec04139p+9, 0x1.e2dc282b2caf8p+8, 0x1.fe003980baa2dp+8, 0x1.d26e9c0963308p+8, 0x1.f1764bb9dba83p+8,
     0x1.eef163981e45fp+8, 0x1.fe03019c17e3bp+8, 0x1.f218ea2b3a2bap+8, 0x1.0400a7e65443bp+9, 0x1.03fffa508e029p+9}};

template <class T>
void within_bounds_on_worst_rows() {
  Comparison check(Kind::floating, "the worst rows of a search, in u, " + format_name<T>(), slugs<"finite_logits">());
  auto rows = worst_found;
  for (const char* function : {"s_", "log s_", "log of the sum"})
    rows.push_back(worst_input(seed_of("search"), 1, 16,
                               [&](const std::vector<double>& row) { return worst_ratio<T>(row, function); },
                               {.random = 150, .climb = 250})
                       .row);
  for (const auto& row : rows)
    for (double temperature : {1.0, 0.37})
      each_error<T>(row, temperature,
                    [&](double error, double bound, const std::string& what) { check.error(error, bound, what); });
}

}  // namespace

TEST_CASE("numeric: the weights lie in the simplex, keep order and ignore a shift") {
  // [softmax_simplex]
  RowClasses classes;
  for_all(Kind::numeric, "weights in (0, 1], sum, order and shift, in 50 digits", logits<"finite_logits">(),
          [&classes](const Logits& row) {
            classes.count_case(row);
            std::vector<Precise> z = precise(row);
            const std::vector<Precise> s = softmax::softmax<Precise>(z);
            Precise total = 0;
            for (std::size_t i = 0; i < z.size(); ++i) {
              total += s[i];
              RC_ASSERT(s[i] > 0 && s[i] <= 1);
              for (std::size_t j = 0; j < i; ++j) {
                RC_ASSERT((z[i] < z[j]) == (s[i] < s[j]));
                RC_ASSERT((z[i] == z[j]) == (s[i] == s[j]));
              }
            }
            RC_ASSERT(abs(total - 1) <= precise_exp_error);
            for (Precise& logit : z) logit += Precise(1000) / 3;
            const std::vector<Precise> shifted = softmax::softmax<Precise>(z);
            for (std::size_t i = 0; i < z.size(); ++i) RC_ASSERT(abs(shifted[i] - s[i]) <= precise_exp_error * s[i]);
          });
  // [softmax_simplex]
}

TEST_CASE("numeric: of two or more weights none is 1") {
  RowClasses classes;
  for_all(Kind::numeric, "what the other logits weigh is positive, in 50 digits",
          logits<"finite_logits", "two_or_more_logits">(), [&classes](const Logits& row) {
            classes.count_case(row);
            const std::vector<Precise> s = softmax::softmax<Precise>(precise(row));
            Precise total = 0;
            for (const Precise& weight : s) total += weight;
            for (std::size_t i = 0; i < s.size(); ++i) {
              Precise others = 0;
              for (std::size_t j = 0; j < s.size(); ++j)
                if (j != i) others += s[j];
              RC_ASSERT(others > 0);
              // below 1e-45 it is lost beside the weight even in 50 digits
              if (others > Precise("1e-45")) RC_ASSERT(s[i] < 1);
            }
          });
}

TEST_CASE("numeric: the shifted form is the definition") {
  RowClasses classes;
  Comparison check(Kind::numeric, "relative error in 50 digits against e^z over its sum", slugs<"finite_logits">());
  for (std::size_t index = 0; index < 300; ++index) {
    const Logits row = sampled_logits(seed_of("definition"), index);
    check.classify(classes.count(row));
    const double temperature = index % 2 == 0 ? 1 : 0.75;
    const SoftmaxReference exact(row, temperature);
    const auto z = precise(row);
    const auto s = softmax::softmax<Precise>(z, Precise(temperature));
    const auto l = log_softmax<Precise>(z, Precise(temperature));
    for (std::size_t i = 0; i < z.size(); ++i) {
      // two exponentials and two sums in each; the logarithm is compared through its exponential
      check.error(relative_error(s[i], exact.weight(i)), static_cast<double>(4 * precise_exp_error),
                  fmt::format("s_{} of row {}", i, index));
      check.error(relative_error(exp(l[i]), exact.weight(i)), static_cast<double>(4 * precise_exp_error),
                  fmt::format("log s_{}", i));
    }
    if (temperature == 1)
      check.error(static_cast<double>(Precise(abs(log_sum_exp<Precise>(z) - exact.log_sum_exp()))),
                  static_cast<double>(4 * precise_exp_error), "log of the sum");
  }
}

TEST_CASE("numeric: both logarithms have their derivatives in automatic differentiation") {
  RowClasses classes;
  Comparison check(Kind::numeric,
                   "derivatives of log-sum-exp against the weights, of log s_i against delta_ij - s_j, in 50 digits",
                   slugs<"finite_logits">());
  for (std::size_t index = 0; index < 60; ++index) {
    const Logits row = sampled_logits(seed_of("autodiff"), index, 1, 8);
    check.classify(classes.count(row));
    const std::vector<Precise> z = precise(row), s = reference_weights(z);
    // quotients of sums of exponentials, at most 1: four exponentials and sums on either side
    const Precise granted = 8 * precise_exp_error;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const std::vector<Dual> moved = along(z, axis(z.size(), j));
      check.compare_as<Precise>(log_sum_exp<Dual>(moved).derivative(1), s[j], granted, "log of the sum");
      const std::vector<Dual> l = log_softmax<Dual>(moved);
      for (std::size_t i = 0; i < z.size(); ++i)
        check.compare_as<Precise>(l[i].derivative(1), (i == j ? 1 : 0) - s[j], granted, fmt::format("log s_{}", i));
    }
  }
}

TEST_CASE("numeric: logarithms of whole numbers give fractions") {
  Comparison check(Kind::numeric, "softmax(log k) against k over the sum of k, in 50 digits", slugs<"finite_logits">());
  for (int n = 1; n <= 12; ++n) {
    std::vector<Precise> z;
    for (int k = 1; k <= n; ++k) z.push_back(log(Precise(k * k + 3)));
    const auto s = softmax::softmax<Precise>(z);
    Precise total = 0;
    for (int k = 1; k <= n; ++k) total += k * k + 3;
    for (int k = 1; k <= n; ++k)
      check.compare_as<Precise>(s[static_cast<std::size_t>(k - 1)], (k * k + 3) / total, 4 * precise_exp_error,
                                fmt::format("n = {}, k = {}", n, k));
  }
}

TEST_CASE("numeric: only gaps matter") {
  Comparison check(Kind::numeric, "weight of the last logit, to six decimals", slugs<"finite_logits">());
  check.compare(weights({500, 500, 500})[2], 1.0 / 3, 1e-15, "equal logits of 500");
  check.compare(weights({490, 495, 500})[2], 0.993262, 5e-7, "gaps of 5");
  check.compare(weights({4.9, 4.95, 5})[2], 0.350132, 5e-7, "gaps of 0.05");
}

TEST_CASE("numeric: a normal logit of deviation 8 overflows no exponential") {
  Comparison check(Kind::numeric, "P(X > log of the largest number) for X normal of deviation 8",
                   slugs<"finite_logits">());
  const auto tail = [](double largest) { return std::erfc(std::log(largest) / 8 / std::sqrt(2.0)) / 2; };
  check.compare(tail(std::numeric_limits<float>::max()), 7.0e-29, 0.05e-29, "float");
  check.compare(tail(65504), 0.0828, 0.00005, "half precision, unshifted");
  check.compare(std::log(static_cast<double>(std::numeric_limits<float>::max())), 88.72, 0.005, "log of the largest");
  check.compare(std::log(65504.0), 11.09, 0.005, "log of the largest in half precision");
  // the shift leaves nothing that could overflow
  for (float s : softmax::softmax<float>(std::vector<float>{90, 89, 3e38f})) CHECK(std::isfinite(s));
  CHECK(softmax::softmax<float>(std::vector<float>{90, 90}) == std::vector<float>{0.5f, 0.5f});
}

TEST_CASE("floating: exp and log1p are within one ulp, as the page assumes") {
  Comparison check(Kind::floating, "relative error of exp and log1p in u", slugs<"finite_logits">());
  const auto run = [&check]<class T>(T, double least) {
    for (int i = 0; i <= 4000; ++i) {
      const T x = static_cast<T>(least * i / 4000.0);
      const Precise exact = exp(Precise(x));
      check.error(error_in_u(std::exp(x), exact, exact, 1), 2, fmt::format("exp({:a})", x));
      const T y = static_cast<T>(std::exp2(-60 + 70 * i / 4000.0));
      const Precise exact_log = log(1 + Precise(y));
      check.error(error_in_u(std::log1p(y), exact_log, exact_log), 2, fmt::format("log1p({:a})", y));
    }
  };
  run(0.0, -745);
  run(0.0f, -103);
}

TEST_CASE("floating: double within its bounds on generated rows") { within_bounds_on_generated_rows<double>(); }
TEST_CASE("floating: float within its bounds on generated rows") { within_bounds_on_generated_rows<float>(); }
TEST_CASE("floating: double within its bounds on the worst rows") { within_bounds_on_worst_rows<double>(); }
TEST_CASE("floating: float within its bounds on the worst rows") { within_bounds_on_worst_rows<float>(); }

TEST_CASE("floating: the rounded weights stay in the simplex and keep ties") {
  RowClasses classes;
  for_all(Kind::floating, "weights in [0, 1], equal for equal logits, sum within (depth + 1) u of 1",
          logits<"finite_logits">(), [&classes](const Logits& row) {
            classes.count_case(row);
            const auto s = weights(row.z);
            Precise total = 0;
            for (std::size_t i = 0; i < s.size(); ++i) {
              RC_ASSERT(s[i] >= 0 && s[i] <= 1);
              total += s[i];
              for (std::size_t j = 0; j < i; ++j)
                if (row.z[i] == row.z[j]) RC_ASSERT(s[i] == s[j]);
            }
            RC_ASSERT(abs(total - 1) <= higher_orders * (sum_depth(s.size()) + 1) * unit_of_rounding<double>);
          });
}

TEST_CASE("floating: a shift that is exact changes no bit") {
  RowClasses classes;
  for_all(Kind::floating, "logits in eighths, shifted by whole numbers", logits<"finite_logits">(),
          [&classes](const Logits& row) {
            std::vector<double> z, shifted;
            for (double x : row.z) {
              z.push_back(std::nearbyint(8 * x) / 8);
              shifted.push_back(z.back() + 123456789);
            }
            classes.count_case(z);
            RC_ASSERT(weights(z) == weights(shifted));
            RC_ASSERT(logs(z) == logs(shifted));
          });
}

TEST_CASE("floating: what overflows on the way does not matter") {
  const double e2 = std::exp(-2.0), e1 = std::exp(-1.0);
  CHECK(weights({1e308, -1e308}, 1e308)[1] == Approx(e2 / (1 + e2)).epsilon(1e-15));
  CHECK(weights({1e308, -1e308})[1] == 0);
  CHECK(weights({0, 5e-324}, 5e-324)[0] == Approx(e1 / (1 + e1)).epsilon(1e-15));
  CHECK(logs({1e308, -1e308}, 1e308)[1] == Approx(-2 - std::log1p(e2)).epsilon(1e-15));
  CHECK(lse({lowest, lowest}) == lowest);
  CHECK(weights({800, 1, 1}) == std::vector<double>{1, 0, 0});
  CHECK(weights({800, 1, 1}, 100)[1] == Approx(std::exp(-7.99) / (1 + 2 * std::exp(-7.99))).epsilon(1e-14));
  CHECK(lse({800, 800}) == Approx(800 + std::log(2.0)).epsilon(1e-15));
  CHECK(logs({1, -10, 1000}) == std::vector<double>{-999, -1010, 0});
  CHECK(logs({0, 50})[1] == Approx(-std::exp(-50.0)).epsilon(1e-14));
}

TEST_CASE("floating: what underflows is off by the smallest subnormal numbers that the page grants") {
  Comparison check(Kind::floating, "weights and logarithms at gaps of 700 to 800 in u, double",
                   slugs<"finite_logits">());
  for (const std::size_t n : {2u, 3u, 17u})
    for (double gap = 700; gap <= 800; gap += 0.37)
      for (const double temperature : {1.0, 0.37}) {
        std::vector<double> z(n, -gap * temperature);
        z[0] = 0;
        each_error<double>(z, temperature, [&](double error, double bound, const std::string& what) {
          check.error(error, bound, what);
        });
      }
  // the truth is -3.7e-348
  CHECK(logs({0, -800})[0] == 0);
}

TEST_CASE("floating: infinite logits") {
  CHECK(weights({inf, 1, 2}) == std::vector<double>{1, 0, 0});
  CHECK(weights({inf, 1, inf}) == std::vector<double>{0.5, 0, 0.5});
  CHECK(weights({-inf, 3}) == std::vector<double>{0, 1});
  CHECK(weights({-inf, inf, -inf}) == std::vector<double>{0, 1, 0});
  CHECK(logs({inf, 1, 2}) == std::vector<double>{0, -inf, -inf});
  CHECK(logs({-inf, 0}) == std::vector<double>{-inf, 0});
  CHECK(lse({inf, 1}) == inf);
  CHECK(lse({-inf, 2}) == 2);
  CHECK(lse({-inf, -inf}) == -inf);
  CHECK(lse({}) == -inf);
  RowClasses classes;
  for_all(Kind::floating, "logits of -infinity weigh 0 and change the others by the order of the sum alone",
          logits<"finite_logits">(), [&classes](const Logits& row) {
            classes.count_case(row);
            std::vector<double> masked;
            for (double x : row.z) masked.insert(masked.end(), {-inf, x});
            const auto s = weights(masked), without = weights(row.z);
            // the same terms in two orders, and one division each
            const double granted =
                higher_orders * unit_of_rounding<double> * (sum_depth(s.size()) + sum_depth(row.z.size()) + 2);
            for (std::size_t i = 0; i < without.size(); ++i) {
              RC_ASSERT(s[2 * i] == 0);
              RC_ASSERT(std::abs(s[2 * i + 1] - without[i]) <= granted * without[i]);
            }
          });
}

TEST_CASE("floating: numbers that stand in for a mask") {
  CHECK(weights({lowest, lowest, lowest, lowest}) == std::vector<double>(4, 0.25));
  CHECK(lowest + lowest == -inf);
  CHECK_THROWS_WITH(weights({lowest + lowest, lowest + lowest}), Catch::Contains("given 2 that are all -infinity"));
  // a masked entry of -1e5 takes all the weight where the others are lower still
  CHECK(weights({-2e5, -1e5}) == std::vector<double>{0, 1});
  CHECK(weights({-2e5, -inf}) == std::vector<double>{1, 0});
}

TEST_CASE("floating: temperatures 0 and infinity are limits") {
  CHECK(weights({1, 2}, 0) == std::vector<double>{0, 1});
  CHECK(weights({1, 1}, 0) == std::vector<double>{0.5, 0.5});
  CHECK(weights({1, -inf, 7, 7}, 0) == std::vector<double>{0, 0, 0.5, 0.5});
  CHECK(logs({1, 2}, 0) == std::vector<double>{-inf, 0});
  CHECK(weights({1, 5, -inf}, inf) == std::vector<double>{0.5, 0.5, 0});
  CHECK(weights({1e308, -1e308}, inf) == std::vector<double>{0.5, 0.5});
  // the limits in the logits come first
  CHECK(weights({inf, 0}, inf) == std::vector<double>{1, 0});
  CHECK(weights({inf, 0, inf, -inf}, inf) == std::vector<double>{0.5, 0, 0.5, 0});
  CHECK(logs({inf, 0}, inf) == std::vector<double>{0, -inf});
}

TEST_CASE("falsifier: what breaks, and what is refused") {
  const auto count = [](const std::vector<double>& s, auto condition) {
    return static_cast<int>(std::count_if(s.begin(), s.end(), condition));
  };
  falsifier("finite_logits", "\\(z = (0, -\\infty)\\)", "the number of weights above 0",
            count(weights({0, -inf}), [](double s) { return s > 0; }), 2);
  falsifier("finite_logits", "\\(z = (0, -\\infty)\\)", "the number of weights below 1",
            count(weights({0, -inf}), [](double s) { return s < 1; }), 2);
  falsifier("two_or_more_logits", "\\(z = (0)\\), a single logit", "the number of weights below 1",
            count(weights({0}), [](double s) { return s < 1; }), 1);
  refusal("non_empty", "softmax of no logits", [] { weights({}); });
  refusal("non_empty", "log-softmax of no logits", [] { logs({}); });
}

TEST_CASE("falsifier: bad input of softmax is named") {
  CHECK_THROWS_WITH(weights({1, 2, not_a_number}), Catch::Contains("given NaN as logit 2"));
  CHECK_THROWS_WITH(logs({not_a_number, 2}), Catch::Contains("given NaN as logit 0"));
  CHECK_THROWS_WITH(lse({1, not_a_number}), Catch::Contains("log_sum_exp") && Catch::Contains("logit 1"));
  CHECK_THROWS_WITH(weights({1, 2}, -1), Catch::Contains("temperature of 0 or above, given -1"));
  CHECK_THROWS_WITH(weights({1, 2}, not_a_number), Catch::Contains("given nan"));
  CHECK_THROWS_WITH(logs({-inf, -inf, -inf}), Catch::Contains("given 3 that are all -infinity"));
  CHECK_THROWS_AS(weights({-inf}), std::domain_error);
}

}  // namespace softmax_simplex_test
