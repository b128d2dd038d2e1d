#pragma once

/// \file
/// Rows of logits for the softmax steps, at chosen scales. At RapidCheck's own sizes nearly every
/// row saturates, and properties on such rows say next to nothing: here scale and shape are drawn
/// first, and RowClasses holds the tests to what they really ran on.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "support/hypotheses_hold.hpp"
#include "support/property.hpp"

namespace rootdk::testing {

/// What the entries of a row are multiples of.
inline constexpr std::array<double, 6> logit_scales{0.01, 0.1, 1, 10, 100, 1000};

/// A row of logits; prints with 17 digits.
struct Logits {
  std::vector<double> z;
  operator std::span<const double>() const { return z; }  // NOLINT: a row is what it holds
};
std::ostream& operator<<(std::ostream& out, const Logits& row);

/// Is the largest weight at least 0.999, do the logits differ by at most 0.1, or neither?
enum class RowClass { nearly_uniform, moderate, saturated };
RowClass row_class(std::span<const double> z);
std::string name(RowClass row);

/// Counts the classes of the rows that a check ran on, and fails the test case when it goes out of
/// scope with less than a tenth of its rows in one of them.
class RowClasses {
 public:
  RowClasses() = default;
  RowClasses(const RowClasses&) = delete;
  RowClasses& operator=(const RowClasses&) = delete;
  ~RowClasses();

  /// Counts the row; returns the name of its class.
  std::string count(std::span<const double> z);

  /// Counts the row of the running property, in the evidence too.
  void count_case(std::span<const double> z);

 private:
  std::map<RowClass, int> counts_;
};

namespace detail {

struct LogitDemands {
  bool finite = false;
  bool unique_maximum = false;
  int least = 1;
};

template <HypothesisRef... H>
consteval LogitDemands logit_demands() {
  LogitDemands result;
  [[maybe_unused]] const auto ask = [&result](HypothesisRef h) {
    if (same(h, "finite_logits")) {
      result.finite = true;
    } else if (same(h, "two_or_more_logits")) {
      result.least = 2;
    } else if (same(h, "unique_maximum")) {
      result.unique_maximum = true;
    } else {
      throw "this hypothesis says nothing of a row of logits";
    }
  };
  (ask(H), ...);
  return result;
}

rc::Gen<Logits> logits(LogitDemands demands, int most);

}  // namespace detail

/// Rows of 1 to `most` logits that satisfy the hypotheses, and as a rule no others.
///
/// The scale is one of logit_scales; the shape is independent entries, few values with many ties,
/// or one entry ahead of equal ones; a third of the rows have a large common shift. Without
/// `finite_logits` some entries are infinite, never all of them \f$ -\infty \f$.
template <HypothesisRef... H>
Generated<Logits, H...> logits(int most = 64) {
  constexpr detail::LogitDemands demands = detail::logit_demands<H...>();
  return {detail::logits(demands, most)};
}

/// The same rows without RapidCheck, for checks that measure: row number `index` of a run.
Logits sampled_logits(std::uint64_t seed, std::size_t index, int least = 1, int most = 64);

/// Does the row meet the hypothesis?
template <HypothesisRef H>
bool satisfies(const Logits& row) {
  static_assert(same(H, "finite_logits") || same(H, "two_or_more_logits") || same(H, "unique_maximum") ||
                same(H, "non_empty"));
  const double largest = row.z.empty() ? 0 : *std::max_element(row.z.begin(), row.z.end());
  if (same(H, "finite_logits"))
    return std::all_of(row.z.begin(), row.z.end(), [](double x) { return std::isfinite(x); });
  if (same(H, "unique_maximum"))
    return std::count(row.z.begin(), row.z.end(), largest) == 1 && largest > -std::numeric_limits<double>::infinity();
  return row.z.size() >= (same(H, "two_or_more_logits") ? 2 : 1);
}

}  // namespace rootdk::testing
