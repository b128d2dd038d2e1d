// 1. In 50 digits 0 < 1 - s_max <= r/(1+r) < r on generated rows, with equality exactly where all logits
// but the largest are equal.
// 2. For a unique maximum softmax(tz) is within any distance of one-hot from a t on that the bound
// gives.
// 3. In double and float each function is within the page's bound of 50 digits.
// 4. Falsifiers: an infinite logit, one logit, two largest ones.

#include "rootdk/softmax/softmax_saturation.hpp"

#include "support/floating.hpp"
#include "support/logits.hpp"
#include "support/softmax_reference.hpp"
#include "support/test.hpp"
#include "support/worst_input.hpp"

namespace softmax_saturation_test {

using namespace rootdk;
using namespace rootdk::testing;
using softmax::logit_gap;
using softmax::missing_weight;
using softmax::saturation_bound;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<Precise> precise(std::span<const double> z) { return {z.begin(), z.end()}; }

// By how much the logits other than a largest one differ.
Precise spread_of_others(std::vector<double> z) {
  z.erase(std::max_element(z.begin(), z.end()));
  const auto [low, high] = std::minmax_element(z.begin(), z.end());
  return Precise(*high) - *low;
}

// The largest distance of a weight from 1 at the largest logit and 0 elsewhere, at logits tz.
Precise distance_from_one_hot(std::vector<Precise> z, const Precise& t) {
  const auto top = static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
  for (Precise& logit : z) logit *= t;
  std::vector<Precise> s = softmax::softmax<Precise>(z);
  Precise others = 0, largest = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (i == top) continue;
    others += s[i];
    largest = std::max(largest, s[i]);
  }
  return std::max(largest, others);  // what the largest lacks is what the others weigh
}

// Each function in u of its value, with the bounds of the page.
template <class T, class Each>
void each_error(const std::vector<double>& row, Each each) {
  const std::vector<T> z = rounded<T>(row);
  const SoftmaxReference exact(widened(z));
  const std::size_t n = z.size();
  const double others = static_cast<double>(n - 1);
  const Precise gap = exact.gap(), missing = exact.rest(exact.top()), r = others * exp(-gap);
  const double delta = static_cast<double>(gap);
  const T measured_gap = logit_gap<T>(z);
  const auto bound = saturation_bound<T>(measured_gap, n);
  if (gap > 0)
    each(error_in_u(measured_gap, gap, gap), higher_orders * 1, "gap");
  else
    each(static_cast<double>(measured_gap), 0, "gap of a tie");
  each(error_in_u(bound.r, r, r, others + 1), higher_orders * (delta + 3), "r");
  each(error_in_u(bound.bound, Precise(r / (1 + r)), Precise(r / (1 + r)), others + 1), higher_orders * (delta + 5),
       "r/(1+r)");
  each(error_in_u(missing_weight<T>(z), missing, missing, others + 1),
       higher_orders * (delta + std::log(static_cast<double>(n)) + sum_depth(n) + 4), "1 - s_max");
}

// The worst of one function, so that no function hides behind another whose bound is nearly
// attained.
template <class T>
double worst_ratio(const std::vector<double>& row, std::string_view function) {
  double worst = 0;
  each_error<T>(row, [&](double error, double bound, std::string_view what) {
    if (what == function) worst = worse_ratio(worst, error, bound);
  });
  return worst;
}

// Found by worst_input with ROOTDK_SEARCH=20, as it prints them.
const std::vector<std::vector<double>> worst_found{
    {0x1.b026f9fe576b5p-4, -0x1.3f64ec01f061p-6, -0x1.b133333333334p-4, -0x1.9cp-3, -0x1.211999999999ap-2},
    {-0x1.d6e147ae147aep-6, 0x1.4b252d44537c4p-6, -0x1.69b5a775fc8bbp-7}};

template <class T>
void within_bounds() {
  RowClasses classes;
  Comparison check(Kind::floating, "gap, r, r/(1+r) and 1 - s_max, in u, " + format_name<T>(),
                   slugs<"finite_logits", "two_or_more_logits">());
  const auto compare = [&](const std::vector<double>& row) {
    each_error<T>(row, [&](double error, double bound, const char* what) { check.error(error, bound, what); });
  };
  for (std::size_t index = 0; index < 1000; ++index) {
    const Logits row = sampled_logits(seed_of("floating"), index, 2);
    check.classify(classes.count(row));
    compare(row.z);
  }
  for (const auto& row : worst_found) compare(row);
  for (const char* function : {"gap", "r", "r/(1+r)", "1 - s_max"})
    compare(worst_input(seed_of("search"), 2, 16, [&](const std::vector<double>& row) {
              return worst_ratio<T>(row, function);
            }).row);
}

}  // namespace

TEST_CASE("numeric: the bound holds at every scale") {
  // [softmax_saturation]
  RowClasses classes;
  for_all(Kind::numeric, "0 < 1 - s_max <= r/(1+r) < r, in 50 digits", logits<"finite_logits", "two_or_more_logits">(),
          [&classes](const Logits& row) {
            classes.count_case(row);
            const SoftmaxReference exact(row);
            const Precise missing = exact.rest(exact.top());  // what the others weigh
            const auto [r, bound] = saturation_bound<Precise>(logit_gap<Precise>(precise(row)), row.z.size());
            RC_ASSERT(missing > 0);
            RC_ASSERT(missing <= bound * (1 + 4 * precise_exp_error));
            const Precise spread = spread_of_others(row.z);
            RC_CLASSIFY(spread == 0, "equality");
            RC_CLASSIFY(spread > 0, "strict");
            const double n = static_cast<double>(row.z.size());
            // the smallest exponential lacks the part 1 - e^-spread of what r counts it for
            if (spread > 0)
              RC_ASSERT(missing < bound * (1 - (1 - exp(-spread)) / (n * n)));
            else
              RC_ASSERT(missing >= bound * (1 - 4 * precise_exp_error));
            // below 1e-45 the two differ by less than 50 digits show
            RC_ASSERT((r > Precise("1e-45") ? bound < r : bound <= r));
            RC_ASSERT(abs(missing_weight<Precise>(precise(row)) - missing) <= 4 * precise_exp_error * missing);
          });
  // [softmax_saturation]
}

TEST_CASE("numeric: the bound is attained by one logit ahead of equal ones") {
  Comparison check(Kind::numeric, "1 - s_max at (gap, 0, ..., 0) against (n-1)/(n-1+e^gap), relative", slugs<>());
  for (std::size_t n : {2u, 3u, 8u, 64u})
    for (double scale : logit_scales) {
      std::vector<Precise> z(n, 0);
      z[n / 2] = scale;
      const Precise others = static_cast<double>(n - 1);
      const Precise closed = others / (others + exp(Precise(scale)));
      const auto name = fmt::format("n = {}, gap {}", n, scale);
      const double granted = static_cast<double>(4 * precise_exp_error);
      const Precise bound = saturation_bound<Precise>(logit_gap<Precise>(z), n).bound;
      check.error(static_cast<double>(Precise(abs(missing_weight<Precise>(z) / closed - 1))), granted, name);
      check.error(static_cast<double>(Precise(abs(bound / closed - 1))), granted, name + ", the bound");
    }
}

TEST_CASE("numeric: large multiples of the logits are as near to one-hot as asked") {
  RowClasses classes;
  for_all(Kind::numeric, "distance at most e from t = log((n-1)/e)/gap on, e = 1e-3, 1e-9, 1e-30",
          logits<"unique_maximum">(8), [&classes](const Logits& row) {
            const std::vector<Precise> z = precise(row);
            RC_CLASSIFY(z.size() == 1, "one logit");
            RC_CLASSIFY(z.size() > 1, "two or more logits");
            const bool finite = satisfies<"finite_logits">(row);
            RC_CLASSIFY(!finite, "an infinite logit");
            // one-hot at every t > 0
            const bool one_hot = z.size() == 1 || logit_gap<Precise>(z) == inf;
            if (!one_hot) classes.count_case(row);
            for (const char* asked : {"1e-3", "1e-9", "1e-30"}) {
              const Precise e(asked);
              const Precise t =
                  one_hot ? Precise(1) : log(static_cast<double>(z.size() - 1) / e) / logit_gap<Precise>(z);
              for (int factor : {1, 2, 10})
                RC_ASSERT(distance_from_one_hot(z, t * factor) <= e * (1 + 4 * precise_exp_error));
            }
          });
}

TEST_CASE("numeric: one logit of a million") {
  Comparison check(Kind::numeric, "distance of softmax(1, 2, 3, 10^6) from one-hot, in e^-999997", slugs<>());
  const std::vector<Precise> z{1, 2, 3, 1000000};
  const Precise unit = exp(Precise(-999997));
  const Precise distance = distance_from_one_hot(z, 1) / unit;
  CHECK(unit > 0);
  CHECK(distance < 3);
  check.compare_as<Precise>(distance, 1 + exp(Precise(-1)) + exp(Precise(-2)), 8 * precise_exp_error, "all of it");
  // in double it is one-hot: the distance is far below the smallest positive number
  CHECK(softmax::softmax<double>(std::vector<double>{1, 2, 3, 1e6}) == std::vector<double>{0, 0, 0, 1});
}

TEST_CASE("floating: the tail in double within its bounds") { within_bounds<double>(); }
TEST_CASE("floating: the tail in float within its bounds") { within_bounds<float>(); }

TEST_CASE("floating: where the exponential is subnormal") {
  Comparison check(Kind::floating, "r, r/(1+r) and 1 - s_max at gaps of 700 to 750 in u, double",
                   slugs<"finite_logits", "two_or_more_logits">());
  for (const std::size_t n : {2u, 3u, 17u})
    for (double gap = 700; gap <= 750; gap += 0.37) {
      std::vector<double> z(n, -gap);
      z[0] = 0;
      each_error<double>(z, [&](double error, double bound, const char* what) { check.error(error, bound, what); });
    }
  // off by more than u (gap + 3) of itself
  const double r = saturation_bound(740.0, 3).r;
  CHECK(error_in_u(r, Precise(2 * exp(Precise(-740))), Precise(r)) > 743);
}

TEST_CASE("floating: what 1 minus the rounded weight loses") {
  const std::vector<double> z{40, 0, 0};
  CHECK(1 - softmax::softmax<double>(z)[0] == 0);
  CHECK(missing_weight<double>(z) == Approx(2 * std::exp(-40.0)).epsilon(1e-14));
}

TEST_CASE("falsifier: an infinite logit, one logit, two largest ones") {
  const auto sign = [](double x) { return (x > 0) - (x < 0); };
  const auto missing = [](std::vector<double> z) { return missing_weight<double>(z); };
  falsifier("finite_logits", "\\(z = (0, -\\infty)\\)", "the sign of \\(1 - s_{\\max}\\)", sign(missing({0, -inf})), 1);
  falsifier("two_or_more_logits", "\\(z = (0)\\), a single logit", "the sign of \\(1 - s_{\\max}\\)",
            sign(missing({0})), 1);
  falsifier("unique_maximum", "\\(z = (1, 1)\\) and \\(t = 10^6\\)", "\\(s_1\\) at \\(tz\\)",
            softmax::softmax<double>(std::vector<double>{1e6, 1e6})[0], 1.0);
  refusal("two_or_more_logits", "the gap of a single logit", [] { logit_gap<double>(std::vector{1.0}); });
  refusal("two_or_more_logits", "the bound for a single logit", [] { saturation_bound(1.0, 1); });
}

TEST_CASE("falsifier: bad input of a tail is named") {
  CHECK_THROWS_WITH(saturation_bound(-1.0, 2), Catch::Contains("expected a gap of 0 or more"));
  CHECK_THROWS_WITH(saturation_bound(std::nan(""), 2), Catch::Contains("expected a gap of 0 or more"));
  CHECK_THROWS_WITH(logit_gap<double>(std::vector{1.0, std::nan("")}), Catch::Contains("given NaN as logit 1"));
  CHECK(logit_gap<double>(std::vector{inf, 1.0}) == inf);
  CHECK(logit_gap<double>(std::vector{inf, inf}) == 0);
  CHECK(saturation_bound(inf, 2).r == 0);
}

}  // namespace softmax_saturation_test
