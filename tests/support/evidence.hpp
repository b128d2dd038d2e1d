#pragma once

/// \file
/// What a test leaves behind: one file a test case, `evidence/<step>/<test>.jsonl`. Its first line is
/// the test case itself, each further line one check. The file is removed when the case starts,
/// written whole when it ends, and renamed into place, so that a crash, an interrupt or a full disk
/// leaves no evidence rather than stale or half evidence.

#include <boost/assert/source_location.hpp>  // std::source_location is missing from clang 14
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rootdk/derivation.hpp"

namespace rootdk::testing {

/// One point of a statistical check: what was claimed, what was seen, what would have been seen.
struct Detail {
  std::string label;
  double claimed, median, half_width;
  double detectable;  ///< deviation seen with probability 0.999, relative to `scale`
  std::size_t batches, outside;
  bool operator==(const Detail&) const = default;
};

/// One check as it stands in the evidence.
struct Evidence {
  Kind kind;
  std::string name;
  Slugs assumes{};                          ///< exactly the assumptions of a theorem of the step
  std::optional<std::string_view> drops{};  ///< of a falsifier: the hypothesis that does not hold
  std::int64_t cases = 0;
  std::map<std::string, int> classes{};  ///< how many of the generated cases were of which class
  std::vector<std::string> laws{};
  double error = 0;            ///< largest measured error, in the units of `bound`
  double bound = 0;            ///< the bound at that place
  std::string take{}, then{};  ///< of a falsifier: the counterexample, and what it gives
  double false_alarm = 0;
  double detectable = 0;
  std::vector<Detail> details{};
  std::uint64_t seed = 0;
  double seconds = 0;
  bool passed = false;
  boost::source_location where{};
};

/// Adds a check to the running test case. The case fails if the check's hypotheses are not those of
/// the step in the table: what it assumes must be the assumptions of one theorem, what it drops must
/// be a hypothesis of the step.
void record(Evidence evidence);

/// The seed of a check: the run's seed (ROOTDK_SEED, by default 1) mixed with step, test and name.
std::uint64_t seed_of(std::string_view name);

/// The run's seed as given.
std::uint64_t run_seed();

void open_evidence(const std::string& test, const std::string& file);
void close_evidence(bool passed, std::uint64_t assertions);

/// The file name of a test case's evidence: its name with all but letters, digits and `-` as `_`.
std::string evidence_file_name(std::string_view test);

}  // namespace rootdk::testing
