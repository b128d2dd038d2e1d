#pragma once

/// \file
/// The one place that fixes how often the tests may raise a false alarm.
///
/// A whole run may fail by chance with probability at most `family_false_alarm`, for any law and with
/// no normal approximation. By the union bound each of at most `planned_checks` checks gets an equal
/// share. The test of the evidence adds up what was really spent and refuses more than the family's.

#include "rootdk/montecarlo/median_of_batches.hpp"

namespace rootdk::testing {

inline constexpr double family_false_alarm = 1e-9;
inline constexpr int planned_checks = 4096;

/// The false-alarm probability that one check may have.
constexpr double share() { return family_false_alarm / planned_checks; }

}  // namespace rootdk::testing
