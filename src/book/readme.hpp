#pragma once

#include "book/evidence.hpp"

namespace rootdk::book {

/// README.md with the table of steps and status between its two markers replaced by the computed one.
/// \throws std::runtime_error if a marker is missing
std::string readme_with_status(const std::string& readme, const std::vector<StepEvidence>& evidence);

}  // namespace rootdk::book
