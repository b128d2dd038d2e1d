#include <boost/math/distributions/non_central_t.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/draws.hpp"

namespace rootdk::laws {
namespace {

using BoostNonCentralT = boost::math::non_central_t_distribution<double, Policy>;

class NonCentralT final : public ContinuousFamily<BoostNonCentralT> {
 public:
  NonCentralT(double nu, double delta)
      : ContinuousFamily("non_central_t", {{"nu", nu}, {"delta", delta}}, {-infinity, infinity},
                         BoostNonCentralT(nu, delta)),
        nu_(nu),
        delta_(delta) {}

  MomentLimit moment_limit() const override { return {"nu", nu_, 1}; }

  // E(Z + delta)^n E(chi^2/nu)^{-n/2}: the first by Stein's identity, the second from
  // sqrt(nu/2) Gamma((nu-1)/2)/Gamma(nu/2) for n = 1 and a factor nu/(nu - n) for n - 2 -> n.
  std::vector<Precise> raw_moments(int order) const override {
    const Precise nu = nu_;
    std::vector<Precise> shifted{1, delta_};
    std::vector<Precise> inverse{1, 0};
    if (order >= 1) {
      inverse[1] = sqrt(Precise(nu / 2)) * gamma_function(Precise((nu - 1) / 2)) / gamma_function(Precise(nu / 2));
    }
    for (int n = 2; n <= order; ++n) {
      shifted.push_back(delta_ * shifted.end()[-1] + (n - 1) * shifted.end()[-2]);
      inverse.push_back(inverse.end()[-2] * nu / (nu - n));
    }
    std::vector<Precise> m;
    for (std::size_t n = 0; n <= static_cast<std::size_t>(order); ++n) {
      m.push_back(shifted[n] * inverse[n]);
    }
    return m;
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override { fill_t(nu_, delta_, stream, out); }

 private:
  double nu_;
  double delta_;
};

}  // namespace

Law non_central_t(double nu, double delta) {
  require(positive(nu), "non_central_t", "a finite nu > 0", nu);
  require(finite(delta), "non_central_t", "a finite delta", delta);
  return Law(std::make_shared<NonCentralT>(nu, delta));
}

}  // namespace rootdk::laws
