#include "rootdk/laws/lattice_law.hpp"

#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace rootdk::laws {

namespace {

/// x times L as a machine integer.
/// @throws std::domain_error if it is not an integer or does not fit
long long lattice_index(const Rational& x, unsigned denominator) {
  const Rational scaled = x * denominator;
  const Integer index = boost::multiprecision::numerator(scaled);
  // Room for the sum of 2^31 such terms.
  const long long most = std::numeric_limits<long long>::max() >> 31;
  if (boost::multiprecision::denominator(scaled) != 1 || abs(index) > most) {
    std::ostringstream message;
    message << "LatticeLaw: expected a multiple of 1/" << denominator << " of size at most " << most << "/"
            << denominator << ", given atom " << x;
    throw std::domain_error(message.str());
  }
  return static_cast<long long>(index);
}

}  // namespace

LatticeLaw::LatticeLaw(const FiniteLaw<Rational>& law, unsigned denominator) : denominator_(denominator) {
  if (denominator == 0) {
    throw std::domain_error("LatticeLaw: expected a denominator of at least 1, given 0");
  }
  first_ = lattice_index(law.atoms().front(), denominator);
  const long long last = lattice_index(law.atoms().back(), denominator);
  for (const Rational& w : law.weights()) {
    total_ = lcm(total_, Integer(boost::multiprecision::denominator(w)));
  }
  weights_.resize(static_cast<std::size_t>(last - first_) + 1);
  for (std::size_t i = 0; i < law.size(); ++i) {
    const long long at = lattice_index(law.atoms()[i], denominator) - first_;
    weights_[static_cast<std::size_t>(at)] = boost::multiprecision::numerator(Rational(law.weights()[i] * total_));
  }
}

Rational LatticeLaw::moment(unsigned k) const {
  Integer sum = 0;
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    sum += weights_[j] * detail::power(Integer(first_ + static_cast<long long>(j)), k);
  }
  return Rational(sum, total_ * detail::power(Integer(denominator_), k));
}

Rational LatticeLaw::variance() const {
  // Over the common denominator W L: X - EX is (W (a + j) - M) / (W L), M the sum of w_j (a + j).
  Integer first_moment = 0;
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    first_moment += weights_[j] * (first_ + static_cast<long long>(j));
  }
  Integer sum = 0;
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    const Integer deviation = total_ * (first_ + static_cast<long long>(j)) - first_moment;
    sum += weights_[j] * deviation * deviation;
  }
  const Integer scale = total_ * denominator_;
  return Rational(sum, total_ * scale * scale);
}

FiniteLaw<Rational> LatticeLaw::finite_law() const {
  std::vector<Rational> atoms, weights;
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    if (weights_[j] == 0) continue;
    atoms.push_back(Rational(first_ + static_cast<long long>(j), denominator_));
    weights.push_back(Rational(weights_[j], total_));
  }
  return FiniteLaw<Rational>(std::move(atoms), std::move(weights));
}

LatticeLaw convolve(const LatticeLaw& x, const LatticeLaw& y) {
  if (x.denominator_ != y.denominator_) {
    throw std::invalid_argument("convolve: expected laws on one lattice, given denominators " +
                                std::to_string(x.denominator_) + " and " + std::to_string(y.denominator_));
  }
  LatticeLaw sum;
  sum.denominator_ = x.denominator_;
  sum.first_ = x.first_ + y.first_;
  sum.total_ = x.total_ * y.total_;
  sum.weights_.resize(x.weights_.size() + y.weights_.size() - 1);
  Integer term;
  for (std::size_t j = 0; j < y.weights_.size(); ++j) {
    if (y.weights_[j] == 0) continue;
    for (std::size_t i = 0; i < x.weights_.size(); ++i) {
      if (x.weights_[i] == 0) continue;
      term = x.weights_[i];
      term *= y.weights_[j];
      sum.weights_[i + j] += term;
    }
  }
  return sum;
}

LatticeLaw sum_of_independent(std::span<const LatticeLaw> terms) {
  if (terms.empty()) {
    throw std::invalid_argument("sum_of_independent: expected at least one term, given none");
  }
  LatticeLaw sum = terms.front();
  for (const LatticeLaw& term : terms.subspan(1)) sum = convolve(sum, term);
  return sum;
}

}  // namespace rootdk::laws
