#pragma once

/// \file
/// What the floating-point checks of the softmax steps share: units of rounding, rows rounded to a
/// format, and errors in units of u.

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "rootdk/laws/precise.hpp"

namespace rootdk::testing {

/// u: \f$ 2^{-53} \f$ for `double`, \f$ 2^{-24} \f$ for `float`.
template <class T>
inline constexpr double unit_of_rounding = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;

template <class T>
std::string format_name() {
  return std::is_same_v<T, float> ? "float" : "double";
}

/// The entries rounded to the format: these, and not what they came from, are then the exact input.
template <class T>
std::vector<T> rounded(std::span<const double> row) {
  std::vector<T> result;
  for (double x : row) result.push_back(static_cast<T>(x));
  return result;
}

/// The same numbers in double, which holds each exactly.
template <class T>
std::vector<double> widened(const std::vector<T>& row) {
  return {row.begin(), row.end()};
}

/// \f$ \lvert\text{measured} - \text{exact}\rvert \f$ in units of \f$ u\,\lvert\text{unit}\rvert
/// \f$, after taking off what underflow is granted: so many smallest positive numbers of the
/// format.
template <class T>
double error_in_u(T measured, const laws::Precise& exact, const laws::Precise& unit, double underflows = 0) {
  const laws::Precise granted = laws::Precise(underflows) * static_cast<double>(std::numeric_limits<T>::denorm_min());
  const laws::Precise beyond = abs(laws::Precise(measured) - exact) - granted;
  if (beyond <= 0) return 0;
  return static_cast<double>(laws::Precise(beyond / (abs(unit) * unit_of_rounding<T>)));
}

/// \f$ \lceil\log_2 n\rceil \f$, the depth of a pairwise sum.
inline double sum_depth(std::size_t n) { return std::ceil(std::log2(static_cast<double>(n))); }

/// Bounds on the pages are to first order in u; a hundredth more covers the higher orders wherever
/// the bound is below \f$ 1/(100u) \f$: \f$ Ku/(1 - Ku) \le 1.011\,Ku \f$.
inline constexpr double higher_orders = 1.02;

}  // namespace rootdk::testing
