#pragma once

#include <cmath>
#include <complex>

namespace rootdk::laws {

/// \f$\log(1 + c(e^{it} - 1))\f$, by
/// \f$|1 + c(e^{it}-1)|^2 = 1 - 4c(1-c)\sin^2(t/2)\f$.
///
/// Counting laws raise this base to a power that may be large, which would multiply the rounding
/// of the base; the logarithm keeps it relative to the exponent.
/// @param c at most 1.
inline std::complex<double> log_wave(double c, double t) {
  const double s = std::sin(t / 2);
  return {std::log1p(-4 * c * (1 - c) * s * s) / 2, std::atan2(c * std::sin(t), 1 - 2 * c * s * s)};
}

}  // namespace rootdk::laws
