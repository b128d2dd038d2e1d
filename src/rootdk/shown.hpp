#pragma once

#include <concepts>
#include <limits>
#include <sstream>
#include <string>

namespace rootdk {

/// A number as an error message gives it: floating-point numbers with all their digits.
template <class S>
std::string shown(const S& x) {
  if constexpr (requires(std::ostream & out) { out << x; }) {
    std::ostringstream out;
    if constexpr (std::floating_point<S>) out.precision(std::numeric_limits<S>::max_digits10);
    out << x;
    return out.str();
  } else {
    return "a number that cannot be printed";
  }
}

}  // namespace rootdk
