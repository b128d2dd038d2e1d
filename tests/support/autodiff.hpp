#pragma once

/// \file
/// Derivatives along a direction by automatic differentiation of the code under test, in 50 digits.

#include <boost/math/differentiation/autodiff.hpp>
#include <cstddef>
#include <vector>

#include "rootdk/laws/precise.hpp"

namespace rootdk::testing {

/// A number with its derivative by one variable.
using Dual = boost::math::differentiation::autodiff_fvar<laws::Precise, 1>;

/// \f$ x + \varepsilon v \f$ at \f$ \varepsilon = 0 \f$, with its derivative by \f$ \varepsilon \f$.
inline Dual along(const laws::Precise& x, const laws::Precise& v) {
  return Dual(x) + boost::math::differentiation::make_fvar<laws::Precise, 1>(laws::Precise(0)) * v;
}

/// The same for each entry.
inline std::vector<Dual> along(const std::vector<laws::Precise>& x, const std::vector<laws::Precise>& v) {
  std::vector<Dual> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(along(x[i], v[i]));
  return result;
}

/// The direction of the j-th of n axes.
inline std::vector<laws::Precise> axis(std::size_t n, std::size_t j) {
  std::vector<laws::Precise> e(n, 0);
  e[j] = 1;
  return e;
}

}  // namespace rootdk::testing
