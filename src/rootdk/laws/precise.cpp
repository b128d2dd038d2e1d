#include "rootdk/laws/precise.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/zeta.hpp>

namespace rootdk::laws {
namespace {

std::vector<Precise> pascal_row(std::size_t n) {
  std::vector<Precise> row(n + 1, Precise(1));
  for (std::size_t i = 2; i <= n; ++i) {
    for (std::size_t j = i - 1; j >= 1; --j) row[j] += row[j - 1];
  }
  return row;
}

}  // namespace

Precise gamma_function(const Precise& x) { return boost::math::tgamma(x); }
Precise zeta_function(int n) { return boost::math::zeta(Precise(n)); }
Precise euler_gamma() { return boost::math::constants::euler<Precise>(); }
Precise pi() { return boost::math::constants::pi<Precise>(); }

std::vector<Precise> moments_from_cumulants(const std::vector<Precise>& cumulants) {
  std::vector<Precise> m(cumulants.size(), Precise(0));
  m[0] = 1;
  for (std::size_t n = 1; n < m.size(); ++n) {
    const std::vector<Precise> choose = pascal_row(n - 1);
    for (std::size_t k = 1; k <= n; ++k) m[n] += choose[k - 1] * cumulants[k] * m[n - k];
  }
  return m;
}

std::vector<Precise> moments_from_factorial(const std::vector<Precise>& factorial) {
  std::vector<Precise> m(factorial.size(), Precise(0));
  std::vector<Precise> stirling(factorial.size(), Precise(0));  // row n, S(n, j)
  stirling[0] = 1;
  for (std::size_t n = 0; n < m.size(); ++n) {
    for (std::size_t j = 0; j <= n; ++j) m[n] += stirling[j] * factorial[j];
    for (std::size_t j = m.size() - 1; j >= 1; --j) {
      stirling[j] = stirling[j] * Precise(j) + stirling[j - 1];
    }
    stirling[0] = 0;
  }
  return m;
}

std::vector<Precise> affine_moments(const std::vector<Precise>& moments, const Precise& a, const Precise& b) {
  std::vector<Precise> result(moments.size(), Precise(0));
  for (std::size_t k = 0; k < moments.size(); ++k) {
    const std::vector<Precise> choose = pascal_row(k);
    Precise b_power = 1;
    std::vector<Precise> a_power(k + 1, Precise(1));
    for (std::size_t j = 1; j <= k; ++j) a_power[j] = a_power[j - 1] * a;
    for (std::size_t j = 0; j <= k; ++j) {
      result[k] += choose[j] * a_power[k - j] * b_power * moments[j];
      b_power *= b;
    }
  }
  return result;
}

}  // namespace rootdk::laws
