#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rootdk/shown.hpp"

namespace rootdk::montecarlo {

/// The raw moments \f$m_0 = 1, m_1, \dots, m_n\f$ of one random variable, \f$m_k = E(X^k)\f$.
///
/// The functions below give the moments of sums, products and multiples of independent variables
/// from those of the parts, and from these the variance of a Monte Carlo estimate. They know
/// nothing of what is estimated.
/// @tparam S scalar: double, a 50-digit float or an exact rational.
template <class S>
class RawMoments {
 public:
  /// @param values \f$m_0, \dots, m_n\f$ with \f$m_0 = 1\f$.
  /// @throws std::invalid_argument if there is no \f$m_0\f$ or it is not 1.
  explicit RawMoments(std::vector<S> values) : values_(std::move(values)) {
    if (values_.empty()) throw std::invalid_argument("raw moments: expected m_0 = 1 first, given no moment");
    if (values_[0] != S(1)) {
      throw std::invalid_argument("raw moments: expected m_0 = 1 first, given " + shown(values_[0]));
    }
  }

  /// The largest order that is held.
  std::size_t order() const noexcept { return values_.size() - 1; }

  /// @return \f$E(X^k)\f$.
  /// @throws std::domain_error if k is above order().
  const S& operator[](std::size_t k) const {
    if (k > order()) {
      throw std::domain_error("raw moments: order " + std::to_string(k) + " asked for, given up to order " +
                              std::to_string(order()));
    }
    return values_[k];
  }

 private:
  std::vector<S> values_;
};

/// Row n of Pascal's triangle, exact up to n = 29 in 32 bits.
inline std::vector<int> binomial_row(std::size_t n) {
  if (n > 29) throw std::domain_error("binomial row: expected n <= 29, given " + std::to_string(n));
  std::vector<int> row(n + 1, 1);
  for (std::size_t i = 2; i <= n; ++i) {
    for (std::size_t j = i - 1; j >= 1; --j) row[j] += row[j - 1];
  }
  return row;
}

/// Moments of \f$X + Y\f$ for independent X and Y: \f$E(X+Y)^k = \sum_j \binom kj
/// E(X^j)E(Y^{k-j})\f$.
/// @return moments up to the smaller of the two orders.
template <class S>
RawMoments<S> sum_of_independent(const RawMoments<S>& x, const RawMoments<S>& y) {
  const std::size_t order = std::min(x.order(), y.order());
  std::vector<S> m(order + 1, S(0));
  for (std::size_t k = 0; k <= order; ++k) {
    const std::vector<int> choose = binomial_row(k);
    for (std::size_t j = 0; j <= k; ++j) m[k] += S(choose[j]) * x[j] * y[k - j];
  }
  return RawMoments<S>(std::move(m));
}

/// Moments of the sum of n independent copies of X, by doubling: \f$O(\log n)\f$ sums of two.
/// @param n number of terms; 0 gives the constant 0.
template <class S>
RawMoments<S> sum_of_copies(RawMoments<S> x, std::size_t n) {
  std::vector<S> zero(x.order() + 1, S(0));
  zero[0] = S(1);
  RawMoments<S> total(std::move(zero));
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) total = sum_of_independent(total, x);
    if (n > 1) x = sum_of_independent(x, x);
  }
  return total;
}

/// Moments of \f$XY\f$ for independent X and Y: \f$E(XY)^k = E(X^k)E(Y^k)\f$.
template <class S>
RawMoments<S> product_of_independent(const RawMoments<S>& x, const RawMoments<S>& y) {
  const std::size_t order = std::min(x.order(), y.order());
  std::vector<S> m(order + 1);
  for (std::size_t k = 0; k <= order; ++k) m[k] = x[k] * y[k];
  return RawMoments<S>(std::move(m));
}

/// Moments of \f$cX\f$: \f$E(cX)^k = c^k E(X^k)\f$.
template <class S>
RawMoments<S> scaled(const RawMoments<S>& x, const S& c) {
  std::vector<S> m(x.order() + 1);
  S power(1);
  for (std::size_t k = 0; k <= x.order(); ++k) {
    m[k] = power * x[k];
    power *= c;
  }
  return RawMoments<S>(std::move(m));
}

/// Moments of \f$X^p\f$: \f$E(X^p)^k = E(X^{pk})\f$.
/// @return moments up to order floor(x.order() / p).
/// @throws std::domain_error if p = 0.
template <class S>
RawMoments<S> power(const RawMoments<S>& x, std::size_t p) {
  if (p == 0) throw std::domain_error("moments of a power: expected an exponent >= 1, given 0");
  std::vector<S> m;
  for (std::size_t k = 0; p * k <= x.order(); ++k) m.push_back(x[p * k]);
  return RawMoments<S>(std::move(m));
}

/// The variance of the mean of n independent copies of \f$X^p\f$: \f$(E(X^{2p}) - E^2(X^p))/n\f$.
///
/// This is \f$\sigma_b^2\f$ for the batch estimate \f$\frac1n\sum_i X_i^p\f$ of \f$E(X^p)\f$.
/// @throws std::domain_error if n = 0 or the moment of order 2p is not held.
template <class S>
S variance_of_mean_power(const RawMoments<S>& x, std::size_t p, std::size_t n) {
  if (n == 0) throw std::domain_error("variance of a mean: expected n >= 1 terms, given 0");
  return (x[2 * p] - x[p] * x[p]) / S(n);
}

}  // namespace rootdk::montecarlo
