#pragma once

#include <cstddef>
#include <span>

namespace rootdk::montecarlo {

/// \f$P(\mathrm{Bin}(n, p) \ge k)\f$, by the incomplete beta function.
///
/// Relative error below 1e-12 for n <= 10000 where the value is above 1e-300.
/// @param n number of trials.
/// @param p probability of success, in [0, 1].
/// @param k count; 0 gives 1 and k > n gives 0.
/// @throws std::domain_error if p is outside [0, 1].
double binomial_upper_tail(std::size_t n, double p, std::size_t k);

/// The median of K values; for even K the mean of the two in the middle.
///
/// It lies outside an interval only if at least K/2 of the values do.
/// @throws std::invalid_argument if there is none or one is NaN.
double median(std::span<const double> values);

/// An interval about a claimed value for the median of K independent unbiased batch estimates.
///
/// If one batch has variance at most \f$\sigma_b^2\f$, Chebyshev puts it outside
/// \f$m \pm 2\sigma_b\f$ with probability at most 1/4, and the median is outside only if at least
/// K/2 of the batches are: probability at most \f$P(\mathrm{Bin}(K, 1/4) \ge K/2)\f$, for every
/// law with that variance.
class MedianOfBatches {
 public:
  /// The smallest number of batches whose false-alarm probability is at most a share.
  ///
  /// It is odd: \f$K+1\f$ batches have one more chance to reach the same count \f$(K+1)/2\f$.
  /// @param share false-alarm probability allowed to one check, in (0, 1/2).
  /// @throws std::domain_error if the share is outside (0, 1/2).
  static MedianOfBatches for_share(double share);

  /// @param batches number of batches, at least 1.
  /// @throws std::domain_error if batches is 0.
  explicit MedianOfBatches(std::size_t batches);

  std::size_t batches() const noexcept { return batches_; }

  /// \f$P(\mathrm{Bin}(K, 1/4) \ge K/2)\f$: the median is outside with at most this probability.
  double false_alarm() const;

  /// \f$2\sigma_b\f$.
  /// @param sigma_b standard deviation of one batch estimate under the claim, finite and >= 0.
  /// @throws std::domain_error otherwise.
  static double half_width(double sigma_b);

  /// The deviation that is seen with a given probability if the true batch deviation is at most
  /// \f$\sigma_b\f$.
  ///
  /// If the mean is off by \f$\delta\sigma_b\f$, \f$\delta > 2\f$, Cantelli's inequality leaves a
  /// batch on the near side of the boundary with probability at most
  /// \f$p = 1/(1 + (\delta-2)^2)\f$, and the deviation is missed only if at least K/2 batches are.
  /// The value is \f$\delta\sigma_b\f$ for the largest p with
  /// \f$P(\mathrm{Bin}(K, p) \ge K/2) \le 1 - \mathrm{power}\f$.
  /// @param power probability of seeing it, in (0, 1).
  /// @throws std::domain_error if an argument is out of range.
  double detectable_deviation(double sigma_b, double power = 0.999) const;

 private:
  std::size_t batches_;
};

}  // namespace rootdk::montecarlo
