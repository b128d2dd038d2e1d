// What the tests rely on in Catch2's comparison of floating-point numbers.

#include "support/test.hpp"

TEST_CASE("Approx of 0 matches only 0, and with a margin what is within it") {
  CHECK(0.0 == Approx(0.0));
  CHECK_FALSE(5e-324 == Approx(0.0));
  CHECK(1e-12 == Approx(0.0).margin(1e-12));
  CHECK_FALSE(2e-12 == Approx(0.0).margin(1e-12));
}
