#pragma once

/// \file
/// What the tests and the audit of the machine proofs left behind, read back: the evidence of each
/// step, and the status that follows from it.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "book/project.hpp"
#include "rootdk/derivation.hpp"

namespace rootdk::book {

using Json = nlohmann::ordered_json;

/// One test case that ctest lists, with what it left.
struct TestCase {
  std::string name;
  enum class State { passed, failed, stale, missing } state;
  Json header;               ///< of a case that ran on the present sources, else null
  std::vector<Json> checks;  ///< likewise
};

/// Status is computed, never written.
enum class Status { verified, partial, failed, not_run };
std::string_view name(Status status);

/// One step with all that is known of it.
struct StepEvidence {
  const Step* step;
  std::string hash;
  std::vector<TestCase> tests;
  Json machine;  ///< the audit of its machine proof, or null
  bool has_page = false;
  Status status = Status::not_run;
  std::vector<std::string> missing;  ///< why it is not verified, in words

  /// The checks of one kind.
  std::vector<Json> checks(Kind kind) const;
  /// The falsifiers that drop a hypothesis.
  std::vector<Json> falsifiers(std::string_view hypothesis) const;
};

/// Reads `build/hashes/hashes.json`, `build/tests.json` (ctest's own list) and `build/evidence/`, and
/// computes the status of every step, in the order of the table.
std::vector<StepEvidence> gather(const Project& project);

/// The test cases of the library itself, which belong to no step; those without evidence have no checks.
std::vector<TestCase> library_tests(const Project& project);

/// The statistical test cases that ctest lists, as "step: test".
std::vector<std::string> statistical_tests(const Project& project);

/// The steps of which a listed test left no evidence on the present sources.
std::vector<std::string> stale_steps(const std::vector<StepEvidence>& evidence);

}  // namespace rootdk::book
