// 1. dQ, dK and dV in 50 digits are what automatic differentiation of the forward pass gives, for any mask.
// 2. They are what central differences give, for a loss that is not linear.
// 3. So are dX, dY, dW_Q, dW_K and dW_V, with one input on both sides too.
// 4. What is not seen gets the gradient 0 and gives none; one shift of all keys costs nothing.
// 5. In float and double every entry stays within the bound of the page; the worst inputs found are kept.
// 6. A loss without a derivative breaks the formula; bad input is refused.

#include "rootdk/attention/attention_gradient.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "attention/attention_cases.hpp"
#include "attention/running_error.hpp"
#include "attention/worst_inputs.hpp"
#include "support/autodiff.hpp"

namespace attention_gradient_test {

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
using attention::score_gradient;

namespace {

const Arithmetic fifty_digits = arithmetic<Real>();

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
  result(i, j) = along(a(i, j), 1);
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
  AttentionRowClasses classes;
  // [attention_gradient]
  for_all(
      Kind::numeric, "every entry of dQ, dK and dV against automatic differentiation, in 50 digits",
      attention_case<"differentiable_loss">(),
      [&](const AttentionCase& c) {
        classes.count_case(c);
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
  // [attention_gradient]
}

TEST_CASE("numeric: dQ, dK and dV against central differences of a loss that is not linear") {
  AttentionRowClasses classes;
  // L = sum dO_ij O_ij^3 / 3, so that its gradient by O is dO_ij O_ij^2
  for_all(
      Kind::numeric, "every entry of dQ, dK and dV against central differences, in 50 digits",
      attention_case<"differentiable_loss">(),
      [&](const AttentionCase& c) {
        classes.count_case(c);
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

attention::AttentionLayerGradient<Real> gradient_of(const Layer& l) {
  return attention_layer_gradient<Real>(l.x.convert<Real>(), l.y.convert<Real>(), convert<Real>(l.w),
                                        l.upstream.convert<Real>(), l.options);
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
  AttentionRowClasses classes;
  for (const auto& size : {std::pair{1, 2}, {3, 3}, {2, 4}, {4, 2}})
    for (const double factor : {0.01, 1.0, 30.0})
      for (const bool causal : {false, true}) {
        const Layer l = sampled_layer(static_cast<std::size_t>(size.first), static_cast<std::size_t>(size.second),
                                      factor, causal, 21);
        classes.count(check, l);
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

TEST_CASE("numeric: gradients by inputs and projections against central differences") {
  Comparison check(Kind::numeric, "dX, dY, dW_Q, dW_K, dW_V against central differences of sum dO O^3/3, in 50 digits",
                   slugs<"differentiable_loss">());
  AttentionRowClasses classes;
  for (const double factor : {0.01, 1.0, 30.0})
    for (const bool causal : {false, true}) {
      const Layer l = sampled_layer(3, 3, factor, causal, 24);
      classes.count(check, l);
      const auto output = [&](const Matrix<double>* moved, std::size_t i, std::size_t j, const Real& shift) {
        const auto entry = [&](const Matrix<double>& a) {
          Matrix<Real> result = a.convert<Real>();
          if (&a == moved) result(i, j) += shift;
          return result;
        };
        return attention_layer(entry(l.x), entry(l.y),
                               Projections<Real>{entry(l.w.queries), entry(l.w.keys), entry(l.w.values)}, l.options)
            .output;
      };
      const Matrix<Real> o = output(nullptr, 0, 0, 0);
      Matrix<Real> upstream = l.upstream.convert<Real>();
      double most = 0;
      for (std::size_t i = 0; i < o.rows(); ++i)
        for (std::size_t j = 0; j < o.columns(); ++j) {
          upstream(i, j) *= o(i, j) * o(i, j);
          most = std::max(most, static_cast<double>(abs(o(i, j))));
        }
      const auto g = attention_layer_gradient<Real>(l.x.convert<Real>(), l.y.convert<Real>(), convert<Real>(l.w),
                                                    upstream, l.options);
      const auto compare = [&](const Matrix<double>& input, const Matrix<Real>& gradient, const char* name) {
        for (std::size_t i = 0; i < input.rows(); ++i)
          for (std::size_t j = 0; j < input.columns(); ++j) {
            const auto difference = [&](const Real& h) {
              const auto loss = [&](const Real& shift) {
                const Matrix<Real> at = output(&input, i, j, shift);
                Real result = 0;
                for (std::size_t r = 0; r < at.rows(); ++r)
                  for (std::size_t t = 0; t < at.columns(); ++t)
                    result += at(r, t) * at(r, t) * at(r, t) * l.upstream(r, t) / 3;
                return result;
              };
              return Real((loss(h) - loss(-h)) / (2 * h));
            };
            // as for dQ: the difference of two steps is three times the error of the finer one, to first order
            const Real h = Real(0x1p-44), coarse = difference(Real(2 * h)), fine = difference(h);
            check.compare_as<Real>(gradient(i, j), fine,
                                   Real(abs(Real(coarse - fine)) + Real((1 + most * most * most) * rounding(l)) / h),
                                   fmt::format("{}({}, {}), factor {}", name, i, j, factor));
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
  AttentionRowClasses classes;
  for (const double factor : {0.1, 1.0, 4.0}) {
    Layer l = sampled_layer(4, 4, 1, true, 22);
    l.x = l.y = l.x.map([&](double x) { return factor * x; });
    classes.count(check, l);
    const auto g = gradient_of(l);
    for (std::size_t i = 0; i < l.x.rows(); ++i)
      for (std::size_t j = 0; j < l.x.columns(); ++j) {
        const Matrix<Dual> x = active(l.x, i, j);
        const auto forward = attention_layer(
            x, x, Projections<Dual>{passive(l.w.queries), passive(l.w.keys), passive(l.w.values)}, l.options);
        check.compare_as<Real>(g.x(i, j) + g.y(i, j), derivative_of_loss(forward.output, l.upstream),
                               Real(2 * rounding(l)), fmt::format("entry ({}, {}), factor {}", i, j, factor));
      }
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
  AttentionRowClasses classes;
  for_all(Kind::numeric, "the rows of dK add up to 0; equal values give dQ = 0 and dK = 0",
          attention_case<"differentiable_loss">(), [&](const AttentionCase& c) {
            classes.count_case(c);
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

template <class S>
void compare_gradient(Comparison& dq, Comparison& dk, Comparison& dv, const AttentionCase& c, const std::string& what) {
  const EnclosedAttention bound = enclose(RunningError(arithmetic<S>()), c);
  const auto g = attention_gradient(c.queries.convert<S>(), c.keys.convert<S>(), c.values.convert<S>(),
                                    c.upstream.convert<S>(), c.options());
  compare_entries(dq, g.queries, bound.d_queries, what);
  compare_entries(dk, g.keys, bound.d_keys, what);
  compare_entries(dv, g.values, bound.d_values, what);
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
  for (const AttentionCase& c : worst_inputs())
    compare_gradient<S>(*dq, *dk, *dv, c, "one of the worst inputs found by search");
}

// Calls each(what, error over bound) for every gradient of a layer.
template <class S, class Each>
void each_layer_ratio(const Layer& l, const Each& each) {
  const EnclosedLayer bound = enclose(RunningError(arithmetic<S>()), l);
  const auto g = attention_layer_gradient<S>(l.x.convert<S>(), l.y.convert<S>(), convert<S>(l.w),
                                             l.upstream.convert<S>(), l.options);
  const auto compare = [&](const Matrix<S>& computed, const Enclosed& e, const char* what) {
    each_ratio(computed, e, [&](double ratio) { each(what, ratio); });
  };
  compare(g.x, bound.d_x, "dX");
  compare(g.y, bound.d_y, "dY");
  compare(g.projections.queries, bound.d_wq, "dW_Q");
  compare(g.projections.keys, bound.d_wk, "dW_K");
  compare(g.projections.values, bound.d_wv, "dW_V");
}

// Found by worst_input with ROOTDK_SEARCH=400, as it prints them.
const std::vector<std::vector<double>> worst_layers{
    {-0x1.e847f999bd261p+19, -0x1.e848066766257p+19, -0x1.e848p+19, -0x1.e847fcf0c92fbp+19, -0x1.e848066666666p+19,
     -0x1.e848033333358p+19, -0x1.e848066666666p+19, -0x1.e8480687b2811p+19, -0x1.e84806666625dp+19, -0x1.e848p+19,
     -0x1.e848066665ce4p+19, -0x1.e848033333333p+19, -0x1.e848000000002p+19, -0x1.e848p+19, -0x1.e847fcccccccdp+19,
     -0x1.e847f9999999ap+19, -0x1.e95ca45850cefp+19},
    {-0x1.e847ffbae147bp+19, -0x1.e847ff8a51eb8p+19, -0x1.e8480024p+19, -0x1.e84800a8e147bp+19, -0x1.e847ffff0a3d7p+19,
     -0x1.e847ff19eb852p+19, -0x1.e847ff35ae148p+19, -0x1.e84800ec7ae14p+19, -0x1.e847ff75ae148p+19,
     -0x1.e84800ca7ae14p+19, -0x1.e847ff895c1ep+19, -0x1.e848005ce147bp+19, -0x1.e847ff195c28fp+19,
     -0x1.e847fff4ccccdp+19, -0x1.ed0b8bafedf9p+19, -0x1.df2a6ccb966ffp+19, -0x1.e80e16084ee1ep+19},
    {-0x1.b5ff2f8d76438p-4, 0x1.d0cccccec0363p-3, 0x1.0933333333333p-3, -0x1.24ccccccccccdp-2, -0x1.0dccccccccccdp-3,
     -0x1.5b9999999999ap-4, -0x1.0fffffffd3cefp-2, 0x1.d20000001531ep-3, 0x1.ccccccc69ab26p-8, -0x1.3817419bbc4e5p-5,
     -0x1.dd333332fb714p-3, -0x1.1fccccccccccep-3, -0x1.28cccccda9753p-3, -0x1.fp-5, -0x1.4e9cb2547cf78p-3,
     0x1.ceccccccccccdp-3, -0x1.f9c2e876665aep-3},
    {-0x1.e848002d47afdp+19, -0x1.e84800ad61321p+19, -0x1.bb5fe13698dbfp+19, -0x1.e84772c1dd9edp+19,
     -0x1.eb39a48bac642p+19, -0x1.de5a0391883fcp+19, -0x1.df78fbdfd2ccp+19, -0x1.e847ff44bd0adp+19,
     -0x1.de1d1cd532748p+18, -0x1.e8480030e7ca9p+19, -0x1.f0553fb9d95e4p+19, -0x1.ee945277be0c4p+19,
     -0x1.e945b69b39388p+19, -0x1.0563cf9570b38p+20, -0x1.051e334691d03p+20, -0x1.5cee03c265fe9p+19,
     -0x1.c27d2c4145d72p+19},
    {-0x1.4066666666667p-3, -0x1.26p-4, -0x1.96ffffffffffep-3, 0x1.0f333333332cfp-5, -0x1.95999999999b2p-4,
     -0x1.1233333333333p-2, 0x1.9f66666666617p-3, 0x1.3bccccccccdf5p-3, -0x1.953333333341p-3, -0x1.5dfffffffffffp-4,
     -0x1.66cccccccccd5p-3, 0x1.1ce6666666665p-2, -0x1.07fffffffffffp-4, 0x1.f3p-3, -0x1.f966666666667p-3,
     -0x1.bb9999999999ap-4, 0x1.ecccccccccccdp-6},
    {0x1.050127a37e068p+9, 0x1.72fda7c7c03a4p+9, 0x1.f3e4fe6a1d9bfp+8, 0x1.f43f9fffd6ef5p+8, 0x1.f3e8533ae9c74p+8,
     0x1.f3d62ccd24ce8p+8, 0x1.f605eb1790602p+8, 0x1.72fe9c8feabep+9, 0x1.f1ff7650cb515p+8, 0x1.ee01cd648e5e9p+8,
     0x1.e88a82d5d47c1p+8, 0x1.ef8b4cab05184p+8, 0x1.f43ac506bc559p+8, 0x1.f3ce5fe62b0fcp+8, 0x1.f44559999999ap+8,
     0x1.f40239999999ap+8, 0x1.f3d79862854cp+8},
    {0x1.726fb7ee0480cp-8, -0x1.1f6669a12d8f8p-2, -0x1.493337ec64b78p-3, 0x1.f4ce06b137083p-5, -0x1.a4ccd1ea18aebp-6,
     -0x1.dfcccf99b6867p-3, -0x1.4533c510f3dbfp-3, 0x1.3265fe941ac3bp-2, -0x1.26332f2d0048bp-3, 0x1.c5ccd10417946p-3,
     -0x1.2866666666667p-2, 0x1.513319b38cc9p-4, 0x1.30ffcced3a665p-3, 0x1.7533375b5a9b2p-3, -0x1.55c61db713f6bp-4,
     -0x1.0332e6f1ba72cp-4, 0x1.031103e5375fap-2},
    {0x1.f5f80148320b5p+8, 0x1.a4e8aa51f5f4fp+9, 0x1.f3e4fe6a1d9bfp+8, 0x1.f43f9fffd6ef5p+8, 0x1.f3e8533ae9c74p+8,
     0x1.f3d62ccd24ce8p+8, 0x1.85e6d798bc8d3p+8, 0x1.171156a4148d1p+9, 0x1.f1e9dc220fc7ap+8, 0x1.43046a2270cc1p+9,
     0x1.e889e387bd553p+8, 0x1.15bfff5fa4a6bp+9, 0x1.f43a873da5feap+8, 0x1.f219cdae8cfbap+8, 0x1.f44559999999ap+8,
     0x1.f40239999999ap+8, 0x1.f3d79862854cp+8},
    {0x1.d42fb139088f3p-7, -0x1.98a45de048741p-7, -0x1.0749ec568b648p-3, 0x1.017fe4631e7c6p-5, 0x1.36bd52e77425ep-9,
     -0x1.3f00bd5df3febp-3, -0x1.1ee162b726ba5p-6, -0x1.a054e594eb014p+0, -0x1.48adbfbde9d2fp-6, 0x1.22bbb284bd766p+0,
     0x1.a51749eb4fe21p-3, 0x1.2e5dc7820b325p-4, 0x1.ae8ede5d5d9f1p-1, -0x1.1b310fc085d6bp-4, 0x1.49cec1d5f793cp-12,
     0x1.6c511ff9a12bp-7, 0x1.3ea54022af573p-7},
    {-0x1.fb66a22400ebcp-3, 0x1.02b32ba49217ap-2, 0x1.1bffa9c3908bap-2, -0x1.873318d22ee71p-4, 0x1.0e66bfc3bc276p-6,
     0x1.7332d6ea4bbb3p-6, -0x1.d2ccd50712969p-4, -0x1.e166f9b71a2f9p-3, -0x1.46664d5fb1fbfp-6, -0x1.1bff13db9574ap-4,
     0x1.bdcd0d427cf61p-3, 0x1.25333c60a2a54p-3, -0x1.8f03f57a03c88p-3, 0x1.a1ff29dbf1b5ap-3, -0x1.211999999999ap-2,
     0x1.1f33333333333p-3, 0x1.1d29d964c11a6p-4}};

template <class S>
void layer_evidence(const std::string& type) {
  Comparison check(Kind::floating, "dX, dY, dW_Q, dW_K, dW_V in " + type + ", in units of the bound",
                   slugs<"differentiable_loss">());
  AttentionRowClasses classes;
  for (const auto& [n, m] : {std::pair{1, 2}, {3, 3}, {2, 7}, {7, 2}})
    for (const double factor : {0.01, 1.0, 64.0})
      for (const bool causal : {false, true}) {
        const Layer l = sampled_layer(static_cast<std::size_t>(n), static_cast<std::size_t>(m), factor, causal, 25);
        classes.count(check, l);
        each_layer_ratio<S>(l, [&](const std::string& what, double ratio) { check.error(ratio, 1, what); });
      }
  compare_worst_layers<S>(check, worst_layers, {"dX", "dY", "dW_Q", "dW_K", "dW_V"},
                          [](const Layer& l, const auto& each) { each_layer_ratio<S>(l, each); });
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

TEST_CASE("falsifier: bad input of a gradient is refused by name") {
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

  // an index is that of the key among all keys, not among those that are seen
  const Mask last_two(2, 3, {true, true, true, false, true, true});
  const Matrix<double> weights(2, 3, {0.5, 0.25, 0.25, 0, 0.5, 0.5});
  const auto with = [](Matrix<double> a, std::size_t i, std::size_t j, double x) {
    a(i, j) = x;
    return a;
  };
  CHECK_THROWS_WITH(
      score_gradient(weights, last_two, with(weights, 1, 2, nan)),
      Catch::Contains("score_gradient: finite_entries") && Catch::Contains("given nan in dA at row 1, column 2"));
  CHECK_THROWS_WITH(score_gradient(with(weights, 1, 2, -1), last_two, weights),
                    Catch::Contains("simplex_point: expected finite weights of at least 0, given -1 in A at row 1, "
                                    "column 2"));
  CHECK_NOTHROW(score_gradient(with(weights, 1, 0, nan), last_two, with(weights, 1, 0, nan)));  // not seen
  CHECK_THROWS_WITH(score_gradient(weights, last_two, Matrix<double>(2, 2)),
                    Catch::Contains("expected A and dA of the same width, given A 2 x 3 and dA 2 x 2"));
  CHECK_THROWS_WITH(score_gradient(weights, last_two, Matrix<double>(3, 3)), Catch::Contains("the same height"));
  CHECK_THROWS_WITH(score_gradient(weights, Mask::all(3, 2), weights), Catch::Contains("expected a mask 2 x 3"));

  const Matrix<double> large = with(v, 2, 1, 1e300), loud = with(up, 1, 1, -1e300);
  CHECK_THROWS_WITH(attention_gradient(q, k, large, loud),
                    Catch::Contains("attention_gradient: expected dA = dO V^T in the range of the scalar, but row 1 of "
                                    "dO times row 2 of V overflows"));
  const auto one = [](double x) { return Matrix<double>(1, 1, {x}); };
  const auto column = [](const std::vector<double>& x) { return Matrix<double>(x.size(), 1, x); };
  CHECK_THROWS_WITH(attention_gradient(one(1e-150), column({1e150, 1e150}), column({1e100, -1e100}), one(1e100)),
                    Catch::Contains("attention_gradient: expected dQ in the range of the scalar, but row 0, column 0"));
  const double most = std::numeric_limits<double>::max();
  CHECK_THROWS_WITH(attention_gradient(column({0, 0, 0, 0}), one(0), one(1), column({most, most, -most, -most})),
                    Catch::Contains("attention_gradient: expected dV in the range of the scalar"));
  CHECK_THROWS_WITH(
      attention_layer_gradient(one(0), column({1e100, -1e100}), {one(1e200), one(1), one(1e-100)}, one(1e100)),
      Catch::Contains("attention_layer_gradient: expected dX in the range of the scalar, but row 0, column 0"));

  // where the key is hidden the product is not needed
  const Mask without_it(2, 4, {true, true, true, true, true, true, false, true});
  CHECK_NOTHROW(attention_gradient(q, k, large, loud, {.mask = without_it}));
}

}  // namespace attention_gradient_test
