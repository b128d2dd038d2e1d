#pragma once

/// \file
/// A search for the input on which a floating-point function comes nearest to its error bound:
/// random rows at every scale, then hill climbing from the worst of them. ROOTDK_SEARCH multiplies
/// the effort; the worst inputs of long searches are kept as cases in the tests.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rootdk::testing {

struct WorstInput {
  std::vector<double> row;
  double ratio;  ///< error over bound

  /// The row as literals of C++, which give it back to the last bit.
  std::string literals() const;
};

struct SearchEffort {
  int random = 300;  ///< rows drawn
  int climb = 300;   ///< changes tried at the worst of them
};

/// The greater of `worst` and error over bound, infinite for an error that is NaN.
double worse_ratio(double worst, double error, double bound);

/// @param seed   of the search
/// @param least,most number of entries of a row
/// @param ratio  error over bound of the function under test at a row
WorstInput worst_input(std::uint64_t seed, int least, int most,
                       const std::function<double(const std::vector<double>&)>& ratio, SearchEffort effort = {});

}  // namespace rootdk::testing
