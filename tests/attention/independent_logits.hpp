#pragma once

/// \file
/// Expected trace and entropy for n independent logits of one law, by quadrature: one integral for any n.
///
/// With \f$ S = \sum_j e^{z_j} \f$ and \f$ 1/S^2 = \int_0^\infty t e^{-tS}\,dt \f$, \f$ t = e^{-y} \f$,
/// \f[ E\sum_i s_i^2 = n\int G(y)\,K(y)^{n-1}\,dy, \quad K(y) = E\,e^{-e^{z-y}}, \quad G(y) =
/// E\,e^{2(z-y)}e^{-e^{z-y}}. \f] With \f$ 1/S = \int e^{-tS}\,dt \f$ and \f$ \log S = \int (e^{-t} - e^{-tS})\,dt/t
/// \f$ the entropy \f$ E\log S - E\sum_i s_iz_i \f$ is \f$ \int (e^{-e^{-y}} - K^n)\,dy - n\int Q K^{n-1}\,dy \f$, \f$
/// Q(y) = E\,z e^{z-y}e^{-e^{z-y}} \f$. No softmax is evaluated.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace rootdk::testing {

/// The law of one logit as a finite sum: nodes and weights.
struct LogitLaw {
  std::vector<double> nodes, weights;
};

/// N(0, sigma^2) by the trapezoidal rule, with nodes at most `step` apart and at most a quarter of sigma.
inline LogitLaw normal_logit(double sigma, double step) {
  LogitLaw law;
  const double h = std::min(step / sigma, 0.25);
  const int last = static_cast<int>(8.7 / h) + 1;
  for (int k = -last; k <= last; ++k) {
    law.nodes.push_back(sigma * h * k);
    law.weights.push_back(h * std::exp(-0.5 * h * k * h * k) / std::sqrt(2 * std::numbers::pi));
  }
  return law;
}

/// The sum of d fair signs, divided by c: exact but for the far tails.
inline LogitLaw signs_logit(std::size_t d, double c) {
  LogitLaw law;
  const double n = static_cast<double>(d);
  for (std::size_t k = 0; k <= d; ++k) {
    const double j = static_cast<double>(k);
    const double weight =
        std::exp(std::lgamma(n + 1) - std::lgamma(j + 1) - std::lgamma(n - j + 1) - n * std::numbers::ln2);
    if (weight < 1e-18) continue;
    law.nodes.push_back((2 * j - n) / c);
    law.weights.push_back(weight);
  }
  return law;
}

struct ExpectedStatistics {
  double trace, entropy;
};

/// For each n: the expected trace of J and the expected entropy. Trapezoidal rule in y with the given step.
inline std::vector<ExpectedStatistics> expected_statistics(const LogitLaw& law, const std::vector<std::size_t>& ns,
                                                           double step) {
  const auto [low, high] = std::minmax_element(law.nodes.begin(), law.nodes.end());
  const double first = std::min(*low, 0.0) - 5, last = std::max(*high, 0.0) + 40;
  std::vector<double> squares(ns.size()), logarithm(ns.size()), mean(ns.size());
  for (double y = first; y <= last; y += step) {
    double k = 0, g = 0, q = 0;
    for (std::size_t i = 0; i < law.nodes.size(); ++i) {
      const double w = law.nodes[i] - y;
      if (w > 6.7) continue;  // exp(-exp(6.7)) is below 1e-350
      const double e = std::exp(w), term = law.weights[i] * std::exp(-e);
      k += term;
      g += term * e * e;
      q += term * e * law.nodes[i];
    }
    for (std::size_t j = 0; j < ns.size(); ++j) {
      const double n = static_cast<double>(ns[j]), power = std::pow(k, n - 1);
      squares[j] += step * n * g * power;
      logarithm[j] += step * (std::exp(-std::exp(-y)) - power * k);
      mean[j] += step * n * q * power;
    }
  }
  std::vector<ExpectedStatistics> result;
  for (std::size_t j = 0; j < ns.size(); ++j) result.push_back({1 - squares[j], logarithm[j] - mean[j]});
  return result;
}

}  // namespace rootdk::testing
