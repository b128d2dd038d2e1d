#include "book/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "book/fidelity.hpp"

namespace rootdk::book {
namespace {

namespace fs = std::filesystem;

struct TestFile {
  Json header;
  std::vector<Json> checks;
};

// JSON has neither infinity nor NaN, so what a failed check could not measure comes as null.
void restore_numbers(Json& check) {
  for (auto& [field, value] : check.items())
    if (value.is_null() && field != "drops") value = std::numeric_limits<double>::quiet_NaN();
  if (!check.contains("details")) return;
  for (Json& detail : check["details"])
    for (auto& value : detail)
      if (value.is_null()) value = std::numeric_limits<double>::quiet_NaN();
}

// All evidence of a step by the name of the test case. A file that does not parse is no evidence.
std::map<std::string, TestFile> read_folder(const fs::path& folder) {
  std::map<std::string, TestFile> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::istringstream lines(read_file(entry.path()));
    TestFile file;
    bool whole = true;
    for (std::string line; std::getline(lines, line);) {
      Json json = Json::parse(line, nullptr, false);
      whole = json.is_object();
      if (!whole) break;
      if (file.header.is_null()) {
        file.header = std::move(json);
      } else {
        restore_numbers(json);
        file.checks.push_back(std::move(json));
      }
    }
    if (whole && file.header.is_object() && file.header.contains("test"))
      files[file.header["test"].get<std::string>()] = std::move(file);
  }
  return files;
}

// The test cases that ctest lists, by label. Their names there start with the program's.
std::map<std::string, std::vector<std::string>> listed_tests(const fs::path& list) {
  std::map<std::string, std::vector<std::string>> tests;
  if (!fs::exists(list)) return tests;
  const Json json = Json::parse(read_file(list));
  for (const Json& test : json.at("tests")) {
    const std::string full = test.at("name");
    for (const Json& property : test.value("properties", Json::array()))
      if (property.at("name") == "LABELS")
        for (const Json& label : property.at("value"))
          tests[label.get<std::string>()].push_back(full.substr(full.find(':') + 1));
  }
  return tests;
}

TestCase judge(const std::string& test, const std::map<std::string, TestFile>& files, const std::string& hash) {
  const auto found = files.find(test);
  if (found == files.end()) return {test, TestCase::State::missing, {}, {}};
  const TestFile& file = found->second;
  if (hash.empty() || file.header.value("hash", "") != hash) return {test, TestCase::State::stale, {}, {}};
  return {test, file.header.value("passed", false) ? TestCase::State::passed : TestCase::State::failed, file.header,
          file.checks};
}

bool any_test(const StepEvidence& e, TestCase::State state) {
  return std::any_of(e.tests.begin(), e.tests.end(), [&](const TestCase& t) { return t.state == state; });
}

void check_kinds(StepEvidence& e, bool& failed) {
  for (const TestCase& t : e.tests)
    for (const Json& check : t.checks)
      if (!check.value("passed", false)) failed = true;
  for (const TestCase& t : e.tests)
    if (t.state == TestCase::State::failed) e.missing.push_back("test failed: " + t.name);
  for (Kind kind : e.step->owes) {
    if (kind == Kind::machine) {
      if (e.machine.is_null()) {
        e.missing.push_back("machine: not run");
      } else if (!e.machine.value("passed", false)) {
        failed = true;
        e.missing.push_back("machine: failed");
      }
    } else if (e.checks(kind).empty()) {
      e.missing.push_back(fmt::format("{}: no evidence", name(kind)));
    }
  }
  const auto need_falsifier = [&](std::string_view hypothesis) {
    if (e.falsifiers(hypothesis).empty()) e.missing.push_back(fmt::format("no falsifier for {}", hypothesis));
  };
  for (std::string_view h : e.step->assumptions()) need_falsifier(h);
  for (std::string_view h : e.step->domain) need_falsifier(h);
}

}  // namespace

std::string_view name(Status status) {
  switch (status) {
    case Status::verified:
      return "verified";
    case Status::partial:
      return "partial";
    case Status::failed:
      return "failed";
    case Status::not_run:
      break;
  }
  return "not run";
}

std::vector<Json> StepEvidence::checks(Kind kind) const {
  std::vector<Json> result;
  for (const TestCase& t : tests)
    for (const Json& check : t.checks)
      if (check.value("kind", "") == rootdk::name(kind)) result.push_back(check);
  return result;
}

std::vector<Json> StepEvidence::falsifiers(std::string_view hypothesis) const {
  std::vector<Json> result = checks(Kind::falsifier);
  std::erase_if(result, [&](const Json& f) { return f.at("drops") != hypothesis; });
  return result;
}

std::vector<StepEvidence> gather(const Project& project) {
  const fs::path hash_file = project.build / "hashes/hashes.json";
  const Json hashes = fs::exists(hash_file) ? Json::parse(read_file(hash_file)) : Json::object();
  const auto listed = listed_tests(project.build / "tests.json");

  std::vector<StepEvidence> all;
  for (const Step& step : steps) {
    const std::string slug(step.slug);
    StepEvidence e{.step = &step, .hash = hashes.value(slug, ""), .tests = {}, .machine = {}, .missing = {}};
    const auto files = read_folder(project.build / "evidence" / slug);
    if (const auto found = listed.find(slug); found != listed.end())
      for (const std::string& test : found->second) e.tests.push_back(judge(test, files, e.hash));
    const fs::path audit = project.build / "evidence" / slug / "machine.json";
    if (fs::exists(audit)) {
      Json machine = Json::parse(read_file(audit), nullptr, false);
      if (machine.is_object() && !e.hash.empty() && machine.value("hash", "") == e.hash) e.machine = machine;
    }
    e.has_page = fs::exists(project.source / "proofs" / rootdk::name(step.part) / (slug + ".md"));

    bool failed = any_test(e, TestCase::State::failed);
    if (!e.has_page)
      e.missing.push_back("proof: no page");
    else if (!source_findings(project, step).empty())
      e.missing.push_back("proof: table, page and code disagree");
    check_kinds(e, failed);
    for (const TestCase& t : e.tests)
      if (t.state == TestCase::State::missing || t.state == TestCase::State::stale)
        e.missing.push_back(fmt::format("test not run{}: {}",
                                        t.state == TestCase::State::stale ? " on the present sources" : "", t.name));
    for (const Use& use : step.uses)
      if (all[step_index(use.step)].status != Status::verified)
        e.missing.push_back(fmt::format("uses {}, which is {}", use.step, name(all[step_index(use.step)].status)));

    const bool ran =
        any_test(e, TestCase::State::passed) || any_test(e, TestCase::State::failed) || !e.machine.is_null();
    e.status = failed              ? Status::failed
               : !ran              ? Status::not_run
               : e.missing.empty() ? Status::verified
                                   : Status::partial;
    all.push_back(std::move(e));
  }
  return all;
}

std::vector<TestCase> library_tests(const Project& project) {
  const auto files = read_folder(project.build / "evidence/library");
  std::vector<TestCase> tests;
  auto listed = listed_tests(project.build / "tests.json");
  for (const std::string& test : listed["library"]) {
    const auto found = files.find(test);
    tests.push_back(judge(test, files, found == files.end() ? "" : found->second.header.value("hash", "")));
  }
  return tests;
}

std::vector<std::string> statistical_tests(const Project& project) {
  std::vector<std::string> result;
  for (const auto& [step, tests] : listed_tests(project.build / "tests.json"))
    for (const std::string& test : tests)
      if (test.starts_with("statistical:")) result.push_back(step + ": " + test);
  return result;
}

std::vector<std::string> stale_steps(const std::vector<StepEvidence>& evidence) {
  std::vector<std::string> result;
  for (const StepEvidence& e : evidence)
    if (any_test(e, TestCase::State::missing) || any_test(e, TestCase::State::stale) ||
        any_test(e, TestCase::State::failed))
      result.emplace_back(e.step->slug);
  return result;
}

}  // namespace rootdk::book
