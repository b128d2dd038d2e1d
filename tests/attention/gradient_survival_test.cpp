// 1. Two normal logits, in 50 digits: the mean of s(1-s) by two roads, its bounds, its median, the known numbers.
// 2. Two logits of any component laws and any d, by their characteristic function: the mean falls with d without a
//    scale, tends to that of normal logits under the root of d at a rate that is proved, and to 1/4 under d.
// 3. By the query the unscaled mean norm tends to 1/sqrt(2 pi): it does not vanish, and is above the scaled one.
// 4. Sampled for 2, 8, 64 and 512 keys and several component laws: means, medians, saturated rows.
// 5. Each hypothesis is needed.

#include "rootdk/attention/gradient_survival.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

#include "attention/independent_logits.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/precise.hpp"
#include "rootdk/montecarlo/bounded_mean.hpp"
#include "support/batches.hpp"
#include "support/logits.hpp"
#include "support/statistical_policy.hpp"
#include "support/test.hpp"

namespace gradient_survival_test {

using namespace rootdk;
using namespace rootdk::testing;
using attention::bounds_of_two_normal_logits;
using attention::gradient_statistics;
using attention::GradientStatistics;
using attention::mean_of_two_normal_logits;
using attention::median_gap_of_unit_logits;
using attention::median_of_two_normal_logits;
using attention::probability_of_saturation;
using attention::query_gradient;
using laws::Estimate;
using laws::Law;
using Real = laws::Precise;

namespace {

constexpr auto all =
    slugs<"mutually_independent", "zero_mean", "unit_variance", "fixed_component_law", "two_or_more_keys">();

struct NamedScale {
  const char* name;
  Scale scale;
};
const std::array<NamedScale, 3> three_scales{
    {{"no scale", Scale::none()}, {"/sqrt d", Scale::inverse_sqrt()}, {"/d", Scale::inverse()}}};

// The Fourier transform of the logistic density: pi t / sinh(pi t).
template <class S>
S logistic_transform(const S& t) {
  using std::exp;
  const S x = boost::math::constants::pi<S>() * t;
  if (x < S(1e-40)) return S(1);
  const S e = exp(-x);
  return 2 * x * e / (1 - e * e);
}

// (1/pi) integral over t > 0 of the transform times the characteristic function of the gap, which is real: the gap
// q.(k_1 - k_2) and its negative have the same law. Trapezoidal rule up to `end`, where the integrand is negligible:
// the transform is below 1e-16 from 13 on, and below 1e-52 from 40 on.
template <class S, class F>
S mean_by_transform(F characteristic_function, const S& h, const S& end = S(13)) {
  S sum = S(1) / 2;
  for (int k = 1; k * h < end; ++k) sum += logistic_transform(S(k * h)) * characteristic_function(S(k * h));
  return sum * h / boost::math::constants::pi<S>();
}

// Laws of the keys' components; their characteristic functions are closed formulas.
std::vector<Law> key_laws() {
  return {laws::normal(0, 1),
          laws::uniform(0, 1).standardised(),
          laws::laplace(0, 1).standardised(),
          laws::exponential(1).standardised(),
          laws::gamma(4, 1).standardised(),
          laws::student_t(5).standardised(),
          laws::bernoulli(0.3).standardised(),
          laws::poisson(4).standardised(),
          laws::rademacher()};
}

// Laws of the queries' components: two atoms, or normal, so that an expectation over U is a short sum.
std::vector<Law> query_laws() { return {laws::normal(0, 1), laws::rademacher(), laws::bernoulli(0.3).standardised()}; }

LogitLaw short_rule(const Law& u, double step) {
  if (!u.is_discrete()) return normal_logit(1, step);
  LogitLaw result;
  for (const laws::Atom& atom : u.atoms()) {
    result.nodes.push_back(atom.value);
    result.weights.push_back(atom.mass);
  }
  return result;
}

// The nodes of a law in rising order: its atoms, or its quadrature rule in one of two resolutions.
LogitLaw rule_of(const Law& v, double step) {
  if (v.is_discrete()) return short_rule(v, step);
  const laws::QuadratureRule& rule = v.rule(step < 0.4 ? laws::Resolution::fine : laws::Resolution::coarse);
  std::vector<std::size_t> order(rule.nodes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return rule.nodes[i] < rule.nodes[j]; });
  LogitLaw result;
  for (const std::size_t i : order) {
    if (rule.weights[i] < 1e-13) continue;  // heavy tails have nodes at 1e53
    result.nodes.push_back(rule.nodes[i]);
    result.weights.push_back(rule.weights[i]);
  }
  return result;
}

// The law of the size of a value.
LogitLaw size_of(const LogitLaw& rule) {
  std::map<double, double> weight_of;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) weight_of[std::abs(rule.nodes[i])] += rule.weights[i];
  LogitLaw result;
  for (const auto& [node, weight] : weight_of) {
    result.nodes.push_back(node);
    result.weights.push_back(weight);
  }
  return result;
}

// E s(1-s) for two keys: the gap is a sum of d independent copies of U(V_1 - V_2), whose characteristic function is
// psi(t) = E|phi(Ut)|^2, in which the sign of U does not matter.
Estimate two_key_mean(const Law& u, const Law& v, std::size_t d, const Scale& scale) {
  const double c = scale.divisor_for<double>(d), n = static_cast<double>(d);
  const auto by_rule = [&](const LogitLaw& rule, double h) {
    return mean_by_transform<double>(
        [&](double t) {
          double psi = 0;
          for (std::size_t i = 0; i < rule.nodes.size(); ++i)
            psi += rule.weights[i] * std::norm(v.characteristic_function(rule.nodes[i] * t / c).value);
          return std::pow(psi, n);
        },
        h);
  };
  const double h = std::min(0.1, 0.2 * c / std::sqrt(n));
  const double fine = by_rule(size_of(short_rule(u, 0.125)), h), coarse = by_rule(size_of(short_rule(u, 0.25)), 2 * h);
  return {fine, std::abs(fine - coarse) + (n + 100) * laws::rounding_of_density * fine};
}

// The mean of |ds_1/dq| given |k_1 - k_2|^2 = 2v, for a normal query: |k_1 - k_2|/c times the mean of s(1-s).
double norm_at(double v, double c) {
  const double tiny = 1e-200;  // there s(1-s) is 1/4
  return std::sqrt(2 * v) / c * (v > tiny ? mean_of_two_normal_logits(v / (c * c)) : 0.25);
}

// P(gap > x) for the gap between the two largest of n independent standard normals.
double probability_of_gap(std::size_t n, double x) {
  static const Law normal = laws::normal(0, 1);
  const double m = static_cast<double>(n);
  return normal.expectation([&](double z) { return m * std::pow(normal.cdf(z - x), m - 1); }).value;
}

}  // namespace

TEST_CASE("numeric: the mean for two normal logits by two roads, and its bounds, in 50 digits") {
  Comparison roads(Kind::numeric, "E s(1-s) by the density of the gap and by its characteristic function, in 50 digits",
                   all);
  Comparison bounds(Kind::numeric, "E s(1-s) between the bounds (1 - pi^2/(12 v))/sqrt(4 pi v) and 1/sqrt(4 pi v)",
                    all);
  for (const int exponent : {-12, -3, 0, 1, 2, 4, 6, 8, 10, 12}) {
    const Real v = pow(Real(2), exponent);
    const Real mean = mean_of_two_normal_logits(v);
    // E e^{itD} = e^{-v t^2} for the gap D of variance 2v; it is below 1e-52 from 11/sqrt(v) on
    const Real end = exponent > -4 ? Real(11 / sqrt(v)) : Real(40);
    const auto road = [&](const Real& h) {
      return mean_by_transform<Real>([&](const Real& t) { return Real(exp(-v * t * t)); }, h, end);
    };
    const Real h = exponent > 2 ? Real(1 / (5 * sqrt(v))) : Real(1) / 20;
    const Real fine = road(h / 2), coarse = road(h);
    const Real difference = fine - coarse;
    // the difference of two steps bounds the finer one; 10^-46 covers a few thousand roundings of either road
    roads.compare_as<Real>(mean, fine, abs(difference) + Real("1e-46"), fmt::format("v = 2^{}", exponent));
    const auto [lower, upper] = bounds_of_two_normal_logits(v);
    const Real middle = (lower + upper) / 2, half = (upper - lower) / 2;
    bounds.compare_as<Real>(mean, middle, half, fmt::format("v = 2^{}", exponent));
  }
}

TEST_CASE("floating: the mean for two normal logits at the ends of the range of v") {
  Comparison check(Kind::floating, "E s(1-s) in double against 1/4 - v/8 and 1/sqrt(4 pi v), relative", all);
  const double granted = 300 * 0x1p-53;  // "a few hundred u"
  for (const double v : {5e-324, 1e-323, 1.5e-323, 1e-310, 1e-308, 1e-300, 1e-100, 1e-20})
    check.error(std::abs(4 * mean_of_two_normal_logits(v) - 1), granted, fmt::format("v = {}", v));
  check.error(std::abs(4 * mean_of_two_normal_logits(1e-10) - (1 - 5e-11)), granted, "v = 1e-10");
  for (const double v : {5e-324, 1e-323, 1e-310, 1e-300, 1e300, 1e308}) {
    const double root = static_cast<double>(sqrt(4 * boost::math::constants::pi<Real>() * Real(v)));
    check.error(std::abs(bounds_of_two_normal_logits(v).upper * root - 1), granted, fmt::format("bound, v = {}", v));
  }
}

TEST_CASE("numeric: the median for two normal logits") {
  Comparison check(Kind::numeric, "half of all gaps are below the median's; -log median is c sqrt d to first order",
                   all);
  const Real c = median_gap_of_unit_logits<Real>();
  check.compare_as<Real>(c, Real("0.95387"), Real("0.000005"), "c = sqrt 2 quantile(3/4)");
  check.compare_as<Real>(c / sqrt(Real(2)), Real(laws::normal(0, 1).quantile(0.75)), Real(1e-14),
                         "the quartile of a normal");
  for (std::size_t d = 1; d <= 4096; d *= 4) {
    const Real v = d, median = median_of_two_normal_logits(v);
    // the gap x with s(1-s) = median, from s alone
    const Real s = (1 + sqrt(Real(1 - 4 * median))) / 2;
    const Real others = median / s;  // 1 - s, without cancelling
    const Real gap = log(Real(s / others));
    check.compare_as<Real>(boost::math::erfc(Real(gap / sqrt(Real(4 * v)))), Real(1) / 2, Real("1e-45"),
                           "P(gap > its median)");
    // sigma'(x) lies between e^-x / 4 and e^-x
    const Real exponent = -log(median) - c * sqrt(v);
    check.compare_as<Real>(exponent, log(Real(2)), log(Real(2)), fmt::format("d = {}", d));
  }
}

TEST_CASE("numeric: entropy and largest weight for two normal logits between their bounds, in 50 digits") {
  Comparison check(Kind::numeric, "E H and E(1 - s_max) of two normal logits between the bounds of the page", all);
  const Real pi = boost::math::constants::pi<Real>(), zeta3("1.2020569031595942853997381615114499907649862923405");
  // Twice the integral over x > 0 of f times the density of the gap, x = e^t: the trapezoidal rule in t.
  const auto mean = [&](const auto& f, const Real& v, const Real& h) {
    Real sum = 0;
    for (int k = static_cast<int>(-115 / static_cast<double>(h)); k * h < 5; ++k) {
      const Real x = exp(Real(k * h));
      sum += x * f(x) * exp(Real(-x * x / (4 * v)));
    }
    return Real(2 * h * sum / sqrt(Real(4 * pi * v)));
  };
  const auto entropy = [](const Real& x) { return Real(log1p(Real(exp(Real(-x)))) + x / (1 + exp(x))); };
  const auto others = [](const Real& x) { return Real(1 / (1 + exp(x))); };
  for (const int exponent : {2, 6, 12}) {
    const Real v = pow(Real(2), exponent), unit = 1 / sqrt(Real(4 * pi * v));
    const auto between = [&](const auto& f, const Real& total, const Real& second, const char* what) {
      const Real fine = mean(f, v, Real("0.02")), coarse = mean(f, v, Real("0.04"));
      const Real high = total * unit, low = (total - second / (4 * v)) * unit;
      check.compare_as<Real>(fine, Real((low + high) / 2), Real((high - low) / 2 - abs(Real(fine - coarse))),
                             fmt::format("{}, v = 2^{}", what, exponent));
    };
    between(entropy, Real(pi * pi / 3), Real(7 * pow(pi, 4) / 45), "entropy");
    between(others, Real(2 * log(Real(2))), Real(3 * zeta3), "1 - s_max");
  }
}

TEST_CASE("numeric: the known numbers at d = 64") {
  Comparison check(Kind::numeric, "mean and median for two normal logits at d = 64, to the digits that are quoted",
                   all);
  const double half_digit = 0.5;
  const auto quoted = [&](double measured, double value, double unit, const std::string& what) {
    check.compare(measured, value, half_digit * unit, what);
  };
  quoted(mean_of_two_normal_logits(1.0), 0.1816, 1e-4, "mean, scaled");
  quoted(mean_of_two_normal_logits(64.0), 0.0348, 1e-4, "mean, unscaled");
  quoted(bounds_of_two_normal_logits(64.0).upper, 0.0353, 1e-4, "1/sqrt(4 pi d)");
  quoted(median_of_two_normal_logits(1.0), 0.2008, 1e-4, "median, scaled");
  quoted(median_of_two_normal_logits(64.0), 4.85e-4, 1e-6, "median, unscaled");
  // by the raw dot product the scaled gradient carries a further 1/sqrt d, and is the smaller one on average
  const double by_product = mean_of_two_normal_logits(1.0) / 8;
  quoted(by_product, 0.0227, 1e-4, "mean by q.k, scaled");
  CHECK(by_product < mean_of_two_normal_logits(64.0));
  // how often one weight is above 0.999
  quoted(probability_of_saturation(64.0, 0.999), 0.54, 1e-2, "share above 0.999, unscaled");
  CHECK(probability_of_saturation(1.0, 0.999) < 1.1e-6);
  CHECK_THROWS_AS(mean_of_two_normal_logits(0.0), std::domain_error);
  CHECK_THROWS_AS(probability_of_saturation(1.0, 0.2), std::domain_error);
  CHECK_THROWS_WITH(probability_of_saturation(-1.0, 0.9), Catch::Contains("given -1"));
  CHECK_THROWS_WITH(median_of_two_normal_logits(-4.0), Catch::Contains("expected a variance above 0, given -4"));
  CHECK_THROWS_AS(bounds_of_two_normal_logits(0.0), std::domain_error);
}

TEST_CASE("numeric: two keys, any component law, any dimension") {
  // [gradient_survival]
  Comparison root(Kind::numeric,
                  "under sqrt d: E s(1-s) against its limit, within max(E X^4/24, 1/2)/(4d), X = U(V_1 - V_2)", all);
  Comparison linear(Kind::numeric, "under d: E s(1-s) between 1/4 - 1/(8d) and 1/4", all);
  Comparison none(Kind::numeric,
                  "no scale: E s(1-s) falls as d grows, below its value at d/4 by the error of both at least", all);
  const double limit = mean_of_two_normal_logits(1.0);
  for (const Law& u : query_laws())
    for (const Law& v : key_laws()) {
      const std::string name = fmt::format("q {}, k {}", u.name(), v.name());
      const double fourth = u.moment(4) * (2 * v.moment(4) + 6);  // of X
      double before = 0.25;
      for (const std::size_t d : {1u, 4u, 16u, 64u, 256u}) {
        const double n = static_cast<double>(d);
        const Estimate scaled = two_key_mean(u, v, d, Scale::inverse_sqrt());
        root.law(name);
        root.compare(scaled.value, limit, std::max(fourth / 24, 0.5) / (4 * n) + scaled.error, name);
        const Estimate by_d = two_key_mean(u, v, d, Scale::inverse());
        linear.law(name);
        linear.compare(by_d.value, 0.25 - 1 / (16 * n), 1 / (16 * n) + by_d.error, name);
        const Estimate raw = two_key_mean(u, v, d, Scale::none());
        none.law(name);
        none.error(raw.value + raw.error, before, name);
        before = raw.value - raw.error;
      }
      // four times the dimension, half the mean: near 1/sqrt(4 pi d)
      CHECK(before < 1.1 / std::sqrt(4 * std::numbers::pi * 256));
    }
  // [gradient_survival]
}

TEST_CASE("numeric: even gaps raise the constant by a fifth of a percent") {
  // Gaps of signs are even. By Poisson's summation the limit of the mean times sqrt(4 pi d) is the sum of the
  // transform over multiples of pi: 1 + 2 pi^2/sinh(pi^2) + ...
  Comparison check(Kind::numeric, "signs: E s(1-s) sqrt(4 pi d), d = 4096, against 1 + 2 pi^2/sinh(pi^2)", all);
  const double pi = std::numbers::pi;
  const double expected = 1 + 2 * logistic_transform(pi);
  // The gap's characteristic function is cos(t)^(2d).
  const auto mean = [](double h) {
    return mean_by_transform<double>([](double t) { return std::pow(std::cos(t), 2 * 4096); }, h);
  };
  const double fine = mean(0.001), coarse = mean(0.002);
  // To first order the mean is below its limit by a share of (1/8 + pi^2/12)/d, the first from the logarithm of the
  // cosine at t^4 and the second from the transform at t^2: less than 1/d.
  check.compare(fine * std::sqrt(4 * pi * 4096), expected, 1.0 / 4096 + std::abs(fine - coarse), "signs");
  CHECK(expected > 1.002);
}

TEST_CASE("numeric: by the query the unscaled mean norm does not vanish") {
  // For a normal q and given keys the gap is normal with variance |k_1 - k_2|^2, and |k_1 - k_2|^2/2 is chi squared
  // with d degrees of freedom for normal keys.
  Comparison check(
      Kind::numeric,
      "E|ds_1/dq| for normal components, unscaled: between (1 - pi^2/(12(d-2)))/sqrt(2 pi) and 1/sqrt(2 pi)", all);
  Comparison above(Kind::numeric, "E|ds_1/dq| scaled: below the unscaled one, by more than the error of both", all);
  const auto mean_norm = [](std::size_t d, double c) {
    return laws::chi_squared(static_cast<double>(d)).expectation([c](double v) { return norm_at(v, c); });
  };
  const double limit = 1 / std::sqrt(2 * std::numbers::pi);
  for (const std::size_t d : {4u, 8u, 64u, 512u, 4096u}) {
    const double n = static_cast<double>(d);
    const Estimate raw = mean_norm(d, 1), scaled = mean_norm(d, std::sqrt(n));
    const double lower = limit * (1 - std::numbers::pi * std::numbers::pi / (12 * (n - 2)));
    check.compare(raw.value, (lower + limit) / 2, (limit - lower) / 2 + raw.error, fmt::format("d = {}", d));
    above.error(scaled.value + scaled.error, raw.value - raw.error, fmt::format("d = {}", d));
  }
  // The scaled one tends to f(1), f(r) = sqrt(2r) E s(1-s) of two normal logits of variance r: it is E f(v/d), v/d has
  // mean 1 and variance 2/d, so to first order it differs by f''(1)/d, and |f''(1)| is below 1.
  Comparison tends(Kind::numeric, "E|ds_1/dq| scaled, d = 4096, against sqrt 2 times the limit of E s(1-s)", all);
  const Estimate scaled = mean_norm(4096, 64);
  tends.compare(scaled.value, std::sqrt(2) * mean_of_two_normal_logits(1.0), 1.0 / 4096 + scaled.error, "d = 4096");
  const auto f = [](double r) { return std::sqrt(2 * r) * mean_of_two_normal_logits(r); };
  CHECK(std::abs(f(1.01) - 2 * f(1.0) + f(0.99)) < 1e-4);
}

TEST_CASE("numeric: the gradient by the query is the derivative") {
  Comparison check(Kind::numeric, "ds_i/dq against central differences, in 50 digits", all);
  montecarlo::Stream stream({5, 0, 0, 0, 0});
  const Law normal = laws::normal(0, 1);
  for (const NamedScale& named : three_scales)
    for (const std::size_t n : {2u, 5u}) {
      const std::size_t d = 3;
      const Scale& scale = named.scale;
      std::vector<Real> q;
      Matrix<Real> keys(n, d);
      for (std::size_t l = 0; l < d; ++l) q.push_back(normal.sample(stream));
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t l = 0; l < d; ++l) keys(j, l) = normal.sample(stream);
      const std::vector<Real> gradient = query_gradient<Real>(q, keys, 1, scale);
      const auto weight = [&](std::size_t l, const Real& shift) {
        std::vector<Real> moved = q;
        moved[l] += shift;
        Real total = 0, mine = 0;
        for (std::size_t j = 0; j < n; ++j) {
          Real dot = 0;
          for (std::size_t r = 0; r < d; ++r) dot += moved[r] * keys(j, r);
          const Real term = exp(Real(dot / scale.divisor_for<Real>(d)));
          total += term;
          if (j == 1) mine = term;
        }
        return Real(mine / total);
      };
      for (std::size_t l = 0; l < d; ++l) {
        const auto difference = [&](const Real& h) { return Real((weight(l, h) - weight(l, -h)) / (2 * h)); };
        const Real h("1e-13"), fine = difference(h), coarse = difference(2 * h), gap = fine - coarse;
        check.compare_as<Real>(gradient[l], fine, abs(gap) + Real("1e-47") / h,
                               fmt::format("{}, n = {}", named.name, n));
      }
    }
  CHECK_THROWS_AS(query_gradient<double>(std::vector<double>{1, 2}, Matrix<double>(2, 3), 0, Scale::none()),
                  std::invalid_argument);
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> one{1};
  CHECK_THROWS_WITH(query_gradient<double>(one, Matrix<double>(2, 1, {0, inf}), 0, Scale::none()),
                    Catch::Contains("given inf in K at row 1, column 0"));
  CHECK_THROWS_WITH(
      query_gradient<double>(std::vector<double>{1e200}, Matrix<double>(2, 1, {0, 1e200}), 0, Scale::none()),
      Catch::Contains("query 0 and key 1 overflows"));
  // keys whose difference is out of range
  const auto far =
      query_gradient<double>(std::vector<double>{0}, Matrix<double>(2, 1, {1.5e308, -1.5e308}), 0, Scale::none());
  CHECK(far[0] == 0.75e308);
}

TEST_CASE("floating: a gradient by the query is a number or refused") {
  const std::vector<double> zero{0};
  const Matrix<double> keys(3, 1, {0, 1e308, -1e308});
  const auto at = [&](std::size_t i, double divisor) {
    return query_gradient<double>(zero, keys, i, Scale::divisor(divisor))[0];
  };
  // the terms are 10^308/(9c), and cancel
  for (const double divisor : {1.0, 1e-3, 1e-300}) CHECK(at(0, divisor) == 0);
  CHECK(at(1, 1.0) == Approx(1e308 / 3).epsilon(1e-15));
  CHECK(at(2, -1.0) == Approx(1e308 / 3).epsilon(1e-15));
  CHECK_THROWS_AS(at(1, 1e-3), std::domain_error);
  CHECK_THROWS_WITH(at(1, 1e-3), Catch::Contains("query_gradient") && Catch::Contains("component 0") &&
                                     Catch::Contains("divisor 0.001"));
}

TEST_CASE("numeric: the statistics of known rows") {
  Comparison check(Kind::numeric, "trace, norm, entropy, largest weight: uniform, one-hot to rounding, two weights",
                   all);
  for (const std::size_t n : {2u, 8u, 512u}) {
    const auto s = gradient_statistics<double>(std::vector<double>(n, 3.0));
    const double m = static_cast<double>(n), u = 0x1p-53;
    check.compare(s.trace, 1 - 1 / m, 40 * u, "uniform: trace");
    check.compare(s.norm, 1 / m, 40 * u / m, "uniform: norm");
    check.compare(s.entropy, std::log(m), 60 * u * std::log(m), "uniform: entropy");
    check.compare(s.largest, 1 / m, 4 * u / m, "uniform: largest weight");
  }
  const Real gap = 30, e = exp(Real(-30)), p = e / (1 + e);
  const auto s = gradient_statistics<double>(std::vector<double>{30, 0});
  const auto relative = [&](double measured, const Real& expected, const std::string& what) {
    check.compare_as<Real>(measured, expected, expected * Real(200 * 0x1p-53), what);
  };
  relative(s.trace, 2 * p * (1 - p), "a gap of 30: trace");
  relative(s.norm, 2 * p * (1 - p), "a gap of 30: norm");
  relative(s.entropy, log(Real(1 + e)) + p * gap, "a gap of 30: entropy");
}

TEST_CASE("numeric: what more keys change at d = 64") {
  Comparison norm(Kind::numeric,
                  "mean norm, 64 and 512 keys: with the scale at most E s_max, below E s_max(1 - s_max) without", all);
  for (const std::size_t n : {64u, 512u}) {
    const Claim raw = claimed_statistics([](double step) { return normal_logit(8, step); }, n),
                scaled = claimed_statistics([](double step) { return normal_logit(1, step); }, n);
    norm.error(scaled.largest + scaled.largest_error, raw.largest - raw.largest_square - 2 * raw.largest_error,
               fmt::format("n = {}", n));
  }
  Comparison shares(Kind::numeric,
                    "share of rows above 0.999 without a scale: less with 8 keys than 2, 64 or 512 than 8", all);
  const auto least = [](std::size_t n) {
    return probability_of_gap(n, std::log(999.0 * static_cast<double>(n - 1)) / 8);
  };
  const auto most = [](std::size_t n) { return probability_of_gap(n, std::log(999.0) / 8); };
  shares.error(most(8), least(2), "8 keys");
  for (const std::size_t n : {64u, 512u}) shares.error(most(n), least(8), fmt::format("{} keys", n));
}

TEST_CASE("numeric: trace and entropy of sampled rows against 50 digits") {
  Comparison check(Kind::numeric, "relative errors within (2 max|x| + 2 log n + 5 log2 n + 12)u, in double", all);
  montecarlo::Stream stream({7, 0, 0, 0, 0});
  const Law normal = laws::normal(0, 1);
  for (const double sigma : {0.01, 1.0, 8.0, 64.0})
    for (const std::size_t n : {2u, 3u, 8u, 64u}) {
      std::vector<double> z(n);
      normal.sample(stream, z);
      for (double& x : z) x *= sigma;
      const auto [low, high] = std::minmax_element(z.begin(), z.end());
      std::vector<Real> terms;
      Real total = 0, first = 0, second = 0;
      for (const double x : z) total += terms.emplace_back(exp(Real(x) - Real(*high)));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if (i != j) first += terms[i] * terms[j];
      for (std::size_t i = 0; i < n; ++i) second += terms[i] * (Real(*high) - Real(z[i]));
      const Real trace = first / (total * total);
      Real others = 0;  // the total less its largest term, so that log(1 + others) keeps its digits
      for (std::size_t i = 0; i < n; ++i)
        if (i != static_cast<std::size_t>(high - z.begin())) others += terms[i];
      const Real entropy = log1p(others) + second / total;
      const auto s = gradient_statistics<double>(z);
      const double m = static_cast<double>(n),
                   bound = (2 * (*high - *low) + 2 * std::log(m) + 5 * std::ceil(std::log2(m)) + 12) * 0x1p-53 * 1.02;
      const auto relative = [&](double measured, const Real& expected, const char* what) {
        check.compare_as<Real>(measured, expected, expected * Real(bound),
                               fmt::format("sigma = {}, n = {}: {}", sigma, n, what));
      };
      relative(s.trace, trace, "trace");
      relative(s.entropy, entropy, "entropy");
    }
}

TEST_CASE("numeric: the expected statistics of n independent logits by quadrature") {
  Comparison check(Kind::numeric,
                   "n = 2 against integrals over the gap; nearly equal logits against those of equal ones", all);
  for (const double sigma : {0.5, 1.0, 8.0, 64.0}) {
    const Claim two = claimed_statistics([&](double step) { return normal_logit(sigma, step); }, 2);
    const std::string name = fmt::format("sigma = {}", sigma);
    check.compare(two.trace, 2 * mean_of_two_normal_logits(sigma * sigma), two.smooth_error + 1e-12, name);
    // the larger weight is 1/(1 + e^-|D|)
    const Law gap = laws::normal(0, std::sqrt(2.0) * sigma);
    const Estimate largest =
                       gap.expectation([](double x) { return 1 / (1 + std::exp(-std::abs(x))); }, std::array{0.0}),
                   square = gap.expectation([](double x) { return std::pow(1 + std::exp(-std::abs(x)), -2); },
                                            std::array{0.0});
    check.compare(two.largest, largest.value, two.largest_error + largest.error, name + ", largest weight");
    check.compare(two.largest_square, square.value, two.largest_error + square.error, name + ", its square");
    CHECK(two.largest_error < 5e-3);
  }
  for (const std::size_t n : {2u, 8u, 64u, 512u}) {
    const Claim even = claimed_statistics([](double step) { return normal_logit(1e-5, step); }, n);
    const double m = static_cast<double>(n);
    // an entry moves by at most a quarter of the logits' differences squared, the largest weight by those: 9e-5
    check.compare(even.trace, 1 - 1 / m, even.smooth_error + 1e-9, "trace");
    check.compare(even.entropy, std::log(m), even.smooth_error + 1e-9, "entropy");
    check.compare(even.largest, 1 / m, even.largest_error + 9e-5 / m, "largest weight");
  }
  // ties: of n signs the largest weight is that of one of the k that are +1, for k = 0 of one of n
  const double t = std::exp(-2.0);
  double expected = 0;
  for (std::size_t k = 0; k <= 8; ++k)
    expected += binomial_mass(8, 0.5, k) / (k == 0 ? 8 : static_cast<double>(k) + static_cast<double>(8 - k) * t);
  const Claim ties = claimed_statistics([](double) { return signs_logit(1, 1); }, 8);
  check.compare(ties.largest, expected, ties.largest_error + 1e-12, "ties");
}

namespace {

using Statistics = GradientStatistics<double>;
using Rows = std::vector<Statistics>;

montecarlo::Stream stream_of(const StatisticalCheck& check, const std::string& law, std::size_t n, std::size_t d) {
  return montecarlo::Stream({check.seed(), montecarlo::stream_label(step_slug()), montecarlo::stream_label(law), d, n});
}

// `count` independent rows of n logits q.k with components of the given laws, under each scale.
std::array<Rows, 3> sample_rows(const StatisticalCheck& check, const Law& u, const Law& v, std::size_t n, std::size_t d,
                                std::size_t count) {
  montecarlo::Stream stream = stream_of(check, u.name() + " " + v.name(), n, d);
  std::vector<double> q(d), keys(n * d), dots(n), z(n);
  std::array<Rows, 3> rows;
  for (std::size_t i = 0; i < count; ++i) {
    u.sample(stream, q);
    v.sample(stream, keys);
    for (std::size_t j = 0; j < n; ++j)
      dots[j] = std::inner_product(q.begin(), q.end(), keys.begin() + static_cast<std::ptrdiff_t>(j * d), 0.0);
    for (std::size_t s = 0; s < 3; ++s) {
      const double c = three_scales[s].scale.divisor_for<double>(d);
      for (std::size_t j = 0; j < n; ++j) z[j] = dots[j] / c;
      rows[s].push_back(gradient_statistics<double>(z));
    }
  }
  return rows;
}

// `count` independent rows of n independent normal logits with deviation sigma.
Rows normal_rows(StatisticalCheck& check, RowClasses& classes, std::size_t n, double sigma, std::size_t count) {
  montecarlo::Stream stream = stream_of(check, fmt::format("normal logits, sigma = {}", sigma), n, 0);
  const Law normal = laws::normal(0, 1);
  std::vector<double> z(n);
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    normal.sample(stream, z);
    for (double& x : z) x *= sigma;
    check.classify(classes.count(z));
    rows.push_back(gradient_statistics<double>(z));
  }
  return rows;
}

// By intervals, the claimed value that evidence shows is the nearest to the estimate.
// The mean of values in [0, upper] that is claimed to lie in [low, high].
void check_mean(StatisticalCheck& check, const std::string& label, double low, double high, double upper,
                const Rows& rows, double Statistics::*member) {
  const std::size_t count = rows.size();
  const montecarlo::Interval interval{montecarlo::bounded_mean_interval(low, upper, count, share()).low,
                                      montecarlo::bounded_mean_interval(high, upper, count, share()).high};
  double mean = 0;
  for (const Statistics& row : rows) mean += row.*member / static_cast<double>(count);
  const double middle = (low + high) / 2;
  check.interval(label, std::clamp(mean, low, high), mean, interval.low, interval.high,
                 montecarlo::detectable_deviation(interval, middle, upper, count) / middle, share());
}

// The share of rows for which the probability is claimed to lie in [low, high].
template <class Condition>
void check_share(StatisticalCheck& check, const std::string& label, double low, double high, const Rows& rows,
                 Condition holds) {
  const std::size_t count = rows.size();
  const double found = static_cast<double>(std::count_if(rows.begin(), rows.end(), holds)) / static_cast<double>(count);
  const auto interval = montecarlo::proportion_interval(low, high, count, share());
  check.interval(label, std::clamp(found, low, high), found, interval.low, interval.high,
                 montecarlo::detectable_deviation(interval, (low + high) / 2, 1, count), share());  // in points
}

// The mean claimed to lie in [low, high], by batches whose deviation is at most sigma_b: a batch is further than
// 2 sigma_b + (high - low)/2 from the middle with probability at most 1/4.
void check_by_batches(StatisticalCheck& check, const std::string& label, double low, double high, double sigma_b,
                      const Rows& rows, double Statistics::*member) {
  const std::size_t per_batch = rows.size() / StatisticalCheck::batches();
  std::vector<double> means(StatisticalCheck::batches(), 0.0);
  for (std::size_t i = 0; i < means.size() * per_batch; ++i)
    means[i / per_batch] += rows[i].*member / static_cast<double>(per_batch);
  const double middle = (low + high) / 2;
  check.check(label, middle, sigma_b / std::sqrt(static_cast<double>(per_batch)) + (high - low) / 4, means, middle);
}

std::string label(const Law& u, const Law& v, std::size_t n, std::size_t d, const char* scale) {
  return fmt::format("q {}, k {}, n = {}, d = {}, {}", u.name(), v.name(), n, d, scale);
}

// Between which ends the medians lie.
struct Bracket {
  Statistics low, high;
};

// If the median of 1 - s_max, the weight of all others, lies between two ends; see the page.
Bracket bracket(std::size_t n, double least, double most) {
  const double others = static_cast<double>(n) - 1;
  const auto diagonal = [](double x) { return x * (1 - x); };
  const auto entropy_of_two = [](double x) { return -x * std::log(x) - (1 - x) * std::log1p(-x); };
  Bracket result;
  result.low = {least < 0.5 ? 2 * diagonal(least) : least,
                n == 2 ? 2 * diagonal(least) : std::min(diagonal(least), diagonal(1 / (others + 1))),
                least < 0.5 ? entropy_of_two(least) : -std::log1p(-least), 1 - most};
  result.high = {most * (2 - most - most / others),
                 std::min(most < 0.5 ? 2 * diagonal(most) : 0.5, n == 2 ? 0.5 : 1 - least),
                 entropy_of_two(most) + most * std::log(others), 1 - least};
  return result;
}

}  // namespace

TEST_CASE("statistical: two keys, several component laws") {
  StatisticalCheck trace("mean of tr J = 2 s(1-s), two keys", all);
  const std::vector<Law> queries = query_laws(), keys = key_laws();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Law &u = queries[i % queries.size()], &v = keys[i];
    for (const auto& [d, count] :
         {std::pair<std::size_t, std::size_t>{1, 20'000}, {8, 20'000}, {64, 20'000}, {512, 2'000}, {4096, 500}}) {
      if (d == 4096 && i % 3 != 0) continue;  // normal, exponential and Bernoulli keys, for a row takes 12288 draws
      const auto rows = sample_rows(trace, u, v, 2, d, count);
      for (std::size_t s = 0; s < 3; ++s) {
        // an unscaled mean that rare rows make takes more rows than are drawn; normal logits below have them
        if (s == 0 && d > 64) continue;
        const Estimate claimed = two_key_mean(u, v, d, three_scales[s].scale);
        CHECK(claimed.error < 1e-6);
        check_mean(trace, label(u, v, 2, d, three_scales[s].name), 2 * (claimed.value - claimed.error),
                   2 * (claimed.value + claimed.error), 0.5, rows[s], &Statistics::trace);
      }
    }
  }
}

TEST_CASE("statistical: independent normal logits, 2 to 512 keys") {
  StatisticalCheck means("means of tr J, of its norm and of the entropy, normal logits", all);
  StatisticalCheck norms("mean of the norm of J, normal logits of deviation at most 1", all);
  StatisticalCheck largest("mean of the largest weight, normal logits", all);
  StatisticalCheck medians("shares beyond the ends of what the medians can be, normal logits", all);
  StatisticalCheck saturated("share of rows with a weight above 0.999, normal logits", all);
  RowClasses classes;
  struct Case {
    std::string name;
    double sigma;
  };
  std::vector<Case> cases{{"/sqrt d, any d", 1}};
  for (const std::size_t d : {8u, 64u, 512u, 4096u}) {
    const double root = std::sqrt(static_cast<double>(d));
    cases.push_back({fmt::format("no scale, d = {}", d), root});
    cases.push_back({fmt::format("/d, d = {}", d), 1 / root});
  }
  const std::size_t batches = StatisticalCheck::batches();
  for (const auto& [n, per_batch] : {std::pair<std::size_t, std::size_t>{2, 300}, {8, 200}, {64, 40}, {512, 15}}) {
    const double m = static_cast<double>(n);
    double low_gap = 0, high_gap = 10;
    while (high_gap - low_gap > 1e-12)
      (probability_of_gap(n, (low_gap + high_gap) / 2) > 0.5 ? low_gap : high_gap) = (low_gap + high_gap) / 2;
    for (const Case& one : cases) {
      const std::string name = fmt::format("n = {}, {}", n, one.name);
      const std::size_t times = one.sigma > 8 ? 3 : 1;  // few rows make the means there
      const Rows rows = normal_rows(means, classes, n, one.sigma, times * batches * per_batch);
      const Claim claimed = claimed_statistics([&](double step) { return normal_logit(one.sigma, step); }, n);

      const auto mean = [&](const char* what, double low, double high, double upper, double Statistics::*member) {
        check_mean(means, name + ", " + what, low, high, upper, rows, member);
      };
      const double error = claimed.smooth_error;
      CHECK(error < 1e-8);
      mean("tr J", claimed.trace - error, claimed.trace + error, 1 - 1 / m, &Statistics::trace);
      mean("entropy", claimed.entropy - error, claimed.entropy + error, std::log(m), &Statistics::entropy);
      // s_max (1 - s_max) is J's largest entry, and the norm is at most twice that and at most s_max
      const double off = claimed.largest_error, diagonal = claimed.largest - claimed.largest_square;
      CHECK(off < 1e-3);
      const double norm_low = (n == 2 ? 2 : 1) * (diagonal - 2 * off),
                   norm_high = std::min({0.499'999, 2 * (diagonal + 2 * off), n == 2 ? 1 : claimed.largest + off});
      if (one.sigma > 1)
        mean("norm", norm_low, norm_high, 0.5, &Statistics::norm);
      else  // it hardly varies: E norm^2 is at most E s_max^2, or a quarter
        check_by_batches(norms, name, norm_low, norm_high,
                         std::sqrt(std::min(claimed.largest_square + off, 0.25) - norm_low * norm_low), rows,
                         &Statistics::norm);

      const double spread = std::sqrt(claimed.largest_variance + claimed.variance_error);
      check_by_batches(largest, fmt::format("normal(mu=0, sigma={:.6g}), n = {}", one.sigma, n), claimed.largest - off,
                       claimed.largest + off, spread, rows, &Statistics::largest);

      // 1 - s_max at the median gap, and no further from its mean than the deviation
      const double e = std::exp(-one.sigma * (low_gap + high_gap) / 2), deviation = spread + off;
      const Bracket ends = bracket(n, std::max(e / (1 + e), 1 - claimed.largest - deviation),
                                   std::min((m - 1) * e / (1 + (m - 1) * e), 1 - claimed.largest + deviation));
      const auto median = [&](const char* what, double Statistics::*member) {
        check_share(medians, fmt::format("{}, {} below the least median", name, what), 0, 0.5, rows,
                    [&](const Statistics& row) { return row.*member < ends.low.*member * (1 - 1e-9); });
        check_share(medians, fmt::format("{}, {} above the greatest median", name, what), 0, 0.5, rows,
                    [&](const Statistics& row) { return row.*member > ends.high.*member * (1 + 1e-9); });
      };
      median("tr J", &Statistics::trace);
      median("norm", &Statistics::norm);
      median("entropy", &Statistics::entropy);
      // nearer to 1 the largest weight itself has no digits; trace and entropy have
      if (ends.high.largest < 1 - 1e-6) median("largest weight", &Statistics::largest);

      // a weight is above 0.999 only if the gap exceeds log 999, and always if it exceeds log(999 (n - 1))
      const double low = probability_of_gap(n, std::log(999 * (m - 1)) / one.sigma),
                   high = probability_of_gap(n, std::log(999) / one.sigma);
      check_share(saturated, name, std::max(low - 1e-9, 0.0), std::min(high + 1e-9, 1.0), rows,
                  [](const Statistics& row) { return row.largest > 0.999; });
    }
  }
}

TEST_CASE("statistical: many keys, several component laws") {
  StatisticalCheck check("means of tr J, of its norm and of the entropy, 8 to 512 keys", all);
  StatisticalCheck largest("mean of the largest weight, 8 to 512 keys, laws with atoms", all);
  StatisticalCheck norms("mean of the norm of J under a scale, 8 to 512 keys, laws with atoms", all);
  const Law signs = laws::rademacher(), normal = laws::normal(0, 1);
  // rows of dot products against a mixture of logit laws: `mixture(step)` gives weights and laws of z c
  const auto run = [&](const Law& u, const Law& v, std::size_t n, std::size_t d, std::size_t count,
                       const auto& mixture) {
    const auto rows = sample_rows(check, u, v, n, d, count);
    for (std::size_t s = 0; s < (d == 1 ? 1u : 3u); ++s) {  // at d = 1 the three are one
      const double c = three_scales[s].scale.divisor_for<double>(d), m = static_cast<double>(n);
      double trace = 0, entropy = 0, error = 0, most = 0, most_square = 0, off = 0;
      for (const auto& [weight, law_at] : mixture) {
        const Claim claimed = claimed_statistics([&, &at = law_at](double step) { return at(step, c); }, n);
        trace += weight * claimed.trace;
        entropy += weight * claimed.entropy;
        error += weight * claimed.smooth_error;
        most += weight * claimed.largest;
        most_square += weight * claimed.largest_square;
        off += weight * claimed.largest_error;
      }
      CHECK(error < 1e-4);
      const std::string name = label(u, v, n, d, three_scales[s].name);
      check_mean(check, name + ", tr J", trace - error, trace + error, 1 - 1 / m, rows[s], &Statistics::trace);
      check_mean(check, name + ", entropy", entropy - error, entropy + error, std::log(m), rows[s],
                 &Statistics::entropy);
      if (!v.is_discrete()) continue;
      CHECK(off < 1e-4);
      const double diagonal = most - most_square;
      const double low = diagonal - 2 * off, high = std::min(2 * (diagonal + 2 * off), most + off);
      if (s == 0)
        check_mean(check, name + ", norm", low, high, 0.5, rows[s], &Statistics::norm);
      else
        check_by_batches(norms, name, low, high, std::sqrt(std::min(most_square + off, 0.25) - low * low), rows[s],
                         &Statistics::norm);
      check_by_batches(largest, name, most - off, most + off, std::sqrt(most_square - most * most + 3 * off), rows[s],
                       &Statistics::largest);
    }
  };
  using Mixture = std::vector<std::pair<double, std::function<LogitLaw(double, double)>>>;

  // one component, a query of signs: the logits are +V_j or all -V_j
  for (const Law& v : key_laws())
    for (const std::size_t n : {8u, 64u}) {
      const auto with_sign = [&](double sign) {
        return [&v, sign](double step, double c) { return scaled(rule_of(v, step), sign / c); };
      };
      run(signs, v, n, 1, n == 8 ? 20'000 : 5'000, Mixture{{0.5, with_sign(1)}, {0.5, with_sign(-1)}});
    }
  for (const std::size_t d : {8u, 64u}) {
    // given a query of signs, normal keys give independent normal logits of variance d
    const Mixture of_normals{
        {1, [d](double step, double c) { return normal_logit(std::sqrt(static_cast<double>(d)) / c, step); }}};
    run(signs, normal, 8, d, 20'000, of_normals);
    // keys of signs give independent sums of d signs
    const Mixture of_signs{{1, [d](double, double c) { return signs_logit(d, c); }}};
    run(signs, signs, 8, d, 20'000, of_signs);
    run(signs, signs, 64, d, 5'000, of_signs);
    run(signs, signs, 512, d, 1'000, of_signs);
    // Bernoulli keys: sums with as many terms of either sign as the query has
    const double p = 0.3, deviation = std::sqrt(p * (1 - p));
    Mixture of_coins;
    for (std::size_t a = 0; a <= d; ++a)
      if (const double weight = binomial_mass(d, 0.5, a); weight > 1e-9)
        of_coins.emplace_back(weight, [=](double, double c) { return bernoulli_logit(a, d - a, p, c * deviation); });
    run(signs, laws::bernoulli(p).standardised(), 8, d, 20'000, of_coins);
  }
  // Given a normal query, normal keys give independent normal logits of deviation |q|, for d = 8 of density r^7
  // e^(-r^2/2)/48. In log r the trapezoidal rule errs by a multiple of e^(-2 pi a/h), a = pi/4: 2e-11.
  Mixture of_norms;
  const double h = 0.2;
  for (int k = -18; k <= 10; ++k) {
    const double r = std::exp(k * h);
    of_norms.emplace_back(h * std::pow(r, 8) * std::exp(-r * r / 2) / 48,
                          [r](double step, double c) { return normal_logit(r / c, step); });
  }
  run(normal, normal, 8, 8, 20'000, of_norms);
  run(normal, normal, 64, 8, 5'000, of_norms);
}

TEST_CASE("statistical: the norm of the gradient by the query") {
  StatisticalCheck check("mean of |ds_1/dq|, two keys, normal components, no scale and /sqrt d", all);
  const Law normal = laws::normal(0, 1);
  constexpr std::size_t n = 256;
  for (const std::size_t d : {4u, 64u})
    for (const bool scaled : {false, true}) {
      const Scale scale = scaled ? Scale::inverse_sqrt() : Scale::none();
      const double c = scale.divisor_for<double>(d), m = static_cast<double>(d);
      const Estimate claimed = laws::chi_squared(m).expectation([c](double x) { return norm_at(x, c); });
      // E|ds/dq|^2 = E kappa^2 sigma'(D)^2/c^2, kappa = |k_1 - k_2|, and given kappa D is normal with variance 2r,
      // r = kappa^2/(2 c^2): the trapezoidal rule, exact to rounding at this step
      const auto square_at = [](double r) {
        const double h = std::min(0.2, 0.25 * std::sqrt(2 * r));
        double sum = 0;
        for (int k = -200; k <= 200; ++k) {
          const double x = k * h, slope = attention::detail::logistic_density(x);
          sum += h * slope * slope * std::exp(-x * x / (4 * r)) / std::sqrt(4 * std::numbers::pi * r);
        }
        return sum;
      };
      const Estimate second = laws::chi_squared(m).expectation(
          [&](double v) { return v > 1e-200 ? 2 * v / (c * c) * square_at(v / (c * c)) : 0; });
      const double sigma_b = std::sqrt((second.value + second.error - claimed.value * claimed.value) / n);
      const auto means = batch_means(check, normal.name(), 2 * d + scaled, n, [&](auto& stream, std::span<double> out) {
        std::vector<double> q(d), k(2 * d);
        for (double& value : out) {
          normal.sample(stream, q);
          normal.sample(stream, k);
          const auto g = query_gradient<double>(q, Matrix<double>(2, d, k), 0, scale);
          value = std::sqrt(std::inner_product(g.begin(), g.end(), g.begin(), 0.0));
        }
      });
      check.check(label(normal, normal, 2, d, scaled ? "/sqrt d" : "no scale"), claimed.value, sigma_b, means,
                  claimed.value);
    }
}

TEST_CASE("falsifier: keys that are not independent") {
  // k_1 = k_2: the logits are equal at every d, and J stays where it is
  const auto s = gradient_statistics<double>(std::vector<double>{77, 77});
  falsifier("mutually_independent", "\\(k_1 = k_2\\), \\(d = 4096\\), no scale", "E tr J", s.trace,
            2 * bounds_of_two_normal_logits(4096.0).upper, 1e-9);
}

TEST_CASE("falsifier: means 1, 1 and -1") {
  // U = 1 + R, V_1 = 1 + R', V_2 = -1 + R'': the gap is the sum of d terms UW, W = 2 + R' - R'', with the values 0, 4,
  // 8 and the probabilities 5/8, 1/4, 1/8
  std::vector<double> law{1};
  for (int i = 0; i < 64; ++i) {
    std::vector<double> next(law.size() + 2, 0);
    for (std::size_t k = 0; k < law.size(); ++k) {
      next[k] += law[k] * 0.625;
      next[k + 1] += law[k] * 0.25;
      next[k + 2] += law[k] * 0.125;
    }
    law = next;
  }
  double mean = 0;
  for (std::size_t k = 0; k < law.size(); ++k)
    mean += law[k] * attention::detail::logistic_density(4 * static_cast<double>(k) / 8);
  falsifier("zero_mean", "components of \\(q, k_1, k_2\\) with means 1, 1, -1, \\(d = 64\\), under \\(\\sqrt d\\)",
            "E s(1-s)", mean, mean_of_two_normal_logits(1.0), 1e-9);
  CHECK(mean < 1e-3);
}

TEST_CASE("falsifier: a query that is 0") {
  const auto s = gradient_statistics<double>(std::vector<double>{0, 0});
  falsifier("unit_variance", "\\(q = 0\\), \\(d = 4096\\), no scale", "E tr J", s.trace,
            2 * bounds_of_two_normal_logits(4096.0).upper, 1e-9);
}

TEST_CASE("falsifier: a law that changes with the dimension") {
  // U_i = +-i with probability 1/(2 i^2) each, else 0: mean 0, variance 1. U_2 to U_d are all 0 with probability
  // (1 - 1/4)...(1 - 1/d^2) = (d + 1)/(2d); then the gap is U_1(V_1 - V_2), 0 or +-2 with probability 1/2 each.
  const double d = 4096;
  double all_zero = 1;
  for (int i = 2; i <= 4096; ++i) all_zero *= 1 - 1 / (static_cast<double>(i) * i);
  CHECK(std::abs(all_zero - (d + 1) / (2 * d)) < 1e-12);
  const double at_least = all_zero * (0.125 + attention::detail::logistic_density(2.0) / 2);
  falsifier("fixed_component_law",
            "\\(U_i = \\pm i\\) with probability \\(1/(2i^2)\\) each, else 0; keys of signs, \\(d = 4096\\), no scale",
            "a part of E s(1-s)", at_least, bounds_of_two_normal_logits(d).upper, 1e-9);
}

TEST_CASE("falsifier: one key") {
  // the uniform point of one key is one-hot: nothing passes, so there is nothing to save
  const auto s = gradient_statistics<double>(std::vector<double>{5});
  CHECK(s.trace == 0);
  falsifier("two_or_more_keys", "\\(n = 1\\), under \\(d\\)", "the norm of the limit of J", s.norm, 1.0);
}

}  // namespace gradient_survival_test
