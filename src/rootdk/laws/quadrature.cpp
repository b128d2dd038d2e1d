#include "rootdk/laws/quadrature.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/math/quadrature/exp_sinh.hpp>
#include <boost/math/quadrature/ooura_fourier_integrals.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>

namespace rootdk::laws {
namespace {

constexpr double half_pi = boost::math::constants::half_pi<double>();

// Refinement stops once two levels agree to this share of the integral of |f|; the error of the
// last level is then far smaller.
constexpr double agreement = 1e-13;

Point finite_point(const Piece& piece, double above_from, double below_to) {
  const double value = above_from <= below_to ? piece.from + above_from : piece.to - below_to;
  Point p = point_at(value, piece.support);
  if (piece.from == piece.support.lower) p.above_lower = above_from;
  if (piece.to == piece.support.upper) p.below_upper = below_to;
  return p;
}

Point infinite_point(const Piece& piece, double distance) {
  const bool upward = std::isinf(piece.to);
  Point p = point_at(upward ? piece.from + distance : piece.to - distance, piece.support);
  if (upward && piece.from == piece.support.lower) p.above_lower = distance;
  if (!upward && piece.to == piece.support.upper) p.below_upper = distance;
  return p;
}

bool is_finite(const Piece& piece) { return std::isfinite(piece.from) && std::isfinite(piece.to); }

}  // namespace

Point point_at(double value, const Support& support) { return {value, value - support.lower, support.upper - value}; }

Estimate integrate(const Piece& piece, const std::function<double(const Point&)>& f) {
  double error = 0;
  double absolute = 0;
  double value = 0;
  if (is_finite(piece)) {
    static boost::math::quadrature::tanh_sinh<double> rule(15);
    const double half = (piece.to - piece.from) / 2;
    // On (-1, 1) Boost passes z with its distance to the nearer end, signed like z.
    const auto g = [&](double z, double gap) {
      const double near = half * std::abs(gap);
      const double far = half * (1 + std::abs(z));
      return half * (z < 0 ? f(finite_point(piece, near, far)) : f(finite_point(piece, far, near)));
    };
    value = rule.integrate(g, agreement, &error, &absolute);
  } else {
    static boost::math::quadrature::exp_sinh<double> rule(10);
    const auto g = [&](double z) { return piece.scale * f(infinite_point(piece, piece.scale * z)); };
    value = rule.integrate(g, agreement, &error, &absolute);
  }
  return {value, error + rounding_of_density * absolute};
}

ComplexEstimate fourier_integral(const Piece& piece, double omega, const std::function<double(const Point&)>& f) {
  const Estimate real = integrate(piece, [&](const Point& y) { return f(y) * std::cos(omega * y.value); });
  const Estimate imaginary = integrate(piece, [&](const Point& y) { return f(y) * std::sin(omega * y.value); });
  const ComplexEstimate direct{{real.value, imaginary.value}, real.error + imaginary.error};
  if (is_finite(piece) || omega == 0 || direct.error < 10 * agreement) return direct;

  // With y = c + z or c - z: e^{i omega c} (C + iS) or e^{i omega c} (C - iS). The rules remember
  // the level of their last integral, so each call has its own and gives the same result always.
  const double w = std::abs(omega);
  const auto g = [&](double z) { return f(infinite_point(piece, z)); };
  boost::math::quadrature::ooura_fourier_cos<double> cosine(agreement);
  boost::math::quadrature::ooura_fourier_sin<double> sine(agreement);
  const auto [c, c_error] = cosine.integrate(g, w);
  const auto [s, s_error] = sine.integrate(g, w);
  const bool upward = std::isinf(piece.to);
  const double sign = upward == (omega > 0) ? 1 : -1;
  const std::complex<double> phase = std::polar(1.0, omega * (upward ? piece.from : piece.to));
  const double mass = integrate(piece, f).value;
  const double error = std::abs(c * c_error) + std::abs(s * s_error) + 2 * rounding_of_density * mass;
  if (!(error < direct.error)) return direct;
  return {phase * std::complex<double>(c, sign * s), error};
}

void for_each_node(const Piece& piece, double step, const std::function<void(const Point&, double)>& sink) {
  // exp(pi/2 sinh 6.5) is 1e226: beyond it no weight is left, and the double range ends soon.
  const int steps = static_cast<int>(6.5 / step);
  for (int i = -steps; i <= steps; ++i) {
    const double t = i * step;
    const double s = half_pi * std::sinh(t);
    const double ds = half_pi * std::cosh(t);
    if (is_finite(piece)) {
      const double length = piece.to - piece.from;
      const double left = 1 / (1 + std::exp(-2 * s));
      const double right = 1 / (1 + std::exp(2 * s));
      sink(finite_point(piece, length * left, length * right), step * length * 2 * ds * left * right);
    } else {
      const double z = std::exp(s);
      sink(infinite_point(piece, piece.scale * z), step * piece.scale * ds * z);
    }
  }
}

}  // namespace rootdk::laws
