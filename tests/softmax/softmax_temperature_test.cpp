// 1. In 50 digits the derivatives of entropy and mean logit by the inverse temperature are -t Var and Var, by
//    differences and by automatic differentiation; entropy is between 0 and log n, and division by c >= 1 never lowers
//    it, at scales 0.01 to 1000.
// 2. Entropy is in nats, and has the values of its closed forms and limits.
// 3. In double and float every function stays within the bound of the page, nearly one-hot and nearly uniform rows
//    included: on generated rows, on the worst that a search finds, and on the worst found. -sum s log s does not.
// 4. Multiplying the logits by 2 lowers the entropy.

#include "rootdk/softmax/softmax_temperature.hpp"

#include "support/autodiff.hpp"
#include "support/floating.hpp"
#include "support/simplex_points.hpp"
#include "support/softmax_reference.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"
#include "support/worst_input.hpp"

namespace softmax_temperature_test {

using namespace rootdk;
using namespace rootdk::testing;
using softmax::softmax_entropy;
using softmax::softmax_entropy_derivative;
using softmax::softmax_mean;
using softmax::softmax_variance;

namespace {

using Doubles = std::vector<double>;
const double scales[] = {0.01, 0.1, 1, 10, 100, 1000};
const double inf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("numeric: both derivatives by differences") {
  Comparison check(Kind::numeric, "-t Var and Var against central differences of entropy and mean logit, 50 digits",
                   slugs<>());
  Shares shares;
  std::mt19937_64 random(seed_of("differences"));
  const Precise epsilon = std::numeric_limits<Precise>::epsilon();
  for (const double scale : scales)
    for (std::size_t n = 1; n <= 6; ++n)
      for (const double t : {0.5, 1.0, 2.0}) {
        const auto z = as<Precise>(normal_vector(scale, n, random));
        const Precise temperature = 1 / Precise(t);
        // the derivatives grow with the logits, so the step is chosen against them
        const Precise h = Precise("1e-12") / scale;
        const auto compare = [&](const Precise& claimed, auto function, const Precise& size, const char* what) {
          const auto difference = [&](const Precise& by) -> Precise {
            return (function(z, 1 / (t + by)) - function(z, 1 / (t - by))) / (2 * by);
          };
          // halving the step takes the error to a quarter, so the change is three times what remains
          const Precise coarse = difference(h), fine = difference(h / 2);
          const Precise bound = abs(Precise(coarse - fine)) + 1000 * epsilon * size / h;
          check.compare_as<Precise>(claimed, fine, bound, fmt::format("{}, scale {}, n {}, t {}", what, scale, n, t));
        };
        const auto entropy = [](const std::vector<Precise>& logits, const Precise& at) {
          return softmax_entropy<Precise>(logits, at);
        };
        const auto mean = [](const std::vector<Precise>& logits, const Precise& at) {
          return softmax_mean<Precise>(logits, at);
        };
        // [softmax_temperature]
        compare(softmax_entropy_derivative<Precise>(z, temperature), entropy, Precise(2), "entropy");
        compare(softmax_variance<Precise>(z, temperature), mean, Precise(10 * scale), "mean logit");
        // [softmax_temperature]
        const auto s = softmax::softmax<Precise>(z, temperature);
        const char* kind = n == 1 ? "one logit" : saturation<Precise>(s);
        shares.count(kind);
        check.classify(kind);
      }
  shares.require_every_saturation();
}

TEST_CASE("numeric: derivatives by the temperature by automatic differentiation") {
  Comparison check(Kind::numeric, "dH/dT = Var/T^3, dE/dT = -Var/T^2, dVar/dT = -(third cumulant)/T^2, 50 digits",
                   slugs<>());
  Shares shares;
  std::mt19937_64 random(seed_of("autodiff"));
  for (const double scale : scales)
    for (std::size_t n = 2; n <= 8; ++n)
      for (const Precise& t : {Precise(1), Precise(Precise(4) / 3)}) {
        const auto z = as<Precise>(normal_vector(scale, n, random));
        const std::vector<Dual> logits(z.begin(), z.end());
        const Dual at = along(t, 1);
        const auto s = softmax::softmax<Precise>(z, t);
        const Precise variance = softmax_variance<Precise>(z, t), mean = softmax_mean<Precise>(z, t);
        // The weights move by s_i (|x_i| - mean |x|)/t. Every sum below is of such numbers times a factor no larger
        // than that in its bound, and takes a few exponentials.
        Precise third = 0, moved = 0, x_bar = 0, furthest = 0, largest = 0;
        const Precise top = *std::max_element(z.begin(), z.end());
        for (std::size_t i = 0; i < n; ++i) {
          x_bar += s[i] * (top - z[i]) / t;
          third += s[i] * (z[i] - mean) * (z[i] - mean) * (z[i] - mean);
          furthest = std::max<Precise>(furthest, (top - z[i]) / t);
          largest = std::max<Precise>(largest, abs(z[i]));
        }
        moved = 2 * x_bar / t;
        const Precise granted = 16 * precise_exp_error * moved;
        const std::string context = fmt::format("scale {}, n {}", scale, n);
        check.compare_as<Precise>(softmax_entropy<Dual>(logits, at).derivative(1), variance / (t * t * t),
                                  granted * (1 + 2 * furthest), "entropy, " + context);
        check.compare_as<Precise>(softmax_mean<Dual>(logits, at).derivative(1), -variance / (t * t),
                                  granted * 2 * largest, "mean, " + context);
        const Precise square = 4 * largest * largest;
        check.compare_as<Precise>(softmax_variance<Dual>(logits, at).derivative(1), -third / (t * t),
                                  granted * 4 * square, "variance, " + context);
        check.compare_as<Precise>(softmax_entropy_derivative<Dual>(logits, at).derivative(1),
                                  third / (t * t * t) + variance / (t * t), granted * 4 * (square + largest * t),
                                  "derivative of the entropy, " + context);
        shares.count(saturation<Precise>(s));
        check.classify(saturation<Precise>(s));
      }
  shares.require_every_saturation();
}

TEST_CASE("numeric: division by c never lowers the entropy") {
  Comparison check(Kind::numeric, "by how much entropy falls from z to z/c, c from 1 to 1000, 50 digits",
                   slugs<"scale_at_least_one">());
  Shares shares;
  std::mt19937_64 random(seed_of("entropy under a divisor"));
  for (const double scale : scales)
    for (std::size_t n = 2; n <= 8; ++n) {
      const auto z = as<Precise>(normal_vector(scale, n, random));
      for (const double c : {1.0, 1 + 0x1p-20, 2.0, 8.0, 1000.0}) {
        const Precise before = softmax_entropy<Precise>(z), after = softmax_entropy<Precise>(z, c);
        const std::string context = fmt::format("scale {}, n {}, c {}", scale, n, c);
        check.error(static_cast<double>(Precise(before - after)), 0, context);
        INFO(context);
        CHECK((c == 1 ? before == after : before < after));
      }
      const char* kind = saturation<Precise>(softmax::softmax<Precise>(z));
      shares.count(kind);
      check.classify(kind);
    }
  shares.require_every_saturation();
}

TEST_CASE("numeric: equal logits keep their entropy, and no other row does") {
  for (const double c : {1.0, 2.0, 1000.0}) {
    const std::vector<Precise> equal(5, 3), unequal{3, 3, 3, 3, Precise("3.0000000001")};
    CHECK(softmax_entropy<Precise>(equal) == softmax_entropy<Precise>(equal, c));
    CHECK((softmax_entropy<Precise>(unequal) == softmax_entropy<Precise>(unequal, c)) == (c == 1));
  }
}

TEST_CASE("numeric: entropy lies between 0 and log n") {
  Comparison check(Kind::numeric, "distance of the entropy from the middle of [0, log n], 50 digits", slugs<>());
  Shares shares;
  std::mt19937_64 random(seed_of("entropy"));
  for (const double scale : scales)
    for (std::size_t n = 2; n <= 8; ++n) {
      const auto z = as<Precise>(normal_vector(scale, n, random));
      const Precise middle = log(Precise(static_cast<double>(n))) / 2, h = softmax_entropy<Precise>(z);
      check.compare_as<Precise>(h, middle, middle, fmt::format("scale {}, n {}", scale, n));
      CHECK(h > 0);
      const char* kind = saturation<Precise>(softmax::softmax<Precise>(z));
      shares.count(kind);
      check.classify(kind);
    }
  shares.require_every_saturation();
}

TEST_CASE("numeric: entropy in closed form, in nats") {
  Comparison check(Kind::numeric, "closed forms, 50 digits", slugs<>());
  const Precise epsilon = std::numeric_limits<Precise>::epsilon();
  for (std::size_t n = 1; n <= 64; n *= 2) {
    const Precise expected = log(Precise(static_cast<double>(n)));
    check.compare_as<Precise>(softmax_entropy<Precise>(std::vector<Precise>(n, -7)), expected, 8 * epsilon * expected,
                              "equal logits");
  }
  // weights 3/4 and 1/4
  const Precise expected = 2 * log(Precise(2)) - 3 * log(Precise(3)) / 4;
  check.compare_as<Precise>(softmax_entropy<Precise>(std::vector<Precise>{log(Precise(3)), 0}), expected, 32 * epsilon,
                            "3 to 1");
  // one logit a gap of 200 above the other: (1 + 200) e^-200 less a term of order e^-400
  const Precise tiny = 201 * exp(Precise(-200));
  check.compare_as<Precise>(softmax_entropy<Precise>(std::vector<Precise>{0, -200}), tiny, 1000 * epsilon * tiny,
                            "gap 200");
}

TEST_CASE("numeric: logits whose squares are above the largest number") {
  using softmax::softmax_entropy_derivative;
  using softmax::softmax_variance;
  CHECK(softmax_variance<double>(std::vector<double>{1e200, 0}) == 0);
  CHECK(softmax_variance<float>(std::vector<float>{1e20f, 0}) == 0);
  CHECK(softmax_variance<double>(std::vector<double>{1, 2, 3, 1e200}) == 0);
  CHECK(softmax_variance<double>(std::vector<double>{1e200, -1e200}, 1e200) == std::numeric_limits<double>::infinity());
  // two entries that keep their weights beside one that has none
  const double pair = softmax_variance<double>(std::vector<double>{0, 1}),
               beside = softmax_variance<double>(std::vector<double>{0, 1, -1e200});
  CHECK(std::abs(beside - pair) <= 32 * std::numeric_limits<double>::epsilon() * pair);
  // the derivative has a value where the variance has none: z/T is (1, -1), and -t Var(z) = -T Var(z/T)
  const double unit = softmax_variance<double>(std::vector<double>{1, -1}),
               large = softmax_entropy_derivative<double>(std::vector<double>{1e200, -1e200}, 1e200);
  CHECK(std::abs(large + 1e200 * unit) <= 32 * std::numeric_limits<double>::epsilon() * 1e200 * unit);
}

namespace {

// Logits of the size of the temperature, at powers of ten over the range of the format: the derivative is of that size.
template <class S>
void derivative_over_all_exponents(int least, int most) {
  Comparison check(Kind::floating,
                   "derivative of the entropy at logits of any size against 50 digits, in u, " + format_name<S>(),
                   slugs<>());
  const auto compare = [&](const std::vector<S>& z, const S& at) {
    const std::vector<Precise> exact(z.begin(), z.end());
    const Precise expected = softmax_entropy_derivative<Precise>(exact, Precise(at));
    // the page's bound for 3 logits at most 8 temperatures apart
    check.error(error_in_u(softmax_entropy_derivative<S>(z, at), expected, expected, 1),
                higher_orders * (4 * 8 + 4 * std::log(3) + 9 * 2 + 29), fmt::format("z_1 = {:a}, T = {:a}", z[0], at));
  };
  for (int exponent = least; exponent <= most; ++exponent) {
    const S z = static_cast<S>(std::pow(10.0, exponent));
    compare({z, -z}, z);
    compare({z, -z, z / 3}, z / 4);
    compare({z, -z, -z}, z);
  }
  // an entry without weight, far from two that have some; a large common part; a large temperature
  constexpr S largest = std::numeric_limits<S>::max();
  compare({0, 1, -largest}, 1);
  compare({largest, -largest}, largest);
  compare({largest, largest}, largest);
  compare({0, 1}, largest / 16);
}

}  // namespace

TEST_CASE("floating: the derivative of the entropy where its squares overflow or underflow") {
  derivative_over_all_exponents<double>(-300, 307);
  derivative_over_all_exponents<float>(-35, 37);
  CHECK(softmax_entropy_derivative<double>(Doubles{1e250, -1e250}, 1e250) == Approx(-4.19974341614e249).epsilon(1e-11));
  CHECK(softmax_entropy_derivative<double>(Doubles{1e300, -1e300}, 1e300) == Approx(-4.19974341614e299).epsilon(1e-11));
  CHECK(softmax_entropy_derivative<double>(Doubles{1e250, -1e250}, inf) == 0);
  CHECK(softmax_entropy_derivative<double>(Doubles{1e308, -1e308}, 1e250) == 0);
  // one entry of half the weight, 55 others four temperatures below: -4T, which is not a number of the format
  constexpr double most = std::numeric_limits<double>::max();
  Doubles row(56, -most);
  row[0] = most;
  CHECK(softmax_entropy_derivative<double>(row, most / 2) == -inf);
}

TEST_CASE("floating: the entropy of equal logits is above log n by no more than its error") {
  for (std::size_t n = 1; n <= 64; ++n) {
    const double excess = softmax_entropy<double>(Doubles(n, 3)) - std::log(static_cast<double>(n));
    CHECK(excess <= 0x1p-53 * (4 * std::log(static_cast<double>(n)) + ceil_log2(n) + 5));
  }
}

TEST_CASE("numeric: limits and refusals") {
  CHECK(softmax_entropy<double>(Doubles{1, 1, 0}, 0.0) == std::log(2.0));
  CHECK(softmax_entropy<double>(Doubles{1, 2}, 0.0) == 0);
  CHECK(softmax_entropy<double>(Doubles{1, 5, 9, 2}, inf) == std::log(4.0));
  CHECK(softmax_entropy<double>(Doubles{3, -inf, 3}) == std::log(2.0));
  CHECK(softmax_entropy<double>(Doubles{inf, 1, 2}) == 0);
  CHECK(softmax_entropy<double>(Doubles{1e308, -1e308}, 1e308) ==
        Approx(softmax_entropy<double>(Doubles{1, -1})).epsilon(1e-15));
  CHECK(softmax_variance<double>(Doubles{4}) == 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(softmax_entropy<double>(Doubles{-inf, -inf}), std::domain_error);
  CHECK_THROWS_WITH(softmax_entropy<double>(Doubles{1, nan}),
                    Catch::Contains("softmax_entropy") && Catch::Contains("logit 1"));
  CHECK_THROWS_WITH(softmax_entropy<double>(Doubles{1, 2}, -1.0), Catch::Contains("given -1"));
  CHECK_THROWS_WITH(softmax_variance<double>(Doubles{1, 2}, 0.0), Catch::Contains("above 0"));
  CHECK_THROWS_WITH(softmax_mean<double>(Doubles{1, 2}, nan), Catch::Contains("above 0"));
  // the mean of equal logits is that logit, also where the weights' roundings would bring it out of range
  constexpr double most = std::numeric_limits<double>::max();
  for (std::size_t n = 1; n < 50; ++n) {
    CHECK(std::abs(softmax_mean<double>(Doubles(n, most)) / most - 1) < 1e-15);
    CHECK(std::abs(softmax_mean<double>(Doubles(n, -most)) / most + 1) < 1e-15);
  }
  CHECK_THROWS_WITH(softmax_variance<double>(Doubles{1, -inf}), Catch::Contains("given -inf as logit 1"));
}

namespace {

// |x_i| of the page.
std::vector<Precise> distances(const std::vector<Precise>& z, const Precise& temperature) {
  const Precise top = *std::max_element(z.begin(), z.end());
  std::vector<Precise> x;
  for (const Precise& entry : z) x.push_back((top - entry) / temperature);
  return x;
}

// The page's bound on the error of the entropy, in units of u.
Precise entropy_bound(const std::vector<Precise>& z, const Precise& temperature) {
  const auto s = softmax::softmax<Precise>(z, temperature);
  const auto x = distances(z, temperature);
  const Precise mean = dot(s, x);
  const auto m = static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
  Precise bound = 3 * softmax_entropy<Precise>(z, temperature);
  for (std::size_t i = 0; i < z.size(); ++i)
    if (i != m) bound += s[i] * (1 + x[i] + mean) * (2 * x[i] + ceil_log2(z.size()) + 5);
  return bound;
}

// Calls each(error, bound, what) for every function of the page, errors and bounds in units of u. The bounds on mean,
// variance and derivative are for weights and squares that do not underflow: says whether that is so.
template <class S, class Each>
bool each_error(const std::vector<S>& z, const S& temperature, const Each& each) {
  constexpr double least = std::numeric_limits<S>::min();
  const std::size_t n = z.size();
  const auto exact = as<Precise>(z);
  const Precise at = temperature;
  const auto s = softmax::softmax<Precise>(exact, at);
  const auto x = distances(exact, at);
  const Precise log_n = log(Precise(static_cast<double>(n)));
  const int l = ceil_log2(n);
  const auto bounded = [&](const S& measured, const Precise& expected, const Precise& unit, const Precise& bound,
                           double underflows, const char* what) {
    if (unit == 0)
      each(std::abs(static_cast<double>(measured)), 0.0, what);
    else
      each(error_in_u(measured, expected, unit, underflows), static_cast<double>(higher_orders * bound), what);
  };

  double underflows = 0;
  Precise mean_bound = 0, nearest = 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] > -std::log(least)) underflows += 800;  // an exponential that is subnormal or 0
    mean_bound += s[i] * abs(exact[i]) * (2 * x[i] + 2 * log_n + 2 * l + 6);
    for (std::size_t j = 0; j < i; ++j)
      if (z[i] != z[j]) nearest = std::min<Precise>(nearest, abs(Precise(exact[i] - exact[j])));
  }
  bounded(softmax_entropy<S>(z, temperature), softmax_entropy<Precise>(exact, at), 1, entropy_bound(exact, at),
          underflows, "entropy");

  const Precise furthest = *std::max_element(x.begin(), x.end()), lightest = *std::min_element(s.begin(), s.end());
  if (lightest * nearest * nearest < least) return false;
  bounded(softmax_mean<S>(z, temperature), softmax_mean<Precise>(exact, at), 1, mean_bound, 0, "mean");
  const Precise variance = softmax_variance<Precise>(exact, at), steps = 4 * furthest + 4 * log_n + 9 * l + 28;
  bounded(softmax_variance<S>(z, temperature), variance, variance, steps, 0, "variance");
  bounded(softmax_entropy_derivative<S>(z, temperature), -variance / at, variance / at, steps + 1, 1, "derivative");
  return true;
}

// The same for a row of doubles, whose last entry makes the temperature.
template <class S, class Each>
void each_error_of_row(const Doubles& row, const Each& each) {
  const std::span<const double> logits = std::span(row).first(row.size() - 1);
  each_error<S>(rounded<S>(logits), static_cast<S>(std::abs(row.back()) + 0.1), each);
}

// Found by worst_input with ROOTDK_SEARCH=100, as it prints them.
const std::vector<Doubles> worst_found{
    {-0x1.537eb55555234p+0, -0x1.2bad8035404fep+3, 0x1.9ed3480f5f29cp-6},
    {0x1.5cc189491e7d3p+4, -0x1.5c33d116b0c98p+3, -0x1.3cbb95d8f4f8fp-3},
    {-0x1.7700000000001p+10, 0x1.3889cdb057bdcp+11, 0x1.76fffffffffffp+10},
    {0x1.664f6d4659609p+4, -0x1.a1485d9be4bdcp+4, -0x1.6a8ab70ac9e32p-4},
    {0x1.72e64d5e5c703p+4, -0x1.9ed3e097af154p+4, -0x1.6a91996fc348bp-4},
    {-0x1.8f396a61c683ap+6, 0x1.afa4p+6, -0x1.28c9daaafb7cap+6, -0x1.58f9e37b25f99p+1},
    {0x1.f3ffea0b939e5p+8, 0x1.f3fff8277d215p+8, 0x1.f3fc988e43c6p+8, 0x1.f3fff7c0dc823p+8, 0x1.4d02p+11,
     0x1.f3fff8bb623c4p+8, 0x1.f3ffff1fdb80cp+8},
    {-0x1.e970c0cp+19, -0x1.e8ba42p+19, -0x1.e73b4db20d327p+19},
    {-0x1.e970c0cp+19, -0x1.e8ba42p+19, -0x1.e6d4c96e70d5fp+19}};

template <class S>
void in_floating_point() {
  Comparison entropy(Kind::floating, "entropy in " + format_name<S>() + " against 50 digits, in u", slugs<>());
  Comparison moments(Kind::floating,
                     "mean, variance and derivative of the entropy in " + format_name<S>() + " against 50 digits, in u",
                     slugs<>());
  const auto compare = [&](const std::string& context) {
    return [&, context](double error, double bound, const std::string& what) {
      (what == "entropy" ? entropy : moments).error(error, bound, what + ", " + context);
    };
  };
  Shares entropy_shares, moment_shares;
  std::mt19937_64 random(seed_of("floating, " + format_name<S>()));
  for (const double scale : {0.01, 0.03, 1.0, 10.0, 20.0, 30.0, 100.0, 1000.0})
    for (const std::size_t n : {2u, 3u, 8u, 64u})
      for (const double temperature : {1.0, 1.7}) {
        const auto z = as<S>(normal_vector(scale, n, random));
        const S at = static_cast<S>(temperature);
        const char* kind = saturation<Precise>(softmax::softmax<Precise>(as<Precise>(z), Precise(at)));
        const bool with_moments =
            each_error<S>(z, at, compare(fmt::format("scale {}, n {}, T {}", scale, n, temperature)));
        entropy_shares.count(kind);
        entropy.classify(kind);
        if (!with_moments) continue;
        moment_shares.count(kind);
        moments.classify(kind);
      }
  entropy_shares.require_every_saturation();
  moment_shares.require_every_saturation();

  for (const Doubles& row : worst_found) each_error_of_row<S>(row, compare("a worst input found"));
  for (const std::string function : {"entropy", "mean", "variance", "derivative"}) {
    const WorstInput worst = worst_input(seed_of("search"), 3, 9, [&](const Doubles& row) {
      double ratio = 0;
      each_error_of_row<S>(row, [&](double error, double bound, const std::string& what) {
        if (what == function) ratio = std::isnan(error) ? inf : error > 0 ? error / bound : 0;
      });
      return ratio;
    });
    each_error_of_row<S>(worst.row, compare("the worst input of a search"));
  }
}

}  // namespace

TEST_CASE("floating: every function in double") { in_floating_point<double>(); }
TEST_CASE("floating: every function in float") { in_floating_point<float>(); }

TEST_CASE("floating: the sum over s log s loses the weight that rounds to 1") {
  // H = 41 e^-40 to 16 digits; the weight near 1 contributes e^-40 of it, and its logarithm rounds to 0.
  const Doubles z{40, 0};
  const auto s = softmax::softmax<double>(z);
  const double by_definition = -(s[0] * std::log(s[0]) + s[1] * std::log(s[1]));
  const double expected = static_cast<double>(softmax_entropy<Precise>(as<Precise>(z)));
  CHECK(std::abs(by_definition / expected - 40.0 / 41) < 1e-14);
  CHECK(std::abs(softmax_entropy<double>(z) / expected - 1) < 100 * 0x1p-53);
}

TEST_CASE("falsifier: a scale below 1, infinite logits, no logits") {
  const Doubles z{0, 1};
  falsifier("scale_at_least_one", "\\(c = \\frac12\\), \\(z = (0, 1)\\)",
            "the smaller of 0 and \\(H(\\operatorname{softmax}(z/c)) - H(\\operatorname{softmax}(z))\\)",
            std::min(0.0, softmax_entropy<double>(z, 0.5) - softmax_entropy<double>(z)), 0.0, 1e-14);
  refusal("finite_logits", "\\(z = (0, -\\infty)\\), whose mean logit is \\(0 \\cdot (-\\infty)\\) in part", [] {
    (void)softmax_mean<double>(Doubles{0, -inf});
  });
  refusal("finite_logits", "the derivative at \\(z = (0, \\infty)\\)", [] {
    (void)softmax_entropy_derivative<double>(Doubles{0, inf});
  });
  refusal("non_empty", "no logits", [] { (void)softmax_entropy(std::span<const double>()); });
}

}  // namespace softmax_temperature_test
