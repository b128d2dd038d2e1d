#pragma once

#include "book/evidence.hpp"

namespace rootdk::book {

/// The machine-readable certificate: what was checked, by what, with what result. Its fields are
/// documented on the page \ref certificate.
Json certificate(const Project& project, const std::vector<StepEvidence>& evidence, const std::string& commit);

}  // namespace rootdk::book
