// The mean of a Boost law, chosen on the command line. For the Cauchy law, which has none, this must not compile: our
// own type-erased Law can only refuse when it is asked.

#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/normal.hpp>

double mean_of_law() { return mean(boost::math::LAW()); }
