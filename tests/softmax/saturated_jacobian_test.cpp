// 1. In 50 digits, on rows at scales 0.01 to 1000, the chains of inequalities of the step hold, and the largest
//    absolute row sum of the matrix is max 2 s_i (1 - s_i).
// 2. On (gap, 0, ..., 0) the norm over its bound is 1/(1 + r)^2, which tends to 1; with a unique maximum J(tz) -> 0.
// 3. In double and float every function stays within the bound of the page, from weights and from logits: on
//    generated rows, on the worst that a search finds, and on the worst found.
// 4. A weight that is 0, a single logit, and two largest logits each break a claim.

#include "rootdk/softmax/saturated_jacobian.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "support/logits.hpp"
#include "support/simplex_points.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"
#include "support/worst_input.hpp"

namespace saturated_jacobian_test {

using namespace rootdk;
using namespace rootdk::testing;
using softmax::jacobian_frobenius_norm;
using softmax::jacobian_infinity_norm;
using softmax::jacobian_spectral_norm;
using softmax::jacobian_trace;
using softmax::saturated_jacobian_bound;

namespace {

using Precise = boost::multiprecision::cpp_bin_float_50;
using Doubles = std::vector<double>;
const Precise epsilon = std::numeric_limits<Precise>::epsilon();

// The largest absolute row sum and the trace, from the entries of the Jacobian.
struct FromMatrix {
  Precise infinity_norm = 0, trace = 0, frobenius_norm = 0;
  explicit FromMatrix(const std::vector<Precise>& z) {
    const auto j = softmax::softmax_jacobian<Precise>(z);
    const std::size_t n = z.size();
    Precise squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Precise sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        sum += abs(j[i * n + k]);
        squares += j[i * n + k] * j[i * n + k];
      }
      infinity_norm = std::max(infinity_norm, sum);
      trace += j[i * n + i];
    }
    frobenius_norm = sqrt(squares);
  }
};

// (n - 1) e^(-gap), and 1 - s_max as the sum of all weights but one of the largest.
struct Saturation {
  Precise gap, r, rest;
  explicit Saturation(const std::vector<Precise>& z) {
    auto falling = z;
    std::sort(falling.begin(), falling.end(), std::greater<Precise>());
    gap = falling[0] - falling[1];
    r = Precise(z.size() - 1) * exp(-gap);
    Precise others = 0;
    for (std::size_t i = 1; i < z.size(); ++i) others += exp(falling[i] - falling[0]);
    rest = others / (1 + others);
  }
};

// a <= b apart from rounding in 50 digits, for positive numbers
bool at_most(const Precise& a, const Precise& b) { return a <= b * (1 + 10000 * epsilon); }
bool equal(const Precise& a, const Precise& b) { return at_most(a, b) && at_most(b, a); }

}  // namespace

TEST_CASE("numeric: both chains of inequalities at chosen scales") {
  RowClasses classes;
  // [saturated_jacobian]
  for_all(
      Kind::numeric,
      "0 < infinity norm <= 2(1 - s_max) <= 2r; 2-norm <= Frobenius <= trace <= 2(1 - s_max), 50 "
      "digits",
      logits<"finite_logits", "two_or_more_logits">(8),
      [&](const Logits& row) {
        const auto z = as<Precise>(row.z);
        const auto s = softmax::softmax<Precise>(z);
        const Saturation saturation(z);
        const Precise norm = jacobian_infinity_norm<Precise>(s), trace = jacobian_trace<Precise>(s),
                      frobenius = jacobian_frobenius_norm<Precise>(s), spectral = jacobian_spectral_norm<Precise>(s);
        RC_ASSERT(norm > 0);
        RC_ASSERT(at_most(norm, 2 * saturation.rest));
        RC_ASSERT(at_most(2 * saturation.rest, 2 * saturation.r));
        RC_ASSERT(at_most(spectral, frobenius));
        RC_ASSERT(at_most(frobenius, trace));
        RC_ASSERT(at_most(trace, 2 * saturation.rest));
        // [saturated_jacobian]
        const FromMatrix matrix(z);
        RC_ASSERT(equal(norm, matrix.infinity_norm));
        RC_ASSERT(equal(trace, matrix.trace));
        RC_ASSERT(equal(frobenius, matrix.frobenius_norm));
        RC_ASSERT(equal(saturated_jacobian_bound<Precise>(z), 2 * saturation.r));
        classes.count_case(row.z);
      },
      Cases{500});
}

TEST_CASE("numeric: the bound is attained in the limit") {
  Comparison check(Kind::numeric, "infinity norm over 2r on (gap, 0, ..., 0) against 1/(1 + r)^2, 50 digits",
                   slugs<"finite_logits", "two_or_more_logits">());
  for (const std::size_t n : {2u, 4u, 64u})
    for (const double gap : {0.0, 1.0, 10.0, 100.0, 1000.0, 999997.0}) {
      std::vector<Precise> z(n, 0);
      z[0] = gap;
      const Precise bound = saturated_jacobian_bound<Precise>(z), r = bound / 2;
      const Precise ratio = jacobian_infinity_norm<Precise>(softmax::softmax<Precise>(z)) / bound;
      const Precise expected = 1 / ((1 + r) * (1 + r));
      check.compare_as<Precise>(ratio, expected, 10 * (gap + 10) * epsilon, fmt::format("n {}, gap {}", n, gap));
      if (gap >= 10) check.compare_as<Precise>(ratio, 1, 2 * r + 10 * (gap + 10) * epsilon, "distance from 1");
    }
}

TEST_CASE("numeric: the norms at one two three and a million") {
  const std::vector<Precise> z{1, 2, 3, 1000000};
  const Precise norm = jacobian_infinity_norm<Precise>(softmax::softmax<Precise>(z));
  CHECK(norm > 0);
  CHECK(norm <= 6 * exp(Precise(-999997)));
  CHECK(norm >= 2 * exp(Precise(-999997)));
}

TEST_CASE("numeric: with a unique maximum the Jacobian tends to 0") {
  RowClasses classes;
  for_all(
      Kind::numeric, "every norm of J(tz) is at most 2(n - 1)e^(-k) at t = k/gap, k up to 10000, 50 digits",
      logits<"unique_maximum">(8),
      [&](const Logits& row) {
        const auto z = as<Precise>(row.z);
        // a single logit has no runner-up, and one infinitely far above it leaves it no weight: J = 0 at every t
        const bool lone = z.size() == 1 || isinf(Saturation(z).gap);
        const Precise gap = lone ? Precise(1) : Saturation(z).gap;
        if (lone) RC_ASSERT(jacobian_trace<Precise>(softmax::softmax<Precise>(z)) == 0);
        for (const int k : {1, 10, 100, 1000, 10000}) {
          const auto s = softmax::softmax<Precise>(z, Precise(gap / k));
          const Precise bound = 2 * Precise(z.size() - 1) * exp(Precise(-k)) * (1 + 100 * k * epsilon);
          RC_ASSERT(at_most(jacobian_infinity_norm<Precise>(s), bound));
          RC_ASSERT(at_most(jacobian_trace<Precise>(s), bound));
        }
        if (!lone) classes.count_case(row.z);
      },
      Cases{300});
}

namespace {

// The error in units of u of the expected value, apart from so many smallest subnormal numbers.
template <class S>
double relative_error(const S& measured, const Precise& expected, double underflows) {
  const Precise unit = std::numeric_limits<S>::epsilon() / 2, smallest = std::numeric_limits<S>::denorm_min();
  const Precise error = abs(Precise(static_cast<Precise>(measured) - expected)) - underflows * smallest;
  return error <= 0 ? 0.0 : static_cast<double>(Precise(error / expected / unit));
}

// How far logits may lie apart for all exponentials to be normal numbers; log n less, and all weights are.
template <class S>
double widest() {
  return -std::log(static_cast<double>(std::numeric_limits<S>::min()));
}

// Calls each(error, bound, what, from_logits) for every function at one row; errors and bounds in units of u.
template <class S, class Each>
void each_error(const std::vector<double>& row, const Each& each) {
  const auto z = as<S>(row);
  const std::size_t n = z.size();
  const int l = ceil_log2(n);
  const auto s = softmax::softmax<S>(z);
  const auto exact = as<Precise>(s);
  const S norm = jacobian_infinity_norm<S>(s), trace = jacobian_trace<S>(s), frobenius = jacobian_frobenius_norm<S>(s);
  const double half = static_cast<double>(n) / 2;
  if (norm == 0) CHECK(jacobian_infinity_norm<Precise>(exact) <= Precise(std::numeric_limits<S>::denorm_min()) / 2);
  each(relative_error(norm, jacobian_infinity_norm<Precise>(exact), 0.5), 2 * l + 2, "infinity norm", false);
  each(relative_error(trace, jacobian_trace<Precise>(exact), half), 3 * l + 2, "trace", false);
  each(relative_error(frobenius, jacobian_frobenius_norm<Precise>(exact), half + 0.5), 3 * l + 6, "Frobenius norm",
       false);

  const auto [low, high] = std::minmax_element(z.begin(), z.end());
  const double furthest = static_cast<double>(*high) - static_cast<double>(*low);
  if (furthest + std::log(static_cast<double>(n)) >= widest<S>()) return;
  const auto reference = softmax::softmax<Precise>(as<Precise>(z));
  // twice the relative error of a weight, by the page of the simplex, at temperature 1
  const double weights = 2 * (furthest + std::log(static_cast<double>(n)) + l + 5);
  // of r: a rounding of the gap, twice u of the exponential, and the product with n - 1
  each(relative_error(saturated_jacobian_bound<S>(z), saturated_jacobian_bound<Precise>(as<Precise>(z)), 0),
       static_cast<double>(softmax::logit_gap<Precise>(as<Precise>(z))) + 3, "the bound", true);
  each(relative_error(norm, jacobian_infinity_norm<Precise>(reference), 0.5), 2 * l + 2 + weights, "infinity norm",
       true);
  each(relative_error(trace, jacobian_trace<Precise>(reference), half), 3 * l + 2 + weights, "trace", true);
  each(relative_error(jacobian_spectral_norm<S>(s), jacobian_spectral_norm<Precise>(reference), 1), l + 7 + weights,
       "spectral norm", true);
}

// Found by worst_input with ROOTDK_SEARCH=20, as it prints them.
const std::vector<Doubles> worst_found{{-0x1.2553ae5b030ccp-8, -0x1.707ae140df926p-6},
                                       {0x1.f35b400f42ad8p+8, 0x1.f22bf7bcf58e7p+8},
                                       {0x1.b7bbf3ab149bep-3, 0x1.d2506fa1ed388p-3},
                                       {0x1.717ffdd7b954fp-26, -0x1p+1, -0x1p+0, -0x1p+1, -0x1.265643841000fp-11}};

template <class S>
void in_floating_point(const char* name) {
  constexpr auto hypotheses = slugs<"finite_logits", "two_or_more_logits">();
  Comparison given(Kind::floating, fmt::format("trace and norms in {} from given weights, in units of u", name),
                   hypotheses);
  Comparison from_logits(Kind::floating, fmt::format("trace and norms in {} from logits, in units of u", name),
                         hypotheses);
  // says whether the row was compared from its logits too
  const auto compare = [&](const Doubles& row) {
    bool both = false;
    each_error<S>(row, [&](double error, double bound, const char* what, bool logits) {
      both = both || logits;
      (logits ? from_logits : given).error(error, bound, what);
    });
    return both;
  };
  RowClasses given_classes, logit_classes;
  for (std::size_t index = 0; index < 150; ++index) {
    const Doubles row = sampled_logits(seed_of("floating"), index, 2).z;
    given.classify(given_classes.count(row));
    if (compare(row)) {
      from_logits.classify(logit_classes.count(row));
      continue;
    }
    // too wide for a weight of every logit to be a normal number: made as wide as that allows
    const auto [low, high] = std::minmax_element(row.begin(), row.end());
    const double factor = 0.9 * widest<S>() / (*high - *low);
    Doubles narrow = row;
    for (double& x : narrow) x *= factor;
    if (compare(narrow)) from_logits.classify(logit_classes.count(narrow));
  }
  for (const Doubles& row : worst_found) compare(row);
  const auto search = [&](std::string_view function, bool from) {
    compare(worst_input(seed_of("search"), 2, 8, [&](const Doubles& row) {
              double worst = 0;
              each_error<S>(row, [&](double error, double bound, std::string_view what, bool logits) {
                if (what == function && logits == from) worst = worse_ratio(worst, error, bound);
              });
              return worst;
            }).row);
  };
  for (const char* function : {"infinity norm", "trace", "Frobenius norm"}) search(function, false);
  for (const char* function : {"the bound", "infinity norm", "trace", "spectral norm"}) search(function, true);
}

}  // namespace

TEST_CASE("floating: trace and norms in double and float") {
  in_floating_point<double>("double");
  in_floating_point<float>("float");
}

TEST_CASE("floating: trace and norms where products underflow") {
  Comparison check(Kind::floating, "trace and norms in double beyond a gap of 700 in u, less what underflow is granted",
                   slugs<"finite_logits", "two_or_more_logits">());
  for (const std::size_t n : {2u, 3u, 8u, 17u})
    for (double gap = 700; gap <= 750; gap += 0.37) {
      Doubles row(n, -gap);
      row[0] = 0;
      for (std::size_t i = 1; i < n; ++i) row[i] -= 0.1 * static_cast<double>(i);
      row[1] = -0.1 * static_cast<double>(n);
      for (const bool one_ahead : {false, true}) {
        if (one_ahead) row[1] = -gap;
        each_error<double>(row, [&](double error, double bound, const char* what, bool logits) {
          if (!logits) check.error(error, bound, what);
        });
      }
    }
}

TEST_CASE("floating: one minus a weight that rounds to 1") {
  const auto s = softmax::softmax<double>(Doubles{40, 0});
  CHECK(2 * s[0] * (1 - s[0]) == 0);
  CHECK(jacobian_infinity_norm<double>(s) == Approx(2 * std::exp(-40.0)).epsilon(1e-14));
  CHECK(jacobian_trace<double>(s) == Approx(2 * std::exp(-40.0)).epsilon(1e-14));
  CHECK(jacobian_frobenius_norm<double>(s) == Approx(2 * std::exp(-40.0)).epsilon(1e-14));
  CHECK_THROWS_WITH(jacobian_trace(std::span<const double>()), Catch::Contains("non_empty"));
  CHECK_THROWS_WITH(jacobian_infinity_norm<double>(Doubles{2, -1}), Catch::Contains("simplex_point"));
}

TEST_CASE("falsifier: a weight of 0, a single logit, two largest logits") {
  const double inf = std::numeric_limits<double>::infinity();
  const auto sign_of_norm = [](const Doubles& z) {
    return jacobian_infinity_norm<double>(softmax::softmax<double>(z)) > 0 ? 1 : 0;
  };
  REQUIRE(sign_of_norm(Doubles{0, -1}) == 1);
  falsifier("finite_logits", "\\(z = (0, -\\infty)\\)", "the sign of \\(\\lVert J\\rVert_\\infty\\)",
            sign_of_norm(Doubles{0, -inf}), 1);
  falsifier("two_or_more_logits", "\\(n = 1\\)", "the sign of \\(\\lVert J\\rVert_\\infty\\)", sign_of_norm(Doubles{0}),
            1);
  falsifier("unique_maximum", "\\(z = (1, 1)\\), \\(t = 10^6\\)", "\\(\\lVert J(tz)\\rVert_\\infty\\)",
            jacobian_infinity_norm<double>(softmax::softmax<double>(Doubles{1, 1}, 1e-6)), 0.0);
}

}  // namespace saturated_jacobian_test
