// Finite laws: what is refused, what is merged, and the definitions of the moments.
#include "rootdk/laws/finite_law.hpp"

#include <limits>
#include <sstream>

#include "support/generators.hpp"
#include "support/test.hpp"

using namespace rootdk::testing;
using rootdk::Kind;
using rootdk::laws::FiniteLaw;
using rootdk::laws::Rational;
using Finite = FiniteLaw<Rational>;

TEST_CASE("a finite law sorts its atoms and adds the weights of equal ones") {
  const Finite law({2, -1, 2}, {Rational(1, 4), Rational(1, 2), Rational(1, 4)});
  CHECK(law.atoms() == std::vector<Rational>{-1, 2});
  CHECK(law.weights() == std::vector<Rational>{Rational(1, 2), Rational(1, 2)});
  CHECK(law == Finite::uniform({-1, 2}));
  CHECK(law != Finite::rademacher());
}

TEST_CASE("a finite law refuses weights that are no probabilities and says which") {
  const Rational half(1, 2);
  CHECK_THROWS_WITH(Finite({1, 2}, {half, 0}), Catch::Contains("weight 1 = 0"));
  CHECK_THROWS_WITH(Finite({1, 2, 3}, {Rational(3, 2), -half, 0}), Catch::Contains("weight 1 = -1/2"));
  CHECK_THROWS_WITH(Finite({1, 2}, {half, Rational(1, 3)}), Catch::Contains("sum 5/6"));
  CHECK_THROWS_WITH(Finite({1, 2}, {1}), Catch::Contains("1 weights for 2 atoms"));
  CHECK_THROWS_AS(Finite({}, {}), std::invalid_argument);
  CHECK_THROWS_AS(Finite::uniform({}), std::invalid_argument);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(FiniteLaw<double>({nan, 1.0}, {0.5, 0.5}), std::invalid_argument);
  CHECK_THROWS_AS(FiniteLaw<double>({0.0, 1.0}, {nan, 0.5}), std::invalid_argument);
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(FiniteLaw<double>({infinity, 1.0}, {0.5, 0.5}), Catch::Contains("an infinite one at 0"));
  CHECK_THROWS_WITH(FiniteLaw<double>({1.0, -infinity}, {0.5, 0.5}), Catch::Contains("an infinite one at 1"));
}

TEST_CASE("weights in double may miss 1 by their own roundings and no more") {
  const std::vector<double> atoms{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK_NOTHROW(FiniteLaw<double>(atoms, std::vector<double>(10, 0.1)));
  std::vector<double> off(10, 0.1);
  off[0] += 1e-14;
  CHECK_THROWS_AS(FiniteLaw<double>(atoms, off), std::invalid_argument);
}

TEST_CASE("moments of a skewed law are the sums that define them") {
  const Finite law({-1, 2}, {Rational(2, 3), Rational(1, 3)});
  CHECK(law.moment(0) == 1);
  CHECK(law.mean() == 0);
  CHECK(law.variance() == 2);
  CHECK(law.moment(3) == 2);
  CHECK(law.affine(5, 1).central_moment(3) == 2);
  CHECK(law.moment(4) == 6);
  CHECK(law.expect([](const Rational& x) { return x < 0 ? Rational(1) : Rational(0); }) == Rational(2, 3));
}

TEST_CASE("an affine map shifts the mean and squares into the variance") {
  for_all(Kind::exact, "affine maps of any finite law",
          std::tuple{finite_law<>(), Generated<int>{integer(-3, 3, 0)}, Generated<int>{integer(-3, 3, 1)}},
          [](const Finite& law, int shift, int scale) {
            const Finite image = law.affine(shift, scale);
            RC_ASSERT(image.mean() == shift + scale * law.mean());
            RC_ASSERT(image.variance() == scale * scale * law.variance());
            RC_ASSERT(image.size() == (scale == 0 ? 1 : law.size()));
          });
}

TEST_CASE("a map that identifies values adds their weights") {
  CHECK(Finite::rademacher().map([](const Rational& x) { return x * x; }) == Finite::uniform({1}));
  CHECK(Finite::rademacher().affine(1, 0) == Finite::uniform({1}));
}

TEST_CASE("conversion to double rounds each number once") {
  const Finite law({Rational(1, 3), 1}, {Rational(1, 10), Rational(9, 10)});
  const auto rounded = law.convert<double>();
  CHECK(rounded.atoms()[0] == 1.0 / 3.0);
  CHECK(rounded.weights()[0] == 0.1);
}

TEST_CASE("a law prints its values and their weights") {
  std::ostringstream out;
  out << Finite({-1, Rational(1, 2)}, {Rational(1, 3), Rational(2, 3)});
  CHECK(out.str() == "{-1: 1/3, 1/2: 2/3}");
}
