#pragma once

/// \file
/// One sample of logits for each law and dimension, shared by the steps on the dot product's mean,
/// variance and scale.

#include <cstddef>
#include <string>
#include <vector>

#include "rootdk/laws/law.hpp"

namespace rootdk::testing {

/// Batch means of a logit \f$ X = \sum_{i=1}^d U_iV_i \f$ with independent components: the U_i of a
/// given law, the V_i uniform, or normal if the U_i are.
///
/// The variance of \f$ X^2 \f$ is \f$ 2d^2 + d(\kappa_u\kappa_v - 3) \f$: a partner of the same heavy
/// law would square the kurtosis, and with it the cost, and a uniform one, \f$ \kappa_v = 9/5 \f$, nearly
/// halves at \f$ d = 1 \f$ what a normal one costs.
///
/// The samples of a law are sums of the first products of one sequence: within one dimension the logits are
/// independent, and checks at different dimensions are not. Nothing asks that of them, for the probabilities of their
/// false alarms are added.
struct LogitSample {
  std::size_t dimension;
  std::size_t n;               ///< logits in a batch
  std::vector<double> mean;    ///< of X, a batch each
  std::vector<double> square;  ///< of X^2, a batch each
  double sigma_mean() const;   ///< standard deviation of one entry of `mean` if Var X = d
  double sigma_square = 0;     ///< of one entry of `square`, from the moments of the law
  double target = 0;           ///< the deviation, relative to d and to its root, that is to be seen
  bool has_square = false;     ///< false if U has no fourth moment
};

/// The samples of a law, one for each dimension, drawn at the first call of a run and read from the build folder
/// after.
/// \param law standardised
std::vector<LogitSample> logit_samples(const laws::Law& law);

/// Law and dimension, as the evidence names them.
std::string label(const laws::Law& law, std::size_t dimension);

}  // namespace rootdk::testing
