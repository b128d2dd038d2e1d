#include "rootdk/laws/catalogue.hpp"

#include <vector>

namespace rootdk::laws {

std::span<const Law> catalogue() {
  static const std::vector<Law> laws = [] {
    std::vector<Law> all{
        normal(0, 1), uniform(0, 1),      laplace(0, 1),  exponential(1), gamma(4, 1),
        student_t(5), lognormal(0, 0.25), bernoulli(0.3), poisson(4),     rademacher(),
    };
    for (Law& law : all) law = law.standardised();
    return all;
  }();
  return laws;
}

}  // namespace rootdk::laws
