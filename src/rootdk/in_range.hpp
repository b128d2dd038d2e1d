#pragma once

#include <cmath>
#include <concepts>
#include <stdexcept>
#include <string>

#include "rootdk/shown.hpp"

namespace rootdk {

/// Whether a number is neither infinite nor NaN, in every arithmetic: its difference with itself is 0.
template <class S>
constexpr bool is_finite(const S& x) {
  return x - x == S(0);
}

/// A result of finite numbers, if it is in the range of the scalar.
/// @param function,what for the message: who computed what
/// @throws std::domain_error if it overflowed
template <class S>
constexpr S in_range(const S& result, const char* function, const char* what) {
  if constexpr (std::floating_point<S>) {
    if (!std::isfinite(result))
      throw std::domain_error(std::string(function) + ": expected " + what + " in the range of the scalar, but it is " +
                              shown(result));
  }
  return result;
}

}  // namespace rootdk
