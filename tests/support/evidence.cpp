#include "support/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "support/catch.hpp"
#include "support/identity.hpp"
#include "support/statistical_policy.hpp"

namespace rootdk::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// No step's, unless the program says so.
constexpr TestOf of_no_step{"", "library", ""};

struct Running {
  std::string test, file;
  TestOf of = of_no_step;
  std::vector<Evidence> checks;
  Clock::time_point start, last;
};
Running running;

fs::path folder() {
  const char* given = std::getenv("ROOTDK_EVIDENCE");
  return fs::path(given ? given : ROOTDK_EVIDENCE_DIR) / step_slug();
}

fs::path target() { return folder() / (evidence_file_name(running.test) + ".jsonl"); }

const Step* this_step() {
  for (const Step& step : steps)
    if (step.slug == step_slug()) return &step;
  return nullptr;
}

std::string list(const Slugs& slugs) { return slugs.empty() ? "nothing" : fmt::format("{}", fmt::join(slugs, ", ")); }

bool same_set(const Slugs& a, const Slugs& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](std::string_view s) { return b.contains(s); });
}

// What is wrong with the check's hypotheses, or nothing.
std::string disagreement_with_table(const Evidence& e) {
  const Step* step = this_step();
  if (!step) return {};
  if (e.kind == Kind::falsifier) {
    if (e.drops && (step->assumptions().contains(*e.drops) || step->domain.contains(*e.drops))) return {};
    return fmt::format("{}: falsifier '{}' drops {}, which is not a hypothesis of the step", step->slug, e.name,
                       e.drops ? *e.drops : "nothing");
  }
  for (const Theorem& t : step->theorems)
    if (same_set(t.assumptions, e.assumes)) return {};
  return fmt::format("{}: check '{}' assumes {}, but no theorem of the step assumes exactly that (the step assumes {})",
                     step->slug, e.name, list(e.assumes), list(step->assumptions()));
}

// The path below the root of the project: what stands before the folder tests/ differs by machine.
std::string project_path(std::string_view file) {
  const std::size_t at = file.rfind("/tests/");
  return std::string(at == std::string_view::npos ? file : file.substr(at + 1));
}

Json to_json(const Evidence& e, bool case_passed) {
  Json classes = Json::object();
  for (const auto& [name, count] : e.classes) classes[name] = count;
  Json assumes = Json::array();
  for (std::string_view slug : e.assumes) assumes.push_back(slug);
  Json details = Json::array();
  for (const Detail& d : e.details)
    details.push_back({{"label", d.label},
                       {"claimed", d.claimed},
                       {"median", d.median},
                       {"half_width", d.half_width},
                       {"detectable", d.detectable},
                       {"batches", d.batches},
                       {"outside", d.outside}});
  return {{"kind", name(e.kind)},
          {"name", e.name},
          {"file", project_path(e.where.file_name())},
          {"line", e.where.line()},
          {"cases", e.cases},
          {"classes", classes},
          {"laws", e.laws},
          {"assumes", assumes},
          {"drops", e.drops ? Json(*e.drops) : Json()},
          {"take", e.take},
          {"then", e.then},
          {"error", e.error},
          {"bound", e.bound},
          {"false_alarm", e.false_alarm},
          {"detectable", e.detectable},
          {"details", details},
          {"seed", e.seed},
          {"seconds", e.seconds},
          // a check is only as good as the case it stands in: one failed assertion there fails it
          {"passed", e.passed && case_passed}};
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

}  // namespace

std::string evidence_file_name(std::string_view test) {
  std::string result;
  for (const char c : test) result += (std::isalnum(static_cast<unsigned char>(c)) || c == '-') ? c : '_';
  return result;
}

std::uint64_t run_seed() {
  const char* given = std::getenv("ROOTDK_SEED");
  if (!given) return 1;
  const char* const last = given + std::strlen(given);
  std::uint64_t seed = 0;
  if (const auto [end, error] = std::from_chars(given, last, seed); error != std::errc() || end != last)
    throw std::invalid_argument(fmt::format("ROOTDK_SEED: expected an unsigned integer below 2^64, given '{}'", given));
  return seed;
}

std::string_view step_slug() { return running.of.step; }

std::uint64_t seed_of(std::string_view name) {
  std::uint64_t hash = fnv1a(step_slug(), 14695981039346656037ull);
  hash = fnv1a(running.test, hash ^ 0xff);
  hash = fnv1a(name, hash ^ 0xff);
  return hash ^ (run_seed() * 0x9e3779b97f4a7c15ull);
}

void record(Evidence evidence) {
  if (const std::string wrong = disagreement_with_table(evidence); !wrong.empty()) {
    evidence.passed = false;
    FAIL_CHECK(wrong);
  }
  evidence.seconds = seconds_since(running.last);
  running.last = Clock::now();
  running.checks.push_back(std::move(evidence));
}

void open_evidence(const std::string& test, const std::string& file) {
  const std::string name = fs::path(file).stem().string();
  const auto found =
      std::find_if(tests_of_steps.begin(), tests_of_steps.end(), [&](const TestOf& of) { return of.file == name; });
  running = {test, file, found == tests_of_steps.end() ? of_no_step : *found, {}, Clock::now(), Clock::now()};
  fs::remove(target());  // throws if it stays: old evidence must not outlive the run of its test
}

void close_evidence(bool passed, std::uint64_t assertions) {
  Json header{{"step", step_slug()},      {"hash", running.of.hash},
              {"test", running.test},     {"file", project_path(running.file)},
              {"seed", run_seed()},       {"family_false_alarm", family_false_alarm},
              {"assertions", assertions}, {"seconds", seconds_since(running.start)},
              {"passed", passed}};
  std::string text = header.dump() + '\n';
  for (const Evidence& e : running.checks) text += to_json(e, passed).dump() + '\n';

  const fs::path path = target();
  const fs::path temporary = path.string() + ".tmp";
  fs::create_directories(path.parent_path());
  std::ofstream out(temporary, std::ios::binary);
  out << text << std::flush;
  out.close();
  if (!out) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw std::runtime_error(fmt::format("evidence of '{}' could not be written to {}", running.test, path.string()));
  }
  fs::rename(temporary, path);
}

}  // namespace rootdk::testing
