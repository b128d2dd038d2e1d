// Opens and closes the evidence of each test case. Catch2's library has the main function around it.

#include "support/catch.hpp"
#include "support/evidence.hpp"

namespace {

struct EvidenceListener : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    rootdk::testing::open_evidence(info.name, info.lineInfo.file);
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    rootdk::testing::close_evidence(stats.totals.assertions.allPassed(), stats.totals.assertions.total());
  }
};
CATCH_REGISTER_LISTENER(EvidenceListener)

}  // namespace
