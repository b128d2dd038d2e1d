#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace rootdk::laws {

/// Integers of any size, and the rational numbers over them: arithmetic without rounding.
///
/// Boost's own `cpp_int` and `cpp_rational` return expression templates, which refer to their
/// operands: `auto x = a * b` or a lambda that returns `(u - m) * (u - m)` may then dangle.
/// Switching them off lets the same generic code run in `double` and here. Source:
/// Boost.Multiprecision 1.81, `et_off`.
///
/// Divide a Rational by a Rational or by a built-in integer: in Boost 1.81 `Rational(1) / Integer(4)` is 1.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
/// \copydoc Integer
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

}  // namespace rootdk::laws
