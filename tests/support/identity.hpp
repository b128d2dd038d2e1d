#pragma once

#include <span>
#include <string_view>

namespace rootdk::testing {

/// What a file of tests tests.
struct TestOf {
  std::string_view file;  ///< its name without folder and extension
  std::string_view step;  ///< a slug of the table
  std::string_view hash;  ///< of all that the step's evidence depends on
};

/// The tests of steps, as the program was compiled (step_hashes.cmake), so that evidence says what ran.
extern const std::span<const TestOf> tests_of_steps;

/// The slug of the step that the running test case tests, or "library".
std::string_view step_slug();

}  // namespace rootdk::testing
