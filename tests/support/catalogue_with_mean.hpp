#pragma once

#include <vector>

#include "rootdk/laws/catalogue.hpp"

namespace rootdk::testing {

/// The laws of the catalogue, moved to a common mean. Make them once: each keeps its quadrature rule.
inline std::vector<laws::Law> catalogue_with_mean(double mean) {
  std::vector<laws::Law> moved;
  for (const laws::Law& law : laws::catalogue()) moved.push_back(law.affine(mean, 1));
  return moved;
}

}  // namespace rootdk::testing
