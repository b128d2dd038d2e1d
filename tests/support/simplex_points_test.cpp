// Points of the simplex both ways: all are in it, also after shrinking, and what is not asked for does occur.
#include "support/simplex_points.hpp"

#include "support/test.hpp"

using namespace rootdk;
using namespace rootdk::testing;

namespace {

using Point = std::vector<laws::Rational>;

std::vector<rc::Shrinkable<Point>> points(bool positive) {
  rc::Random random(seed_of("simplex points"));
  const auto generated = simplex_point<"simplex_point">(8, positive);
  std::vector<rc::Shrinkable<Point>> result;
  for (int i = 0; i < 1000; ++i) result.push_back(generated.gen(random.split(), 100));
  return result;
}

bool in_simplex(const Point& s, bool positive) {
  laws::Rational total = 0;
  for (const laws::Rational& weight : s) {
    if (weight < 0 || (positive && weight == 0)) return false;
    total += weight;
  }
  return total == 1;
}

}  // namespace

TEST_CASE("simplex points: all are in the simplex, also after shrinking") {
  for (const bool positive : {false, true})
    for (const auto& point : points(positive)) {
      REQUIRE(in_simplex(point.value(), positive));
      auto shrinks = point.shrinks();
      for (int i = 0; i < 5; ++i)
        if (auto next = shrinks.next()) REQUIRE(in_simplex(next->value(), positive));
    }
}

TEST_CASE("simplex points: every size, every saturation, and weights of 0 where they are allowed") {
  Shares saturations;
  std::vector<int> sizes(9);
  int with_a_zero = 0, one_hot = 0;
  for (const auto& point : points(false)) {
    const Point s = point.value();
    saturations.count(saturation<laws::Rational>(s));
    ++sizes.at(s.size());
    with_a_zero += std::count(s.begin(), s.end(), 0) > 0;
    one_hot += s.size() > 1 && std::count(s.begin(), s.end(), 1) > 0;
  }
  saturations.require_every_saturation();
  for (std::size_t n = 1; n <= 8; ++n) CHECK(sizes[n] > 0);
  CHECK(with_a_zero > 0);
  CHECK(one_hot > 0);
}
