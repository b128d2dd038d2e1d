// The identity of a test that belongs to no step: it leaves evidence of having run, and no more.
#include "support/identity.hpp"

namespace rootdk::testing {
const char* const step_slug = "library";
const char* const step_hash = "";
const char* const shared_hash = "library";
}  // namespace rootdk::testing
