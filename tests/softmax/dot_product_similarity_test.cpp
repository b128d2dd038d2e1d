// 1. In exact arithmetic |a.b| <= |a||b| for all vectors, with Lagrange's identity for what is
// missing; the
//    extreme values belong to aligned and opposed vectors, 0 to orthogonal ones, and for fixed
//    norms the dot product is ordered as the cosine is.
// 2. In 50 digits the cosine of vectors laid at an angle is the cosine of that angle; norm and cosine have the right
//    gradients by automatic differentiation.
// 3. In double and float dot product, norm and cosine are within the page's bounds of 50 digits.
// 4. Falsifiers: a zero vector, a longer vector.

#include "rootdk/softmax/dot_product_similarity.hpp"

#include "rootdk/laws/rational.hpp"
#include "support/autodiff.hpp"
#include "support/floating.hpp"
#include "support/generators.hpp"
#include "support/logits.hpp"
#include "support/softmax_reference.hpp"
#include "support/test.hpp"
#include "support/worst_input.hpp"

namespace dot_product_similarity_test {

using namespace rootdk;
using namespace rootdk::testing;
using softmax::Alignment;
using softmax::alignment;
using softmax::cosine;
using softmax::dot;
using softmax::norm;

namespace {

using Vector = std::vector<Rational>;

// v reflected in the plane orthogonal to w: lengths and angles stay, rational numbers too.
template <class S>
std::vector<S> reflected(std::vector<S> v, const std::vector<S>& w) {
  const S square = dot<S>(w, w);
  if (square == 0) return v;
  const S factor = 2 * dot<S>(v, w) / square;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] -= factor * w[i];
  return v;
}

// A vector a and one or two vectors at known angles to it, of known rational norms.
struct Angle {
  Alignment relation;
  Rational cosine, sine;
};

rc::Gen<Angle> angle() {
  return rc::gen::map(integers({{0, 3, 0}, {-4, 3, 0}, {1, 3, 1}}), [](const Integers& drawn) {
    const int relation = drawn.head[0];
    if (relation == 0) return Angle{Alignment::aligned, 1, 0};
    if (relation == 1) return Angle{Alignment::opposed, -1, 0};
    if (relation == 2) return Angle{Alignment::orthogonal, 0, 1};
    // odd over even: never 0 or 1, whose angles are the others
    const Rational t(2 * drawn.head[1] + 1, 2 * drawn.head[2]);
    return Angle{Alignment::oblique, (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)};
  });
}

// A plane in 2 to 5 dimensions, as the vector in which its axes are reflected; two norms.
struct Frame {
  Vector mirror;
  Rational norm_a, norm_b;

  Vector first() const { return at({Alignment::aligned, 1, 0}, norm_a); }
  Vector second(const Angle& angle) const { return at(angle, norm_b); }

 private:
  Vector at(const Angle& angle, const Rational& length) const {
    Vector v(mirror.size(), 0);
    v[0] = length * angle.cosine;
    v[1] = length * angle.sine;
    return reflected(v, mirror);
  }
};

// With `zeros` one frame in five has a norm of 0.
rc::Gen<Frame> frame(bool zeros = false) {
  // numerators and denominators of the norms, which of them is 0; the mirror
  return rc::gen::map(integers({{1, 6, 1}, {1, 4, 1}, {1, 6, 1}, {1, 4, 1}, {0, zeros ? 9 : 0, 0}}, 2, 5, {{-4, 4, 0}}),
                      [](const Integers& drawn) {
                        Frame frame;
                        for (const auto& entry : drawn.rows) frame.mirror.emplace_back(entry[0]);
                        frame.norm_a = drawn.head[4] == 8 ? Rational(0) : Rational(drawn.head[0], drawn.head[1]);
                        frame.norm_b = drawn.head[4] == 9 ? Rational(0) : Rational(drawn.head[2], drawn.head[3]);
                        return frame;
                      });
}

const char* name(Alignment relation) {
  constexpr std::array names{"aligned", "opposed", "orthogonal", "oblique"};
  return names[static_cast<std::size_t>(relation)];
}

// Two vectors of one size from a row: its halves, or the first half beside a multiple of itself
// that rounding turns a little.
template <class T>
std::pair<std::vector<T>, std::vector<T>> two_vectors(const std::vector<double>& row, std::size_t kind) {
  const std::size_t n = row.size() / 2;
  const std::span<const double> all(row);
  auto a = rounded<T>(all.first(n)), b = rounded<T>(all.subspan(n, n));
  if (kind % 3 != 0)
    for (std::size_t i = 0; i < n; ++i) b[i] = a[i] * T(kind % 3 == 1 ? 0.7 : -1.3);
  return {a, b};
}

Precise exact_dot(const std::vector<Precise>& a, const std::vector<Precise>& b) {
  Precise total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

// Each function in u, with the bounds of the page.
template <class T, class Each>
void each_error(const std::vector<double>& row, std::size_t kind, Each each) {
  const auto [a, b] = two_vectors<T>(row, kind);
  const std::vector<Precise> x(a.begin(), a.end()), y(b.begin(), b.end());
  const double depth = a.empty() ? 0 : sum_depth(a.size());
  Precise size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) size += abs(x[i] * y[i]);
  if (size == 0) return;
  const Precise product = exact_dot(x, y), norm_a = sqrt(exact_dot(x, x)), norm_b = sqrt(exact_dot(y, y));
  each(error_in_u(dot<T>(a, b), product, size), higher_orders * (depth + 1), "dot product");
  each(error_in_u(norm<T>(a), norm_a, norm_a), higher_orders * (depth / 2 + 4), "norm");
  each(error_in_u(cosine<T>(a, b), Precise(product / (norm_a * norm_b)), Precise(1)), higher_orders * (2 * depth + 11),
       "cosine");
}

template <class T>
double worst_ratio(const std::vector<double>& row, std::string_view function) {
  double worst = 0;
  each_error<T>(row, 0, [&](double error, double bound, std::string_view what) {
    if (what == function) worst = worse_ratio(worst, error, bound);
  });
  return worst;
}

// Found by worst_input with ROOTDK_SEARCH=20, as it prints them.
const std::vector<std::vector<double>> worst_found{
    {-0x1.8d6ecc524f045p-6, -0x1.549a855433bf8p-4, -0x1.ae66666666667p-5},
    {0x1.9601444e05553p+7, 0x1.47ecf4f905f62p+9, 0x1.f87ep+8}};

template <class T>
void within_bounds() {
  Comparison check(Kind::floating, "dot product, norm and cosine, in u, " + format_name<T>(),
                   slugs<"non_zero_vectors">());
  const auto compare = [&](const std::vector<double>& row, std::size_t kind) {
    each_error<T>(row, kind, [&](double error, double bound, const char* what) { check.error(error, bound, what); });
  };
  for (std::size_t index = 0; index < 1500; ++index) {
    check.classify(index % 3 == 0 ? "any angle" : "nearly aligned or opposed");
    compare(sampled_logits(seed_of("floating"), index, 2).z, index);
  }
  for (const auto& row : worst_found) compare(row, 0);
  for (const char* function : {"dot product", "norm", "cosine"})
    compare(worst_input(seed_of("search"), 2, 16, [&](const auto& row) { return worst_ratio<T>(row, function); }).row,
            0);
}

}  // namespace

TEST_CASE("exact: the product of the norms bounds the dot product") {
  const Generated<std::pair<Vector, Vector>> vectors{
      rc::gen::map(integers({}, 0, 5, {{-6, 6, 0}, {-6, 6, 0}}), [](const Integers& drawn) {
        std::pair<Vector, Vector> both;
        for (const auto& entry : drawn.rows) {
          both.first.emplace_back(entry[0], 3);
          both.second.emplace_back(entry[1], 3);
        }
        return both;
      })};
  for_all(Kind::exact, "(a.b)^2 and the squared areas add up to |a|^2 |b|^2", vectors,
          [](const std::pair<Vector, Vector>& both) {
            const auto& [a, b] = both;
            const Rational product = dot<Rational>(a, b);
            const Rational norms = dot<Rational>(a, a) * dot<Rational>(b, b);
            RC_CLASSIFY(product * product == norms, "equality");
            RC_CLASSIFY(product * product != norms, "strict");
            Rational areas = 0;
            for (std::size_t i = 0; i < a.size(); ++i)
              for (std::size_t j = 0; j < i; ++j) {
                const Rational area = a[i] * b[j] - a[j] * b[i];
                areas += area * area;
              }
            RC_ASSERT(product * product <= norms);
            RC_ASSERT(product * product + areas == norms);
          });
}

TEST_CASE("exact: the extreme values belong to aligned and opposed vectors, 0 to orthogonal ones") {
  // [dot_product_similarity]
  for_all(Kind::exact, "vectors of rational norms at a known angle, in 2 to 5 dimensions",
          std::tuple{Generated<Frame, "non_zero_vectors">{frame()}, Generated<Angle>{angle()}},
          [](const Frame& frame, const Angle& angle) {
            RC_TAG(std::string(name(angle.relation)));
            const Vector a = frame.first(), b = frame.second(angle);
            const Rational product = dot<Rational>(a, b), norms = norm<Rational>(a) * norm<Rational>(b);
            RC_ASSERT(norms == frame.norm_a * frame.norm_b);
            RC_ASSERT(product == norms * angle.cosine);
            RC_ASSERT(cosine<Rational>(a, b) == angle.cosine);
            const Alignment relation = alignment<Rational>(a, b);
            RC_ASSERT(relation == angle.relation);
            RC_ASSERT((product == norms) == (relation == Alignment::aligned));
            RC_ASSERT((product == -norms) == (relation == Alignment::opposed));
            RC_ASSERT((product == 0) == (relation == Alignment::orthogonal));
          });
  // [dot_product_similarity]
}

TEST_CASE("exact: for fixed norms the dot product grows with the cosine") {
  // the cosine counts as 0 where a norm is 0
  for_all(Kind::exact, "two pairs of vectors with the same two norms, each at an angle and in a plane of its own",
          std::tuple{Generated<Frame, "fixed_norms">{frame(true)}, Generated<Frame>{frame()}, Generated<Angle>{angle()},
                     Generated<Angle>{angle()}},
          [](const Frame& frame, const Frame& plane, const Angle& one, const Angle& other) {
            const Frame second{plane.mirror, frame.norm_a, frame.norm_b};
            const Vector a = frame.first(), b = frame.second(one), c = second.first(), d = second.second(other);
            const bool zero = frame.norm_a * frame.norm_b == 0;
            RC_CLASSIFY(zero, "a zero vector");
            RC_CLASSIFY(!zero && one.cosine == other.cosine, "equal cosines");
            RC_CLASSIFY(!zero && one.cosine != other.cosine, "different cosines");
            const auto cosine_of = [&](const Vector& x, const Vector& y) {
              return zero ? Rational(0) : cosine<Rational>(x, y);
            };
            const bool less = dot<Rational>(a, b) < dot<Rational>(c, d);
            RC_ASSERT(less == (cosine_of(a, b) < cosine_of(c, d)));
            RC_ASSERT(less == (!zero && one.cosine < other.cosine));
          });
}

TEST_CASE("numeric: the cosine of vectors laid at an angle") {
  Comparison check(Kind::numeric, "cosine of vectors in 50 digits against cos of the angle between them",
                   slugs<"non_zero_vectors">());
  for (std::size_t n : {2u, 3u, 8u})
    for (int degrees = 0; degrees <= 180; degrees += 5) {
      const Precise theta = degrees * laws::pi() / 180;
      std::vector<Precise> a(n, 0), b(n, 0), mirror;
      for (std::size_t i = 0; i < n; ++i) mirror.push_back(1 / (Precise(static_cast<double>(i)) + 3));
      a[0] = 7;
      b[0] = cos(theta) / 3;
      b[1] = sin(theta) / 3;
      // sine, cosine and root are granted what the exponential is
      check.compare_as<Precise>(cosine<Precise>(reflected(a, mirror), reflected(b, mirror)), cos(theta),
                                4 * precise_exp_error, fmt::format("{} degrees, n = {}", degrees, n));
    }
}

TEST_CASE("numeric: the gradients of norm and cosine by automatic differentiation") {
  Comparison check(Kind::numeric, "of |a| against a/|a|, of cos against (b/|b| - cos a/|a|)/|a|, by a, in 50 digits",
                   slugs<"non_zero_vectors">());
  for (std::size_t index = 0; index < 100; ++index) {
    const auto [a, b] = two_vectors<Precise>(sampled_logits(seed_of("autodiff"), index, 2, 16).z, index);
    const Precise norm_a = sqrt(exact_dot(a, a)), norm_b = sqrt(exact_dot(b, b));
    if (norm_a == 0 || norm_b == 0) continue;
    const Precise cosine_ab = exact_dot(a, b) / (norm_a * norm_b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::vector<Dual> moved = along(a, axis(a.size(), i));
      // n terms of size at most 1, with a few roundings each, on either side
      const Precise granted = 32 * std::numeric_limits<Precise>::epsilon() * static_cast<double>(a.size());
      check.compare_as<Precise>(norm<Dual>(moved).derivative(1), a[i] / norm_a, granted, "norm");
      const Precise expected = b[i] / norm_b - cosine_ab * a[i] / norm_a;
      const Dual found = cosine<Dual>(moved, std::vector<Dual>(b.begin(), b.end()));
      check.compare_as<Precise>(found.derivative(1) * norm_a, expected, 4 * granted, "cosine");
    }
  }
}

TEST_CASE("floating: the identity in double within its bounds") { within_bounds<double>(); }
TEST_CASE("floating: the identity in float within its bounds") { within_bounds<float>(); }

TEST_CASE("floating: squares that overflow or underflow do not matter") {
  const std::vector<double> large{3e200, 4e200}, small{3e-200, -4e-200};
  CHECK(norm<double>(large) == Approx(5e200).epsilon(1e-15));
  CHECK(norm<double>(small) == Approx(5e-200).epsilon(1e-15));
  CHECK(cosine<double>(large, small) == Approx(-7.0 / 25).epsilon(1e-15));
  CHECK(alignment<double>(small, small) == Alignment::aligned);
  CHECK(alignment<double>(large, std::vector{4e200, 4e200}) == Alignment::oblique);
  CHECK(alignment<double>(large, small) == Alignment::oblique);
  CHECK(alignment<double>(small, std::vector{4e-200, 3e-200}) == Alignment::orthogonal);
  CHECK(norm<double>(std::vector{0.0, 0.0}) == 0);
  CHECK(cosine<double>(std::vector{0.1, 0.7}, std::vector{0.1, 0.7}) <= 1);
}

TEST_CASE("floating: a norm below or above the numbers of the format") {
  constexpr double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
  Comparison check(Kind::floating, "norms of subnormal numbers in u, less half a smallest one", slugs<>());
  for (int i = 1; i < 60; ++i)
    for (const int j : {0, 1, 2, 7, 40}) {
      const std::vector<double> a{i * least, j * least};
      const Precise exact = sqrt(exact_dot({a[0], a[1]}, {a[0], a[1]}));
      check.error(error_in_u(norm<double>(a), exact, exact, 0.5), higher_orders * 4.5, fmt::format("{}, {}", i, j));
    }
  CHECK(norm<double>(std::vector{least, least}) == least);
  CHECK(norm<double>(std::vector{most, 0.0}) == most);
  CHECK_THROWS_AS(norm<double>(std::vector{most, most}), std::domain_error);
  CHECK_THROWS_WITH(norm<double>(std::vector{most, most}), Catch::Contains("norm: expected a norm in the range"));
  CHECK_THROWS_WITH(norm<float>(std::vector{3e38f, 3e38f}), Catch::Contains("norm: expected a norm in the range"));
  CHECK(cosine<double>(std::vector{most, most}, std::vector{most, most}) == Approx(1).epsilon(1e-15));
}

TEST_CASE("floating: how vectors lie is decided without rounding") {
  constexpr double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
  const auto lie = [](const std::vector<double>& a, const std::vector<double>& b) {
    CHECK(alignment<double>(a, b) == alignment<double>(b, a));
    return alignment<double>(a, b);
  };
  CHECK(lie({1e300, 1e-300}, {0, 1}) == Alignment::oblique);
  CHECK(lie({1e300, 1e-300}, {1e300, 0}) == Alignment::oblique);
  CHECK(lie({1, 3 * least}, {3, 9 * least}) == Alignment::aligned);
  CHECK(lie({-1, 3 * least}, {3, -9 * least}) == Alignment::opposed);
  CHECK(lie({most, least}, {-least, most}) == Alignment::orthogonal);
  CHECK(lie({most, least}, {most, 2 * least}) == Alignment::oblique);
  CHECK(lie({0, 0, least}, {0, 0, most}) == Alignment::aligned);
  CHECK(lie({0, 1}, {1, 0}) == Alignment::orthogonal);
  CHECK(lie({0, 1, 1}, {1, 0, 1}) == Alignment::oblique);
  // products that round to the same number, and a sum that rounds to 0
  const double next = 1 + std::numeric_limits<double>::epsilon();
  CHECK(lie({1, next}, {next, next * next}) == Alignment::oblique);
  CHECK(lie({next, 1}, {next, -(1 + 2 * std::numeric_limits<double>::epsilon())}) == Alignment::oblique);
  CHECK(lie({1e17, 1, -1e17}, {1, 1, 1}) == Alignment::oblique);
  constexpr float least_float = std::numeric_limits<float>::denorm_min();
  const std::vector<float> a{1e30f, least_float}, b{1e30f, 0}, c{2e30f, 2 * least_float};
  CHECK(alignment<float>(a, b) == Alignment::oblique);
  CHECK(alignment<float>(a, c) == Alignment::aligned);
}

TEST_CASE("falsifier: a zero vector, a longer vector") {
  const std::vector<double> zero{0, 0}, unit{1, 0}, longer{2, 2};
  const double product = dot<double>(zero, unit), norms = norm<double>(zero) * norm<double>(unit);
  falsifier("non_zero_vectors", "\\(a = 0\\) and \\(b = (1, 0)\\)",
            "the number of \\(\\|a\\|\\,\\|b\\|\\), \\(-\\|a\\|\\,\\|b\\|\\) and 0 that \\(a "
            "\\cdot b\\) equals",
            (product == norms) + (product == -norms) + (product == 0), 1);
  refusal("non_zero_vectors", "the cosine with a zero vector", [&] { cosine<double>(zero, unit); });
  refusal("non_zero_vectors", "how a zero vector lies", [&] { alignment<double>(zero, unit); });

  CHECK(cosine<double>(unit, longer) < cosine<double>(unit, unit));
  const double gain = dot<double>(unit, longer) - dot<double>(unit, unit);
  falsifier("fixed_norms", "\\(a = (1, 0)\\), then \\(b = (2, 2)\\) in place of \\(b = (1, 0)\\): the cosine falls",
            "the sign of the change of \\(a \\cdot b\\)", (gain > 0) - (gain < 0), -1);
}

TEST_CASE("falsifier: bad input of a similarity is named") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(dot<double>(std::vector{1.0}, std::vector{1.0, 2.0}), std::invalid_argument);
  CHECK_THROWS_WITH(dot<double>(std::vector{1.0}, std::vector{1.0, 2.0}), Catch::Contains("given 1 and 2"));
  CHECK_THROWS_WITH(dot<double>(std::vector{1.0, 1.0}, std::vector{1.0, nan}),
                    Catch::Contains("dot: ") && Catch::Contains("given nan as entry 1 of the second vector"));
  CHECK_THROWS_WITH(dot<double>(std::vector{1e200, 1e200}, std::vector{1e200, -1e200}),
                    Catch::Contains("dot: expected the dot product in the range of the scalar"));
  const std::vector<double> one{1, 0}, bad{1, -HUGE_VAL}, zero{0, 0};
  CHECK_THROWS_WITH(norm<double>(std::vector{1.0, nan}),
                    Catch::Contains("norm: expected finite numbers, given nan as entry 1 of the vector"));
  CHECK_THROWS_WITH(cosine<double>(bad, one), Catch::Contains("given -inf as entry 1 of the first vector"));
  CHECK_THROWS_WITH(cosine<double>(one, bad), Catch::Contains("given -inf as entry 1 of the second vector"));
  CHECK_THROWS_WITH(alignment<double>(bad, one), Catch::Contains("given -inf as entry 1 of the first vector"));
  CHECK_THROWS_WITH(alignment<double>(one, bad), Catch::Contains("given -inf as entry 1 of the second vector"));
  CHECK_THROWS_WITH(cosine<double>(zero, one), Catch::Contains("given 0 as the first vector"));
  CHECK_THROWS_WITH(alignment<double>(one, zero), Catch::Contains("given 0 as the second vector"));
  CHECK_THROWS_WITH(norm<Rational>(Vector{1, 1}), Catch::Contains("expected a rational norm"));
}

}  // namespace dot_product_similarity_test
