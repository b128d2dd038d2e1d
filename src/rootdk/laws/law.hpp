#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rootdk/montecarlo/moments.hpp"
#include "rootdk/montecarlo/stream.hpp"

namespace rootdk::laws {

/// A computed number and a bound on its error, as the method that computed it estimates it.
struct Estimate {
  double value;
  double error;
};

/// A computed complex number and a bound on the modulus of its error.
struct ComplexEstimate {
  std::complex<double> value;
  double error;
};

/// A named parameter of a law.
struct Parameter {
  std::string name;
  double value;
};

/// The smallest closed interval of probability 1; an end may be infinite.
struct Support {
  double lower;
  double upper;
};

/// A value and its probability.
struct Atom {
  double value;
  double mass;
};

/// Nodes and weights with \f$\sum_i w_i f(x_i) \approx E f(X)\f$.
struct QuadratureRule {
  std::vector<double> nodes;
  std::vector<double> weights;
};

/// The two step lengths at which the quadrature rule of a law is kept; their difference estimates
/// the error of the coarse one, and so bounds that of the fine one from above.
enum class Resolution { coarse, fine };

/// Relative error allowed to one value of a density or mass: \f$2^{-46}\f$, 64 units of the last
/// place.
///
/// Boost.Math's accuracy tables give at most tens of units for the gamma and beta functions that
/// its densities are made of. It enters every error estimate here as this share of \f$E|f|\f$.
inline constexpr double rounding_of_density = 64 * std::numeric_limits<double>::epsilon();

class Family;

/// A probability law on the real line, with its distribution behind one type.
///
/// A Law is a member of a family with its parameters, or such a law moved and scaled. It is a
/// value: copying it is cheap and all its functions may be called from several threads at once.
/// What parameters(), atoms() and rule() return lives as long as any copy of the law, so they are
/// not to be asked of a temporary.
/// The laws themselves are made by the functions of catalogue.hpp.
class Law {
 public:
  /// Used by the factories of catalogue.hpp.
  explicit Law(std::shared_ptr<const Family> family);

  /// Family and parameters, such as "student_t(nu=5)"; a standardised law keeps the name of the
  /// law it comes from.
  const std::string& name() const;
  std::span<const Parameter> parameters() const&;
  void parameters() const&& = delete;

  /// True if the law is a sum of atoms, false if it has a density.
  bool is_discrete() const;

  /// True if this came from standardised(): mean 0 and variance 1.
  bool is_standardised() const;

  Support support() const;

  /// True if \f$E|X|^k < \infty\f$.
  bool has_moment(int k) const;

  /// \f$E(X^k)\f$, from a closed form or a recursion of the family in 50 digits.
  ///
  /// Its error is at most 2^-52 times the larger of \f$|E(X^k)|\f$ and \f$(E X^2)^{k/2}\f$: relative for even k.
  /// A standardised law has exactly 0 and 1 for k = 1 and 2.
  /// @param k order, at least 0.
  /// @throws std::domain_error naming the law if k < 0; if the moment does not exist, with parameter and hypothesis;
  ///   if 50 digits do not hold it because the mean of the law is too far from 0 in deviations; or if it is beyond
  ///   the range of double, including below the smallest normal one, or a number on the way to it is beyond that of
  ///   50-digit numbers, about 10^(6e8).
  double moment(int k) const;

  /// \f$E(X - EX)^k\f$, as moment() with \f$(\operatorname{Var} X)^{k/2}\f$ in place of \f$(E X^2)^{k/2}\f$.
  /// @throws std::domain_error as moment().
  double central_moment(int k) const;

  /// \f$E|X|^k\f$: moment(k) for even k, otherwise
  /// \f$\int_0^\infty k x^{k-1}\,(P(X > x) + P(X < -x))\,dx\f$ from the distribution function.
  /// @throws std::domain_error as moment(), and as expectation() for odd k.
  Estimate absolute_moment(int k) const;

  /// @throws std::domain_error as moment().
  double mean() const { return moment(1); }
  /// @throws std::domain_error as moment().
  double variance() const { return central_moment(2); }

  /// The moments up to an order, for the recursions of montecarlo/moments.hpp.
  /// @throws as moment(order).
  montecarlo::RawMoments<double> moments(int order) const;

  /// The density at x with respect to Lebesgue measure.
  /// @throws std::domain_error if the law is discrete or x is NaN.
  double pdf(double x) const;

  /// \f$P(X = x)\f$; 0 for a law with a density.
  ///
  /// x within rounding of an atom counts as the atom, here and in cdf().
  /// @throws std::domain_error if x is NaN.
  double mass(double x) const;

  /// \f$P(X \le x)\f$. @throws std::domain_error if x is NaN.
  double cdf(double x) const;

  /// \f$P(X > x)\f$, accurate where it is small. @throws std::domain_error if x is NaN.
  double survival(double x) const;

  /// The smallest x with \f$P(X \le x) \ge p\f$.
  /// @param p in (0, 1). @throws std::domain_error otherwise.
  double quantile(double p) const;

  /// The atoms of a discrete law in increasing order, without those of mass below 1e-60 in the
  /// tails. @throws std::domain_error if the law has a density.
  std::span<const Atom> atoms() const&;
  void atoms() const&& = delete;

  /// \f$E f(X)\f$ by summation over the atoms or by quadrature of the density, independent of
  /// moment().
  ///
  /// The density is integrated by Boost's double-exponential rules on pieces between the ends of
  /// the support, the median, the kinks of the density and the given breaks. The error is the sum
  /// of their estimates and of the rounding of \f$E|f(X)|\f$.
  /// @param f finite wherever the density is not zero; smooth between the breaks.
  /// @param breaks points inside the support where f has a kink or jump.
  /// @throws std::domain_error naming the law if the quadrature of its density does not give 1, if the quartiles have
  ///   no distance in double that could serve as unit of length, or if Boost's rules fail.
  Estimate expectation(const std::function<double(double)>& f, std::span<const double> breaks = {}) const;

  /// The law as a finite sum; computed at the first call and kept.
  ///
  /// For a law with a density: the trapezoidal rule after a double-exponential change of variable
  /// on the pieces of expectation(), density included in the weights. For a discrete one: its
  /// atoms.
  /// @throws std::domain_error as expectation(), or if a density times its weight is not finite.
  const QuadratureRule& rule(Resolution resolution) const&;
  void rule(Resolution resolution) const&& = delete;

  /// \f$E e^{itX}\f$ by a closed form of the family, by summation, or by quadrature.
  /// @param t finite. @throws std::domain_error otherwise, and for quadrature as expectation().
  ComplexEstimate characteristic_function(double t) const;

  /// Fills a span with independent draws, all finite; one virtual call for the whole span.
  /// @throws std::domain_error if a draw is beyond the range of double; the span then holds it.
  void sample(montecarlo::Stream& stream, std::span<double> out) const;

  /// One draw: the same as a span of length 1. @throws std::domain_error as that.
  double sample(montecarlo::Stream& stream) const;

  /// The law of \f$a + bX\f$.
  /// @param shift a, finite. @param scale b, finite and not 0.
  /// @throws std::domain_error otherwise, or if with respect to the family the shift, the scale or a finite end of the
  ///   support leaves the range of double (a scale also downwards, below the smallest normal number).
  Law affine(double shift, double scale) const;

  /// The law of \f$(X - EX)/\sqrt{\operatorname{Var} X}\f$.
  /// @throws std::domain_error as central_moment(2) (but a variance beyond the range of double will do); if the
  ///   deviation of the family or its inverse is no normal double; or if its mean is more than 2^33 deviations from 0:
  ///   draws, which are differences from it, would keep fewer than 20 bits.
  Law standardised() const;

 private:
  struct State;
  explicit Law(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

/// \f$E g(X, Y)\f$ for independent X and Y, over the product of their quadrature rules.
///
/// A genuine double sum: g need not be a product. The error is the difference of the two
/// resolutions plus the rounding of \f$E|g|\f$. A pair of nodes so far out that the product of its
/// weights underflows is left out: g may overflow there, and adds nothing.
/// @param g finite at every other pair of nodes.
/// @throws std::domain_error as Law::rule() of either.
template <class G>
Estimate expectation(const Law& x, const Law& y, const G& g) {
  double value[2];
  double absolute = 0;
  for (const Resolution r : {Resolution::coarse, Resolution::fine}) {
    const QuadratureRule& rx = x.rule(r);
    const QuadratureRule& ry = y.rule(r);
    double total = 0;
    absolute = 0;
    for (std::size_t i = 0; i < rx.nodes.size(); ++i) {
      double inner = 0;
      double inner_absolute = 0;
      for (std::size_t j = 0; j < ry.nodes.size(); ++j) {
        if (rx.weights[i] * ry.weights[j] == 0) continue;
        const double term = ry.weights[j] * g(rx.nodes[i], ry.nodes[j]);
        inner += term;
        inner_absolute += std::abs(term);
      }
      total += rx.weights[i] * inner;
      absolute += rx.weights[i] * inner_absolute;
    }
    value[r == Resolution::fine] = total;
  }
  return {value[1], std::abs(value[1] - value[0]) + 2 * rounding_of_density * absolute};
}

}  // namespace rootdk::laws
