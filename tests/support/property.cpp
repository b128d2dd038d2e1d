#include "support/property.hpp"

#include <fmt/format.h>

#include <sstream>

namespace rootdk::testing::detail {
namespace {

struct SilentListener : rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

}  // namespace

RapidCheckRun run_rapidcheck(const std::function<void()>& draw_and_check, std::uint64_t seed, int cases) {
  rc::detail::TestParams params;
  params.seed = seed;
  params.maxSuccess = cases;
  SilentListener listener;
  rc::detail::TestMetadata metadata;
  const rc::detail::TestResult result =
      rc::detail::checkProperty(rc::detail::toProperty(draw_and_check), metadata, params, listener);

  RapidCheckRun run{false, 0, {}, {}};
  std::ostringstream report;
  rc::detail::printResultMessage(result, report);
  run.report = report.str();
  if (result.template is<rc::detail::SuccessResult>()) {
    const auto& success = result.template get<rc::detail::SuccessResult>();
    run.passed = success.numSuccess >= cases && cases > 0;
    run.cases = success.numSuccess;
    for (const auto& [tags, count] : success.distribution) {
      std::string name = fmt::format("{}", fmt::join(tags, ", "));
      std::erase(name, '"');  // RapidCheck shows strings as literals
      run.classes[name] += count;
    }
  }
  return run;
}

}  // namespace rootdk::testing::detail
