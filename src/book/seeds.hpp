#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace rootdk::book {

/// What the statistical checks did over many seeds, from one evidence folder a seed.
///
/// The batches of a check lie outside m ± 2σ_b with probability at most 1/4 if σ_b is a bound, and with
/// normal components in some percent of the cases unless σ_b is inflated. Each law is judged by itself, at each
/// dimension and in each check. Prints a summary.
/// \param tests the statistical test cases there are, as "step: test"
/// \param count the number of seeds asked for
/// \return the findings: alarms, a share outside above 1/4, a share below 1% for normal components, a test or a check
/// that is missing at a seed, too few seeds, no check with normal components
std::vector<std::string> seeds_findings(const std::filesystem::path& folder, const std::vector<std::string>& tests,
                                        std::size_t count, std::ostream& out);

}  // namespace rootdk::book
