#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstddef>
#include <vector>

/// 50-digit numbers for the moments of the laws: a central moment of order 8 loses up to half of
/// its digits when it is made from raw moments, and 50 leave more than a double holds.
namespace rootdk::laws {

using Precise = boost::multiprecision::cpp_bin_float_50;

/// \f$\Gamma(x)\f$ for x > 0.
Precise gamma_function(const Precise& x);

/// \f$\zeta(n)\f$ for n >= 2.
Precise zeta_function(int n);

Precise euler_gamma();
Precise pi();

/// Raw moments from cumulants: \f$m_n = \sum_{k=1}^{n} \binom{n-1}{k-1} \kappa_k m_{n-k}\f$.
/// @param cumulants \f$\kappa_1, \dots, \kappa_n\f$ at positions 1..n; position 0 is not read.
std::vector<Precise> moments_from_cumulants(const std::vector<Precise>& cumulants);

/// Raw moments from factorial ones: \f$m_n = \sum_j S(n,j)\, E[X(X-1)\cdots(X-j+1)]\f$ with the
/// Stirling numbers of the second kind.
std::vector<Precise> moments_from_factorial(const std::vector<Precise>& factorial);

/// Moments of \f$a + bX\f$: \f$\sum_j \binom kj a^{k-j} b^j m_j\f$.
std::vector<Precise> affine_moments(const std::vector<Precise>& moments, const Precise& a, const Precise& b);

}  // namespace rootdk::laws
