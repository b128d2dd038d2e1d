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

  // Boost subtracts Owen's T from the normal distribution function, which leaves nothing of a light tail.
  double cdf(double y) const override {
    const double p = ContinuousFamily::cdf(y);
    return p < light_tail ? tail({-infinity, y, omega_, support()}) : p;
  }
  double survival(double y) const override {
    const double q = ContinuousFamily::survival(y);
    return q < light_tail ? tail({y, infinity, omega_, support()}) : q;
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::normal_distribution<double> normal;
    // A common power of 2 keeps the product with a huge alpha finite and rounds nothing.
    const double length = std::hypot(1, alpha_);
    const double unit = std::ldexp(1, -std::ilogb(length));
    const double alpha = alpha_ * unit;
    const double root = length * unit;
    for (double& x : out) {
      const double first = std::abs(normal(stream));
      x = xi_ + omega_ * (alpha * first + unit * normal(stream)) / root;
    }
  }

 private:
  // Below this a tail is integrated; above, the cancellation costs four digits at most.
  static constexpr double light_tail = 1e-4;

  double tail(const Piece& piece) const {
    return integrate(piece, [this](const Point& y) { return std::isinf(y.value) ? 0.0 : density(y); }).value;
  }

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
