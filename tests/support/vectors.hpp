#pragma once

/// \file
/// Small vector arithmetic, in any scalar, for the tests of the softmax steps.

#include <cstddef>
#include <random>
#include <vector>

namespace rootdk::testing {

/// Each entry converted.
template <class To, class From>
std::vector<To> as(const std::vector<From>& from) {
  std::vector<To> to;
  for (const From& x : from) to.push_back(static_cast<To>(x));
  return to;
}

template <class S>
S dot(const std::vector<S>& a, const std::vector<S>& b) {
  S result(0);
  for (std::size_t i = 0; i < a.size(); ++i) result += a[i] * b[i];
  return result;
}

/// The product of a square matrix, by rows, with a vector.
template <class S>
std::vector<S> times(const std::vector<S>& matrix, const std::vector<S>& v) {
  std::vector<S> result(v.size(), S(0));
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) result[i] += matrix[i * v.size() + j] * v[j];
  return result;
}

/// Independent normal entries with the given standard deviation: as logits, nearly uniform weights
/// at scale 0.01 and nearly one-hot ones at scale 1000.
inline std::vector<double> normal_vector(double scale, std::size_t n, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> z(n);
  for (double& entry : z) entry = scale * normal(random);
  return z;
}

/// The number of additions that a pairwise sum of n terms puts on each of them.
constexpr int ceil_log2(std::size_t n) { return n < 2 ? 0 : 1 + ceil_log2((n + 1) / 2); }

}  // namespace rootdk::testing
