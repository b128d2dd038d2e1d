// 1. In 50 digits the weights and the output are the formula, term by term, for any mask.
// 2. Each output row is a convex combination of the values that are seen; a masked entry is exactly 0.
// 3. Scores have the variance that each convention of scaling gives, by enumeration.
// 4. Masks: what a large negative number does and the boolean mask does not.
// 5. Reordering keys reorders weights; adding one vector to all keys changes no weight.
// 6. In float and double every stage stays within the bound of the page; the worst inputs found are kept.
// 7. Bad input is refused: argument, index, expectation.

#include "rootdk/attention/attention_definition.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "attention/attention_cases.hpp"
#include "attention/running_error.hpp"
#include "attention/worst_inputs.hpp"

namespace attention_definition_test {

using namespace rootdk;
using namespace rootdk::testing;
using attention::attention_layer;
using attention::attention_scores;
using attention::attention_weights;
using attention::AttentionOptions;
using attention::Mask;
using attention::Projections;
using attention::scaled_dot_product_attention;

namespace {

const Arithmetic fifty_digits = arithmetic<Real>();

Matrix<double> column(std::vector<double> entries) {
  const std::size_t n = entries.size();
  return {n, 1, std::move(entries)};
}

// The definition as a quotient of sums, without the shift: weights and output.
std::pair<Matrix<Real>, Matrix<Real>> written_out(const AttentionCase& c) {
  const std::size_t n = c.queries.rows(), m = c.keys.rows();
  Matrix<Real> weights(n, m), output(n, c.values.columns());
  const Real root = sqrt(Real(c.queries.columns()));
  for (std::size_t i = 0; i < n; ++i) {
    Real total = 0;
    for (std::size_t j = 0; j < m; ++j) {
      if (!c.mask.visible(i, j)) continue;
      Real dot = 0;
      for (std::size_t l = 0; l < c.queries.columns(); ++l) dot += Real(c.queries(i, l)) * c.keys(j, l);
      weights(i, j) = exp(Real(dot / root));
      total += weights(i, j);
    }
    for (std::size_t j = 0; j < m; ++j) weights(i, j) /= total;
    for (std::size_t k = 0; k < c.values.columns(); ++k)
      for (std::size_t j = 0; j < m; ++j) output(i, k) += weights(i, j) * c.values(j, k);
  }
  return {weights, output};
}

// Both sides are within the bound of the page, but for the roundings of `written_out` that it does not count:
// two exponentials, three additions and a division of numbers that are at most 2.
bool all_close(const Matrix<Real>& a, const Matrix<Real>& b, const Matrix<double>& error) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) {
      const Real difference = a(i, j) - b(i, j);
      if (!(abs(difference) <= Real(2 * error(i, j) + 12 * fifty_digits.u))) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("numeric: weights and output are the formula, term by term") {
  AttentionRowClasses classes;
  // [attention_definition]
  for_all(Kind::numeric, "attention in 50 digits against the quotient of sums written out",
          attention_case<"one_visible_key">(), [&](const AttentionCase& c) {
            classes.count_case(c);
            const auto [weights, output] = written_out(c);
            const EnclosedAttention bound = enclose(RunningError(fifty_digits), c);
            const auto result = scaled_dot_product_attention<Real>(c.queries.convert<Real>(), c.keys.convert<Real>(),
                                                                   c.values.convert<Real>(), c.options());
            RC_ASSERT(all_close(*result.weights, weights, bound.weights.error));
            RC_ASSERT(all_close(result.output, output, bound.output.error));
          });
  // [attention_definition]
}

TEST_CASE("numeric: output rows are convex combinations of the values that are seen") {
  AttentionRowClasses classes;
  for_all(Kind::numeric, "weights at least 0 with sum 1, 0 where masked, output between the values",
          attention_case<"one_visible_key">(), [&](const AttentionCase& c) {
            classes.count_case(c);
            const EnclosedAttention bound = enclose(RunningError(arithmetic<double>()), c);
            const auto result = scaled_dot_product_attention(c.queries, c.keys, c.values, c.options());
            for (std::size_t i = 0; i < c.queries.rows(); ++i) {
              double total = 0, slack = 0;
              for (std::size_t j = 0; j < c.keys.rows(); ++j) {
                RC_ASSERT((*result.weights)(i, j) >= 0);
                RC_ASSERT(c.mask.visible(i, j) || (*result.weights)(i, j) == 0);
                total += (*result.weights)(i, j);
                slack += bound.weights.error(i, j) + 0x1p-53;  // and the additions here
              }
              RC_ASSERT(std::abs(total - 1) <= slack);
              for (std::size_t k = 0; k < c.values.columns(); ++k) {
                double low = std::numeric_limits<double>::infinity(), high = -low;
                for (std::size_t j : c.mask.visible_keys(i)) {
                  low = std::min(low, c.values(j, k));
                  high = std::max(high, c.values(j, k));
                }
                RC_ASSERT(result.output(i, k) >= low - bound.output.error(i, k));
                RC_ASSERT(result.output(i, k) <= high + bound.output.error(i, k));
              }
            }
          });
}

TEST_CASE("numeric: known weights") {
  Comparison check(Kind::numeric, "two and three keys with weights known by hand", slugs<"one_visible_key">());
  const Real half_log_3 = log(Real(3)) / 2;
  // d = 1: the logits are 0 and log 3
  const auto two = attention_weights<Real>(Matrix<Real>::filled(1, 1, 2), Matrix<Real>(2, 1, {0, half_log_3}));
  check.compare_as<Real>(two(0, 0), Real(1) / 4, Real(8 * fifty_digits.u), "weights 1/4 and 3/4");
  check.compare_as<Real>(two(0, 1), Real(3) / 4, Real(8 * fifty_digits.u), "weights 1/4 and 3/4");
  // d = 4 and the same dot products: the logits are half as large
  const auto four = attention_weights<Real>(Matrix<Real>(1, 4, {2, 0, 0, 0}),
                                            Matrix<Real>(2, 4, {0, 0, 0, 0, 2 * half_log_3, 1, 1, 1}));
  check.compare_as<Real>(four(0, 1), Real(3) / 4, Real(16 * fifty_digits.u), "d = 4");
  // queries that are 0 attend evenly, whatever the keys
  const auto even = attention_weights<Real>(Matrix<Real>(1, 3), Matrix<Real>::filled(3, 3, 5));
  for (std::size_t j = 0; j < 3; ++j)
    check.compare_as<Real>(even(0, j), Real(1) / 3, Real(2 * fifty_digits.u), "a query that is 0");
}

TEST_CASE("numeric: the variance of a score under each convention") {
  // All 2^16 queries of signs, against one key of signs: the law of the score is the same for every key, and
  // every number below is exact in double.
  constexpr std::size_t d = 16;
  Matrix<double> queries(std::size_t{1} << d, d), key(1, d);
  for (std::size_t i = 0; i < queries.rows(); ++i)
    for (std::size_t l = 0; l < d; ++l) queries(i, l) = (i >> l) % 2 ? 1 : -1;
  for (std::size_t l = 0; l < d; ++l) key(0, l) = l % 3 ? 1 : -1;
  const auto times = [](const Matrix<double>& a, double c) { return a.map([c](double x) { return c * x; }); };
  const auto variance = [&](double query_factor, double key_factor, const Scale& scale) {
    const auto scores = attention_scores(times(queries, query_factor), times(key, key_factor), scale);
    double sum = 0, squares = 0;
    for (double s : scores.values()) {
      sum += s;
      squares += s * s;
    }
    CHECK(sum == 0);
    return squares / static_cast<double>(queries.rows());
  };
  Comparison check(Kind::numeric, "Var of the score, components of signs, d = 16, by enumeration",
                   slugs<"one_visible_key">());
  const auto claim = [&](double measured, double expected, const std::string& what) {
    check.compare(measured, expected, 0, what);
  };
  claim(variance(1, 1, Scale::inverse_sqrt()), 1, "divided by the root of d");
  claim(variance(1, 1, Scale::none()), d, "a scale of 1");
  claim(variance(1, 1, Scale::inverse()), 1.0 / d, "divided by d");
  claim(variance(1, 1, Scale::power(-1, 2)), d * d, "multiplied by the root of d");
  claim(variance(1, 1, Scale::divisor(8)), 0.25, "divided by the root of the model width, 64");
  claim(variance(0.5, 0.5, Scale::none()), 1, "d^(-1/4) on both");
  claim(variance(0.25, 1, Scale::none()), 1, "d^(-1/2) on the queries only");
  claim(variance(0.25, 0.25, Scale::none()), 1.0 / d, "d^(-1/2) on both");
  claim(variance(0.25, 1, Scale::inverse_sqrt()), 1.0 / d, "queries of variance 1/d, scaled again");
}

TEST_CASE("numeric: one quarter power on both sides gives the same weights") {
  Comparison check(Kind::numeric, "d^(-1/4) on queries and keys against d^(-1/2) on the scores",
                   slugs<"one_visible_key">());
  for (const std::size_t d : {2u, 3u, 16u, 128u}) {
    const AttentionCase c = sampled_case(3, 5, d, 1, 2, false, 7);
    const Real factor = 1 / sqrt(sqrt(Real(d)));
    const auto times = [&](const Matrix<double>& a) { return a.map([&](double x) { return Real(factor * x); }); };
    const Matrix<Real> both = attention_weights(times(c.queries), times(c.keys), {.scale = Scale::none()});
    const EnclosedAttention bound = enclose(RunningError(fifty_digits), c);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 5; ++j)
        // three roundings of the factor and one of each product, where the other side has two
        check.compare_as<Real>(both(i, j), bound.weights.value(i, j), Real(4 * bound.weights.error(i, j)),
                               fmt::format("d = {}", d));
  }
}

TEST_CASE("numeric: scaling the queries first is exact in float only if the root is a power of two") {
  Comparison check(Kind::numeric, "share of scores that differ when float queries are scaled first",
                   slugs<"one_visible_key">());
  for (const std::size_t d : {4u, 16u, 64u, 256u, 128u}) {
    const AttentionCase c = sampled_case(32, 32, d, 1, 1, false, 8);
    const Matrix<float> q = c.queries.convert<float>(), k = c.keys.convert<float>();
    const float root = std::sqrt(static_cast<float>(d));
    const Matrix<float> after = attention_scores(q, k);
    const Matrix<float> before = attention_scores(q.map([&](float x) { return x / root; }), k, Scale::none());
    int different = 0;
    for (std::size_t i = 0; i < after.values().size(); ++i) different += after.values()[i] != before.values()[i];
    const double share = different / 1024.0;
    if (d == 128)
      check.compare(share, 1, 0.4999, "d = 128: most differ");
    else
      check.compare(share, 0, 0, fmt::format("d = {}: none differs", d));
  }
}

TEST_CASE("numeric: masks") {
  const double lowest = std::numeric_limits<double>::lowest();
  const double infinity = std::numeric_limits<double>::infinity();
  Comparison check(Kind::numeric, "large negative numbers as masks, and the boolean mask", slugs<"one_visible_key">());

  // logits -2e5 and a masked 0: with -1e5 as the mask the hidden key takes all the weight
  const Matrix<double> query = column({1}), keys = column({-2e5, 0});
  const std::vector<double> leaked = softmax::softmax<double>(std::vector<double>{-2e5, 0 - 1e5});
  check.compare(leaked[1], 1, 0, "-1e5 leaks");
  const AttentionOptions first{.mask = Mask(1, 2, {true, false})};
  const Matrix<double> held = attention_weights(query, keys, first);
  check.compare(held(0, 0), 1, 0, "the boolean mask holds");
  check.compare(held(0, 1), 0, 0, "the boolean mask holds");

  // a fully masked row
  const std::vector<double> even = softmax::softmax<double>(std::vector<double>(4, lowest));
  for (double weight : even) check.compare(weight, 0.25, 0, "the lowest number on every key gives 1/n");
  CHECK(lowest + lowest == -infinity);
  CHECK_THROWS_AS(softmax::softmax<double>(std::vector<double>(4, lowest + lowest)), std::domain_error);
  const AttentionOptions none{.mask = Mask(1, 2, {false, false}), .return_weights = true};
  const auto blind = scaled_dot_product_attention(query, keys, column({3, 4}), none);
  check.compare(blind.output(0, 0), 0, 0, "no key seen: output");
  check.compare((*blind.weights)(0, 0), 0, 0, "no key seen: weights");
  check.compare((*blind.weights)(0, 1), 0, 0, "no key seen: weights");

  // what is hidden has no influence at all, not even where its score overflows
  const Matrix<double> huge = column({0.5, 1e300});
  const auto overflow =
      scaled_dot_product_attention(Matrix<double>::filled(1, 1, 1e300), huge, column({3, 1e300}), first);
  check.compare(overflow.output(0, 0), 3, 0, "a hidden score that overflows");
}

TEST_CASE("numeric: causal masks") {
  Comparison check(Kind::numeric, "which keys a query sees", slugs<"one_visible_key">());
  const auto count = [&](const Mask& mask, std::vector<std::size_t> expected, const std::string& what) {
    for (std::size_t i = 0; i < mask.queries(); ++i) {
      const auto seen = mask.visible_keys(i);
      check.compare(static_cast<double>(seen.size()), static_cast<double>(expected[i]), 0, what);
      for (std::size_t j = 0; j < seen.size(); ++j) CHECK(seen[j] == j);
    }
  };
  count(Mask::causal(3, 3), {1, 2, 3}, "square");
  count(Mask::causal(2, 4), {1, 2}, "more keys, aligned at the start");
  count(Mask::causal(2, 4, 2), {3, 4}, "more keys, aligned at the end");
  count(Mask::causal(4, 2), {1, 2, 2, 2}, "more queries");
  count(Mask::causal(4, 2, -2), {0, 0, 1, 2}, "more queries, aligned at the end");
  using Limits = std::numeric_limits<std::ptrdiff_t>;
  count(Mask::causal(2, 2, Limits::max()), {2, 2}, "as many before as there can be");
  count(Mask::causal(2, 2, Limits::min()), {0, 0}, "none ever");
  count(Mask::all(2, 3), {3, 3}, "all");

  // the first rows do not change when later keys do
  AttentionCase c = sampled_case(4, 4, 3, 2, 1, true, 9);
  const auto before = scaled_dot_product_attention(c.queries, c.keys, c.values, c.options()).output;
  c.keys(3, 1) += 5;
  c.values(3, 0) -= 5;
  const auto after = scaled_dot_product_attention(c.queries, c.keys, c.values, c.options()).output;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 2; ++k) check.compare(after(i, k), before(i, k), 0, "the future is not seen");
  CHECK(after(3, 0) != before(3, 0));
}

TEST_CASE("numeric: weights follow their keys, and one shift of all keys changes none") {
  AttentionRowClasses classes;
  for_all(Kind::numeric, "keys in reverse order, and keys that are all moved by one vector",
          attention_case<"one_visible_key">(), [&](const AttentionCase& c) {
            classes.count_case(c);
            const std::size_t n = c.queries.rows(), m = c.keys.rows();
            const EnclosedAttention bound = enclose(RunningError(fifty_digits), c);
            AttentionCase turned = c, moved = c;
            std::vector<bool> visible(n * m);
            for (std::size_t j = 0; j < m; ++j) {
              for (std::size_t l = 0; l < c.keys.columns(); ++l) {
                turned.keys(j, l) = c.keys(m - 1 - j, l);
                moved.keys(j, l) += 1 + static_cast<double>(l);
              }
              for (std::size_t i = 0; i < n; ++i) visible[i * m + j] = c.mask.visible(i, m - 1 - j);
            }
            turned.mask = Mask(n, m, visible);
            const auto weights = [](const AttentionCase& x) {
              return attention_weights<Real>(x.queries.convert<Real>(), x.keys.convert<Real>(), x.options());
            };
            const Matrix<Real> a = weights(c), b = weights(turned), s = weights(moved);
            const EnclosedAttention moved_bound = enclose(RunningError(fifty_digits), moved);
            for (std::size_t i = 0; i < n; ++i)
              for (std::size_t j = 0; j < m; ++j) {
                const Real turn = b(i, m - 1 - j) - a(i, j), move = s(i, j) - a(i, j);
                RC_ASSERT(abs(turn) <= Real(2 * bound.weights.error(i, j)));
                RC_ASSERT(abs(move) <= Real(bound.weights.error(i, j) + moved_bound.weights.error(i, j)));
              }
          });
}

TEST_CASE("numeric: the layer is projections, then attention") {
  Comparison check(Kind::numeric, "the layer with n != m and different widths, in 50 digits",
                   slugs<"one_visible_key">());
  const AttentionCase a = sampled_case(3, 5, 4, 2, 1, false, 10);  // X is 3 x 4, Y is 5 x 4, W_V is 4 x 2
  const AttentionCase b = sampled_case(4, 4, 6, 2, 1, false, 11);  // W_Q and W_K are 4 x 6
  const Projections<Real> w{b.queries.convert<Real>(), b.keys.convert<Real>(), b.values.convert<Real>()};
  const Matrix<Real> x = a.queries.convert<Real>(), y = a.keys.convert<Real>();
  const auto result = attention_layer(x, y, w, {.return_weights = true});
  CHECK(result.output.rows() == 3);
  CHECK(result.output.columns() == 2);
  CHECK(result.weights->columns() == 5);
  CHECK_FALSE(attention_layer(x, y, w).weights.has_value());
  // x_i^T (W_Q W_K^T) y_j: the same logits through the product of the two projections
  const Matrix<Real> form = product(w.queries, w.keys.transposed());
  const Matrix<Real> scores = product(product(x, form), y.transposed());
  const Real root = sqrt(Real(6));
  for (std::size_t i = 0; i < 3; ++i) {
    Real total = 0;
    for (std::size_t j = 0; j < 5; ++j) total += exp(Real(scores(i, j) / root));
    for (std::size_t j = 0; j < 5; ++j) {
      double terms = 0;
      for (std::size_t l = 0; l < 4; ++l)
        for (std::size_t r = 0; r < 4; ++r)
          for (std::size_t t = 0; t < 6; ++t)
            terms = std::max(terms, 96 * std::abs(a.queries(i, l) * b.queries(l, t) * b.keys(r, t) * a.keys(j, r)));
      // at most 16 roundings of each of 96 terms on either side, twice through softmax
      check.compare_as<Real>((*result.weights)(i, j), exp(Real(scores(i, j) / root)) / total,
                             Real(64 * fifty_digits.u * (terms + 1)), "weights");
    }
  }
}

namespace {

// Every stage in S against 50 digits, in units of the bound of the page.
template <class S>
void compare_stages(Comparison& scores, Comparison& weights, Comparison& output, const AttentionCase& c,
                    const std::string& what) {
  const EnclosedAttention bound = enclose(RunningError(arithmetic<S>()), c);
  const Matrix<S> q = c.queries.convert<S>(), k = c.keys.convert<S>(), v = c.values.convert<S>();
  const auto result = scaled_dot_product_attention(q, k, v, c.options());
  compare_entries(scores, attention_scores(q, k, c.options().scale), bound.scores, what);
  compare_entries(weights, *result.weights, bound.weights, what);
  compare_entries(output, result.output, bound.output, what);
}

template <class S>
void floating_evidence(const std::string& type) {
  const auto check = [&](const std::string& what) {
    return std::make_unique<Comparison>(Kind::floating, what + " in " + type + ", in units of the bound",
                                        slugs<"one_visible_key">());
  };
  const auto scores = check("scores"), weights = check("weights"), output = check("output");
  AttentionRowClasses classes;
  for (const std::size_t n : {1u, 2u, 8u})
    for (const std::size_t m : {2u, 3u, 17u})
      for (const std::size_t d : {1u, 3u, 64u})
        for (const double factor : {0.01, 1.0, 64.0})
          for (const bool causal : {false, true}) {
            const AttentionCase c = sampled_case(n, m, d, 3, factor, causal, 12);
            classes.count(*weights, c);
            compare_stages<S>(*scores, *weights, *output, c,
                              fmt::format("n = {}, m = {}, d = {}, factor {}, causal {}", n, m, d, factor, causal));
          }
  for (const AttentionCase& c : worst_inputs())
    compare_stages<S>(*scores, *weights, *output, c, "one of the worst inputs found by search");
}

// Calls each(what, error over bound) for what a layer computes on its way forward, and for the scores of X and Y.
template <class S, class Each>
void each_forward_ratio(const Layer& l, const Each& each) {
  const RunningError rules(arithmetic<S>());
  const EnclosedLayer bound = enclose(rules, l);
  const Matrix<S> x = l.x.convert<S>(), y = l.y.convert<S>();
  const attention::Projected<S> p = attention::project(x, y, convert<S>(l.w));
  const auto compare = [&](const Matrix<S>& computed, const Enclosed& e, const char* what) {
    each_ratio(computed, e, [&](double ratio) { each(what, ratio); });
  };
  compare(p.queries, bound.queries, "projection");
  compare(p.keys, bound.keys, "projection");
  compare(p.values, bound.values, "projection");
  compare(attention_layer(x, y, convert<S>(l.w), l.options).output, bound.attention.output, "output");
  const Enclosed products = rules.product(RunningError::exact(l.x), RunningError::exact(l.y).transposed());
  compare(attention_scores(x, y), rules.divided(products, Scale::inverse_sqrt().divisor_for<Real>(x.columns())),
          "scores");
}

// Found by worst_input with ROOTDK_SEARCH=600, as it prints them.
const std::vector<std::vector<double>> worst_layers{
    {-0x1.e848005ce147bp+19, -0x1.e847ff54147aep+19, -0x1.e848000056d68p+19, -0x1.e848000cab353p+19,
     -0x1.e847fffecc31cp+19, -0x1.e847ff64348f4p+19, -0x1.e84800aa66666p+19, -0x1.e847ffe066666p+19,
     -0x1.e848000d1eb85p+19, -0x1.e848004547ae1p+19, -0x1.e84800ceb851fp+19, -0x1.e84800026fb29p+19,
     -0x1.e84800ace147bp+19, -0x1.e84800d28e16fp+19, -0x1.e848000000002p+19, -0x1.e826286a106bp+19,
     -0x1.e84800088f5c3p+19},
    {-0x1.ca147ae147ae1p-6, -0x1.270a3d70a3d71p-7, -0x1.67851ebb4e62cp-6, -0x1.5814cf3901d3p-7, -0x1.159999999999ap-6,
     -0x1.90a3d70a3d70ap-6, -0x1.4a3d70a3d70a4p-6, 0x1.98f5c28f5c29p-6, 0x1.d4p-6, -0x1.fp-8, 0x1.af5c28f5c28f6p-7,
     -0x1.a28f5c28f5c29p-7, 0x1.a23d70a3d70a4p-6, -0x1.0170a3d70a3d7p-6, 0x1.97851eb851eb8p-6, 0x1.2e8f5c28f5c29p-6,
     0x1.1547ae147ae15p-6},
    {0x1.f410333333333p+8, 0x1.f3d199999a0eep+8, 0x1.f448b9999999ap+8, 0x1.f4254cccccccdp+8, 0x1.f445933333333p+8,
     0x1.f3e4999999995p+8, 0x1.f40232a421395p+8, 0x1.f3bd733333333p+8, 0x1.f3d48cccccccdp+8, 0x1.f3f6133333333p+8,
     0x1.f3e1666666663p+8, 0x1.f4076ccccccd3p+8, 0x1.f43aa66666666p+8, 0x1.f4c21a18af2dbp+8, 0x1.f3d1b33333333p+8,
     0x1.f438ccc2508a3p+8, 0x1.f3d98cccccccdp+8},
    {-0x1.242b0e2e7091ep-3, -0x1.01f499c1440bep-12, 0x1.19e6666666667p-2, 0x1.0ep-4, 0x1.ff33333333334p-5,
     -0x1.0733333333333p-3, 0x1.c49032f7f7a0bp-3, -0x1.2e66666666667p-2, 0x1.fed11bf353c5ap-4, -0x1.2d8p-2,
     -0x1.00ccccccccccdp-4, -0x1.4333333333334p-4, 0x1.2333333333333p-5, 0x1.b533333333334p-4, -0x1.1a4cccccccccdp-2,
     0x1.90ccccccccccdp-3, 0x1.c733333333334p-4},
    {0x1.35fd0971ab73fp-7, -0x1.3333333333334p-6, -0x1.2eccccccccccdp-4, 0x1.439999999999ap-3, 0x1.d83f8f0121093p-3,
     -0x1.b8d95c0bb5a5ap-4, 0x1.2b66666666667p-3, -0x1.49p-3, 0x1.77p-3, 0x1.2433333333333p-2, -0x1.e4p-5,
     0x1.a066666666667p-3, -0x1.0eb3333333333p-2, 0x1.a09999999999ap-3, 0x1.f9ccccccccccdp-3, -0x1.ae9999999999ap-3,
     0x1.0b33333333333p-6},
    {-0x1.b33521b502bccp-5, -0x1.400163601103fp-8, -0x1.01e6666666667p-2, -0x1.b674ce940e316p-5, 0x1.4466666666667p-4,
     -0x1.e5337fcfc883p-3, 0x1.d0005471c3fb9p-6, -0x1.47a91f772442ep-2, -0x1.43f4378c6ab95p-5, -0x1.fa3449a468a49p-3,
     0x1.32e8c75f00432p-2, -0x1.298012f804359p-2, -0x1.1c13de201bcd8p-5, 0x1.a266de1c18a63p-5, 0x1.99339248f934bp-4,
     0x1.445b345c3bb2bp-4, 0x1.10ccccccccccdp-3}};

template <class S>
void layer_evidence(const std::string& type) {
  Comparison check(Kind::floating, "projections, scores and output of the layer in " + type + ", in units of the bound",
                   slugs<"one_visible_key">());
  AttentionRowClasses classes;
  for (const auto& [n, m] : {std::pair{1, 2}, {3, 3}, {2, 7}, {7, 2}})
    for (const double factor : {0.01, 1.0, 64.0})
      for (const bool causal : {false, true}) {
        const Layer l = sampled_layer(static_cast<std::size_t>(n), static_cast<std::size_t>(m), factor, causal, 13);
        classes.count(check, l);
        each_forward_ratio<S>(l, [&](const std::string& what, double ratio) { check.error(ratio, 1, what); });
      }
  compare_worst_layers<S>(check, worst_layers, {"projection", "scores", "output"},
                          [](const Layer& l, const auto& each) { each_forward_ratio<S>(l, each); });
}

}  // namespace

TEST_CASE("floating: projections, scores and output of the layer in double") { layer_evidence<double>("double"); }

TEST_CASE("floating: projections, scores and output of the layer in float") { layer_evidence<float>("float"); }

TEST_CASE("floating: scores, weights and output in double") { floating_evidence<double>("double"); }

TEST_CASE("floating: scores, weights and output in float") { floating_evidence<float>("float"); }

TEST_CASE("falsifier: without a visible key the output is no convex combination") {
  const auto blind =
      scaled_dot_product_attention(column({1, 2}), column({1, 3}), column({5, 7}),
                                   {.mask = Mask(2, 2, {true, true, false, false}), .return_weights = true});
  falsifier("one_visible_key", "two queries, the second sees no key", "the sum of its weights",
            (*blind.weights)(1, 0) + (*blind.weights)(1, 1), 1.0);
  CHECK(blind.output(1, 0) == 0);  // and 0 is not between 5 and 7
}

TEST_CASE("falsifier: bad input of attention is refused by name") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto ones = [](std::size_t n, std::size_t m) { return Matrix<double>::filled(n, m, 1); };
  const Matrix<double> q = ones(2, 3), k = ones(4, 3), v = ones(4, 2);
  refusal("matching_shapes", "Q of width 3 and K of width 2", [&] { (void)attention_scores(q, Matrix<double>(4, 2)); });
  refusal("matching_shapes", "four keys and three values",
          [&] { (void)scaled_dot_product_attention(q, k, Matrix<double>(3, 2)); });
  refusal("matching_shapes", "a mask for three keys where there are four",
          [&] { (void)attention_weights(q, k, {.mask = Mask::all(2, 3)}); });
  refusal("positive_dimension", "queries and keys of width 0",
          [] { (void)attention_scores(Matrix<double>(2, 0), Matrix<double>(4, 0)); });
  refusal("one_visible_key", "no keys",
          [&] { (void)scaled_dot_product_attention(q, Matrix<double>(0, 3), Matrix<double>(0, 2)); });
  Matrix<double> bad_k = k, bad_v = v, bad_q = q;
  bad_k(3, 1) = nan;
  bad_v(2, 0) = -infinity;
  bad_q(1, 2) = infinity;
  refusal("finite_entries", "a NaN in K", [&] { (void)attention_weights(q, bad_k); });
  refusal("finite_entries", "an infinite entry of V", [&] { (void)scaled_dot_product_attention(q, k, bad_v); });
  refusal("finite_entries", "an infinite entry of Q", [&] { (void)attention_scores(bad_q, k); });
  refusal("matching_shapes", "X of width 3 and W_Q of height 2", [&] {
    (void)attention_layer(q, k, Projections<double>{Matrix<double>(2, 2), Matrix<double>(3, 2), Matrix<double>(3, 2)});
  });
  CHECK_THROWS_WITH(attention_weights(q, bad_k), Catch::Contains("given nan in K at row 3, column 1"));
  CHECK_THROWS_WITH(attention_scores(q, Matrix<double>(4, 2)),
                    Catch::Contains("expected Q and K of the same width, given Q 2 x 3 and K 4 x 2"));
  CHECK_THROWS_WITH(attention_weights(Matrix<double>::filled(1, 1, 1e200), Matrix<double>::filled(2, 1, 1e200)),
                    Catch::Contains("that of query 0 and key 0 overflows"));
  CHECK_THROWS_WITH(
      attention_scores(Matrix<double>(1, 2, {1e200, 1e200}), Matrix<double>(1, 2, {1e200, -1e200})),
      Catch::Contains("attention_scores: expected Q K^T in the range of the scalar, but row 0, column 0"));
  CHECK_THROWS_WITH(
      attention_scores(Matrix<float>::filled(1, 1, 0), Matrix<float>::filled(1, 1, 0), Scale::divisor(1e-60)),
      Catch::Contains("expected a divisor in the range of the scalar"));
  CHECK_THROWS_AS(Mask(2, 2, {true}), std::invalid_argument);
  const auto wide = [](double a, double b) { return Matrix<double>(1, 2, {a, b}); };
  CHECK_THROWS_WITH(attention::project(wide(1e200, 0), wide(1, 1),
                                       Projections<double>{Matrix<double>::filled(2, 1, 1e200), Matrix<double>(2, 1),
                                                           Matrix<double>(2, 1)}),
                    Catch::Contains("X W_Q in the range of the scalar, but row 0, column 0 overflows"));
  // equal values at the end of the range stay there
  constexpr double most = std::numeric_limits<double>::max();
  for (std::size_t m = 1; m < 50; ++m)
    for (const double value : {most, -most}) {
      const auto output =
          scaled_dot_product_attention(Matrix<double>(1, 1), Matrix<double>(m, 1), Matrix<double>::filled(m, 1, value))
              .output;
      CHECK(std::abs(output(0, 0) / value - 1) < 1e-15);
    }
}

}  // namespace attention_definition_test
