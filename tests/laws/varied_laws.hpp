#pragma once

#include <array>
#include <vector>

#include "rootdk/laws/catalogue.hpp"

namespace rootdk::testing {

/// Laws at their own location and scale, with parameters away from the catalogue's: densities with
/// singular ends, long tails, rare events, many trials, a negative scale.
inline std::vector<laws::Law> varied_laws() {
  using namespace laws;
  return {
      normal(3, 0.5),
      normal(-1, 2).affine(1, -3),
      lognormal(0.5, 0.6),
      skew_normal(1, 2, -3),
      uniform(-2, 5),
      triangular(-1, -1, 2),
      triangular(0, 3, 3),
      arcsine(-3, 2),
      beta(0.5, 0.3),
      beta(8, 0.75),
      laplace(1, 2),
      logistic(-2, 0.5),
      exponential(3),
      exponential(1).affine(2, -1),
      gamma(0.5, 2),
      gamma(40, 0.1),
      chi_squared(1),
      inverse_gamma(3.5, 2),
      hyperexponential(std::array{0.2, 0.3, 0.5}, std::array{0.5, 1.0, 4.0}),
      inverse_gaussian(2, 1),
      weibull(0.8, 2),
      weibull(5, 1),
      rayleigh(3),
      gumbel(1, 2),
      gumbel(0, 1).affine(0, -1),
      student_t(2.5),
      student_t(12),
      non_central_t(4.5, -2),
      fisher_f(1, 9),
      fisher_f(12, 7),
      pareto(3.5, 2),
      bernoulli(0.01),
      binomial(1, 0.5),
      binomial(1000, 0.02),
      poisson(0.1),
      poisson(200),
      poisson(3).affine(1, -0.5),
      geometric(0.05),
      negative_binomial(0.5, 0.1),
      negative_binomial(20, 0.4),
      hypergeometric(20, 12, 15),
      hypergeometric(1000, 30, 100),
      rademacher().affine(0.3, 0.7),
  };
}

/// The catalogue and these.
inline std::vector<laws::Law> all_laws() {
  std::vector<laws::Law> all(laws::catalogue().begin(), laws::catalogue().end());
  for (const laws::Law& law : varied_laws()) all.push_back(law);
  return all;
}

}  // namespace rootdk::testing
