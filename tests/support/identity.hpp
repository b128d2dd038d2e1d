#pragma once

namespace rootdk::testing {

/// The step that this test program tests, and the hash of all that its evidence depends on. Each
/// program links one generated definition (step_hashes.cmake), so that evidence says what ran.
extern const char* const step_slug;
extern const char* const step_hash;

/// The hash of what all tests share: laws, montecarlo and the support of the tests.
extern const char* const shared_hash;

}  // namespace rootdk::testing
