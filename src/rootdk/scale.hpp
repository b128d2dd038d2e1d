#pragma once

/// \file
/// What a logit is divided by.

#include <cmath>
#include <concepts>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "rootdk/shown.hpp"

namespace rootdk {

/// What a logit \f$ q \cdot k \f$ is divided by: a power of the dimension, or a number.
///
/// One type for the steps that compare scales and for attention, which applies one.
class Scale {
 public:
  /// \f$ \sqrt d \f$, the subject of this book.
  static constexpr Scale inverse_sqrt() { return power(1, 2); }
  /// 1: the logit as it is.
  static constexpr Scale none() { return power(0, 1); }
  /// \f$ d \f$.
  static constexpr Scale inverse() { return power(1, 1); }

  /// \f$ d^{p/q} \f$.
  /// @param p numerator, at least -64 and at most 64
  /// @param q denominator, from 1 to 64
  /// @throws std::domain_error if one is out of range
  static constexpr Scale power(int p, int q) {
    if (q < 1 || q > 64 || p < -64 || p > 64)
      throw std::domain_error("Scale::power: expected |p| <= 64 and 1 <= q <= 64, given p = " + std::to_string(p) +
                              " and q = " + std::to_string(q));
    return Scale(Power{p, q});
  }

  /// \f$ d^a \f$ for any finite \f$ a \f$; in floating point only.
  /// @throws std::domain_error if a is infinite or NaN
  static Scale power(double a) {
    if (!std::isfinite(a))
      throw std::domain_error("Scale::power: expected a finite exponent, given " + std::to_string(a));
    return Scale(RealPower{a});
  }

  /// A number, whatever the dimension.
  /// @param c finite and not 0
  /// @throws std::domain_error otherwise
  static Scale divisor(double c) {
    if (!std::isfinite(c) || c == 0)
      throw std::domain_error("Scale::divisor: expected a finite number other than 0, given " + std::to_string(c));
    return Scale(Number{c});
  }

  /// What logits of head dimension d are divided by.
  ///
  /// In exact arithmetic it must be rational: \f$ \sqrt d \f$ only for square d, \f$ d^{p/q} \f$ only where
  /// it is a whole number or the inverse of one.
  /// @tparam S the scalar; no machine integer, in which most scales have no value
  /// @param d head dimension, at least 1
  /// @return the divisor; in floating point \f$ \sqrt d \f$ is correctly rounded where S holds d, and other powers
  /// are as good as `pow`
  /// @throws std::domain_error if d is 0 (positive_dimension), if the value is not rational and S is, or if it is
  /// beyond the range of S
  template <class S>
  S divisor_for(std::size_t d) const {
    static_assert(!std::integral<S>, "a scale is a number of the arithmetic of the logits, not a machine integer");
    if (d == 0) throw std::domain_error("Scale: positive_dimension: expected d >= 1, given 0");
    const S divisor = value_for<S>(d);
    if (divisor == S(0) || !(divisor - divisor == S(0)))
      throw std::domain_error("Scale: expected a divisor in the range of the scalar, but that for d = " +
                              std::to_string(d) + " is " + shown(divisor));
    return divisor;
  }

 private:
  template <class S>
  S value_for(std::size_t d) const {
    if (const Power* power = std::get_if<Power>(&value_)) return integer_power<S>(*power, d);
    if (const RealPower* power = std::get_if<RealPower>(&value_)) {
      if constexpr (std::is_constructible_v<double, S> && requires(S s) { pow(s, s); }) {
        using std::pow;
        return pow(static_cast<S>(d), static_cast<S>(power->exponent));
      } else {
        throw std::domain_error("Scale: expected an exponent given as a fraction in exact arithmetic");
      }
    }
    return static_cast<S>(std::get<Number>(value_).c);
  }

  struct Power {
    int p, q;
  };
  struct RealPower {
    double exponent;
  };
  struct Number {
    double c;
  };
  template <class V>
  constexpr explicit Scale(V value) : value_(value) {}

  template <class S>
  static S whole_power(S base, int exponent) {
    S result = 1;
    for (; exponent > 0; exponent /= 2) {
      if (exponent % 2) result *= base;
      if (exponent > 1) base *= base;
    }
    return result;
  }

  // d^(|p|/q), in exact arithmetic by the root of d: with p/q in lowest terms it is rational only if d^(1/q) is.
  template <class S>
  static S integer_power(const Power& power, std::size_t d) {
    const int common = std::gcd(power.p, power.q);
    const int p = (power.p < 0 ? -power.p : power.p) / common, q = power.q / common;
    S result;
    if constexpr (requires(S s) { sqrt(s); } || std::floating_point<S>) {
      using std::pow;
      using std::sqrt;
      const S base = static_cast<S>(d);
      if (q == 1)
        result = whole_power(base, p);
      else if (p == 1 && q == 2)
        result = sqrt(base);
      else
        result = pow(base, static_cast<S>(p) / static_cast<S>(q));
    } else {
      // a root of two or more is below 2^32, where a double is off by less than one
      const std::size_t near =
          q == 1 ? d : static_cast<std::size_t>(std::llround(std::pow(static_cast<double>(d), 1.0 / q)));
      const S root = S(near);
      if (whole_power(root, q) != S(d))
        throw std::domain_error("Scale: expected a rational value in exact arithmetic, given d = " + std::to_string(d) +
                                " to the power " + std::to_string(power.p) + "/" + std::to_string(power.q));
      result = whole_power(root, p);
    }
    return power.p < 0 ? S(S(1) / result) : result;
  }

  std::variant<Power, RealPower, Number> value_;
};

}  // namespace rootdk
