// 1. In exact arithmetic J is symmetric, its rows sum to 0, v'Jv is the variance of v under s, and I/2 - J has no
//    negative pivot, at any rational point of the simplex; 1/2 is attained, and 1/n is the norm at the uniform point.
// 2. In 50 digits v'Jv is the second derivative of log-sum-exp along v and has the gradient 2Jv, and the norm of a
//    3 x 3 Jacobian is the root of its characteristic polynomial.
// 3. In double and float form and norm stay within the bounds of the page, at every saturation and at the worst inputs
//    that searches find.
// 4. Off the simplex the row sums, or the sign, are lost.

#include "rootdk/softmax/jacobian_structure.hpp"

#include "support/autodiff.hpp"
#include "support/floating.hpp"
#include "support/simplex_points.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"
#include "support/worst_input.hpp"

namespace jacobian_structure_test {

using namespace rootdk;
using namespace rootdk::testing;
using laws::Rational;
using softmax::jacobian_of_weights;
using softmax::jacobian_quadratic_form;
using softmax::jacobian_spectral_norm;

namespace {

using laws::Precise;
using Rationals = std::vector<Rational>;

// Half the mean squared difference of two independent draws from s.
template <class S>
S variance_by_differences(const std::vector<S>& s, const std::vector<S>& v) {
  S total(0);
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) total += s[i] * s[j] * (v[i] - v[j]) * (v[i] - v[j]);
  return total;
}

// cI - J by symmetric elimination. A symmetric matrix is positive semidefinite if and only if no pivot is negative
// and a pivot of 0 leaves nothing in its column.
bool at_least_jacobian(const Rational& c, const Rationals& s) {
  const std::size_t n = s.size();
  Rationals a = jacobian_of_weights<Rational>(s);
  for (Rational& entry : a) entry = -entry;
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] += c;
  for (std::size_t k = 0; k < n; ++k) {
    const Rational pivot = a[k * n + k];
    if (pivot < 0) return false;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i * n + k] == 0) continue;
      if (pivot == 0) return false;
      const Rational factor = a[i * n + k] / pivot;
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return true;
}

// Weights as a function of how they are spread: at scale 0.01 nearly uniform, at scale 1000 nearly one-hot.
const double scales[] = {0.01, 0.1, 1, 10, 100, 1000};

}  // namespace

TEST_CASE("exact: the structure of J at rational points of the simplex") {
  Shares shares;
  // [jacobian_structure]
  for_all(Kind::exact, "J = J', J1 = 0, v'Jv = Var(v) under s and at least 0, no negative pivot of I/2 - J",
          simplex_point<"simplex_point">(), [&](const Rationals& s) {
            const std::size_t n = s.size();
            const Rationals j = jacobian_of_weights<Rational>(s);
            for (std::size_t row = 0; row < n; ++row)
              for (std::size_t column = 0; column < row; ++column)
                RC_ASSERT(j[row * n + column] == j[column * n + row]);
            RC_ASSERT(times(j, Rationals(n, 1)) == Rationals(n, 0));

            const Rationals v = *rational_vector_gen(static_cast<int>(n));
            const Rational form = jacobian_quadratic_form<Rational>(s, v);
            RC_ASSERT(form == dot(v, times(j, v)));
            RC_ASSERT(form == variance_by_differences(s, v));
            RC_ASSERT(form >= 0);
            RC_ASSERT(at_least_jacobian(Rational(1) / 2, s));
            // [jacobian_structure]
            shares.count(saturation<Rational>(s));
            RC_TAG(saturation<Rational>(s));
          });
  shares.require_every_saturation();
}

TEST_CASE("exact: one half is attained and nothing less will do") {
  for (std::size_t n = 2; n <= 8; ++n) {
    Rationals s(n, 0), v(n, 0);
    s[0] = s[1] = Rational(1) / 2;
    v[0] = 1, v[1] = -1;
    Rationals half_v = v;
    for (Rational& entry : half_v) entry /= 2;
    CHECK(times(jacobian_of_weights<Rational>(s), v) == half_v);
    CHECK(at_least_jacobian(Rational(1) / 2, s));
    CHECK_FALSE(at_least_jacobian(Rational(1) / 2 - Rational("1/1000000000000000000000000000000"), s));
  }
}

// Known answers: the sum of a row of the derivative is 0; with + s_i s_j off the diagonal it is not; the norm bound
// is 1/2 and not 1, and the norm at the uniform point is 1/n.
TEST_CASE("exact: the sign off the diagonal and the norm at the uniform point") {
  for (std::size_t n = 2; n <= 8; ++n) {
    const Rational share = Rational(1) / static_cast<int>(n);
    const Rationals s(n, share);
    const Rationals j = jacobian_of_weights<Rational>(s);
    Rationals wrong = j;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        if (i != k) wrong[i * n + k] = -wrong[i * n + k];
    CHECK(times(j, Rationals(n, 1)) == Rationals(n, 0));
    CHECK(times(wrong, Rationals(n, 1)) == Rationals(n, 2 * share * (1 - share)));

    Rationals v(n, 0), image(n, 0);
    v[0] = 1, v[1] = -1;
    image[0] = share, image[1] = -share;
    CHECK(times(j, v) == image);
    CHECK(at_least_jacobian(share, s));
  }
}

TEST_CASE("exact: weights and vectors that fit no row of softmax are refused") {
  const double s[] = {0.5, 0.5}, negative[] = {2, -1}, three[] = {1, 2, 3};
  const double not_a_number[] = {0.5, std::numeric_limits<double>::quiet_NaN()};
  const double far_apart[] = {-1.7e308, 1.7e308};
  using View = std::span<const double>;
  CHECK_THROWS_WITH(jacobian_quadratic_form(View(), View()), Catch::Contains("non_empty"));
  CHECK_THROWS_WITH(jacobian_spectral_norm(View()), Catch::Contains("non_empty"));
  CHECK_THROWS_WITH(jacobian_spectral_norm(View(negative)),
                    Catch::Contains("simplex_point") && Catch::Contains("given -1 as weight 1"));
  CHECK_THROWS_WITH(jacobian_quadratic_form(View(s), View(not_a_number)), Catch::Contains("given nan as entry 1"));
  CHECK(jacobian_quadratic_form(View(s), View(far_apart)) == std::numeric_limits<double>::infinity());
  CHECK_THROWS_AS(jacobian_quadratic_form(View(s), View(three)), std::invalid_argument);
  CHECK_THROWS_WITH(jacobian_quadratic_form(View(s), View(three)), Catch::Contains("2, given one of length 3"));
}

TEST_CASE("numeric: the form is the second derivative of log-sum-exp") {
  Comparison check(Kind::numeric, "v'Jv against a second difference of log-sum-exp along v, 50 digits",
                   slugs<"simplex_point">());
  Shares shares;
  std::mt19937_64 random(seed_of("second derivative"));
  const Precise h = Precise(1) / 10000000000LL, epsilon = std::numeric_limits<Precise>::epsilon();
  for (const double scale : scales)
    for (std::size_t n = 2; n <= 8; ++n) {
      const auto z = as<Precise>(normal_vector(scale, n, random));
      const auto v = as<Precise>(normal_vector(1, n, random));
      const auto s = softmax::softmax<Precise>(z);
      const auto moved = [&](const Precise& by) {
        std::vector<Precise> to = z;
        for (std::size_t i = 0; i < n; ++i) to[i] += by * v[i];
        return softmax::log_sum_exp<Precise>(to);
      };
      const Precise here = moved(0);
      const Precise measured = (moved(h) - 2 * here + moved(-h)) / (h * h);
      // The fourth derivative is the fourth cumulant of v under weights on the way, at most R^4/4 for entries in
      // an interval of length R.
      const auto [low, high] = std::minmax_element(v.begin(), v.end());
      const Precise range = *high - *low, size = abs(here) + 1;
      const Precise bound = h * h * range * range * range * range / 48 + 100 * epsilon * size / (h * h);
      check.compare_as<Precise>(jacobian_quadratic_form<Precise>(s, v), measured, bound,
                                fmt::format("scale {}", scale));
      shares.count(saturation<Precise>(s));
      check.classify(saturation<Precise>(s));
    }
  shares.require_every_saturation();
}

TEST_CASE("numeric: the gradient of the form by automatic differentiation") {
  Comparison check(Kind::numeric, "the gradient of v'Jv by v against 2Jv, 50 digits", slugs<"simplex_point">());
  Shares shares;
  std::mt19937_64 random(seed_of("autodiff"));
  for (const double scale : scales)
    for (std::size_t n = 2; n <= 8; ++n) {
      const auto s = softmax::softmax<Precise>(as<Precise>(normal_vector(scale, n, random)));
      const auto v = as<Precise>(normal_vector(1, n, random));
      const auto product = times(jacobian_of_weights<Precise>(s), v);
      Precise largest = 0;
      for (const Precise& entry : v) largest = std::max<Precise>(largest, abs(entry));
      // the sum of the weights and every sum of n products of a weight with a difference of entries
      const Precise granted = 32 * std::numeric_limits<Precise>::epsilon() * static_cast<double>(n) * 2 * largest;
      for (std::size_t i = 0; i < n; ++i)
        check.compare_as<Precise>(
            jacobian_quadratic_form<Dual>(std::vector<Dual>(s.begin(), s.end()), along(v, axis(n, i))).derivative(1),
            2 * product[i], granted, fmt::format("scale {}, n {}", scale, n));
      shares.count(saturation<Precise>(s));
      check.classify(saturation<Precise>(s));
    }
  shares.require_every_saturation();
}

TEST_CASE("numeric: the norm of a Jacobian of order 2 and 3 in closed form") {
  Comparison check(Kind::numeric, "spectral norm against the root of the characteristic polynomial, 50 digits",
                   slugs<"simplex_point">());
  Shares shares;
  const auto count = [&](const std::vector<Precise>& weights) {
    shares.count(saturation<Precise>(weights));
    check.classify(saturation<Precise>(weights));
  };
  std::mt19937_64 random(seed_of("closed form"));
  const Precise epsilon = std::numeric_limits<Precise>::epsilon();
  for (const double scale : scales)
    for (int i = 0; i < 10; ++i) {
      const auto two = softmax::softmax<Precise>(as<Precise>(normal_vector(scale, 2, random)));
      const Precise norm = 2 * two[0] * two[1];
      check.compare_as<Precise>(jacobian_spectral_norm<Precise>(two), norm, 16 * epsilon * norm, "order 2");
      count(two);

      // eigenvalues 0 and the roots of x^2 - tx + 3 s_1 s_2 s_3, t the trace
      const auto s = softmax::softmax<Precise>(as<Precise>(normal_vector(scale, 3, random)));
      const Precise t = 2 * (s[0] * s[1] + s[0] * s[2] + s[1] * s[2]);
      const Precise root = sqrt(Precise(t * t - 12 * s[0] * s[1] * s[2]));
      check.compare_as<Precise>(jacobian_spectral_norm<Precise>(s), (t + root) / 2, 16 * epsilon * (t + t * t / root),
                                "order 3");
      count(s);
    }
  shares.require_every_saturation();
}

namespace {

// The error in units of u of the expected value, apart from what underflow may add.
template <class S>
double relative_error(const S& measured, const Precise& expected, const Precise& underflow) {
  const Precise unit = std::numeric_limits<S>::epsilon() / 2;
  const Precise error = abs(Precise(static_cast<Precise>(measured) - expected)) - underflow;
  return static_cast<double>(Precise(std::max<Precise>(error, 0) / expected / unit));
}

template <class S>
void form_in_floating_point(const char* name) {
  Comparison check(Kind::floating, fmt::format("v'Jv in {} against 50 digits, in units of u", name),
                   slugs<"simplex_point">());
  Shares shares;
  std::mt19937_64 random(seed_of("floating, " + format_name<S>()));
  for (const double scale : {0.01, 0.03, 1.0, 3.0, 10.0, 30.0})
    for (const std::size_t n : {2u, 3u, 8u, 64u})
      for (const double common : {0.0, 1.0, 1e6}) {
        const auto s = softmax::softmax<S>(as<S>(normal_vector(scale, n, random)));
        auto v = as<S>(normal_vector(1, n, random));
        for (S& entry : v) entry += static_cast<S>(common);
        const Precise expected = variance_by_differences(as<Precise>(s), as<Precise>(v));
        const auto [low, high] = std::minmax_element(v.begin(), v.end());
        const Precise underflow = Precise(n + 1) * (1 + *high - *low) * std::numeric_limits<S>::denorm_min();
        check.error(relative_error<S>(jacobian_quadratic_form<S>(s, v), expected, underflow), 7 * ceil_log2(n) + 18,
                    fmt::format("scale {}, n {}, shift {}", scale, n, common));
        shares.count(saturation<S>(s));
        check.classify(saturation<S>(s));
      }
  shares.require_every_saturation();
}

template <class S>
void norm_in_floating_point(const char* name) {
  Comparison check(Kind::floating,
                   fmt::format("spectral norm in {} against the root in 50 digits, in units of u", name),
                   slugs<"simplex_point">());
  Shares shares;
  std::mt19937_64 random(seed_of("norm, " + format_name<S>()));
  for (const double scale : {0.01, 0.03, 1.0, 3.0, 10.0, 30.0})
    for (const std::size_t n : {2u, 3u, 8u, 64u}) {
      const auto s = softmax::softmax<S>(as<S>(normal_vector(scale, n, random)));
      const Precise expected = jacobian_spectral_norm<Precise>(as<Precise>(s));
      check.error(relative_error<S>(jacobian_spectral_norm<S>(s), expected, std::numeric_limits<S>::denorm_min()),
                  ceil_log2(n) + 7, fmt::format("scale {}, n {}", scale, n));
      shares.count(saturation<S>(s));
      check.classify(saturation<S>(s));
    }
  shares.require_every_saturation();
}

}  // namespace

TEST_CASE("floating: the form in double and float") {
  form_in_floating_point<double>("double");
  form_in_floating_point<float>("float");
}

TEST_CASE("floating: the norm in double and float") {
  norm_in_floating_point<double>("double");
  norm_in_floating_point<float>("float");
}

namespace {

// Form and norm at a row, logits in its first half and v in the second: errors and bounds in units of u. Where the
// exact value is 0 so is the result.
template <class S, class Each>
void each_error(const std::vector<double>& row, const Each& each) {
  const std::size_t n = row.size() / 2;
  const std::span<const double> all(row);
  const auto s = softmax::softmax<S>(rounded<S>(all.first(n)));
  const auto v = rounded<S>(all.subspan(n, n));
  const auto one = [&](const S& measured, const Precise& exact, double underflows, int bound, const char* what) {
    if (exact == 0)
      each(static_cast<double>(measured), 0.0, what);
    else
      each(error_in_u(measured, exact, exact, underflows), higher_orders * bound, what);
  };
  const auto [low, high] = std::minmax_element(v.begin(), v.end());
  one(jacobian_quadratic_form<S>(s, v), variance_by_differences(as<Precise>(s), as<Precise>(v)),
      static_cast<double>(n + 1) * (1 + static_cast<double>(*high) - static_cast<double>(*low)), 7 * ceil_log2(n) + 18,
      "form");
  one(jacobian_spectral_norm<S>(s), jacobian_spectral_norm<Precise>(as<Precise>(s)), 1, ceil_log2(n) + 7, "norm");
}

// Found by worst_input with ROOTDK_SEARCH=100, as it prints them.
const std::vector<std::vector<double>> worst_found{
    {-0x1.8b020ab5b63c6p-2, -0x1.78e2ef3a057d4p-2, -0x1.7facc4647cc09p+0, -0x1.e16e9f06c4abap-2},
    {-0x1.5913f86628fdp+0, 0x1.49f17d0795a18p-1, -0x1.4e38ed9175c9p+0, 0, 0, 0},
    {0x1.3fffffffffff3p+4, 0x1.4p+4, -0x1.3ffea5f9779d8p+3, 0x1.c473a0be6224ep-32, 0x1.4p+3, -0x1.3ffe20cd14ca2p+3,
     0x1.5444cf68884b2p-31, -0x1.f197e9adf6ab1p-51, 0x1.76d9fd20fa7ap+3, 0x1.1c9eb214b4892p+3, -0x1.400000092b3e4p+3,
     -0x1.4000000000102p+3, -0x1.67797d4e77e72p-9, 0x1.40099cf5c3758p+4},
    {0x1.ce7ffed7d237ap+4, 0x1.e2ad388e459c2p-21, 0x1.ab33979a2298ap-16, 0x0p+0, 0x1.166a1d8256003p-20, 0x0p+0,
     -0x1.b66b82781b20cp-25, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0},
    {0x1.045283b6bb4d4p-5, -0x1.f39c19724a701p-5, -0x1.84ccccccccccdp-5, -0x1.6b7f6cc65459cp-3},
    {0x0p+0, 0x0p+0, 0x0p+0, -0x1.98102e92c58cap-8, 0x0p+0, 0x1.decp+1, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0,
     0x0p+0, 0x0p+0}};

template <class S>
void at_the_worst_inputs() {
  Comparison check(Kind::floating, "form and norm at the worst inputs found, in u, " + format_name<S>(),
                   slugs<"simplex_point">());
  auto rows = worst_found;
  for (const std::string function : {"form", "norm"})
    rows.push_back(worst_input(seed_of("search"), 4, 16, [&](const std::vector<double>& row) {
                     double ratio = 0;
                     each_error<S>(row, [&](double error, double bound, const std::string& what) {
                       if (what == function) ratio = std::isnan(error) ? HUGE_VAL : error > 0 ? error / bound : 0;
                     });
                     return ratio;
                   }).row);
  for (const auto& row : rows)
    each_error<S>(row, [&](double error, double bound, const char* what) { check.error(error, bound, what); });
}

}  // namespace

TEST_CASE("floating: the worst rows that searches found") {
  at_the_worst_inputs<double>();
  at_the_worst_inputs<float>();
}

TEST_CASE("exact: the norm found by bisection lies where elimination says") {
  Shares shares;
  for_all(
      Kind::exact,
      "(c(1 + e))I - J has no negative pivot and (c(1 - e))I - J has one, c the norm in 50 digits, "
      "e = 1e-40",
      simplex_point<"simplex_point">(6),
      [&](const Rationals& s) {
        std::vector<Precise> weights;
        for (const Rational& weight : s) weights.push_back(static_cast<Precise>(weight));
        const Rational c = static_cast<Rational>(jacobian_spectral_norm<Precise>(weights));
        const Rational e = Rational("1/10000000000000000000000000000000000000000");
        RC_ASSERT(at_least_jacobian(c * (1 + e), s));
        RC_ASSERT(c == 0 || !at_least_jacobian(c * (1 - e), s));
        shares.count(saturation<Rational>(s));
        RC_TAG(saturation<Rational>(s));
      },
      Cases{300});
  shares.require_every_saturation();
}

TEST_CASE("falsifier: off the simplex") {
  const Rationals ones{1, 1}, signs{2, -1}, second{0, 1};
  falsifier("simplex_point", "\\(s = (1, 1)\\), which does not sum to 1", "each entry of \\(J\\mathbf 1\\)",
            times(jacobian_of_weights<Rational>(ones), Rationals(2, 1))[0], Rational(0));
  falsifier("simplex_point", "\\(s = (2, -1)\\), which sums to 1, and \\(v = (0, 1)\\)",
            "the smaller of 0 and \\(v^{\\mathsf T}Jv\\)",
            std::min<Rational>(0, dot(second, times(jacobian_of_weights<Rational>(signs), second))), Rational(0));
}

}  // namespace jacobian_structure_test
