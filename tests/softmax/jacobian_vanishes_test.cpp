// 1. In exact arithmetic J = 0 exactly for one-hot s, among rational vectors of any signs that sum to 1; the four
//    vertices in dimension 4 are written out.
// 2. In 50 digits J of finite logits is never 0, its largest diagonal entry being between (1 - s_max)/n and 1 - s_max.
// 3. s = 0, which does not sum to 1, has J = 0 and is not one-hot.

#include "rootdk/softmax/jacobian_vanishes.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "support/simplex_points.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"

namespace jacobian_vanishes_test {

using namespace rootdk;
using namespace rootdk::testing;
using laws::Rational;
using softmax::is_one_hot;
using softmax::jacobian_of_weights;
using softmax::jacobian_vanishes;

namespace {

using Precise = boost::multiprecision::cpp_bin_float_50;
using Rationals = std::vector<Rational>;

Rationals on_the_simplex(Rationals s) {
  Rational total = 0;
  for (Rational& entry : s) total += entry = abs(entry);
  if (total == 0) total = s[0] = 1;
  for (Rational& entry : s) entry /= total;
  return s;
}

// Vectors that sum to 1: of any signs, of one sign, one-hot, and one-hot but for two entries.
rc::Gen<Rationals> sum_to_one() {
  // shape and two places; numerators and denominators
  return rc::gen::map(integers({{0, 3, 0}, {0, 5, 0}, {0, 5, 0}}, 1, 6, {{-20, 20, 0}, {1, 4, 1}}),
                      [](const Integers& drawn) {
                        const int shape = drawn.head[0], place = drawn.head[1], other = drawn.head[2];
                        Rationals s;
                        for (const auto& entry : drawn.rows) s.emplace_back(entry[0], entry[1]);
                        const std::size_t n = s.size();
                        const Rational kept = s[0];
                        if (shape == 3) return on_the_simplex(s);
                        if (shape != 1) std::fill(s.begin(), s.end(), Rational(0));
                        if (shape == 2) s[static_cast<std::size_t>(other) % n] = kept;
                        Rational rest = 1;
                        const std::size_t last = static_cast<std::size_t>(place) % n;
                        for (std::size_t i = 0; i < n; ++i)
                          if (i != last) rest -= s[i];
                        s[last] = rest;
                        return s;
                      });
}

}  // namespace

TEST_CASE("exact: J vanishes where s is one-hot and nowhere else") {
  Shares shares;
  // [jacobian_vanishes]
  for_all(Kind::exact, "J = 0 if and only if s is one-hot, for any rational s that sums to 1",
          Generated<Rationals, "weights_sum_to_one">{sum_to_one()}, [&](const Rationals& s) {
            const auto ones = std::count(s.begin(), s.end(), Rational(1));
            const auto zeros = std::count(s.begin(), s.end(), Rational(0));
            const bool one_hot = ones == 1 && zeros + 1 == static_cast<std::ptrdiff_t>(s.size());
            RC_ASSERT(is_one_hot<Rational>(s) == one_hot);
            RC_ASSERT(jacobian_vanishes<Rational>(s) == one_hot);
            // [jacobian_vanishes]
            const bool negative = std::any_of(s.begin(), s.end(), [](const Rational& x) { return x < 0; });
            const char* kind = one_hot ? "one-hot" : negative ? "with a negative entry" : "inside";
            shares.count(kind);
            RC_TAG(kind);
          });
  shares.require_a_tenth_each({"one-hot", "with a negative entry", "inside"});
}

TEST_CASE("exact: J vanishes nowhere else on the simplex") {
  Shares shares;
  for_all(Kind::exact, "J = 0 if and only if s is one-hot, on the simplex",
          Generated<Rationals, "weights_sum_to_one">{simplex_point_gen(8, false)}, [&](const Rationals& s) {
            RC_ASSERT(jacobian_vanishes<Rational>(s) == is_one_hot<Rational>(s));
            shares.count(saturation<Rational>(s));
            RC_TAG(saturation<Rational>(s));
          });
  shares.require_every_saturation();
}

TEST_CASE("exact: the four cases in dimension 4") {
  const Rationals zero(16, 0);
  CHECK(jacobian_of_weights<Rational>(Rationals{1, 0, 0, 0}) == zero);
  CHECK(jacobian_of_weights<Rational>(Rationals{0, 1, 0, 0}) == zero);
  CHECK(jacobian_of_weights<Rational>(Rationals{0, 0, 1, 0}) == zero);
  CHECK(jacobian_of_weights<Rational>(Rationals{0, 0, 0, 1}) == zero);
  CHECK_FALSE(jacobian_vanishes<Rational>(Rationals{Rational(1) / 2, Rational(1) / 2, 0, 0}));
  CHECK_FALSE(jacobian_vanishes<Rational>(Rationals{1, 0, 1, -1}));
  CHECK_FALSE(is_one_hot<Rational>(Rationals{1, 0, 1, -1}));
  CHECK_THROWS_WITH(jacobian_vanishes(std::span<const double>()), Catch::Contains("non_empty"));
}

TEST_CASE("numeric: J of finite logits, and how near to one-hot a small J is") {
  Comparison check(Kind::numeric,
                   "log of the largest diagonal entry of J between log((1 - s_max)/n) and log(1 - "
                   "s_max), 50 digits",
                   slugs<"weights_sum_to_one">());
  Shares shares;
  std::mt19937_64 random(seed_of("one-hot"));
  for (const double scale : {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0})
    for (std::size_t n = 2; n <= 8; ++n) {
      const auto z = as<Precise>(normal_vector(scale, n, random));
      const auto s = softmax::softmax<Precise>(z);
      const auto j = softmax::softmax_jacobian<Precise>(z);
      Precise largest = 0, others = 0;
      for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, j[i * n + i]);
      const auto top = std::max_element(s.begin(), s.end());
      for (auto it = s.begin(); it != s.end(); ++it)
        if (it != top) others += *it;
      // The middle of the interval, and half its length: a logarithm that leaves it fails. Logarithms are below 1e4
      // here and rounded at 1e-46.
      const Precise half = log(Precise(static_cast<double>(n))) / 2;
      check.compare_as<Precise>(log(largest), log(others) - half, half * (1 + 1e-40),
                                fmt::format("scale {}, n {}", scale, n));
      CHECK_FALSE(jacobian_vanishes<Precise>(s));
      CHECK_FALSE(is_one_hot<Precise>(s));
      shares.count(saturation<Precise>(s));
      check.classify(saturation<Precise>(s));
    }
  shares.require_every_saturation();
}

// The example of source B. In 50 digits its J is not 0; in double every weight but one rounds to 0, and J to 0.
TEST_CASE("numeric: the Jacobian at one two three and a million") {
  Comparison check(Kind::numeric, "the last row of J at (1, 2, 3, 10^6) against -e^(z_j - 10^6), 50 digits",
                   slugs<"weights_sum_to_one">());
  const std::vector<Precise> z{1, 2, 3, 1000000};
  const auto j = softmax::softmax_jacobian<Precise>(z);
  // an exponential of x is within a few |x| units of rounding
  const Precise relative = 10 * z[3] * std::numeric_limits<Precise>::epsilon();
  for (std::size_t k = 0; k < 3; ++k) {
    const Precise expected = -exp(Precise(z[k] - z[3]));
    check.compare_as<Precise>(j[12 + k], expected, -expected * relative, fmt::format("entry {}", k));
  }
  const std::vector<double> in_double{1, 2, 3, 1e6};
  CHECK(jacobian_vanishes<double>(softmax::softmax<double>(in_double)));
  CHECK_FALSE(jacobian_vanishes<Precise>(softmax::softmax<Precise>(z)));
}

TEST_CASE("falsifier: entries that do not sum to 1") {
  const Rationals zero(4, 0);
  REQUIRE(jacobian_vanishes<Rational>(zero));
  falsifier("weights_sum_to_one", "\\(s = 0\\), for which \\(J = 0\\)", "the number of entries that are 1",
            static_cast<int>(std::count(zero.begin(), zero.end(), Rational(1))), 1);
}

}  // namespace jacobian_vanishes_test
