#include <boost/math/distributions/skew_normal.hpp>
#include <boost/random/normal_distribution.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"

namespace rootdk::laws {
namespace {

using BoostSkewNormal = boost::math::skew_normal_distribution<double, Policy>;

class SkewNormal final : public ContinuousFamily<BoostSkewNormal> {
 public:
  SkewNormal(double xi, double omega, double alpha)
      : ContinuousFamily("skew_normal", {{"xi", xi}, {"omega", omega}, {"alpha", alpha}}, {-infinity, infinity},
                         BoostSkewNormal(xi, omega, alpha)),
        xi_(xi),
        omega_(omega),
        alpha_(alpha) {}

  // xi + omega (delta |Z_0| + sqrt(1 - delta^2) Z_1) with delta = alpha / sqrt(1 + alpha^2):
  // both parts have E|Z|^n = (n-1) E|Z|^{n-2}, from 1 and sqrt(2/pi); Z_1 has no odd moments.
  std::vector<Precise> raw_moments(int order) const override {
    const Precise root = sqrt(Precise(1 + Precise(alpha_) * alpha_));
    const Precise delta = alpha_ / root;
    const Precise rest = 1 / root;
    const std::size_t size = static_cast<std::size_t>(order) + 1;
    std::vector<Precise> folded{1, sqrt(Precise(2 / pi()))};
    for (std::size_t n = 2; n < size; ++n) folded.push_back(Precise(n - 1) * folded[n - 2]);
    std::vector<Precise> m(size, Precise(0));
    for (std::size_t n = 0; n < size; ++n) {
      Precise choose = 1;
      for (std::size_t j = 0; j <= n; ++j) {
        if ((n - j) % 2 == 0) {
          m[n] +=
              choose * pow(delta, static_cast<int>(j)) * folded[j] * pow(rest, static_cast<int>(n - j)) * folded[n - j];
        }
        choose = choose * Precise(n - j) / Precise(j + 1);
      }
    }
    return affine_moments(m, Precise(xi_), Precise(omega_));
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::normal_distribution<double> normal;
    const double root = std::hypot(1, alpha_);
    for (double& x : out) {
      const double first = std::abs(normal(stream));
      x = xi_ + omega_ * (alpha_ * first + normal(stream)) / root;
    }
  }

 private:
  double xi_;
  double omega_;
  double alpha_;
};

}  // namespace

Law skew_normal(double xi, double omega, double alpha) {
  require(finite(xi), "skew_normal", "a finite xi", xi);
  require(positive(omega), "skew_normal", "a finite omega > 0", omega);
  require(finite(alpha), "skew_normal", "a finite alpha", alpha);
  return Law(std::make_shared<SkewNormal>(xi, omega, alpha));
}

}  // namespace rootdk::laws
