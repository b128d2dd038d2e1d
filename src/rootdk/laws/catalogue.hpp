#pragma once

#include <span>

#include "rootdk/laws/law.hpp"

/// Every factory makes one law with its parameters, at its own location and scale, and throws
/// std::domain_error naming the law, what was expected and what was given.
namespace rootdk::laws {

/// The laws of the suite, each standardised to mean 0 and variance 1.
///
/// Their parameters keep the fourth moment moderate where the family allows: the cost of a
/// statistical check grows with its square. Student t with 3 degrees of freedom is there because
/// it has none.
std::span<const Law> catalogue();

/// Mean mu, standard deviation sigma > 0.
Law normal(double mu, double sigma);

/// \f$e^{\mu + \sigma Z}\f$, Z standard normal, sigma > 0.
Law lognormal(double mu, double sigma);

/// \f$\xi + \omega(\delta|Z_0| + \sqrt{1-\delta^2} Z_1)\f$ with
/// \f$\delta = \alpha/\sqrt{1+\alpha^2}\f$ and omega > 0.
Law skew_normal(double xi, double omega, double alpha);

/// Uniform on [lower, upper], lower < upper, upper - lower finite.
Law uniform(double lower, double upper);

/// Density rising on [lower, mode] and falling on [mode, upper], both linearly;
/// lower <= mode <= upper, lower < upper, upper - lower finite.
Law triangular(double lower, double mode, double upper);

/// Density \f$1/(\pi\sqrt{(x-a)(b-x)})\f$ on (a, b) = (lower, upper), b - a finite.
Law arcsine(double lower, double upper);

/// Density proportional to \f$x^{\alpha-1}(1-x)^{\beta-1}\f$; both > 0.
Law beta(double alpha, double beta);

/// Density \f$e^{-|x-\mu|/b}/(2b)\f$, scale b > 0.
Law laplace(double mu, double scale);

/// Distribution function \f$1/(1 + e^{-(x-\mu)/s})\f$, scale s > 0.
Law logistic(double mu, double scale);

/// Rate > 0.
Law exponential(double rate);

/// Density proportional to \f$x^{k-1}e^{-x/\theta}\f$, shape k > 0, scale theta > 0.
Law gamma(double shape, double scale);

/// The sum of nu squares of standard normals, nu > 0 (any real).
Law chi_squared(double nu);

/// scale/G with G of the law gamma(shape, 1): moments of order below shape.
Law inverse_gamma(double shape, double scale);

/// A mixture of exponential laws.
/// @param probabilities positive, sum 1 within 1e-12. @param rates positive, as many.
Law hyperexponential(std::span<const double> probabilities, std::span<const double> rates);

/// Mean mu > 0, shape lambda > 0, variance \f$\mu^3/\lambda\f$; lambda/mu at most 300, since
/// \f$e^{2\lambda/\mu}\f$ is a factor of the distribution function.
Law inverse_gaussian(double mu, double lambda);

/// Distribution function \f$1 - e^{-(x/\lambda)^k}\f$, shape k > 0, scale lambda > 0.
Law weibull(double shape, double scale);

/// The length of a vector of two normals of standard deviation sigma > 0.
Law rayleigh(double sigma);

/// Distribution function \f$\exp(-e^{-(x-\mu)/b})\f$, scale b > 0.
Law gumbel(double mu, double scale);

/// nu > 0 degrees of freedom: moments of order below nu.
Law student_t(double nu);

/// Distribution function \f$\tfrac12 + \tfrac1\pi\arctan x\f$: no moment of order 1 or more.
Law cauchy();

/// \f$(Z + \delta)/\sqrt{\chi^2_\nu/\nu}\f$, nu > 0: moments of order below nu.
Law non_central_t(double nu, double delta);

/// \f$(\chi^2_{d_1}/d_1)/(\chi^2_{d_2}/d_2)\f$, both > 0: moments of order below d2/2.
Law fisher_f(double d1, double d2);

/// Survival function \f$(m/x)^\alpha\f$ for x >= m = scale, both > 0: moments of order below alpha.
Law pareto(double alpha, double scale);

/// P(X = 1) = p, P(X = 0) = 1 - p, 0 < p < 1.
Law bernoulli(double p);

/// A fair -1 or 1.
Law rademacher();

/// Successes in n trials, 1 <= n <= 1e9, 0 < p < 1.
Law binomial(int n, double p);

/// 0 < mean <= 1e9.
Law poisson(double mean);

/// Failures before the first success, 1e-9 <= p < 1.
Law geometric(double p);

/// Failures before success number r > 0 (any real), 0 < p < 1 and r(1-p)/p <= 1e9.
Law negative_binomial(double r, double p);

/// Marked balls among n drawn without replacement from a population that holds marked of them;
/// 1 <= n, marked < population <= 1e6.
Law hypergeometric(int population, int marked, int n);

}  // namespace rootdk::laws
