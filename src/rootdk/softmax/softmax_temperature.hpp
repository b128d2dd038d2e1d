#pragma once

/// \file
/// Entropy, mean logit and variance of the logits under softmax weights, and how they move with temperature.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "rootdk/in_range.hpp"
#include "rootdk/shown.hpp"
#include "rootdk/softmax/jacobian_structure.hpp"

namespace rootdk::softmax {

namespace detail {

template <class S>
void require_finite_logits(std::span<const S> z, const S& temperature, const char* who) {
  for (std::size_t i = 0; i < z.size(); ++i)
    if (!is_finite(z[i]))
      throw std::domain_error(std::string(who) + ": finite_logits: expected finite logits, given " + shown(z[i]) +
                              " as logit " + std::to_string(i));
  if (!(temperature > S(0)))
    throw std::domain_error(std::string(who) + ": expected a temperature above 0, given " + shown(temperature));
}

// The variance of v under the weights over a finite temperature. The quotient may be a number where the variance or a
// square is none: the deviations are taken to a size at which their squares are, and the exponents are put together
// last.
template <class S>
S variance_over(std::span<const S> s, std::span<const S> v, const S& temperature) {
  const char* who = "softmax_entropy_derivative";
  // an entry without weight says nothing of the size of the others
  const auto top = static_cast<std::size_t>(std::max_element(s.begin(), s.end()) - s.begin());
  std::vector<S> seen(v.begin(), v.end());
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (s[i] == S(0)) seen[i] = v[top];
  const S factor = headroom<S>(seen);
  std::vector<S> h = centred<S>(s, multiple<S>(factor, seen), who);
  S largest(0);
  for (const S& deviation : h) largest = std::max(largest, std::abs(deviation));
  if (largest == S(0)) return S(0);
  const int shift = std::numeric_limits<S>::max_exponent / 2 - 4 - std::ilogb(largest);
  for (S& deviation : h) deviation = std::ldexp(deviation, shift);
  int exponent = 0;
  const S mantissa = std::frexp(temperature, &exponent);
  return std::ldexp(centred_form<S>(s, h) / mantissa, -2 * (shift + std::ilogb(factor)) - exponent);
}

}  // namespace detail

/// \f$ H(s) = -\sum_i s_i \log s_i \f$ in nats, \f$ s = \operatorname{softmax}(z/T) \f$: the step
/// \ref softmax_temperature.
///
/// With \f$ x_i = (z_i - \max z)/T \le 0 \f$ and m the place of a largest logit,
/// \f$ H = \log\bigl(1 + \sum_{i \ne m} e^{x_i}\bigr) + \sum_i s_i\lvert x_i\rvert \f$. No term is negative, so nothing
/// cancels, nearly one-hot and nearly uniform rows included.
///
/// @tparam S a scalar with an exponential
/// @param z           n extended real numbers with the limits of softmax(), n at least 1
/// @param temperature \f$ T \ge 0 \f$; the derivatives of the step are by \f$ t = 1/T \f$
/// @return the entropy, in \f$ [0, \log n] \f$; rounded, it is at least 0, and may exceed \f$ \log n \f$ by no more
/// than the error. In floating point the error is at most
/// \f$ u\,\bigl(3H + \sum_{i \ne m} s_i\,(1 + \lvert x_i\rvert + \bar x)(2\lvert x_i\rvert + \lceil\log_2 n\rceil +
/// 5)\bigr) \f$ to first order, \f$ \bar x = \sum_i s_i\lvert x_i\rvert \f$; where an exponential is below the smallest
/// normal number there is a further absolute error of at most \f$ 800n \f$ times the smallest subnormal one
/// @throws std::domain_error as softmax()
/// \source not in B, which stops at the weights
// [softmax_temperature]
template <class S>
S softmax_entropy(std::span<const S> z, const S& temperature = S(1)) {
  const auto [x, top] = detail::exponents(z, temperature, "softmax_entropy");
  const std::vector<S> weights = detail::exponentials(x);  // not yet divided by their sum
  std::vector<S> terms(z.size(), S(0));
  for (std::size_t i = 0; i < z.size(); ++i)
    if (weights[i] > S(0)) terms[i] = weights[i] * -x[i];
  const S others = detail::sum_without(weights, top);
  return detail::log_one_plus(others) + pairwise_sum<S>(terms) / (S(1) + others);
}

/// \f$ E_s z = \sum_i s_iz_i \f$ with \f$ s = \operatorname{softmax}(z/T) \f$: see \ref softmax_temperature.
///
/// @tparam S a scalar with an exponential
/// @param z           n finite logits, n at least 1
/// @param temperature \f$ T > 0 \f$
/// @return the mean logit. In floating point the error is at most
/// \f$ u\sum_i s_i\lvert z_i\rvert\,(2\lvert x_i\rvert + 2\log n + 2\lceil\log_2 n\rceil + 6) \f$ to first order
/// @throws std::domain_error for a logit that is not finite (finite_logits), no logits (non_empty), a
/// temperature that is not above 0
template <class S>
S softmax_mean(std::span<const S> z, const S& temperature = S(1)) {
  detail::require_finite_logits(z, temperature, "softmax_mean");
  const std::vector<S> s = softmax(z, temperature);
  const S mean = detail::weighted_sum<S>(s, std::vector<S>(z.begin(), z.end()));
  // the weights add up to 1 but for roundings, which alone can bring a mean out of the range of the scalar
  return mean - mean == S(0) ? mean
         : mean > S(0)       ? *std::max_element(z.begin(), z.end())
                             : *std::min_element(z.begin(), z.end());
}

/// \f$ \operatorname{Var}_s(z) = \frac{d}{dt} E_s z \f$ at \f$ t = 1/T \f$: see \ref softmax_temperature.
///
/// @tparam S a scalar with an exponential
/// @param z           n finite logits, n at least 1
/// @param temperature \f$ T > 0 \f$
/// @return the variance of the logits under the weights, at least 0. In floating point the relative error is at most
/// \f$ u\,(4\max_i\lvert x_i\rvert + 4\log n + 9\lceil\log_2 n\rceil + 28) \f$ to first order, while no weight and no
/// square underflows
/// @throws std::domain_error as softmax_mean()
template <class S>
S softmax_variance(std::span<const S> z, const S& temperature = S(1)) {
  detail::require_finite_logits(z, temperature, "softmax_variance");
  const std::vector<S> s = softmax(z, temperature);
  return jacobian_quadratic_form<S>(s, z);
}

/// \f$ \frac{d}{dt} H(\operatorname{softmax}(tz)) = -t \operatorname{Var}_s(z) \f$ at \f$ t = 1/T \f$: see
/// \ref softmax_temperature.
///
/// @tparam S a scalar with an exponential
/// @param z           n finite logits, n at least 1
/// @param temperature \f$ T > 0 \f$
/// @return the derivative of the entropy by the inverse temperature, at most 0, and 0 at \f$ T = \infty \f$. In
/// floating point the relative error is one u more than that of softmax_variance(), while no weight underflows: squares
/// do not, for logits of any size. A result below the smallest normal number has a further absolute error of at most
/// the smallest subnormal one; it is \f$ -\infty \f$ only where the derivative is below all numbers of the format
/// @throws std::domain_error as softmax_mean()
template <class S>
S softmax_entropy_derivative(std::span<const S> z, const S& temperature = S(1)) {
  detail::require_finite_logits(z, temperature, "softmax_entropy_derivative");
  const std::vector<S> s = softmax(z, temperature);
  if constexpr (std::is_floating_point_v<S>) {
    return temperature < detail::infinity<S>() ? S(-detail::variance_over<S>(s, z, temperature)) : S(0);
  } else {
    return -jacobian_quadratic_form<S>(s, z) / temperature;
  }
}
// [softmax_temperature]

}  // namespace rootdk::softmax
