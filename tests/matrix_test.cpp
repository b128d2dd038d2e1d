#include "rootdk/matrix.hpp"

#include "support/test.hpp"

using rootdk::Matrix;
using Ints = Matrix<int>;

TEST_CASE("entries stand by rows") {
  const Ints a(2, 3, {1, 2, 3, 4, 5, 6});
  CHECK(a(0, 2) == 3);
  CHECK(a(1, 0) == 4);
  CHECK(std::vector<int>(a.row(1).begin(), a.row(1).end()) == std::vector<int>{4, 5, 6});
  CHECK(a.transposed() == Ints(3, 2, {1, 4, 2, 5, 3, 6}));
  CHECK(a.shape() == "2 x 3");
  CHECK(a.convert<double>()(1, 2) == 6.0);
  CHECK(Ints(2, 2) == Ints::filled(2, 2, 0));
  CHECK_THROWS_AS(Ints(2, 2, {1, 2, 3}), std::invalid_argument);
}

TEST_CASE("products and sums") {
  const Ints a(2, 3, {1, 2, 3, 4, 5, 6}), b(3, 1, {1, 0, -1});
  CHECK(rootdk::product(a, b) == Ints(2, 1, {-2, -2}));
  CHECK(rootdk::sum(a, a) == a.map([](int x) { return 2 * x; }));
  CHECK(rootdk::product(Ints(2, 0), Ints(0, 3)) == Ints(2, 3));
  CHECK_THROWS_WITH(rootdk::product(a, a), Catch::Contains("given 2 x 3 and 2 x 3"));
  CHECK_THROWS_AS(rootdk::sum(a, b), std::invalid_argument);
}
