#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/draws.hpp"

namespace rootdk::laws {
namespace {

using BoostFisherF = boost::math::fisher_f_distribution<double, Policy>;

class FisherF final : public ContinuousFamily<BoostFisherF> {
 public:
  FisherF(double d1, double d2)
      : ContinuousFamily("fisher_f", {{"d1", d1}, {"d2", d2}}, {0, infinity}, BoostFisherF(d1, d2)), d1_(d1), d2_(d2) {}

  MomentLimit moment_limit() const override { return {"d2", d2_, 2}; }

  // m_n = m_{n-1} (d2/d1)(d1 + 2(n-1))/(d2 - 2n).
  std::vector<Precise> raw_moments(int order) const override {
    const Precise d1 = d1_;
    const Precise d2 = d2_;
    std::vector<Precise> m{1};
    for (int n = 1; n <= order; ++n) {
      m.push_back(m.back() * d2 / d1 * (d1 + 2 * (n - 1)) / (d2 - 2 * n));
    }
    return m;
  }

  double density(const Point& y) const override {
    return y.value == 0 ? density_at_0(d1_ / 2, 1) : ContinuousFamily::density(y);
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    // Gamma draws of small shapes underflow, and their quotient may be 0/0.
    if (std::max(d1_, d2_) / 2 < small_gamma_shape) {
      LogGammaDraw log_above(d1_ / 2);
      LogGammaDraw log_below(d2_ / 2);
      for (double& x : out) {
        const double g = log_above(stream);
        x = std::exp(std::log(d2_) - std::log(d1_) + g - log_below(stream));
      }
      return;
    }
    GammaDraw above(d1_ / 2);
    GammaDraw below(d2_ / 2);
    for (double& x : out) {
      const double g = above(stream);
      x = d2_ / d1_ * g / below(stream);
    }
  }

 private:
  double d1_;
  double d2_;
};

}  // namespace

Law fisher_f(double d1, double d2) {
  require(positive(d1), "fisher_f", "a finite d1 > 0", d1);
  require(positive(d2), "fisher_f", "a finite d2 > 0", d2);
  return Law(std::make_shared<FisherF>(d1, d2));
}

}  // namespace rootdk::laws
