#pragma once

/// \file
/// Expected statistics of a row of n independent logits of one law, by quadrature: one integral for any n.
///
/// With \f$ S = \sum_j e^{z_j} \f$ and \f$ 1/S^2 = \int_0^\infty t e^{-tS}\,dt \f$, \f$ t = e^{-y} \f$,
/// \f[ E\sum_i s_i^2 = n\int G(y)\,K(y)^{n-1}\,dy, \quad K(y) = E\,e^{-e^{z-y}}, \quad G(y) =
/// E\,e^{2(z-y)}e^{-e^{z-y}}. \f] With \f$ 1/S = \int e^{-tS}\,dt \f$ and \f$ \log S = \int (e^{-t} - e^{-tS})\,dt/t
/// \f$ the entropy \f$ E\log S - E\sum_i s_iz_i \f$ is \f$ \int (e^{-e^{-y}} - K^n)\,dy - n\int Q K^{n-1}\,dy \f$, \f$
/// Q(y) = E\,z e^{z-y}e^{-e^{z-y}} \f$. The largest logit is at most m if all are, so that the largest weight has
/// \f[ E\max_i s_i^p = \int\!\int e^{p(m-y)}\,d_m\bigl(K_m(y)^n\bigr)\,dy, \quad K_m(y) = E\,e^{-e^{z-y}}[z \le m],
/// \quad p = 1, 2. \f] No softmax is evaluated.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include "rootdk/laws/law.hpp"

namespace rootdk::testing {

/// The law of one logit as a finite sum, nodes in rising order.
using LogitLaw = laws::QuadratureRule;

/// N(0, sigma^2) by the trapezoidal rule, with nodes `step` apart, or `step` times sigma if that is less.
inline LogitLaw normal_logit(double sigma, double step) {
  LogitLaw law;
  const double h = step * std::min(1 / sigma, 1.0);
  const int last = static_cast<int>(8.7 / h) + 1;
  for (int k = -last; k <= last; ++k) {
    law.nodes.push_back(sigma * h * k);
    law.weights.push_back(h * std::exp(-0.5 * h * k * h * k) / std::sqrt(2 * std::numbers::pi));
  }
  return law;
}

/// P(Bin(n, p) = k).
inline double binomial_mass(std::size_t n, double p, std::size_t k) {
  const double m = static_cast<double>(n), j = static_cast<double>(k);
  return std::exp(std::lgamma(m + 1) - std::lgamma(j + 1) - std::lgamma(m - j + 1) + j * std::log(p) +
                  (m - j) * std::log1p(-p));
}

/// \f$ (A - B - (a - b)p)/c \f$ with A ~ Bin(a, p) and B ~ Bin(b, p) independent: what a standardised Bernoulli law
/// leaves of a logit if the query has a entries of one sign and b of the other. Exact but for the far tails.
inline LogitLaw bernoulli_logit(std::size_t a, std::size_t b, double p, double c) {
  std::vector<double> mass(a + b + 1, 0.0);  // of A - B + b
  for (std::size_t i = 0; i <= a; ++i)
    for (std::size_t j = 0; j <= b; ++j) mass[i + b - j] += binomial_mass(a, p, i) * binomial_mass(b, p, j);
  LogitLaw law;
  const double shift = static_cast<double>(b) + (static_cast<double>(a) - static_cast<double>(b)) * p;
  for (std::size_t k = 0; k < mass.size(); ++k) {
    if (mass[k] < 1e-18) continue;
    law.nodes.push_back((static_cast<double>(k) - shift) / c);
    law.weights.push_back(mass[k]);
  }
  return law;
}

/// The law of a multiple of a logit.
inline LogitLaw scaled(LogitLaw law, double factor) {
  for (double& z : law.nodes) z *= factor;
  if (factor < 0) {
    std::reverse(law.nodes.begin(), law.nodes.end());
    std::reverse(law.weights.begin(), law.weights.end());
  }
  return law;
}

/// The sum of d fair signs, divided by c.
inline LogitLaw signs_logit(std::size_t d, double c) { return bernoulli_logit(d, 0, 0.5, c / 2); }

/// \f$ x^n \f$ by repeated squaring: many of these are taken, and std::pow does not know that n is whole.
inline double whole_power(double x, std::size_t n) {
  double result = 1;
  for (; n != 0; n /= 2, x *= x)
    if (n % 2 == 1) result *= x;
  return result;
}

struct ExpectedStatistics {
  double trace, entropy;
  double largest, largest_square;  ///< of the largest weight: the mean and the mean square
};

/// The expected statistics of n logits. Trapezoidal rule in y with the given step. The integral over m is exact for
/// atoms; for nodes that stand for a density at a distance h it errs by a multiple of h^2.
inline ExpectedStatistics expected_statistics(const LogitLaw& law, std::size_t n, double step) {
  const double m = static_cast<double>(n);
  const double first = std::min(law.nodes.front(), 0.0) - 5, last = std::max(law.nodes.back(), 0.0) + 40;
  double squares = 0, logarithm = 0, mean = 0, largest = 0, largest_square = 0;
  double far_below = 0;   // the probability of logits whose term e^{z-y} is below e^-37, which adds nothing to a sum
  std::size_t begin = 0;  // the first of the others
  for (double y = first; y <= last; y += step) {
    for (; begin < law.nodes.size() && law.nodes[begin] - y < -37; ++begin) far_below += law.weights[begin];
    double k = far_below, g = 0, q = 0, below = whole_power(k, n);
    for (std::size_t i = begin; i < law.nodes.size(); ++i) {
      const double w = law.nodes[i] - y;
      if (w > 6.7) break;  // exp(-exp(6.7)) is below 1e-350
      const double e = std::exp(w), term = law.weights[i] * std::exp(-e);
      k += term;
      g += term * e * e;
      q += term * e * law.nodes[i];
      const double power = whole_power(k, n);
      largest += e * (power - below);
      largest_square += e * e * (power - below);
      below = power;
    }
    squares += m * g * whole_power(k, n - 1);
    logarithm += std::exp(-std::exp(-y)) - whole_power(k, n);
    mean += m * q * whole_power(k, n - 1);
  }
  return {1 - step * squares, step * (logarithm - mean), step * largest, step * largest_square};
}

/// The same from three resolutions, and what their differences say of the error.
struct Claim : ExpectedStatistics {
  double largest_variance;
  double smooth_error;    ///< of trace and entropy
  double largest_error;   ///< of the mean of the largest weight, where h^2 is extrapolated, and of its square
  double variance_error;  ///< of its variance, extrapolated by itself: it is small beside the square
};

/// @param law_at the law of a logit, given the largest distance between its nodes
template <class LawAt>
Claim claimed_statistics(const LawAt& law_at, std::size_t n) {
  const ExpectedStatistics fine = expected_statistics(law_at(0.125), n, 0.2),
                           middle = expected_statistics(law_at(0.25), n, 0.2),
                           coarse = expected_statistics(law_at(0.5), n, 0.4);
  const auto extrapolated = [](double finer, double coarser) { return finer + (finer - coarser) / 3; };
  const auto from_three = [&](const auto& of) {
    const double value = extrapolated(of(fine), of(middle));
    return std::pair(value, std::abs(value - extrapolated(of(middle), of(coarse))));
  };
  const auto [mean, mean_error] = from_three([](const ExpectedStatistics& e) { return e.largest; });
  const auto [square, square_error] = from_three([](const ExpectedStatistics& e) { return e.largest_square; });
  const auto [variance, variance_error] =
      from_three([](const ExpectedStatistics& e) { return e.largest_square - e.largest * e.largest; });
  return {{fine.trace, fine.entropy, mean, square},
          variance,
          std::max(std::abs(fine.trace - coarse.trace), std::abs(fine.entropy - coarse.entropy)),
          std::max(mean_error, square_error),
          variance_error};
}

}  // namespace rootdk::testing
