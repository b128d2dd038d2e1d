#pragma once

/// \file
/// Whether the four places of a step say the same: the table, the page, the code and, through the
/// evidence, the tests and the machine proof.

#include "book/evidence.hpp"

namespace rootdk::book {

/// What disagrees about the sources of one step, each finding naming step and difference. Reads the
/// page, the header, the test and the machine proof; a step without any of them has no findings.
std::vector<std::string> source_findings(const Project& project, const Step& step);

/// What is missing or wrong in the evidence of one step that has begun (it has a page, a header or a
/// test): owed kinds without a check, hypotheses without a falsifier, failures, tests that did not run.
std::vector<std::string> evidence_findings(const StepEvidence& evidence);

/// The false-alarm probability that all statistical checks spent, those of the library included, if more
/// than the run's budget.
std::vector<std::string> budget_findings(const std::vector<StepEvidence>& evidence,
                                         const std::vector<TestCase>& library);

/// Where docs/argument.md does not refer to each step of parts 1 to 3 once, by its number and in order.
std::vector<std::string> argument_findings(const Project& project);

}  // namespace rootdk::book
