#pragma once

/// \file
/// Softmax in 50 digits, straight from its definition: \f$ e^{z_i/T} \f$ over the sum, no shift, no
/// step of this project. The range of the exponent makes that safe for logits up to a thousand
/// million.

#include <cstddef>
#include <span>
#include <vector>

#include "rootdk/laws/precise.hpp"

namespace rootdk::testing {

using laws::Precise;

/// Relative error that is granted to an exponential in 50 digits (168 bits) for arguments up to
/// \f$ 4 \cdot 10^6 \f$: 22 bits for the reduction of the argument and 6 more.
inline const Precise precise_exp_error = ldexp(Precise(1), -140);

class SoftmaxReference {
 public:
  /// @param z finite logits, taken as exact
  explicit SoftmaxReference(std::span<const double> z, double temperature = 1);

  std::size_t size() const { return exponentials_.size(); }
  std::size_t top() const { return top_; }  ///< the place of a largest logit
  /// \f$ x_i = (z_i - \max z)/T \f$
  const Precise& x(std::size_t i) const { return x_[i]; }
  /// \f$ s_i \f$
  const Precise& weight(std::size_t i) const { return weights_[i]; }
  /// \f$ 1 - s_i = \sum_{j \ne i} s_j \f$
  Precise rest(std::size_t i) const;
  /// \f$ \log s_i \f$
  Precise log_weight(std::size_t i) const;
  /// \f$ \log \sum_j e^{z_j/T} \f$
  Precise log_sum_exp() const;
  /// \f$ s_i(\delta_{ij} - s_j) \f$
  Precise jacobian(std::size_t i, std::size_t j) const;
  /// The gap between the largest \f$ x_i \f$ and the runner-up; \f$ n \ge 2 \f$.
  Precise gap() const;

 private:
  std::vector<Precise> x_, exponentials_, weights_;
  std::size_t top_ = 0;
  Precise total_, largest_;
};

/// Softmax by its definition at any logits in 50 digits.
std::vector<Precise> reference_weights(std::span<const Precise> z);

}  // namespace rootdk::testing
