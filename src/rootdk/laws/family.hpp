#pragma once

#include <complex>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rootdk/laws/law.hpp"
#include "rootdk/laws/precise.hpp"
#include "rootdk/laws/quadrature.hpp"

/// What the .cpp of a family implements. Only files of laws/ include this.
namespace rootdk::laws {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The condition under which moments exist: \f$E|X|^k < \infty\f$ iff k times per_order is below
/// the value of the parameter.
struct MomentLimit {
  std::string parameter;
  double value = infinity;
  double per_order = 1;
};

/// A member of a family of laws, at its own location and scale.
class Family {
 public:
  Family(const std::string& family, std::vector<Parameter> parameters, Support support, bool discrete);
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const Support& support() const { return support_; }
  bool is_discrete() const { return discrete_; }

  virtual MomentLimit moment_limit() const { return {}; }

  /// \f$m_0, \dots, m_{order}\f$, all of which exist.
  virtual std::vector<Precise> raw_moments(int order) const = 0;

  /// Density, or mass of the atom nearest to the point.
  virtual double density(const Point& y) const = 0;
  virtual double cdf(double y) const = 0;
  virtual double survival(double y) const = 0;
  virtual double quantile(double p) const = 0;

  /// The x with survival(x) = q, accurate for small q; of a law with a density.
  virtual double upper_quantile(double q) const { return quantile(1 - q); }

  /// Interior points where the density is not smooth.
  virtual std::vector<double> kinks() const { return {}; }

  /// Increasing; for a discrete law.
  virtual std::vector<Atom> atoms() const;

  /// \f$E e^{itY}\f$ where there is a closed form.
  virtual std::optional<std::complex<double>> characteristic_function(double t) const;

  virtual void fill(montecarlo::Stream& stream, std::span<double> out) const = 0;

 private:
  std::string name_;
  std::vector<Parameter> parameters_;
  Support support_;
  bool discrete_;
};

/// Refuses a parameter of a factory: "gamma: expected shape > 0, given -1".
/// @throws std::domain_error unless ok and every value of a parameter is finite.
void require(bool ok, const char* family, const char* expected, double given);

/// Refuses parameters that do not fit together: "uniform: expected lower < upper, given lower = 2 and upper = 1".
/// @throws std::domain_error unless ok.
void require(bool ok, const char* family, const char* expected, std::initializer_list<Parameter> given);

/// A number in the fewest digits that give it back.
std::string shortest(double x);

inline bool positive(double x) { return x > 0 && x < std::numeric_limits<double>::infinity(); }
inline bool finite(double x) { return x - x == 0; }

}  // namespace rootdk::laws
