#pragma once

#include <cstddef>
#include <span>

namespace rootdk {

/// \f$ \sum_i x_i \f$, each half summed before the two are added.
///
/// @tparam S the scalar
/// @param terms any number of terms
/// @return the sum, 0 of no terms. Each term takes part in at most \f$ \lceil \log_2 n \rceil \f$
/// additions, so in floating point the error is at most \f$ \lceil \log_2 n \rceil u \sum_i \lvert
/// x_i\rvert \f$ to first order; with exact arithmetic there is none. \source N. J. Higham,
/// Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2
template <class S>
S pairwise_sum(std::span<const S> terms) {
  switch (terms.size()) {  // to four written out, since a call costs as much as an addition
    case 0: return S(0);
    case 1: return terms[0];
    case 2: return terms[0] + terms[1];
    case 3: return terms[0] + (terms[1] + terms[2]);
    case 4: return (terms[0] + terms[1]) + (terms[2] + terms[3]);
  }
  const std::size_t half = terms.size() / 2;
  return pairwise_sum(terms.first(half)) + pairwise_sum(terms.subspan(half));
}

}  // namespace rootdk
