#pragma once

/// \file
/// Rational points of the simplex, of every saturation, and a count of what was generated.

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "rootdk/laws/rational.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/property.hpp"

namespace rootdk::testing {

/// How far weights are from one-hot and from uniform: `saturated` if all but the largest have less
/// than a thousandth together, `nearly uniform` if the largest is at most 1.1/n, else `moderate`.
template <class S>
const char* saturation(std::span<const S> s) {
  const S largest = *std::max_element(s.begin(), s.end());
  if (S(1) - largest < S(1) / 1000) return "saturated";
  return largest * S(static_cast<int>(s.size())) * 10 <= S(11) ? "nearly uniform" : "moderate";
}

/// Counts classes, and asserts that none of them is a mere sprinkle.
class Shares {
 public:
  void count(const std::string& name) {
    ++counts_[name];
    ++total_;
  }
  /// Fails the test case unless each class holds at least a tenth of all that was counted.
  void require_a_tenth_each(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      INFO(name << ": " << counts_[name] << " of " << total_);
      CHECK(10 * counts_[name] >= total_);
    }
  }
  /// The same for the three classes of saturation().
  void require_every_saturation() { require_a_tenth_each({"saturated", "moderate", "nearly uniform"}); }

 private:
  std::map<std::string, int> counts_;
  int total_ = 0;
};

/// Points of the simplex of 1 to `most` dimensions: a third of them with one weight that is up to
/// \f$ 10^{30} \f$ times the others, a third with weights that differ by at most a hundredth, a third
/// from small integers. With `positive` no entry is 0.
rc::Gen<std::vector<Rational>> simplex_point_gen(int most, bool positive);

/// \copydoc simplex_point_gen
template <HypothesisRef... H>
Generated<std::vector<Rational>, H...> simplex_point(int most = 8, bool positive = false) {
  static_assert(((same(H, "simplex_point") || same(H, "weights_sum_to_one") || same(H, "finite_logits") ||
                  same(H, "differentiable_loss")) &&
                 ...),
                "no point of the simplex has this hypothesis by itself");
  return {simplex_point_gen(most, positive)};
}

/// Vectors of n small integers over small integers.
rc::Gen<std::vector<Rational>> rational_vector_gen(int n);

}  // namespace rootdk::testing
