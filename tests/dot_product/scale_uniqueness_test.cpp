// 1. In exact arithmetic Var(q.k/c) = d/c^2 for a rational divisor c, and it is 1 for c = sqrt(d) alone:
//    d <= 3 over the joint table. Where d^a is rational Var(q.k/d^a) = d^(1-2a), and it is 1 for a = 1/2
//    alone: up to d = 64 by convolution.
// 2. Between those in 50 digits.
// 3. Sampled, exponents 0, 1/4, 1/2, 1.
// 4. d = 1 breaks the exponent part, d = 0 the other.
// 5. Known answers: multiplying by sqrt(d), a scale left at 1, exponents at d = 64.

#include "rootdk/dot_product/scale_uniqueness.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <span>

#include "rootdk/laws/catalogue.hpp"
#include "support/dot_product_law.hpp"
#include "support/drops_only.hpp"
#include "support/generators.hpp"
#include "support/logit_sample.hpp"
#include "support/test.hpp"

namespace scale_uniqueness_test {

using namespace rootdk;
using namespace rootdk::testing;
using dot_product::logit_variance;
using Fifty = boost::multiprecision::cpp_bin_float_50;
using Hundred = boost::multiprecision::cpp_bin_float_100;  // for expected values, so that only one side errs

namespace {

constexpr auto divisor_part = slugs<"mutually_independent", "zero_mean", "unit_variance", "positive_dimension">();
constexpr auto exponent_part = slugs<"mutually_independent", "zero_mean", "unit_variance", "two_or_more_dimensions">();

// An exponent a = p/q at which d^a is rational: d = r^q, so that d^a = r^p and d^(1-2a) = r^(q-2p).
struct RationalPower {
  std::size_t d;
  int p, q;
  Rational divisor, variance;
};

// a from -1/2 to 3/2, in steps of 1/q
std::vector<RationalPower> rational_powers() {
  const auto power = [](int r, int k) {
    Rational result = 1;
    for (int i = 0; i < std::abs(k); ++i) result *= r;
    return k < 0 ? Rational(1 / result) : result;
  };
  std::vector<RationalPower> all;
  // d = 4, 8, 9, 16, 27, 32, 64, 81
  for (const auto& [r, q] :
       std::vector<std::pair<int, int>>{{2, 2}, {2, 3}, {3, 2}, {2, 4}, {3, 3}, {2, 5}, {2, 6}, {3, 4}})
    for (int p = -q / 2; p <= 3 * q / 2; ++p)
      all.push_back({static_cast<std::size_t>(power(r, q)), p, q, power(r, p), power(r, q - 2 * p)});
  return all;
}

Rational dot(std::span<const Rational> w) { return dot_product::dot(w.first(w.size() / 2), w.last(w.size() / 2)); }

}  // namespace

TEST_CASE("exact: one positive divisor gives variance 1") {
  // [scale_uniqueness]
  const Generated<std::vector<int>> fraction{vector_of(2, 2, integer(1, 12, 1))};
  for_all(Kind::exact, "Var(q.k/c), enumerated, for rational c > 0 and d up to 3",
          std::tuple{query_key_law<"mutually_independent", "zero_mean", "unit_variance", "positive_dimension">(3),
                     fraction},
          [](const JointLaw<Rational>& law, const std::vector<int>& parts) {
            // one in three is 1, the only rational number that is a root of 1, 2 or 3
            const Rational c = parts[0] > 8 ? Rational(1) : Rational(parts[0]) / parts[1];
            const std::size_t d = law.dimension() / 2;
            const Rational variance =
                law.push_forward([&](std::span<const Rational> w) -> Rational { return dot(w) / c; }).variance();
            RC_CLASSIFY(c * c == Rational(d), "c is the root of d");
            RC_CLASSIFY(c * c != Rational(d), "c is not the root of d");
            RC_ASSERT(variance == Rational(d) / (c * c));
            RC_ASSERT((variance == 1) == (c * c == Rational(d)));
          });
  // [scale_uniqueness]
}

TEST_CASE("exact: one exponent gives variance 1") {
  const std::vector<RationalPower> powers = rational_powers();
  {
    Comparison check(Kind::exact,
                     "d^a and d^(1-2a) for eight powers d from 4 to 81 and a from -1/2 to 3/2, for 64 in sixths",
                     exponent_part);
    for (const auto& [d, p, q, divisor, variance] : powers) {
      const std::string at = fmt::format("d = {}, a = {}/{}", d, p, q);
      check.compare_as<Rational>(Scale::power(p, q).divisor_for<Rational>(d), divisor, 0, at + ", divisor");
      check.compare_as<Rational>(logit_variance<Rational>(Scale::power(p, q), d), variance, 0, at);
    }
  }
  for_all(
      Kind::exact,
      "Var(q.k/d^a) by convolution, for seven powers d from 4 to 64 and a from -1/2 to 3/2, for 64 in sixths",
      half_lattice_components<"mutually_independent", "zero_mean", "unit_variance", "two_or_more_dimensions">(64, 64),
      [&](const ComponentLaws& components) {
        const std::vector<laws::LatticeLaw> logits = dot_product_laws(components);
        for (const auto& [d, p, q, divisor, variance] : powers) {
          if (d > logits.size()) continue;
          const Rational summed = quotient_moments(logits[d - 1], divisor).variance;
          RC_ASSERT(summed == variance);
          RC_ASSERT((summed == 1) == (2 * p == q));
        }
      },
      Cases{100});
}

TEST_CASE("exact: known answers for the scale") {
  const auto at = [](const Scale& scale, std::size_t d) { return logit_variance<Rational>(scale, d); };
  CHECK(at(Scale::power(1, 3), 64) == 4);
  CHECK(at(Scale::inverse_sqrt(), 64) == 1);
  CHECK(at(Scale::power(2, 3), 64) == Rational(1) / 4);
  CHECK(at(Scale::inverse(), 64) == Rational(1) / 64);
  CHECK(at(Scale::none(), 64) == 64);
  CHECK(at(Scale::power(-1, 2), 64) == 64 * 64);  // multiplied by sqrt(d) by mistake
  CHECK(at(Scale::divisor(-8), 64) == 1);         // a negative divisor: uniqueness is among c > 0
}

TEST_CASE("exact: scales that are none are refused") {
  CHECK_THROWS_AS(Scale::divisor(0), std::domain_error);
  CHECK_THROWS_AS(Scale::divisor(std::numeric_limits<double>::quiet_NaN()), std::domain_error);
  CHECK_THROWS_AS(Scale::power(1, 0), std::domain_error);
  CHECK_THROWS_AS(Scale::power(std::numeric_limits<double>::infinity()), std::domain_error);
  CHECK_THROWS_AS(Scale::power(0.5).divisor_for<Rational>(4), std::domain_error);
  CHECK_THROWS_AS(Scale::power(1, 3).divisor_for<Rational>(4), std::domain_error);
  CHECK_THROWS_AS(Scale::power(3, 2).divisor_for<Rational>((std::size_t{1} << 62) - 1), std::domain_error);

  const auto beyond = Catch::Contains("expected a divisor in the range of the scalar");
  CHECK_THROWS_WITH(Scale::power(64, 1).divisor_for<double>(1'000'000), beyond);
  CHECK_THROWS_WITH(Scale::power(-64, 1).divisor_for<double>(1'000'000), beyond);
  CHECK_THROWS_WITH(Scale::power(-400.0).divisor_for<double>(64), beyond);
  CHECK_THROWS_WITH(Scale::divisor(1e60).divisor_for<float>(1), beyond);
  CHECK_THROWS_WITH(Scale::divisor(1e-60).divisor_for<float>(1), beyond);
  CHECK_THROWS_WITH(logit_variance<double>(Scale::divisor(1e-320), 2), Catch::Contains("expected a finite factor"));

  // roots and powers of every size, at once
  const Rational huge = boost::multiprecision::pow(boost::multiprecision::cpp_int(2), 60 * 64);
  CHECK(Scale::power(64, 1).divisor_for<Rational>(std::size_t{1} << 60) == huge);
  CHECK(Scale::power(-64, 64).divisor_for<Rational>(4096) == Rational(1, 4096));
  CHECK(Scale::power(1, 2).divisor_for<Rational>(std::size_t{0xffffffff} * 0xffffffff) == Rational(0xffffffff));
  CHECK(Scale::power(2, 6).divisor_for<Rational>(27) == 3);
  CHECK(Scale::power(5, 62).divisor_for<Rational>(std::size_t{1} << 62) == 32);
}

TEST_CASE("numeric: every exponent") {
  Comparison check(Kind::numeric, "Var(q.k/d^a) against exp((1 - 2a) log d), d = 2 to 4096, a = -1 to 2",
                   exponent_part);
  for (const std::size_t d : {2u, 3u, 64u, 100u, 512u, 4096u})
    for (int k = -20; k <= 40; ++k) {
      const double a = k / 20.0;
      const Hundred log_d = log(Hundred(d));
      const Fifty expected(exp((1 - 2 * Hundred(a)) * log_d));
      // Boost states no bound for its pow in 50 digits: the last five are left to it
      const Fifty bound = expected * Fifty("1e-45");
      check.compare_as<Fifty>(logit_variance<Fifty>(Scale::power(a), d), expected, bound,
                              fmt::format("d = {}, a = {}", d, a));
      check.compare(logit_variance<double>(Scale::power(a), d), static_cast<double>(expected),
                    static_cast<double>(expected) * 8 * std::numeric_limits<double>::epsilon(),
                    fmt::format("d = {}, a = {}", d, a));
    }
}

TEST_CASE("numeric: every divisor") {
  Comparison check(Kind::numeric, "Var(q.k/c) for 50 divisors about the root of d, in 50 digits", divisor_part);
  for (const std::size_t d : {1u, 2u, 64u, 512u})
    for (int k = 1; k <= 50; ++k) {
      const double c = std::sqrt(static_cast<double>(d)) * k / 25;
      const Fifty expected = Fifty(d) / (Fifty(c) * Fifty(c));
      check.compare_as<Fifty>(logit_variance<Fifty>(Scale::divisor(c), d), expected,
                              expected * 4 * std::numeric_limits<Fifty>::epsilon(),
                              fmt::format("d = {}, c = {}", d, c));
    }
}

TEST_CASE("statistical: sampled logits under four exponents") {
  StatisticalCheck check("mean of (q.k/d^a)^2 for a = 0, 1/4, 1/2, 1, keys uniform, or normal as the queries",
                         exponent_part);
  const std::span<const laws::Law> catalogue = laws::catalogue();
  // backwards: two such tests at a time draw the samples of different laws for each other
  for (auto law = catalogue.rbegin(); law != catalogue.rend(); ++law)
    for (const LogitSample& sample : logit_samples(*law)) {
      const std::size_t d = sample.dimension;
      if (d < 2 || !sample.has_square) continue;
      for (const int quarters : {0, 1, 2, 4}) {
        const Scale scale = Scale::power(quarters, 4);
        const double squared = std::pow(scale.divisor_for<double>(d), 2);
        const double claimed = std::pow(static_cast<double>(d), 1 - quarters / 2.0);
        std::vector<double> squares = sample.square;
        for (double& x : squares) x /= squared;
        check.check(fmt::format("{}, a = {}/4", label(*law, d), quarters), claimed,
                    sample.sigma_square * claimed / static_cast<double>(d), squares, claimed);
      }
    }
}

TEST_CASE("falsifier: one dimension, none, and each hypothesis of the variance") {
  refusal("positive_dimension", "\\(d = 0\\)", [] { (void)logit_variance<double>(Scale::none(), 0); });
  falsifier("positive_dimension", "\\(d = 0\\), the empty sum, divided by any \\(c > 0\\)", "\\(\\operatorname{Var}\\)",
            dot_product::dot_product_variance<Rational>(0), Rational(1));
  falsifier(
      "two_or_more_dimensions", "\\(d = 1\\), \\(a = 1\\): every exponent gives variance 1",
      "the number of the exponents 0, 1/2, 1 that give variance 1",
      [] {
        int count = 0;
        for (const int p : {0, 1, 2}) count += logit_variance<Rational>(Scale::power(p, 2), 1) == 1;
        return count;
      }(),
      1);
  const auto sign = FiniteLaw<Rational>::rademacher();
  std::vector<std::vector<Rational>> outcomes;
  for (const int u1 : {-1, 1})
    for (const int u2 : {-1, 1})
      for (const int v1 : {-1, 1}) outcomes.push_back({u1, u2, v1, u1 * u2 * v1});
  const auto three_wise = JointLaw<Rational>::uniform(outcomes);
  drops_only<"mutually_independent", "zero_mean", "unit_variance", "two_or_more_dimensions">(three_wise);
  // Var(q.k/c) = 1 exactly for c^2 = Var(q.k)
  const auto squared_divisor = [&](const JointLaw<Rational>& law) { return law.push_forward(dot).variance(); };
  falsifier("mutually_independent", "\\(V_2 = U_1U_2V_1\\) with fair signs, \\(d = 2\\)",
            "the squared divisor that gives variance 1", squared_divisor(three_wise), Rational(2));
  const auto shifted = JointLaw<Rational>::product(std::vector{sign, sign, sign.affine(1, 1), sign.affine(1, 1)});
  drops_only<"zero_mean", "mutually_independent", "unit_variance", "two_or_more_dimensions">(shifted);
  falsifier("zero_mean", "fair signs, those of \\(k\\) moved by 1, \\(d = 2\\)",
            "the squared divisor that gives variance 1", squared_divisor(shifted), Rational(2));
  const auto stretched = JointLaw<Rational>::product(std::vector{sign.affine(0, 2), sign.affine(0, 2), sign, sign});
  drops_only<"unit_variance", "mutually_independent", "zero_mean", "two_or_more_dimensions">(stretched);
  falsifier("unit_variance", "\\(q\\) twice fair signs, \\(d = 2\\)", "the squared divisor that gives variance 1",
            squared_divisor(stretched), Rational(2));
}

}  // namespace scale_uniqueness_test
