#include "rootdk/attention/gradient_survival.hpp"

namespace rootdk::attention {

// Sampled by the million in tests and figures, which are compiled with less optimisation than the library.
template GradientStatistics<double> gradient_statistics<double>(std::span<const double>);

}  // namespace rootdk::attention
