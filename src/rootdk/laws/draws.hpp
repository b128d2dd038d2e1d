#pragma once

#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <cstdint>
#include <span>

#include "rootdk/montecarlo/stream.hpp"

/// Draws that several families are made of.
namespace rootdk::laws {

/// Uniform on the odd multiples of 2^-53 in (0, 1): never 0 or 1, and 1 - u is exact.
inline double open_uniform(montecarlo::Stream& stream) {
  // of a signed number, since that is one instruction
  return (static_cast<double>(static_cast<std::int64_t>(stream() >> 12)) + 0.5) * 0x1p-52;
}

/// Draws of the law gamma(shape, 1).
///
/// For shape >= 1 by the method of Marsaglia and Tsang, which takes a fifth of the time of
/// Boost.Random's (rejection from a Cauchy law) and on which the t, F, beta and chi-squared
/// families spend theirs; for shape < 1 by Boost.Random.
/// @source Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26,
/// 2000.
class GammaDraw {
 public:
  explicit GammaDraw(double shape)
      : below_one_(shape < 1), small_(below_one_ ? shape : 1.0), d_(shape - 1.0 / 3), c_(1 / std::sqrt(9 * d_)) {}

  double operator()(montecarlo::Stream& stream) {
    if (below_one_) return small_(stream);
    // With x normal and v = (1 + cx)^3, d v is accepted with probability
    // exp(x^2/2 + d - d v + d log v) <= 1; the first test is a bound from below for it.
    for (;;) {
      const double x = normal_(stream);
      const double root = 1 + c_ * x;
      if (root <= 0) continue;
      const double v = root * root * root;
      const double u = open_uniform(stream);
      const double square = x * x;
      if (u < 1 - 0.0331 * square * square || std::log(u) < square / 2 + d_ * (1 - v + std::log(v))) {
        return d_ * v;
      }
    }
  }

 private:
  bool below_one_;
  boost::random::gamma_distribution<double> small_;
  double d_;
  double c_;
  boost::random::normal_distribution<double> normal_;
};

/// Logarithms of draws of the law gamma(shape, 1), by log G(a) = log G(a + 1) + log(U)/a: for small shapes, where the
/// draws themselves underflow.
class LogGammaDraw {
 public:
  explicit LogGammaDraw(double shape) : shape_(shape), above_(shape + 1) {}

  double operator()(montecarlo::Stream& stream) {
    const double g = above_(stream);
    return std::log(g) + std::log(open_uniform(stream)) / shape_;
  }

 private:
  double shape_;
  GammaDraw above_;
};

/// Below this shape draws are made from LogGammaDraw: a share of e^{-70} or less of those of a larger shape underflows.
inline constexpr double small_gamma_shape = 0.1;

/// Fills a span with draws of \f$(Z + \delta)/\sqrt{\chi^2_\nu/\nu}\f$, Z standard normal: the t laws.
inline void fill_t(double nu, double delta, montecarlo::Stream& stream, std::span<double> out) {
  boost::random::normal_distribution<double> normal(delta, 1);
  // A gamma draw may underflow where its square root does not.
  if (nu / 2 < small_gamma_shape) {
    LogGammaDraw log_half_chi_squared(nu / 2);
    for (double& x : out) {
      const double z = normal(stream);
      x = z * std::exp((std::log(nu / 2) - log_half_chi_squared(stream)) / 2);
    }
    return;
  }
  GammaDraw half_chi_squared(nu / 2);
  for (double& x : out) {
    const double z = normal(stream);
    x = z * std::sqrt(nu / 2 / half_chi_squared(stream));
  }
}

}  // namespace rootdk::laws
