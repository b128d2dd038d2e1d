#pragma once

/// \file
/// What scaling saves: how much of the gradient passes through softmax, and the laws of it for two normal logits.

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "rootdk/attention/attention_definition.hpp"
#include "rootdk/dot_product/scale_uniqueness.hpp"
#include "rootdk/dot_product/unit_variance_scaling.hpp"
#include "rootdk/matrix.hpp"
#include "rootdk/scale.hpp"
#include "rootdk/shown.hpp"
#include "rootdk/softmax/jacobian_structure.hpp"
#include "rootdk/softmax/saturated_jacobian.hpp"

namespace rootdk::attention {

/// How much of a gradient passes through one row of weights, and how sharp the row is.
template <class S>
struct GradientStatistics {
  S trace;    ///< \f$ \operatorname{tr} J = \sum_i s_i(1 - s_i) \f$, from 0 at one-hot to \f$ 1 - 1/n \f$ at uniform
  S norm;     ///< \f$ \lVert J\rVert_2 \f$, from 0 at one-hot to at most 1/2; \f$ 1/n \f$ at uniform
  S entropy;  ///< \f$ -\sum_i s_i\log s_i \f$, from 0 at one-hot to \f$ \log n \f$ at uniform
  S largest;  ///< \f$ \max_i s_i \f$
};

/// The statistics of \f$ J(z) \f$, \f$ s = \operatorname{softmax}(z) \f$: the step \ref gradient_survival follows
/// them as the dimension grows.
///
/// @param z n finite logits, n at least 1
/// @return trace, norm, entropy and largest weight. No term is negative: in floating point the relative error of
/// trace and entropy is at most \f$ u\,(2\max\lvert x_i\rvert + 2\log n + 5\lceil\log_2 n\rceil + 12) \f$ to first
/// order, \f$ x = z - \max z \f$, while no weight underflows; derived on the step's page
/// @throws as softmax
template <class S>
GradientStatistics<S> gradient_statistics(std::span<const S> z) {
  const std::vector<S> s = softmax::softmax(z), logarithms = softmax::log_softmax(z);
  std::vector<S> passes = softmax::detail::sums_of_the_others<S>(s), terms(s.size(), S(0));
  S largest = s.front();
  for (std::size_t i = 0; i < s.size(); ++i) {
    passes[i] = s[i] * passes[i];
    if (s[i] > S(0)) terms[i] = -s[i] * logarithms[i];
    if (s[i] > largest) largest = s[i];
  }
  return {.trace = pairwise_sum<S>(passes),
          .norm = softmax::jacobian_spectral_norm<S>(s),
          .entropy = pairwise_sum<S>(terms),
          .largest = largest};
}
extern template GradientStatistics<double> gradient_statistics<double>(std::span<const double>);

/// \f$ \partial s_i/\partial q = \frac1c\sum_j s_is_j(k_i - k_j) \f$ for \f$ s = \operatorname{softmax}(Kq/c) \f$: what
/// reaches the query.
///
/// @param query q, of length d
/// @param keys  K, n x d
/// @param i     which weight
/// @param scale gives c
/// @return a vector of length d, finite
/// @throws std::invalid_argument if the lengths differ or there is no weight i; std::domain_error as attention_weights,
/// and if a component of the gradient is above all numbers of the format
template <class S>
std::vector<S> query_gradient(std::span<const S> query, const Matrix<S>& keys, std::size_t i, const Scale& scale) {
  if (query.size() != keys.columns() || i >= keys.rows())
    throw std::invalid_argument(
        "query_gradient: expected a query as long as the keys and a weight of one of them, given length " +
        std::to_string(query.size()) + ", keys " + keys.shape() + ", weight " + std::to_string(i));
  const Matrix<S> s =
      attention_weights(Matrix<S>(1, query.size(), std::vector<S>(query.begin(), query.end())), keys, {.scale = scale});
  const S divisor = scale.divisor_for<S>(query.size());
  std::vector<S> gradient(query.size(), S(0));
  // a difference of two keys may overflow, and so may a quotient by a small divisor that another term makes up for
  const S factor = softmax::detail::headroom<S>(keys.values());
  for (std::size_t j = 0; j < keys.rows(); ++j)
    for (std::size_t l = 0; l < query.size(); ++l) gradient[l] += s(0, j) * (factor * keys(i, l) - factor * keys(j, l));
  for (std::size_t l = 0; l < query.size(); ++l) {
    gradient[l] = gradient[l] * s(0, i) / divisor / factor;
    if (!is_finite(gradient[l]))
      throw std::domain_error("query_gradient: expected a gradient in the range of the scalar, but its component " +
                              std::to_string(l) + " overflows at the divisor " + shown(divisor));
  }
  return gradient;
}

namespace detail {

template <class S>
void require_variance(const S& v, const char* who) {
  if (!(v > S(0))) throw std::domain_error(std::string(who) + ": expected a variance above 0, given " + shown(v));
}

// sigma'(x) = s(1 - s) at a gap x between two logits, without overflow and without 1 - s.
template <class S>
S logistic_density(const S& x) {
  using std::exp;
  const S e = exp(x < S(0) ? x : S(-x));
  return e / ((S(1) + e) * (S(1) + e));
}

}  // namespace detail

/// \f$ E\,s(1-s) \f$ for two independent normal logits of mean 0 and variance v: the step \ref gradient_survival.
///
/// It is \f$ \int \sigma'(x)\,\varphi_{2v}(x)\,dx \f$, \f$ \sigma' \f$ the logistic density and \f$ \varphi_{2v} \f$
/// the density of the gap. The trapezoidal rule with step h errs by at most
/// \f$ 5e^{1 - 2\pi a/h} \f$, since the integrand is analytic and bounded in the strip
/// \f$ \lvert\operatorname{Im}\rvert \le a \f$: with a = 2 in x for \f$ v \ge 1 \f$, and \f$ a = \sqrt2 \f$ in
/// \f$ x/\sqrt{2v} \f$ for v < 1.
///
/// @tparam S `double` or 50 digits
/// @param v variance of a logit, above 0
/// @return the mean, with a relative error of a few hundred u for v up to \f$ 10^6 \f$, from the smallest v on, where
/// it is near 1/4: \f$ 1/4 - v/8 \le E\,s(1-s) \le 1/4 \f$. h is such that the rule errs by less than u times the
/// result
/// @throws std::domain_error if v is not positive
/// \source L. N. Trefethen, J. A. C. Weideman, The exponentially convergent trapezoidal rule, SIAM Review 56 (2014)
// [gradient_survival]
template <class S>
S mean_of_two_normal_logits(const S& v) {
  using std::exp;
  using std::log;
  using std::sqrt;
  detail::require_variance(v, "mean_of_two_normal_logits");
  const S pi = boost::math::constants::pi<S>();
  const S digits = 12 - log(std::numeric_limits<S>::epsilon());  // the result is above 1e-4 up to v = 1e6
  const bool wide = v >= S(1);
  const S h = 2 * pi * (wide ? S(2) : S(sqrt(S(2)))) / digits;
  const S unit = wide ? S(1) : S(sqrt(2 * v));  // x = unit * y
  const S negligible = exp(-digits);
  S total = detail::logistic_density(S(0)) / 2;
  for (int k = 1;; ++k) {
    const S y = k * h, x = unit * y;
    const S term = detail::logistic_density(x) * exp(-(wide ? S(y * y / (4 * v)) : S(y * y / 2)));
    total += term;
    if (term < total * negligible) break;
  }
  // unit over sqrt(4 pi v): products of v with 2 or 4 pi would round as subnormal numbers, or overflow
  const S density = wide ? S(1 / (2 * sqrt(pi) * sqrt(v))) : S(1 / sqrt(2 * pi));
  return 2 * h * total * density;
}

/// \f$ \frac{1}{\sqrt{4\pi v}}\bigl(1 - \frac{\pi^2}{12v}\bigr) \f$ and \f$ \frac{1}{\sqrt{4\pi v}} \f$, between which
/// \f$ E\,s(1-s) \f$ lies for two independent normal logits of variance v: the step \ref gradient_survival. The lower
/// one is \f$ -\infty \f$ where v is so small that it is below all numbers of the format.
template <class S>
struct MeanBounds {
  S lower, upper;
};
template <class S>
MeanBounds<S> bounds_of_two_normal_logits(const S& v) {
  using std::sqrt;
  detail::require_variance(v, "bounds_of_two_normal_logits");
  const S pi = boost::math::constants::pi<S>();
  const S upper = 1 / (2 * sqrt(pi) * sqrt(v));
  return {upper * (1 - pi * pi / (12 * v)), upper};
}

/// \f$ c = \sqrt2\,\Phi^{-1}(3/4) = 2\operatorname{erf}^{-1}(1/2) = 0.95387\ldots \f$: half of all gaps between two
/// normal logits of variance v are below \f$ c\sqrt v \f$.
template <class S>
S median_gap_of_unit_logits() {
  return 2 * boost::math::erf_inv(S(S(1) / 2));
}

/// The median of \f$ s(1-s) \f$ for two independent normal logits of variance v: \f$ \sigma'(c\sqrt v) \f$, which is
/// \f$ e^{-c\sqrt v} \f$ divided by a number between 1 and 4. See \ref gradient_survival.
template <class S>
S median_of_two_normal_logits(const S& v) {
  using std::sqrt;
  detail::require_variance(v, "median_of_two_normal_logits");
  return detail::logistic_density(S(median_gap_of_unit_logits<S>() * sqrt(v)));
}
// [gradient_survival]

/// \f$ P(\max(s_1, s_2) > p) \f$ for two independent normal logits of variance v, p at least 1/2: the gap must exceed
/// \f$ \log(p/(1-p)) \f$.
/// @throws std::domain_error unless \f$ 1/2 \le p < 1 \f$
template <class S>
S probability_of_saturation(const S& v, const S& p) {
  using std::log;
  using std::sqrt;
  detail::require_variance(v, "probability_of_saturation");
  if (!(p >= S(0.5) && p < S(1)))
    throw std::domain_error("probability_of_saturation: expected a weight from 1/2 up to 1, given " + shown(p));
  return boost::math::erfc(S(log(p / (1 - p)) / sqrt(4 * v)));
}

}  // namespace rootdk::attention
