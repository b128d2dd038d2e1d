#pragma once

/// \file
/// Softmax, its logarithm, and the logarithm of its denominator.

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "rootdk/pairwise_sum.hpp"
#include "rootdk/shown.hpp"

namespace rootdk::softmax {

namespace detail {

using std::log1p;

// Boost's autodiff has log but no log1p; its users are after derivatives, not after the last digit.
template <class S>
S log_one_plus(const S& x) {
  if constexpr (requires { log1p(x); }) {
    return log1p(x);
  } else {
    return log(S(1) + x);
  }
}

template <class S>
S infinity() {
  return S(std::numeric_limits<S>::infinity());
}

// The index of the largest logit, the first one of several; 0 if there are none.
template <class S>
std::size_t index_of_largest(std::span<const S> z, const char* who) {
  std::size_t top = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (!(z[i] == z[i]))
      throw std::domain_error(std::string(who) + ": expected numbers or infinities, given NaN as logit " +
                              std::to_string(i));
    if (z[i] > z[top]) top = i;
  }
  return top;
}

/// \f$ x_i = (z_i - \max z)/T \le 0 \f$: what remains of the logits after the shift that changes
/// nothing. Limits are taken here: \f$ x_i = -\infty \f$ where the weight is exactly 0.
template <class S>
struct Exponents {
  std::vector<S> x;
  std::size_t top;  ///< where the first \f$ x_i = 0 \f$ is
};

template <class S>
Exponents<S> exponents(std::span<const S> z, const S& temperature, const char* who) {
  const S inf = infinity<S>();
  if (z.empty()) throw std::domain_error(std::string(who) + ": non_empty: expected at least one logit, given none");
  if (!(temperature >= S(0)))
    throw std::domain_error(std::string(who) + ": expected a temperature of 0 or above, given " + shown(temperature));
  const std::size_t top = index_of_largest(z, who);
  const S largest = z[top];
  if (largest == -inf)
    throw std::domain_error(std::string(who) + ": expected a logit above -infinity, given " + std::to_string(z.size()) +
                            " that are all -infinity");

  Exponents<S> result{std::vector<S>(z.size(), -inf), top};
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (largest == inf || temperature == S(0)) {
      if (z[i] == largest) result.x[i] = S(0);
      continue;
    }
    if (z[i] == -inf) continue;
    const S difference = z[i] - largest;
    // Halves of numbers whose difference overflows are exact, and theirs does not overflow.
    result.x[i] = difference == -inf ? S((z[i] / 2 - largest / 2) / temperature * 2) : S(difference / temperature);
  }
  return result;
}

// exp(x_i), where exp(-infinity) is exactly 0 in every arithmetic.
template <class S>
std::vector<S> exponentials(const std::vector<S>& x) {
  using std::exp;
  std::vector<S> result(x.size(), S(0));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] > -infinity<S>()) result[i] = exp(x[i]);
  return result;
}

// The sum of all terms but one.
template <class S>
S sum_without(std::vector<S> terms, std::size_t left_out) {
  terms[left_out] = S(0);
  return pairwise_sum<S>(terms);
}

}  // namespace detail

/// \f$ s_i = e^{z_i/T} / \sum_j e^{z_j/T} \f$: the step \ref softmax_simplex.
///
/// Evaluated as \f$ e^{x_i} / \sum_j e^{x_j} \f$ with \f$ x_i = (z_i - \max z)/T \f$, which is the
/// same by that step and cannot overflow. The limits are part of the function:
/// - \f$ z_i = -\infty \f$ weighs exactly 0; logits of \f$ +\infty \f$ share the weight 1 equally,
/// which is a
///   convention where there are several;
/// - \f$ T = 0 \f$ is the limit \f$ T \to 0 \f$: the largest logits share the weight 1 equally;
/// - \f$ T = \infty \f$ is the limit \f$ T \to \infty \f$: every logit above \f$ -\infty \f$ has the same weight. The
///   limits in the logits come first: a logit of \f$ +\infty \f$ has all the weight at every T, at \f$ \infty \f$ too.
///
/// @tparam S a scalar with an exponential: `float`, `double`, 50 digits, autodiff
/// @param z           the logits, a row of n extended real numbers, n at least 1
/// @param temperature \f$ T \ge 0 \f$
/// @return n weights in [0, 1]. In floating point the relative error of \f$ s_i \f$ is at most
/// \f$ u\,(2\lvert x_i\rvert + 2\log n + \lceil\log_2 n\rceil + 5) \f$ to first order, without both
/// factors 2 if \f$ T = 1 \f$; a result below the smallest normal number has a further absolute error of at most
/// \f$ 2\eta \f$, \f$ \eta \f$ the smallest subnormal number
/// @throws std::domain_error for no logits (non_empty), a NaN, only \f$ -\infty \f$, a negative or
/// NaN temperature \source B
// [softmax_simplex]
template <class S>
std::vector<S> softmax(std::span<const S> z, const S& temperature = S(1)) {
  std::vector<S> s = detail::exponentials(detail::exponents(z, temperature, "softmax").x);
  const S total = pairwise_sum<S>(s);
  for (S& weight : s) weight = weight / total;
  return s;
}
// [softmax_simplex]

/// \f$ \log \sum_j e^{z_j} \f$, the logarithm of what softmax divides by: see \ref softmax_simplex.
///
/// @param z n extended real numbers; n may be 0
/// @return \f$ \max z + \log\bigl(1 + \sum_{j \ne m} e^{z_j - \max z}\bigr) \f$, m the place of a
/// largest logit; \f$ -\infty \f$ of nothing and of only \f$ -\infty \f$, \f$ +\infty \f$ if one
/// logit is. In floating point the absolute error is at most \f$ u\,(\lvert\text{result}\rvert +
/// 3\log n + \lceil\log_2 n\rceil + 2) \f$ to first order
/// @throws std::domain_error for a NaN
template <class S>
S log_sum_exp(std::span<const S> z) {
  const std::size_t top = detail::index_of_largest(z, "log_sum_exp");
  if (z.empty() || z[top] == -detail::infinity<S>()) return -detail::infinity<S>();
  if (z[top] == detail::infinity<S>()) return z[top];
  const auto x = detail::exponents(z, S(1), "log_sum_exp").x;
  return z[top] + detail::log_one_plus(detail::sum_without(detail::exponentials(x), top));
}

/// \f$ \log s_i = x_i - \log \sum_j e^{x_j} \f$ with \f$ x_i = (z_i - \max z)/T \f$: see \ref
/// softmax_simplex.
///
/// It is finite where softmax underflows, and near 0 where softmax rounds to 1.
///
/// @param z           as for softmax
/// @param temperature as for softmax
/// @return n numbers, at most 0; \f$ -\infty \f$ where the weight is exactly 0. Neither of the two
/// terms is positive, so nothing cancels: in floating point the relative error is at most \f$
/// u\,(2\Delta + 2\log n + \lceil\log_2 n\rceil + 5) \f$ to first order, \f$ \Delta \f$ the gap
/// between the largest \f$ x_i \f$ and the runner-up, without both factors 2 if \f$ T = 1 \f$, and a further absolute
/// error of at most \f$ 2n\eta \f$, \f$ \eta \f$ the smallest subnormal number: where all other exponentials
/// underflow, the largest logit may get 0. An entry below all numbers of the format is \f$ -\infty \f$
/// @throws std::domain_error as softmax
template <class S>
std::vector<S> log_softmax(std::span<const S> z, const S& temperature = S(1)) {
  auto [x, top] = detail::exponents(z, temperature, "log_softmax");
  const S log_total = detail::log_one_plus(detail::sum_without(detail::exponentials(x), top));
  for (S& entry : x)
    if (entry > -detail::infinity<S>()) entry = entry - log_total;
  return x;
}

}  // namespace rootdk::softmax
