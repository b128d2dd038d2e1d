#include "support/softmax_reference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rootdk::testing {

SoftmaxReference::SoftmaxReference(std::span<const double> z, double temperature) {
  const Precise largest = *std::max_element(z.begin(), z.end());
  largest_ = largest / temperature;
  for (double logit : z) {
    const Precise scaled = Precise(logit) / temperature;
    if (!(abs(scaled) < 1e9)) throw std::invalid_argument("SoftmaxReference: expected |z/T| < 1e9");
    x_.push_back((Precise(logit) - largest) / temperature);
    exponentials_.push_back(exp(scaled));
    total_ += exponentials_.back();
    if (x_.back() == 0) top_ = x_.size() - 1;
  }
  for (const Precise& e : exponentials_) weights_.push_back(e / total_);
}

Precise SoftmaxReference::rest(std::size_t i) const {
  Precise sum = 0;
  for (std::size_t j = 0; j < size(); ++j)
    if (j != i) sum += weights_[j];
  return sum;
}

Precise SoftmaxReference::log_weight(std::size_t i) const {
  const Precise missing = rest(i);
  // log(1 - m): the logarithm itself where m is large enough to be seen beside 1, its series
  // elsewhere
  if (missing > Precise("1e-20")) return log(weights_[i]);
  return -missing - missing * missing / 2 - missing * missing * missing / 3;
}

Precise SoftmaxReference::log_sum_exp() const { return log(total_); }

Precise SoftmaxReference::jacobian(std::size_t i, std::size_t j) const {
  return i == j ? Precise(weights_[i] * rest(i)) : Precise(-weights_[i] * weights_[j]);
}

Precise SoftmaxReference::gap() const {
  Precise least = -1;
  for (std::size_t i = 0; i < size(); ++i)
    if (i != top_ && (least < 0 || -x_[i] < least)) least = -x_[i];
  return least;
}

std::vector<Precise> reference_weights(std::span<const Precise> z) {
  std::vector<Precise> result;
  Precise total = 0;
  for (const Precise& logit : z) {
    result.push_back(exp(logit));
    total += result.back();
  }
  for (Precise& weight : result) weight /= total;
  return result;
}

}  // namespace rootdk::testing
