// 1. In 50 digits each entry is the derivative that automatic differentiation finds in softmax, and
// the
//    central difference of its definition, for 1 to 64 logits.
// 2. The 4 by 4 matrix, entry by entry, and the numbers people get wrong.
// 3. In double and float each entry is within the page's bound, the one of the largest weight too.
// 4. Where a logit is infinite the formula is no derivative and no logits are refused by name.

#include "rootdk/softmax/softmax_jacobian.hpp"

#include "rootdk/laws/rational.hpp"
#include "support/autodiff.hpp"
#include "support/floating.hpp"
#include "support/logits.hpp"
#include "support/softmax_reference.hpp"
#include "support/test.hpp"
#include "support/worst_input.hpp"

namespace softmax_jacobian_test {

using namespace rootdk;
using namespace rootdk::testing;
using laws::Rational;
using softmax::jacobian_of_weights;
using softmax::softmax_jacobian;

namespace {

std::vector<Precise> precise(std::span<const double> z) { return {z.begin(), z.end()}; }

// The derivative of softmax by z_j, by automatic differentiation of the code itself.
std::vector<Precise> automatic_column(const std::vector<Precise>& z, std::size_t j) {
  std::vector<Precise> column;
  for (const Dual& s : softmax::softmax<Dual>(along(z, axis(z.size(), j)))) column.push_back(s.derivative(1));
  return column;
}

const Precise h = ldexp(Precise(1), -46);

// (s(z + h e_j) - s(z - h e_j)) / 2h, with softmax by its definition.
std::vector<Precise> difference_column(std::vector<Precise> z, std::size_t j) {
  const Precise at = z[j];
  z[j] = at + h;
  std::vector<Precise> above = reference_weights(z);
  z[j] = at - h;
  const std::vector<Precise> below = reference_weights(z);
  for (std::size_t i = 0; i < z.size(); ++i) above[i] = (above[i] - below[i]) / (2 * h);
  return above;
}

// The page's bound on the error of a central difference: |s_i'''| <= 2 s_i, and four exponentials'
// error in each of two weights.
Precise difference_bound(const Precise& weight) { return weight * (h * h / 2 + 4 * precise_exp_error / h); }

// Columns to look at: all of a small matrix, eight of a large one.
template <class Each>
void each_column(std::size_t n, Each each) {
  const std::size_t stride = n <= 16 ? 1 : n / 8;
  for (std::size_t j = 0; j < n; j += stride) each(j);
}

// Rows of every size from 1 to 64, three of each up to 16.
template <class Each>
void each_size(const char* seed, Each each) {
  for (int n = 1; n <= 64; ++n)
    for (std::size_t k = 0; k < (n <= 16 ? 3 : 1); ++k)
      each(sampled_logits(seed_of(seed), static_cast<std::size_t>(3 * n) + k, n, n));
}

// Each entry in u of itself, with the bounds of the page.
template <class T, class Each>
void each_error(const std::vector<double>& row, Each each) {
  const std::vector<T> z = rounded<T>(row);
  const SoftmaxReference exact(widened(z));
  const std::size_t n = z.size();
  const double log_n = std::log(static_cast<double>(n)), depth = sum_depth(n);
  const std::vector<T> jacobian = softmax_jacobian<T>(z);
  const auto x = [&exact](std::size_t i) { return std::abs(static_cast<double>(exact.x(i))); };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const Precise entry = exact.jacobian(i, j);
      if (entry == 0) continue;  // a single logit
      const double diagonal = i == j ? static_cast<double>(exact.gap()) + log_n : 0;
      const double bound = higher_orders * (x(i) + x(j) + diagonal + 2 * log_n + 3 * depth + 11);
      each(error_in_u(jacobian[i * n + j], entry, entry, 2.0 * static_cast<double>(n) + 3), bound, i, j);
    }
}

// Each entry of diag(s) - s s^T in u of itself, for the numbers s as they are given.
template <class T, class Each>
void each_error_of_weights(const std::vector<T>& s, Each each) {
  const std::vector<T> jacobian = jacobian_of_weights<T>(s);
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t j = 0; j < s.size(); ++j) {
      const Precise exact = i == j ? Precise(s[i]) * (1 - Precise(s[i])) : -Precise(s[i]) * Precise(s[j]);
      const Precise unit = exact == 0 ? Precise(1) : exact;
      each(error_in_u(jacobian[i * s.size() + j], exact, unit, 0.5), 2 * higher_orders, i, j);
    }
}

// The largest ratio of error to bound among what `errors(each)` hands to its argument.
template <class Errors>
double worst_ratio(Errors errors) {
  double worst = 0;
  errors([&](double error, double bound, std::size_t, std::size_t) { worst = worse_ratio(worst, error, bound); });
  return worst;
}

// Found by worst_input with ROOTDK_SEARCH=20, as it prints them.
const std::vector<std::vector<double>> worst_found{{0x1.336710f6313adp+0, 0x1.fff774e354414p+0, -0x1.ffffffffffffep-1,
                                                    -0x1.015a67fe56be5p+0, -0x1.10c3d687e82d5p+1, 0x1p+1},
                                                   {0x1.f4p+8, 0x1.f6a2895e98481p+8, 0x1.f4p+8}};

template <class T>
void within_bounds() {
  RowClasses classes;
  Comparison check(Kind::floating, "entries from logits, in u, " + format_name<T>(), slugs<"finite_logits">());
  each_size("floating", [&](const Logits& row) {
    check.classify(classes.count(row));
    each_error<T>(row.z, [&](double error, double bound, std::size_t i, std::size_t j) {
      check.error(error, bound, fmt::format("entry ({}, {}) of {}", i, j, row.z.size()));
    });
  });
}

template <class T>
void within_bounds_on_worst_rows() {
  Comparison check(Kind::floating, "the worst rows of a search, in u, " + format_name<T>(), slugs<"finite_logits">());
  auto rows = worst_found;
  rows.push_back(worst_input(seed_of("search"), 2, 8, [](const std::vector<double>& row) {
                   return worst_ratio([&](auto each) { each_error<T>(row, each); });
                 }).row);
  for (const auto& row : rows)
    each_error<T>(row, [&](double error, double bound, std::size_t i, std::size_t j) {
      check.error(error, bound, fmt::format("entry ({}, {})", i, j));
    });
}

}  // namespace

TEST_CASE("numeric: the entries are the derivatives of the definition") {
  // [softmax_jacobian]
  RowClasses classes;
  for_all(Kind::numeric, "entries against central differences, in 50 digits", logits<"finite_logits">(8),
          [&classes](const Logits& row) {
            classes.count_case(row);
            const std::vector<Precise> z = precise(row), s = reference_weights(z),
                                       jacobian = jacobian_of_weights<Precise>(s);
            for (std::size_t j = 0; j < z.size(); ++j) {
              const std::vector<Precise> difference = difference_column(z, j);
              for (std::size_t i = 0; i < z.size(); ++i)
                RC_ASSERT(abs(difference[i] - jacobian[i * z.size() + j]) <= difference_bound(s[i]));
            }
          });
  // [softmax_jacobian]
}

TEST_CASE("numeric: central differences for 1 to 64 logits") {
  RowClasses classes;
  Comparison check(Kind::numeric, "error over the bound of a central difference in 50 digits",
                   slugs<"finite_logits">());
  each_size("differences", [&](const Logits& row) {
    check.classify(classes.count(row));
    const std::vector<Precise> z = precise(row), s = reference_weights(z), jacobian = softmax_jacobian<Precise>(z);
    each_column(z.size(), [&](std::size_t j) {
      const std::vector<Precise> difference = difference_column(z, j);
      for (std::size_t i = 0; i < z.size(); ++i)
        check.error(
            static_cast<double>(Precise(abs(difference[i] - jacobian[i * z.size() + j]) / difference_bound(s[i]))), 1,
            fmt::format("entry ({}, {}) of {}", i, j, z.size()));
    });
  });
}

TEST_CASE("numeric: automatic differentiation for 1 to 64 logits") {
  RowClasses classes;
  Comparison check(Kind::numeric, "error in s_i against Boost autodiff in 50 digits", slugs<"finite_logits">());
  each_size("autodiff", [&](const Logits& row) {
    check.classify(classes.count(row));
    const std::vector<Precise> z = precise(row), s = reference_weights(z), jacobian = softmax_jacobian<Precise>(z);
    each_column(z.size(), [&](std::size_t j) {
      const std::vector<Precise> automatic = automatic_column(z, j);
      for (std::size_t i = 0; i < z.size(); ++i)
        check.error(static_cast<double>(Precise(abs(automatic[i] - jacobian[i * z.size() + j]) / s[i])),
                    static_cast<double>(8 * precise_exp_error), fmt::format("entry ({}, {}) of {}", i, j, z.size()));
    });
  });
}

TEST_CASE("numeric: the 4 by 4 matrix written out") {
  const Rational a(1, 2), b(1, 4), c(1, 6), d(1, 12);
  const std::vector<Rational> written_out{a * (1 - a), -a * b,      -a * c,      -a * d,  //
                                          -b * a,      b * (1 - b), -b * c,      -b * d,  //
                                          -c * a,      -c * b,      c * (1 - c), -c * d,  //
                                          -d * a,      -d * b,      -d * c,      d * (1 - d)};
  const std::vector<Rational> numbers{Rational(1, 4),   Rational(-1, 8),  Rational(-1, 12), Rational(-1, 24),
                                      Rational(-1, 8),  Rational(3, 16),  Rational(-1, 24), Rational(-1, 48),
                                      Rational(-1, 12), Rational(-1, 24), Rational(5, 36),  Rational(-1, 72),
                                      Rational(-1, 24), Rational(-1, 48), Rational(-1, 72), Rational(11, 144)};
  CHECK(jacobian_of_weights<Rational>(std::vector{a, b, c, d}) == written_out);
  CHECK(written_out == numbers);

  // the same matrix from logits whose weights are a, b, c, d
  Comparison check(Kind::numeric, "logits (log 6, log 3, log 2, 0), in 50 digits", slugs<"finite_logits">());
  const auto jacobian =
      softmax_jacobian<Precise>(std::vector<Precise>{log(Precise(6)), log(Precise(3)), log(Precise(2)), 0});
  for (std::size_t k = 0; k < 16; ++k)
    check.compare_as<Precise>(jacobian[k], Precise(numbers[k]), 8 * precise_exp_error, fmt::format("entry {}", k));
}

TEST_CASE("numeric: the entries that are coded wrongly") {
  Comparison check(Kind::numeric, "z = (1, 1, 1, 5), to eight decimals", slugs<"finite_logits">());
  const auto jacobian = softmax_jacobian<double>(std::vector<double>{1, 1, 1, 5});
  check.compare(jacobian[15], 0.04937216, 5e-9, "diagonal: s(1 - s)");
  check.compare(jacobian[3], -0.01645739, 5e-9, "off the diagonal: -s s, not 0 and not +s s");
  for (std::size_t i = 0; i < 4; ++i) {
    double row = 0, column = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      row += jacobian[4 * i + j];
      column += jacobian[4 * j + i];
      if (i != j) CHECK(jacobian[4 * i + j] < 0);
    }
    // three additions of entries up to s_i(1 - s_i), each entry within 39 u of its own
    check.compare(row, 0, 90 * unit_of_rounding<double> * jacobian[5 * i], "a row sums to 0");
    check.compare(column, 0, 90 * unit_of_rounding<double> * jacobian[5 * i], "a column sums to 0");
  }
}

TEST_CASE("floating: double entries from logits") { within_bounds<double>(); }
TEST_CASE("floating: float entries from logits") { within_bounds<float>(); }
TEST_CASE("floating: double entries of the worst rows") { within_bounds_on_worst_rows<double>(); }
TEST_CASE("floating: float entries of the worst rows") { within_bounds_on_worst_rows<float>(); }

TEST_CASE("floating: entries from given weights") {
  RowClasses classes;
  Comparison check(Kind::floating, "entries of diag(s) - s s^T in u, for s as given, double and float",
                   slugs<"finite_logits">());
  const auto compare = [&]<class T>(const std::vector<T>& s) {
    each_error_of_weights<T>(s, [&](double error, double bound, std::size_t i, std::size_t j) {
      check.error(error, bound, fmt::format("entry ({}, {}) of {}", i, j, s.size()));
    });
  };
  const auto run = [&]<class T>(T, const Logits& row) { compare(softmax::softmax<T>(rounded<T>(row))); };
  for (std::size_t index = 0; index < 100; ++index) {
    const Logits row = sampled_logits(seed_of("weights"), index);
    check.classify(classes.count(row));
    run(0.0, row);
    run(0.0f, row);
  }
  // any finite numbers will do, so the search is over the numbers themselves
  const auto search = [&]<class T>(T) {
    compare(rounded<T>(worst_input(seed_of("search"), 2, 8, [](const std::vector<double>& row) {
                         return worst_ratio([&](auto each) { each_error_of_weights<T>(rounded<T>(row), each); });
                       }).row));
  };
  search(0.0);
  search(0.0f);
  for (double x = 1e-150; x > 1e-170; x /= 3) compare(std::vector<double>{x, 3 * x, -x});
  compare(std::vector<double>{1e-200, 3e-200});
  CHECK(jacobian_of_weights<double>(std::vector<double>{1e-200, 3e-200})[1] == 0);
}

TEST_CASE("input: numbers whose products are out of range are refused") {
  CHECK_THROWS_AS(jacobian_of_weights<double>(std::vector<double>{1e200, 1}), std::domain_error);
  CHECK_THROWS_WITH(jacobian_of_weights<double>(std::vector<double>{1, 1e200}),
                    Catch::Contains("in the range of the scalar") && Catch::Contains("as entries 1 and 1"));
  CHECK_THROWS_WITH(jacobian_of_weights<double>(std::vector<double>{1e150, 1, -1e160}),
                    Catch::Contains("as entries 0 and 2"));
  CHECK_THROWS_WITH(jacobian_of_weights<float>(std::vector<float>{1, 1e20f}), Catch::Contains("entries 1 and 1"));
  CHECK(jacobian_of_weights<double>(std::vector<double>{1e150, -1e150})[1] == 1e150 * 1e150);
}

TEST_CASE("floating: the entry of a weight that rounds to 1 is kept") {
  const std::vector<double> z{50, 0};
  const double claimed = std::exp(-50.0) / std::pow(1 + std::exp(-50.0), 2);
  CHECK(softmax_jacobian<double>(z)[0] == Approx(claimed).epsilon(1e-14));
  CHECK(jacobian_of_weights<double>(softmax::softmax<double>(z))[0] == 0);
}

TEST_CASE("falsifier: at infinite logits the formula is no derivative and no logits are refused") {
  const double inf = std::numeric_limits<double>::infinity();
  const auto first = [](std::vector<double> z) { return softmax::softmax<double>(z)[0]; };
  falsifier("finite_logits", "\\(z = (\\infty, \\infty)\\), where \\(s = (1/2, 1/2)\\)",
            "the difference quotient of \\(s_1\\) by \\(z_1\\)", (first({inf + 1, inf}) - first({inf, inf})) / 1,
            softmax_jacobian<double>(std::vector<double>{inf, inf})[0]);
  refusal("non_empty", "the Jacobian of no logits", [] { softmax_jacobian<double>({}); });
  refusal("non_empty", "the Jacobian of no weights", [] { jacobian_of_weights<double>({}); });
  CHECK_THROWS_WITH(jacobian_of_weights<double>(std::vector{1.0, inf}), Catch::Contains("given inf as entry 1"));
  CHECK_THROWS_WITH(softmax_jacobian<double>(std::vector{1.0, std::nan("")}), Catch::Contains("given NaN as logit 1"));
}

}  // namespace softmax_jacobian_test
