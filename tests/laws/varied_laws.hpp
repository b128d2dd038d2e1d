#pragma once

#include <array>
#include <vector>

#include "rootdk/laws/catalogue.hpp"

namespace rootdk::testing {

/// Laws at their own location and scale, with parameters away from the catalogue's: densities with
/// singular ends, long tails, rare events, many trials, a negative scale.
inline std::vector<laws::Law> varied_laws() {
  using namespace laws;
  return {
      normal(3, 0.5),
      normal(-1, 2).affine(1, -3),
      uniform(-2, 5),
      laplace(1, 2),
      exponential(3),
      exponential(1).affine(2, -1),
      gamma(0.5, 2),
      gamma(40, 0.1),
      student_t(2.5),
      student_t(12),
      lognormal(0.5, 0.6),
      bernoulli(0.01),
      poisson(0.1),
      poisson(200),
      poisson(3).affine(1, -0.5),
      rademacher().affine(0.3, 0.7),
  };
}

}  // namespace rootdk::testing
