#pragma once

#include <functional>

#include "rootdk/laws/law.hpp"

/// Integration of densities, by double-exponential changes of variable.
namespace rootdk::laws {

/// A point of the support with its distances to both ends, exact also where they are tiny.
///
/// A density such as \f$x^{-1/2}(1-x)^{-1/2}\f$ has a share of its mass where 1 - x cannot be
/// recovered from a double x.
struct Point {
  double value;
  double above_lower;
  double below_upper;
};

Point point_at(double value, const Support& support);

/// An interval of the support, finite or half infinite.
struct Piece {
  double from;
  double to;
  double scale;     ///< unit of length for an infinite piece
  Support support;  ///< of the whole law
};

/// \f$\int f\f$ over a piece by Boost's tanh_sinh or exp_sinh.
///
/// The error is the difference of the last two refinements plus rounding_of_density times
/// \f$\int|f|\f$.
Estimate integrate(const Piece& piece, const std::function<double(const Point&)>& f);

/// \f$\int f(y) e^{i\omega y} dy\f$ over a piece, by integrate() and, where a half-infinite piece
/// turns too often for that, by the formula of Ooura and Mori for Fourier integrals: whichever
/// estimates the smaller error.
/// @source Ooura and Mori, "A robust double exponential formula for Fourier-type integrals", 1999.
ComplexEstimate fourier_integral(const Piece& piece, double omega, const std::function<double(const Point&)>& f);

/// Calls sink(point, weight) for the trapezoidal rule of a step length after the change of
/// variable \f$x = \tfrac12(1 + \tanh(\tfrac\pi2 \sinh t))\f$ on a finite piece, or
/// \f$x = \exp(\tfrac\pi2 \sinh t)\f$ on a half-infinite one.
/// @source Takahasi and Mori, "Double exponential formulas for numerical integration", 1974.
void for_each_node(const Piece& piece, double step, const std::function<void(const Point&, double)>& sink);

}  // namespace rootdk::laws
