#include "book/certificate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace rootdk::book {
namespace {

Json array(const Slugs& slugs) {
  Json result = Json::array();
  for (std::string_view slug : slugs) result.push_back(slug);
  return result;
}

Json hypotheses_of(const StepEvidence& e) {
  Json result = Json::array();
  const auto add = [&](std::string_view h, std::string_view role) {
    Json names = Json::array();
    for (const Json& f : e.falsifiers(h)) names.push_back(f.at("name"));
    result.push_back({{"slug", h}, {"role", role}, {"falsifiers", names}});
  };
  for (std::string_view h : e.step->assumptions()) add(h, "assumption");
  for (std::string_view h : e.step->domain) add(h, "domain");
  return result;
}

// The field's stable part is its first theorem; all are listed beside it.
Json machine_of(const StepEvidence& e) {
  if (e.machine.is_null()) return nullptr;
  const Json& theorems = e.machine.at("theorems");
  Json result = theorems.empty() ? Json::object() : theorems.at(0);
  result["file"] = e.machine.at("file");
  result["theorems"] = theorems;
  return result;
}

Json step_entry(const StepEvidence& e) {
  const Step& step = *e.step;
  Json uses = Json::array(), owes = Json::array(), checks = Json::array();
  for (const Use& use : step.uses) uses.push_back(use.step);
  for (Kind kind : step.owes) owes.push_back(name(kind));
  for (const TestCase& test : e.tests)
    for (const Json& check : test.checks) checks.push_back(check);
  return {{"number", step_index(step.slug) + 1},
          {"slug", step.slug},
          {"part", name(step.part)},
          {"title", step.title},
          {"status", name(e.status)},
          {"missing", e.missing},
          {"hash", e.hash},
          {"uses", uses},
          {"owes", owes},
          {"domain", array(step.domain)},
          {"hypotheses", hypotheses_of(e)},
          {"machine", machine_of(e)},
          {"evidence", checks}};
}

}  // namespace

Json certificate(const Project& project, const std::vector<StepEvidence>& evidence, const std::string& commit) {
  const Json build = Json::parse(read_file(project.build / "toolchain.json"));
  double spent = 0;
  std::int64_t statistical_checks = 0;
  Json seed, budget;  // as the tests wrote them
  Json entries = Json::array();
  for (const StepEvidence& e : evidence) {
    entries.push_back(step_entry(e));
    for (const TestCase& test : e.tests) {
      if (test.header.is_null()) continue;
      seed = test.header.at("seed");
      budget = test.header.at("family_false_alarm");
    }
    for (const Json& check : e.checks(Kind::statistical)) {
      spent += check.at("false_alarm").get<double>();
      statistical_checks += check.at("cases").get<std::int64_t>();
    }
  }
  return {{"project", "rootdk"},
          {"version", build.at("version")},
          {"commit", commit},
          {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
          {"toolchain", build.at("toolchain")},
          {"seed", seed},
          {"policy",
           {{"family_false_alarm", budget}, {"statistical_checks", statistical_checks}, {"spent_false_alarm", spent}}},
          {"steps", entries}};
}

}  // namespace rootdk::book
