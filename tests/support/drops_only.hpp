#pragma once

#include "support/catch.hpp"
#include "support/hypotheses_hold.hpp"

namespace rootdk::testing {

/// A counterexample must drop one hypothesis and keep the others: checked on its enumerated law.
template <HypothesisRef Dropped, HypothesisRef... Kept, class S>
void drops_only(const laws::JointLaw<S>& law) {
  INFO("without " << Dropped->slug << ", on " << law);
  CHECK_FALSE(satisfies<Dropped>(law));
  const auto keeps = [](std::string_view hypothesis, bool kept) {
    INFO(hypothesis << " is to be kept");
    CHECK(kept);
  };
  (keeps(Kept->slug, satisfies<Kept>(law)), ...);
}

}  // namespace rootdk::testing
