// 1. dQ, dK and dV in 50 digits are what automatic differentiation of the forward pass gives, for any mask.
// 2. They are what central differences give, for a loss that is not linear.
// 3. So are dX, dY, dW_Q, dW_K and dW_V, with one input on both sides too.
// 4. What is not seen gets the gradient 0 and gives none; one shift of all keys costs nothing.
// 5. In float and double every entry stays within the bound of the page; the worst inputs found are kept.
// 6. A loss without a derivative breaks the formula; bad input is refused.

#include "rootdk/attention/attention_gradient.hpp"

#include <boost/math/differentiation/autodiff.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "attention/attention_cases.hpp"
#include "attention/running_error.hpp"
#include "attention/worst_inputs.hpp"

using namespace rootdk;
using namespace rootdk::testing;
using attention::attention_gradient;
using attention::attention_layer;
using attention::attention_layer_gradient;
using attention::AttentionGradient;
using attention::AttentionOptions;
using attention::Mask;
using attention::Projections;
using attention::scaled_dot_product_attention;

namespace {

const Arithmetic fifty_digits = arithmetic<Real>();

// One variable is active at a time: a number with its derivative by that variable.
using Dual = boost::math::differentiation::autodiff_fvar<Real, 1>;

double size(const Real& x) { return std::abs(static_cast<double>(x)); }

double largest(const Matrix<double>& a) {
  double result = 0;
  for (double x : a.values()) result = std::max(result, std::abs(x));
  return result;
}

double total(const Matrix<double>& a) {
  double result = 0;
  for (double x : a.values()) result += std::abs(x);
  return result;
}

// No more than 2^12 roundings enter an entry in any of the ways it is computed here, and none is of a number larger
// than this: the upstream gradient times values, keys or queries, or their inputs, twice.
double rounding(const AttentionCase& c) {
  const double q = 1 + largest(c.queries), k = 1 + largest(c.keys), v = 1 + largest(c.values);
  return 0x1p12 * fifty_digits.u * total(c.upstream) * q * k * v * q * k;
}

// The entries of a matrix as duals, entry (i, j) active.
Matrix<Dual> active(const Matrix<double>& a, std::size_t i, std::size_t j) {
  Matrix<Dual> result = a.map([](double x) { return Dual(Real(x)); });
  result(i, j) = boost::math::differentiation::make_fvar<Real, 1>(Real(a(i, j)));
  return result;
}
Matrix<Dual> passive(const Matrix<double>& a) {
  return a.map([](double x) { return Dual(Real(x)); });
}

// d/dx of sum dO_ij O_ij by automatic differentiation.
Real derivative_of_loss(const Matrix<Dual>& output, const Matrix<double>& upstream) {
  Dual loss(Real(0));
  for (std::size_t i = 0; i < output.rows(); ++i)
    for (std::size_t j = 0; j < output.columns(); ++j) loss += Dual(Real(upstream(i, j))) * output(i, j);
  return loss.derivative(1);
}

bool within(const Real& measured, const Real& expected, double bound) {
  const Real difference = measured - expected;
  return abs(difference) <= Real(bound);
}

// Calls f(matrix, its gradient, name) for Q, K and V of a case.
template <class F>
void each_input(const AttentionCase& c, const AttentionGradient<Real>& g, F f) {
  f(c.queries, g.queries, 'Q');
  f(c.keys, g.keys, 'K');
  f(c.values, g.values, 'V');
}

AttentionGradient<Real> gradient_of(const AttentionCase& c) {
  return attention_gradient<Real>(c.queries.convert<Real>(), c.keys.convert<Real>(), c.values.convert<Real>(),
                                  c.upstream.convert<Real>(), c.options());
}

}  // namespace

TEST_CASE("numeric: dQ, dK and dV against automatic differentiation") {
  //! [attention_gradient]
  for_all(
      Kind::numeric, "every entry of dQ, dK and dV against automatic differentiation, in 50 digits",
      attention_case<"differentiable_loss">(),
      [](const AttentionCase& c) {
        classify(c);
        each_input(c, gradient_of(c), [&](const Matrix<double>& input, const Matrix<Real>& gradient, char name) {
          for (std::size_t i = 0; i < input.rows(); ++i)
            for (std::size_t j = 0; j < input.columns(); ++j) {
              const auto entry = [&](const Matrix<double>& a, char which) {
                return which == name ? active(a, i, j) : passive(a);
              };
              const auto forward = scaled_dot_product_attention(entry(c.queries, 'Q'), entry(c.keys, 'K'),
                                                                entry(c.values, 'V'), c.options());
              RC_ASSERT(within(gradient(i, j), derivative_of_loss(forward.output, c.upstream), rounding(c)));
            }
        });
      },
      Cases{200});
  //! [attention_gradient]
}

TEST_CASE("numeric: dQ, dK and dV against central differences of a loss that is not linear") {
  // L = sum dO_ij O_ij^3 / 3, so that its gradient by O is dO_ij O_ij^2
  for_all(
      Kind::numeric, "every entry of dQ, dK and dV against central differences, in 50 digits",
      attention_case<"differentiable_loss">(),
      [](const AttentionCase& c) {
        classify(c);
        const auto output = [&](const Matrix<Real>& q, const Matrix<Real>& k, const Matrix<Real>& v) {
          return scaled_dot_product_attention(q, k, v, c.options()).output;
        };
        const Matrix<Real> q = c.queries.convert<Real>(), k = c.keys.convert<Real>(), v = c.values.convert<Real>();
        Matrix<Real> upstream = output(q, k, v);
        for (std::size_t i = 0; i < upstream.rows(); ++i)
          for (std::size_t j = 0; j < upstream.columns(); ++j) upstream(i, j) *= upstream(i, j) * c.upstream(i, j);
        const auto loss = [&](char name, std::size_t i, std::size_t j, const Real& shift) {
          const auto moved = [&](Matrix<Real> a, char which) {
            if (which == name) a(i, j) += shift;
            return a;
          };
          const Matrix<Real> o = output(moved(q, 'Q'), moved(k, 'K'), moved(v, 'V'));
          Real result = 0;
          for (std::size_t r = 0; r < o.rows(); ++r)
            for (std::size_t t = 0; t < o.columns(); ++t) result += o(r, t) * o(r, t) * o(r, t) * c.upstream(r, t) / 3;
          return result;
        };
        const AttentionGradient<Real> g = attention_gradient(q, k, v, upstream, c.options());
        each_input(c, g, [&](const Matrix<double>& input, const Matrix<Real>& gradient, char name) {
          for (std::size_t i = 0; i < input.rows(); ++i)
            for (std::size_t j = 0; j < input.columns(); ++j) {
              const auto difference = [&](const Real& h) {
                return Real((loss(name, i, j, h) - loss(name, i, j, -h)) / (2 * h));
              };
              // The error of the finer step is c h^2 and a fourth of the coarser one's, so their difference is
              // three times as large as it, to first order.
              const double h = 0x1p-44;
              const Real coarse = difference(Real(2 * h)), fine = difference(Real(h));
              const double v2 = largest(c.values) * largest(c.values);
              RC_ASSERT(within(gradient(i, j), fine, size(Real(coarse - fine)) + (1 + v2) * rounding(c) / h));
            }
        });
      },
      Cases{100});
}

namespace {

// The layer of a case: X and W_Q from one sampled case, Y, W_K, W_V from others.
struct Layer {
  Matrix<double> x, y;
  Projections<double> w;
  Matrix<double> upstream;
  AttentionOptions options;
};

Layer sampled_layer(std::size_t n, std::size_t m, double factor, bool causal, std::uint64_t seed) {
  const AttentionCase inputs = sampled_case(n, m, 3, 2, factor, causal, seed);  // X is n x 3, Y is m x 3
  const AttentionCase matrices = sampled_case(3, 3, 4, 2, 1, false, seed + 1000);
  return {inputs.queries,
          inputs.keys,
          {matrices.queries, matrices.keys, matrices.values},
          inputs.upstream,
          {.mask = inputs.mask}};
}

attention::AttentionLayerGradient<Real> gradient_of(const Layer& l) {
  return attention_layer_gradient<Real>(
      l.x.convert<Real>(), l.y.convert<Real>(),
      {l.w.queries.convert<Real>(), l.w.keys.convert<Real>(), l.w.values.convert<Real>()}, l.upstream.convert<Real>(),
      l.options);
}

double rounding(const Layer& l) {
  const double x = 1 + largest(l.x), y = 1 + largest(l.y);
  const double w = 1 + std::max({largest(l.w.queries), largest(l.w.keys), largest(l.w.values)});
  return 0x1p14 * fifty_digits.u * total(l.upstream) * std::pow(x * y * w * w, 2) * y * w;
}

}  // namespace

TEST_CASE("numeric: gradients by inputs and projections against automatic differentiation") {
  Comparison check(Kind::numeric, "dX, dY, dW_Q, dW_K, dW_V against automatic differentiation, in 50 digits",
                   slugs<"differentiable_loss">());
  for (const auto& size : {std::pair{1, 2}, {3, 3}, {2, 4}, {4, 2}})
    for (const double factor : {0.05, 1.0, 30.0})
      for (const bool causal : {false, true}) {
        const Layer l = sampled_layer(static_cast<std::size_t>(size.first), static_cast<std::size_t>(size.second),
                                      factor, causal, 21);
        const auto g = gradient_of(l);
        const auto compare = [&](const Matrix<double>& input, const Matrix<Real>& gradient, const char* name) {
          for (std::size_t i = 0; i < input.rows(); ++i)
            for (std::size_t j = 0; j < input.columns(); ++j) {
              const auto entry = [&](const Matrix<double>& a) { return &a == &input ? active(a, i, j) : passive(a); };
              const auto forward =
                  attention_layer(entry(l.x), entry(l.y),
                                  Projections<Dual>{entry(l.w.queries), entry(l.w.keys), entry(l.w.values)}, l.options);
              check.compare_as<Real>(gradient(i, j), derivative_of_loss(forward.output, l.upstream), Real(rounding(l)),
                                     fmt::format("{}({}, {}), n = {}, m = {}", name, i, j, size.first, size.second));
            }
        };
        compare(l.x, g.x, "dX");
        compare(l.y, g.y, "dY");
        compare(l.w.queries, g.projections.queries, "dW_Q");
        compare(l.w.keys, g.projections.keys, "dW_K");
        compare(l.w.values, g.projections.values, "dW_V");
      }
}

TEST_CASE("numeric: self-attention has one input and two paths to it") {
  Comparison check(Kind::numeric, "dX + dY against automatic differentiation of self-attention",
                   slugs<"differentiable_loss">());
  const Layer l = sampled_layer(3, 3, 1, true, 22);
  Layer self = l;
  self.y = l.x;
  const auto g = gradient_of(self);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Matrix<Dual> x = active(l.x, i, j);
      const auto forward = attention_layer(
          x, x, Projections<Dual>{passive(l.w.queries), passive(l.w.keys), passive(l.w.values)}, l.options);
      check.compare_as<Real>(g.x(i, j) + g.y(i, j), derivative_of_loss(forward.output, l.upstream),
                             Real(2 * rounding(self)), fmt::format("entry ({}, {})", i, j));
    }
}

TEST_CASE("numeric: what is not seen gets no gradient and gives none") {
  Comparison check(Kind::numeric, "fully masked queries, keys that nobody sees", slugs<"differentiable_loss">());
  AttentionCase c = sampled_case(3, 4, 5, 2, 1, false, 23);
  // query 1 sees nothing; nobody sees key 2
  c.mask = Mask(3, 4, {true, true, false, true, false, false, false, false, true, false, false, true});
  const auto g = attention_gradient(c.queries, c.keys, c.values, c.upstream, c.options());
  for (std::size_t l = 0; l < 5; ++l) {
    check.compare(g.queries(1, l), 0, 0, "dQ of the query that sees nothing");
    check.compare(g.keys(2, l), 0, 0, "dK of the key that nobody sees");
    CHECK(g.queries(0, l) != 0);
    CHECK(g.keys(0, l) != 0);
  }
  for (std::size_t k = 0; k < 2; ++k) check.compare(g.values(2, k), 0, 0, "dV of the key that nobody sees");
  // the query that sees nothing gives no gradient: its upstream does not matter
  AttentionCase louder = c;
  louder.upstream(1, 0) = 100;
  const auto same = attention_gradient(louder.queries, louder.keys, louder.values, louder.upstream, c.options());
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t l = 0; l < 5; ++l) check.compare(same.keys(j, l), g.keys(j, l), 0, "dK");
    for (std::size_t k = 0; k < 2; ++k) check.compare(same.values(j, k), g.values(j, k), 0, "dV");
  }
  // all masked
  const AttentionOptions blind{.mask = Mask(3, 4, std::vector<bool>(12, false))};
  const auto none = attention_gradient(c.queries, c.keys, c.values, c.upstream, blind);
  for (const Matrix<double>* a : {&none.queries, &none.keys, &none.values})
    for (double x : a->values()) check.compare(x, 0, 0, "every key masked");
  // saturated: the gradient by Q and K is small, and never NaN
  const auto sharp =
      attention_gradient(c.queries.map([](double x) { return 1e6 * x; }), c.keys, c.values, c.upstream, c.options());
  for (double x : sharp.queries.values()) check.compare(x, 0, 0, "saturated beyond the range of exp");
}

TEST_CASE("numeric: a direction that changes no weight has no gradient") {
  for_all(Kind::numeric, "the rows of dK add up to 0; equal values give dQ = 0 and dK = 0",
          attention_case<"differentiable_loss">(), [](const AttentionCase& c) {
            classify(c);
            // all keys moved by one vector: no weight changes
            const AttentionGradient<Real> g = gradient_of(c);
            for (std::size_t l = 0; l < c.keys.columns(); ++l) {
              Real sum = 0;
              for (std::size_t j = 0; j < c.keys.rows(); ++j) sum += g.keys(j, l);
              RC_ASSERT(within(sum, 0, rounding(c)));
            }
            // equal values: the output is that value whatever the weights, and all-ones upstream of A is a
            // special case; a backward pass that copies its upstream gradient fails here
            AttentionCase even = c;
            for (std::size_t j = 0; j < c.values.rows(); ++j)
              for (std::size_t k = 0; k < c.values.columns(); ++k) even.values(j, k) = 1;
            const AttentionGradient<Real> flat = gradient_of(even);
            for (const Real& x : flat.queries.values()) RC_ASSERT(within(x, 0, rounding(c)));
            for (const Real& x : flat.keys.values()) RC_ASSERT(within(x, 0, rounding(c)));
          });
}

namespace {

EnclosedAttention enclose_case(const RunningError& rules, const AttentionCase& c) {
  const auto exact = [](const Matrix<double>& a) { return RunningError::exact(a); };
  return enclose(rules, exact(c.queries), exact(c.keys), exact(c.values), exact(c.upstream), c.options());
}

template <class S>
void compare_entries(Comparison& check, const Matrix<S>& computed, const Enclosed& e, const std::string& what) {
  for (std::size_t i = 0; i < computed.rows(); ++i)
    for (std::size_t j = 0; j < computed.columns(); ++j) {
      if (e.error(i, j) == 0) {
        CHECK(computed(i, j) == 0);
        continue;
      }
      const Real difference = Real(computed(i, j)) - e.value(i, j);
      check.error(size(difference) / e.error(i, j), 1, what);
    }
}

template <class S>
void compare_gradient(Comparison& dq, Comparison& dk, Comparison& dv, const AttentionCase& c, const std::string& what) {
  const EnclosedAttention bound = enclose_case(RunningError(arithmetic<S>()), c);
  const auto g = attention_gradient(c.queries.convert<S>(), c.keys.convert<S>(), c.values.convert<S>(),
                                    c.upstream.convert<S>(), c.options());
  compare_entries(dq, g.queries, bound.queries, what);
  compare_entries(dk, g.keys, bound.keys, what);
  compare_entries(dv, g.values, bound.values, what);
}

template <class S>
void floating_evidence(const std::string& type) {
  const auto check = [&](const std::string& what) {
    return std::make_unique<Comparison>(Kind::floating, what + " in " + type + ", in units of the bound",
                                        slugs<"differentiable_loss">());
  };
  const auto dq = check("dQ"), dk = check("dK"), dv = check("dV");
  AttentionRowClasses classes;
  for (const std::size_t n : {1u, 2u, 8u})
    for (const std::size_t m : {2u, 3u, 17u})
      for (const std::size_t d : {1u, 3u, 64u})
        for (const double factor : {0.01, 1.0, 64.0})
          for (const bool causal : {false, true}) {
            const AttentionCase c = sampled_case(n, m, d, 3, factor, causal, 24);
            classes.count(*dq, c);
            compare_gradient<S>(*dq, *dk, *dv, c,
                                fmt::format("n = {}, m = {}, d = {}, factor {}, causal {}", n, m, d, factor, causal));
          }
  classes.require_all();
  for (const AttentionCase& c : worst_inputs())
    compare_gradient<S>(*dq, *dk, *dv, c, "one of the worst inputs found by search");
}

template <class S>
void layer_evidence(const std::string& type) {
  Comparison check(Kind::floating, "dX, dY, dW_Q, dW_K, dW_V in " + type + ", in units of the bound",
                   slugs<"differentiable_loss">());
  const RunningError rules(arithmetic<S>());
  for (const auto& [n, m] : {std::pair{1, 2}, {3, 3}, {2, 7}, {7, 2}})
    for (const double factor : {0.01, 1.0, 64.0})
      for (const bool causal : {false, true}) {
        const Layer l = sampled_layer(static_cast<std::size_t>(n), static_cast<std::size_t>(m), factor, causal, 25);
        const Enclosed x = RunningError::exact(l.x), y = RunningError::exact(l.y),
                       wq = RunningError::exact(l.w.queries), wk = RunningError::exact(l.w.keys),
                       wv = RunningError::exact(l.w.values), up = RunningError::exact(l.upstream);
        const EnclosedAttention e =
            enclose(rules, rules.product(x, wq), rules.product(y, wk), rules.product(y, wv), up, l.options);
        const auto g =
            attention_layer_gradient<S>(l.x.convert<S>(), l.y.convert<S>(),
                                        {l.w.queries.convert<S>(), l.w.keys.convert<S>(), l.w.values.convert<S>()},
                                        l.upstream.convert<S>(), l.options);
        compare_entries(check, g.x, rules.product(e.queries, wq.transposed()), "dX");
        compare_entries(check, g.y,
                        rules.sum(rules.product(e.keys, wk.transposed()), rules.product(e.values, wv.transposed())),
                        "dY");
        compare_entries(check, g.projections.queries, rules.product(x.transposed(), e.queries), "dW_Q");
        compare_entries(check, g.projections.keys, rules.product(y.transposed(), e.keys), "dW_K");
        compare_entries(check, g.projections.values, rules.product(y.transposed(), e.values), "dW_V");
      }
}

}  // namespace

TEST_CASE("floating: dQ, dK and dV in double") { floating_evidence<double>("double"); }

TEST_CASE("floating: dQ, dK and dV in float") { floating_evidence<float>("float"); }

TEST_CASE("floating: the gradients of the layer in double") { layer_evidence<double>("double"); }

TEST_CASE("floating: the gradients of the layer in float") { layer_evidence<float>("float"); }

TEST_CASE("falsifier: a loss without a derivative") {
  // V = I, so that O = A; L(u, v) = u^2 v / (u^2 + v^2) with (u, v) = A - 1/2. At A = (1/2, 1/2) both partial
  // derivatives are 0, but the weights move along u = -v, where L = v/2.
  const Matrix<double> q(1, 1, {1}), k(2, 1), v(2, 2, {1, 0, 0, 1});
  const auto g = attention_gradient(q, k, v, Matrix<double>(1, 2));
  const auto loss = [&](double shift) {
    const auto o = scaled_dot_product_attention(q, Matrix<double>(2, 1, {0, shift}), v).output;
    const double a = o(0, 0) - 0.5, b = o(0, 1) - 0.5;
    return a * a * b / (a * a + b * b);
  };
  const double h = 0x1p-10;
  const double measured = (loss(h) - loss(-h)) / (2 * h);
  CHECK(std::abs(measured - 0.125) < h * h);
  falsifier("differentiable_loss", "\\(L = u^2v/(u^2 + v^2)\\), \\((u, v) = A - 1/2\\), at equal weights",
            "the derivative of the loss by the second key", measured, g.keys(1, 0), h * h);
}

TEST_CASE("falsifier: a query that sees no key has no gradient of its own") {
  // With a large negative number on every key the weights are 1/2; with the boolean mask they are 0. The formula
  // names no value where nothing is seen: the two ways to get there disagree.
  const Matrix<double> q(1, 1, {1}), k(2, 1, {-1e9, -1e9}), v(2, 1, {3, 4}), up(1, 1, {1});
  const double by_number = attention_gradient(q, k, v, up).values(0, 0);
  const double by_mask = attention_gradient(q, k, v, up, {.mask = Mask(1, 2, {false, false})}).values(0, 0);
  CHECK(by_number == 0.5);
  CHECK(by_mask == 0);
  falsifier("one_visible_key", "both keys hidden, by \\(-10^9\\) in their scores or by the mask",
            "dV is 0 by the mask; by the number it", by_number, by_mask);
}

TEST_CASE("falsifier: bad input is refused by name") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto ones = [](std::size_t n, std::size_t m) { return Matrix<double>::filled(n, m, 1); };
  const Matrix<double> q = ones(2, 3), k = ones(4, 3), v = ones(4, 2), up = ones(2, 2);
  refusal("matching_shapes", "dO of three rows for two queries",
          [&] { (void)attention_gradient(q, k, v, Matrix<double>(3, 2)); });
  refusal("matching_shapes", "dO of width 3 for values of width 2",
          [&] { (void)attention_gradient(q, k, v, Matrix<double>(2, 3)); });
  refusal("matching_shapes", "a mask for three keys where there are four",
          [&] { (void)attention_gradient(q, k, v, up, {.mask = Mask::all(2, 3)}); });
  refusal("positive_dimension", "queries and keys of width 0",
          [&] { (void)attention_gradient(Matrix<double>(2, 0), Matrix<double>(4, 0), v, up); });
  refusal("one_visible_key", "no keys",
          [&] { (void)attention_gradient(q, Matrix<double>(0, 3), Matrix<double>(0, 2), up); });
  Matrix<double> bad = up;
  bad(1, 0) = nan;
  refusal("finite_entries", "a NaN in dO", [&] { (void)attention_gradient(q, k, v, bad); });
  CHECK_THROWS_WITH(attention_gradient(q, k, v, bad), Catch::Contains("dO at row 1, column 0"));
}
