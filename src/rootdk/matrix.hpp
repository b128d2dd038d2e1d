#pragma once

/// \file
/// A small dense matrix over any scalar: for the reference versions, where being plain matters more than speed.

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rootdk {

/// A matrix by rows. A dimension may be 0.
///
/// @tparam S any scalar: exact, 50 digits, `double`, `float`, autodiff
template <class S>
class Matrix {
 public:
  /// The matrix with 0 rows and 0 columns.
  Matrix() = default;

  /// A matrix of zeros.
  Matrix(std::size_t rows, std::size_t columns) : Matrix(filled(rows, columns, S(0))) {}

  /// A matrix with the same number everywhere.
  static Matrix filled(std::size_t rows, std::size_t columns, const S& value) {
    return Matrix(rows, columns, std::vector<S>(rows * columns, value));
  }

  /// @param values the entries by rows
  /// @throws std::invalid_argument if there are not rows * columns of them
  Matrix(std::size_t rows, std::size_t columns, std::vector<S> values)
      : rows_(rows), columns_(columns), values_(std::move(values)) {
    if (values_.size() != rows * columns)
      throw std::invalid_argument("Matrix: expected " + std::to_string(rows) + " x " + std::to_string(columns) +
                                  " entries, given " + std::to_string(values_.size()));
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  /// "2 x 3", for messages.
  std::string shape() const { return std::to_string(rows_) + " x " + std::to_string(columns_); }

  /// Row i, column j; both must be in range.
  S& operator()(std::size_t i, std::size_t j) { return values_[i * columns_ + j]; }
  const S& operator()(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }

  /// Row i, as long as the matrix lives.
  std::span<const S> row(std::size_t i) const { return std::span<const S>(values_).subspan(i * columns_, columns_); }

  /// All entries by rows.
  const std::vector<S>& values() const { return values_; }

  Matrix transposed() const {
    Matrix result(columns_, rows_);
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) result(j, i) = (*this)(i, j);
    return result;
  }

  /// The matrix of f of each entry.
  template <class F>
  auto map(F f) const {
    using T = decltype(f(std::declval<const S&>()));
    std::vector<T> images;
    images.reserve(values_.size());
    for (const S& value : values_) images.push_back(f(value));
    return Matrix<T>(rows_, columns_, std::move(images));
  }

  /// The same matrix over another scalar; each entry is converted once.
  template <class T>
  Matrix<T> convert() const {
    return map([](const S& value) { return static_cast<T>(value); });
  }

  bool operator==(const Matrix&) const = default;

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<S> values_;
};

/// \f$ AB \f$, each entry a sum of products from left to right.
///
/// @return rows of A x columns of B. In floating point, with k columns of A, the error of each entry is at most
/// \f$ ku\,(\lvert A\rvert\,\lvert B\rvert)_{ij} \f$ to first order, barring underflow
/// @throws std::invalid_argument unless A has as many columns as B has rows
template <class S>
Matrix<S> product(const Matrix<S>& a, const Matrix<S>& b) {
  if (a.columns() != b.rows())
    throw std::invalid_argument("product: expected as many columns on the left as rows on the right, given " +
                                a.shape() + " and " + b.shape());
  Matrix<S> result(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < b.columns(); ++j)
      for (std::size_t k = 0; k < a.columns(); ++k) result(i, j) += a(i, k) * b(k, j);
  return result;
}

/// \f$ A + B \f$, entry by entry.
/// @throws std::invalid_argument unless the shapes are equal
template <class S>
Matrix<S> sum(const Matrix<S>& a, const Matrix<S>& b) {
  if (a.rows() != b.rows() || a.columns() != b.columns())
    throw std::invalid_argument("sum: expected equal shapes, given " + a.shape() + " and " + b.shape());
  Matrix<S> result = a;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) result(i, j) += b(i, j);
  return result;
}

}  // namespace rootdk
