#include "support/simplex_points.hpp"

namespace rootdk::testing {

rc::Gen<std::vector<Rational>> simplex_point_gen(int most, bool positive) {
  // shape, exponent and place of the chosen weight; the entries
  return rc::gen::map(integers({{0, 2, 0}, {5, 30, 5}, {0, most - 1, 0}}, 1, most, {{positive ? 1 : 0, 9, 1}}),
                      [](const Integers& drawn) {
                        const int shape = drawn.head[0], exponent = drawn.head[1], place = drawn.head[2];
                        std::vector<Rational> s;
                        for (const auto& entry : drawn.rows) s.emplace_back(entry[0]);
                        Rational& chosen = s[static_cast<std::size_t>(place) % s.size()];
                        if (shape == 1)
                          for (Rational& weight : s) weight += 1000;
                        if (shape == 2) chosen = pow(laws::Integer(10), static_cast<unsigned>(exponent));
                        Rational total = 0;
                        for (const Rational& weight : s) total += weight;
                        if (total == 0) total = chosen = 1;
                        for (Rational& weight : s) weight /= total;
                        return s;
                      });
}

rc::Gen<std::vector<Rational>> rational_vector_gen(int n) { return vector_of(n, n, fraction({-20, 20, 0}, {1, 4, 1})); }

}  // namespace rootdk::testing
