#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/random/cauchy_distribution.hpp>

#include "rootdk/laws/boost_family.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/draws.hpp"

namespace rootdk::laws {
namespace {

using BoostStudent = boost::math::students_t_distribution<double, Policy>;
using BoostCauchy = boost::math::cauchy_distribution<double, Policy>;

class StudentT final : public ContinuousFamily<BoostStudent> {
 public:
  explicit StudentT(double nu)
      : ContinuousFamily("student_t", {{"nu", nu}}, {-infinity, infinity}, BoostStudent(nu)), nu_(nu) {}

  MomentLimit moment_limit() const override { return {"nu", nu_, 1}; }

  // m_n = m_{n-2} nu (n-1)/(nu - n) for even n, 0 for odd n.
  std::vector<Precise> raw_moments(int order) const override {
    std::vector<Precise> m(static_cast<std::size_t>(order) + 1, Precise(0));
    m[0] = 1;
    for (std::size_t n = 2; n < m.size(); n += 2) {
      m[n] = m[n - 2] * nu_ * Precise(n - 1) / (Precise(nu_) - Precise(n));
    }
    return m;
  }

  // s^{nu/2} K_{nu/2}(s) / (2^{nu/2-1} Gamma(nu/2)) with s = sqrt(nu)|t|; where a factor leaves the
  // range of double, quadrature does it.
  std::optional<std::complex<double>> characteristic_function(double t) const override {
    if (t == 0) return 1.0;
    const double s = std::sqrt(nu_) * std::abs(t);
    const double h = nu_ / 2;
    if (h > 100 || s < 1e-3 || s > 600) return std::nullopt;
    const double value =
        std::pow(s, h) * boost::math::cyl_bessel_k(h, s, Policy()) / (std::exp2(h - 1) * boost::math::tgamma(h));
    if (!std::isnormal(value)) return std::nullopt;
    return value;
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override { fill_t(nu_, 0, stream, out); }

 private:
  double nu_;
};

class Cauchy final : public ContinuousFamily<BoostCauchy> {
 public:
  Cauchy() : ContinuousFamily("cauchy", {}, {-infinity, infinity}, BoostCauchy(0, 1)) {}

  // Cauchy is Student t with nu = 1.
  MomentLimit moment_limit() const override { return {"nu", 1, 1}; }

  std::vector<Precise> raw_moments(int) const override { return {1}; }

  std::optional<std::complex<double>> characteristic_function(double t) const override {
    return std::exp(-std::abs(t));
  }

  void fill(montecarlo::Stream& stream, std::span<double> out) const override {
    boost::random::cauchy_distribution<double> draw(0, 1);
    for (double& x : out) x = draw(stream);
  }
};

}  // namespace

Law student_t(double nu) {
  require(positive(nu), "student_t", "a finite nu > 0", nu);
  return Law(std::make_shared<StudentT>(nu));
}

Law cauchy() { return Law(std::make_shared<Cauchy>()); }

}  // namespace rootdk::laws
