#pragma once

#include <algorithm>
#include <boost/math/policies/policy.hpp>
#include <cmath>

#include "rootdk/laws/family.hpp"

/// Density, distribution function and quantile from a Boost.Math distribution.
///
/// The header of the distribution itself is included by the .cpp of the family, one a family:
/// boost/math/distributions.hpp would bring the whole catalogue into every file.
namespace rootdk::laws {

/// Quadrature visits points where a density underflows or an intermediate overflows: both give
/// their limit. A discrete quantile is rounded up, so that it is the smallest x with F(x) >= p.
using Policy =
    boost::math::policies::policy<boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>>;

/// The limit at 0 of a density that follows \f$x^{shape - 1}\f$ there and is 1/scale for shape 1.
inline double density_at_0(double shape, double scale) { return shape > 1 ? 0 : shape < 1 ? infinity : 1 / scale; }

template <class Distribution>
class ContinuousFamily : public Family {
 public:
  ContinuousFamily(const std::string& family, std::vector<Parameter> parameters, Support support,
                   const Distribution& distribution)
      : Family(family, std::move(parameters), support, false), distribution_(distribution) {}

  double density(const Point& y) const override { return pdf(distribution_, y.value); }
  double cdf(double y) const override {
    if (y <= support().lower) return 0;
    if (y >= support().upper) return 1;
    return boost::math::cdf(distribution_, y);
  }
  double survival(double y) const override {
    if (y <= support().lower) return 1;
    if (y >= support().upper) return 0;
    return boost::math::cdf(complement(distribution_, y));
  }
  double quantile(double p) const override { return boost::math::quantile(distribution_, p); }
  double upper_quantile(double q) const override { return boost::math::quantile(complement(distribution_, q)); }

 private:
  Distribution distribution_;
};

/// A law on the integers.
template <class Distribution>
class DiscreteFamily : public Family {
 public:
  DiscreteFamily(const std::string& family, std::vector<Parameter> parameters, Support support,
                 const Distribution& distribution)
      : Family(family, std::move(parameters), support, true), distribution_(distribution) {}

  double density(const Point& y) const override {
    const double k = y.value;
    if (k < support().lower || k > support().upper || k != std::floor(k)) return 0;
    return pdf(distribution_, k);
  }
  double cdf(double y) const override {
    if (y < support().lower) return 0;
    if (y >= support().upper) return 1;
    return boost::math::cdf(distribution_, std::floor(y));
  }
  double survival(double y) const override {
    if (y < support().lower) return 1;
    if (y >= support().upper) return 0;
    return boost::math::cdf(complement(distribution_, std::floor(y)));
  }
  // Boost rounds a root found to finite accuracy, or for the geometric law not at all; the
  // definition decides at the last step.
  double quantile(double p) const override {
    double k = std::max(support().lower, std::ceil(boost::math::quantile(distribution_, p)));
    while (k > support().lower && cdf(k - 1) >= p) --k;
    while (k < support().upper && cdf(k) < p) ++k;
    return k;
  }

 private:
  Distribution distribution_;
};

}  // namespace rootdk::laws
