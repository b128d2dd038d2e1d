#pragma once

/// \file
/// The exact law of a dot product of up to 64 components, and the moments of its quotients.

#include <vector>

#include "rootdk/laws/lattice_law.hpp"
#include "support/generators.hpp"

namespace rootdk::testing {

/// The laws of \f$ \sum_{i \le n} U_iV_i \f$ for \f$ n = 1, \dots, d \f$, by convolution.
/// @param components mutually independent, on \f$ \tfrac12\mathbb Z \f$
/// @return d laws on \f$ \tfrac14\mathbb Z \f$; the last is that of \f$ q \cdot k \f$
std::vector<laws::LatticeLaw> dot_product_laws(const ComponentLaws& components);

/// Mean and variance of a variable.
struct MeanAndVariance {
  Rational mean, variance;
};

/// Those of \f$ X/c \f$, each a sum over its atoms \f$ x/c \f$: no rule for multiples is used.
/// @param c not 0
MeanAndVariance quotient_moments(const laws::LatticeLaw& x, const Rational& c);

}  // namespace rootdk::testing
