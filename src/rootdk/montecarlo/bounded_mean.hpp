#pragma once

#include <cstddef>

namespace rootdk::montecarlo {

/// A closed interval.
struct Interval {
  double low;
  double high;
};

/// An interval about a claimed mean that the mean of independent values in [0, upper] leaves with probability at most
/// a share, for any law on [0, upper] with the claimed mean.
///
/// Hoeffding's bound in its first form: the mean of N values exceeds \f$ x > m \f$ with probability at most
/// \f$ e^{-N\,\mathrm{KL}(x/b \,\Vert\, m/b)} \f$, KL the relative entropy of two coins; as below. Each side gets half
/// of the share. An end that the bound does not reach is the end of [0, upper].
/// @param claimed m, in (0, upper).
/// @param upper b, above 0.
/// @param count N, at least 1.
/// @param share in (0, 1).
/// @throws std::domain_error if an argument is out of range.
/// \source W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58 (1963), theorem 1
Interval bounded_mean_interval(double claimed, double upper, std::size_t count, double share);

/// The same read the other way: the true means in [0, upper] whose interval holds the mean of a sample. Outside lies
/// the true mean for at most a share of all samples.
/// @param mean of N independent values in [0, upper]
/// @throws std::domain_error if an argument is out of range.
Interval bounded_mean_confidence(double mean, double upper, std::size_t count, double share);

/// The smallest deviation of the true mean from the claimed one, to the side where it is smaller, with which the mean
/// of N independent values in [0, upper] leaves an interval with a given probability. By the bound of
/// bounded_mean_interval(), which covers shares of successes as well.
/// @param interval within [0, upper], outside which an estimate is refused
/// @param power in (0, 1).
/// @return infinity if no mean in [0, upper] does.
double detectable_deviation(const Interval& interval, double claimed, double upper, std::size_t count,
                            double power = 0.999);

/// The shares of successes among N that are compatible with a probability in [p_low, p_high]: outside lies at most a
/// share of all runs, by the exact binomial tails.
/// @param low,high the range of the claimed probability, 0 <= low <= high <= 1.
/// @throws std::domain_error if an argument is out of range.
Interval proportion_interval(double low, double high, std::size_t count, double share);

}  // namespace rootdk::montecarlo
