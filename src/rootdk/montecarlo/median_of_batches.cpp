#include "rootdk/montecarlo/median_of_batches.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace rootdk::montecarlo {
namespace {

std::size_t half(std::size_t batches) { return (batches + 1) / 2; }

void require_probability(double p, const char* what) {
  if (!(p >= 0 && p <= 1)) {
    throw std::domain_error(std::string(what) + ": expected a probability in [0, 1], given " + std::to_string(p));
  }
}

}  // namespace

double binomial_upper_tail(std::size_t n, double p, std::size_t k) {
  require_probability(p, "binomial tail");
  if (k == 0) return 1;
  if (k > n) return 0;
  return boost::math::ibeta(static_cast<double>(k), static_cast<double>(n - k) + 1, p);
}

double median(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("median: expected at least one value, given 0");
  if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) {
    throw std::invalid_argument("median: a value is NaN");
  }
  std::vector<double> v(values.begin(), values.end());
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  if (v.size() % 2 == 1) return *middle;
  const double below = *std::max_element(v.begin(), middle);
  return std::midpoint(below, *middle);
}

MedianOfBatches::MedianOfBatches(std::size_t batches) : batches_(batches) {
  if (batches == 0) throw std::domain_error("median of batches: expected at least 1 batch, given 0");
}

MedianOfBatches MedianOfBatches::for_share(double share) {
  if (!(share > 0 && share < 0.5)) {
    throw std::domain_error("median of batches: expected a share in (0, 1/2), given " + std::to_string(share));
  }
  std::size_t batches = 1;
  while (MedianOfBatches(batches).false_alarm() > share) batches += 2;
  return MedianOfBatches(batches);
}

double MedianOfBatches::false_alarm() const { return binomial_upper_tail(batches_, 0.25, half(batches_)); }

double MedianOfBatches::half_width(double sigma_b) {
  if (!(sigma_b >= 0 && std::isfinite(sigma_b))) {
    throw std::domain_error("median of batches: expected a finite deviation >= 0, given " + std::to_string(sigma_b));
  }
  return 2 * sigma_b;
}

double MedianOfBatches::detectable_deviation(double sigma_b, double power) const {
  if (!(power > 0 && power < 1)) {
    throw std::domain_error("median of batches: expected a power in (0, 1), given " + std::to_string(power));
  }
  // The tail grows with p, and ibeta_inv solves tail(p) = 1 - power.
  const double k = static_cast<double>(half(batches_));
  const double n = static_cast<double>(batches_);
  const double p = boost::math::ibeta_inv(k, n - k + 1, 1 - power);
  return half_width(sigma_b) + sigma_b * std::sqrt((1 - p) / p);
}

}  // namespace rootdk::montecarlo
