#include "rootdk/laws/catalogue.hpp"

#include <array>
#include <vector>

namespace rootdk::laws {

std::span<const Law> catalogue() {
  static const std::vector<Law> laws = [] {
    std::vector<Law> all{
        normal(0, 1),
        uniform(0, 1),
        triangular(0, 0.25, 1),
        arcsine(0, 1),
        beta(2, 5),
        laplace(0, 1),
        logistic(0, 1),
        exponential(1),
        gamma(4, 1),
        chi_squared(6),
        inverse_gamma(30, 1),
        inverse_gaussian(1, 4),
        lognormal(0, 0.25),
        weibull(1.5, 1),
        rayleigh(1),
        gumbel(0, 1),
        skew_normal(0, 1, 4),
        student_t(5),
        student_t(3),
        non_central_t(20, 1),
        fisher_f(6, 40),
        pareto(20, 1),
        hyperexponential(std::array{0.5, 0.5}, std::array{1.0, 2.0}),
        bernoulli(0.3),
        binomial(10, 0.3),
        poisson(4),
        geometric(0.4),
        negative_binomial(5, 0.5),
        hypergeometric(50, 20, 10),
        rademacher(),
    };
    for (Law& law : all) law = law.standardised();
    return all;
  }();
  return laws;
}

}  // namespace rootdk::laws
