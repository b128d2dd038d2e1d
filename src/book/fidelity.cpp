#include "book/fidelity.hpp"

#include <fmt/format.h>

#include <regex>
#include <set>
#include <sstream>

namespace rootdk::book {
namespace {

namespace fs = std::filesystem;
using Set = std::set<std::string>;

Set to_set(const Slugs& slugs) { return {slugs.begin(), slugs.end()}; }

Set used_steps(const Step& step) {
  Set result;
  for (const Use& use : step.uses) result.emplace(use.step);
  return result;
}

Set discharged(const Step& step) {
  Set result;
  for (const Use& use : step.uses)
    for (std::string_view h : use.discharges) result.emplace(h);
  return result;
}

std::vector<std::string> matches_in_order(const std::string& text, const std::string& pattern) {
  std::vector<std::string> result;
  const std::regex regex(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) result.push_back((*it)[1]);
  return result;
}

Set all_matches(const std::string& text, const std::string& pattern) {
  const std::vector<std::string> found = matches_in_order(text, pattern);
  return {found.begin(), found.end()};
}

// The text of a section, from its heading's anchor to the next heading of the same level.
std::string section(const std::string& page, const std::string& anchor) {
  const std::size_t start = page.find("{#" + anchor + "}");
  if (start == std::string::npos) return {};
  const std::size_t end = page.find("\n## ", start);
  return page.substr(start, end == std::string::npos ? end : end - start);
}

class Findings {
 public:
  explicit Findings(std::string_view slug) : slug_(slug) {}

  template <class... T>
  void add(fmt::format_string<T...> format, T&&... args) {
    list_.push_back(fmt::format("{}: {}", slug_, fmt::format(format, std::forward<T>(args)...)));
  }

  /// Both directions: what stands in `found` and not in `wanted`, and the other way about.
  void same(const Set& found, const Set& wanted, std::string_view where, std::string_view what) {
    for (const std::string& item : wanted)
      if (!found.contains(item)) add("{} does not name the {} {} of the table", where, what, item);
    within(found, wanted, where, what);
  }
  void within(const Set& found, const Set& wanted, std::string_view where, std::string_view what) {
    for (const std::string& item : found)
      if (!wanted.contains(item)) add("{} names the {} {}, which the table does not", where, what, item);
  }

  std::vector<std::string> take() { return std::move(list_); }

 private:
  std::string_view slug_;
  std::vector<std::string> list_;
};

// A line's reason is a hypothesis, an earlier step, earlier lines of this proof, or a short reason in
// words; an empty cell is no reason.
void check_proof_lines(const std::string& proof, Findings& findings) {
  std::istringstream lines(proof);
  const std::regex numbered(R"(^\|\s*(\d+)\s*\|.*)"), row(R"(^\|\s*(\d+)\s*\|(.*)\|(.*)\|\s*$)");
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, numbered)) continue;
    ++count;
    std::smatch cells;
    if (!std::regex_match(line, cells, row) || cells[3].str().find_first_not_of(" \t") == std::string::npos)
      findings.add("line {} of the proof has no reason", match[1].str());
  }
  if (count == 0) findings.add("the page has no proof line by line");
}

void check_formulas(const std::string& page, Findings& findings) {
  static const std::regex inline_math(R"(\\f\$)");
  const auto marks = std::distance(std::sregex_iterator(page.begin(), page.end(), inline_math), {});
  if (marks % 2 != 0) findings.add("the page has a formula that is opened and not closed");
  const auto count = [&](const std::string& needle) {
    std::size_t n = 0;
    for (std::size_t at = page.find(needle); at != std::string::npos; at = page.find(needle, at + 1)) ++n;
    return n;
  };
  if (count("\\f[") != count("\\f]")) findings.add("the page has a displayed formula that is opened and not closed");
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) continue;
    bool inside = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (line.compare(at, 3, "\\f$") == 0) inside = !inside;
      if (!inside || line[at] != '|') continue;
      findings.add("a formula in a table has a |, which ends its cell: '{}'", line);
      break;
    }
  }
}

void check_headings(const std::string& page, std::string_view slug, Findings& findings) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("#") && line.find(fmt::format("{{#{}", slug)) == std::string::npos)
      findings.add("heading without an anchor of this step: '{}'", line);
  for (const char* command : {"stepopen", "stepshow", "stepclose"})
    if (page.find(fmt::format("\\{}{{{}}}", command, slug)) == std::string::npos)
      findings.add("the page lacks \\{}{{{}}}", command, slug);
}

void check_page(const std::string& page, const Step& step, Findings& findings) {
  const std::string proof = section(page, fmt::format("{}_proof", step.slug));
  if (proof.empty()) findings.add("the page has no section {{#{}_proof}}", step.slug);
  check_headings(page, step.slug, findings);
  check_formulas(page, findings);
  check_proof_lines(proof, findings);

  // The proof names every hypothesis of the step, and beside them only what it establishes itself.
  Set wanted = to_set(step.assumptions());
  wanted.merge(to_set(step.domain));
  Set found = all_matches(proof, R"(\\hyp\{([^}]*)\})");
  for (const std::string& h : discharged(step))
    if (!found.contains(h))
      findings.add("the proof does not establish {}, which the table says it does", h);
    else if (!wanted.contains(h))
      found.erase(h);
  findings.same(found, wanted, "the proof on the page", "hypothesis");
  findings.same(all_matches(proof, R"(\\step\{([^}]*)\})"), used_steps(step), "the proof on the page", "step");
}

void check_snippet(const std::string& text, std::string_view marker, std::string_view where, Findings& findings) {
  const std::string tag = fmt::format("[{}]", marker);
  const std::size_t open = text.find(tag);
  const std::size_t close = open == std::string::npos ? open : text.find(tag, open + 1);
  if (close == std::string::npos) {
    findings.add("{} has no snippet {}", where, tag);
    return;
  }
  const std::size_t first = text.find('\n', open), last = text.rfind('\n', close);
  const std::string code = first < last ? text.substr(first, last - first) : "";
  if (std::regex_replace(code, std::regex("//.*"), "").find_first_not_of(" \t\n") == std::string::npos)
    findings.add("the snippet {} of {} has no code", tag, where);
}

Set included_steps(const std::string& code) {
  Set result;
  for (std::string_view part : part_names)
    result.merge(all_matches(code, fmt::format(R"re(#include "rootdk/{}/([a-z_0-9]+)\.hpp")re", part)));
  return result;
}

// The steps whose hash is in that of this one: itself, and what it uses, directly or by other steps.
Set covered_steps(const Step& step) {
  Set result{std::string(step.slug)};
  for (const Use& use : step.uses) result.merge(covered_steps(steps[step_index(use.step)]));
  return result;
}

// Those that a test includes, and what it includes of its part's folder.
Set steps_of_test(const fs::path& file) {
  const std::string code = read_file(file);
  Set result = included_steps(code);
  const std::string folder = file.parent_path().filename().string();
  for (const std::string& helper : all_matches(code, fmt::format(R"re(#include "{}/([a-z_0-9]+\.hpp)")re", folder)))
    result.merge(steps_of_test(file.parent_path() / helper));
  return result;
}

// `From rootdk.part Require Import a b.` and `Require Import rootdk.part.a.`; the shared theory is no step.
Set required_steps(const std::string& proof) {
  Set result;
  const std::regex require(R"(\bRequire\s([\s\S]*?)\.(?:\s|$))");
  for (std::sregex_iterator it(proof.begin(), proof.end(), require), end; it != end; ++it) {
    std::istringstream names((*it)[1].str());
    for (std::string name; names >> name;) {
      name.erase(0, name.rfind('.') + 1);
      for (const Step& step : steps)
        if (step.slug == name) result.insert(name);
    }
  }
  return result;
}

fs::path place(const Project& project, const Step& step, std::string_view root, std::string_view suffix) {
  return project.source / root / name(step.part) / fmt::format("{}{}", step.slug, suffix);
}

}  // namespace

std::vector<std::string> source_findings(const Project& project, const Step& step) {
  Findings findings(step.slug);
  const fs::path page = place(project, step, "proofs", ".md"), proof = place(project, step, "proofs", ".v"),
                 header = place(project, step, "src/rootdk", ".hpp"), test = place(project, step, "tests", "_test.cpp");
  const bool has_header = fs::exists(header), has_test = fs::exists(test), has_page = fs::exists(page);
  if (!has_header && !has_test && !has_page) return {};
  for (const fs::path& file : {page, header, test})
    if (!fs::exists(file)) findings.add("has no {}", file.lexically_relative(project.source).string());

  if (has_page) check_page(read_file(page), step, findings);
  if (has_header) {
    const std::string code = read_file(header);
    check_snippet(code, step.slug, "the header", findings);
    findings.within(included_steps(code), used_steps(step), "the header", "step");
  }
  if (has_test) {
    check_snippet(read_file(test), step.slug, "the test", findings);
    findings.within(steps_of_test(test), covered_steps(step), "the test", "step");
  }
  if (fs::exists(proof))
    findings.within(required_steps(read_file(proof)), used_steps(step), "the machine proof", "step");
  return findings.take();
}

std::vector<std::string> evidence_findings(const StepEvidence& e) {
  if (e.tests.empty() && !e.has_page) return {};
  Findings findings(e.step->slug);
  for (const TestCase& test : e.tests)
    for (const Json& check : test.checks)
      if (!check.at("passed")) findings.add("check failed: {} ({})", check.at("name").get<std::string>(), test.name);
  for (const std::string& missing : e.missing) {
    if (missing == "machine: not run") continue;   // the status says it; nothing contradicts it
    if (missing.starts_with("proof: ")) continue;  // source_findings says how
    if (missing.starts_with("uses ")) continue;    // said at that step
    findings.add("{}", missing);
  }
  return findings.take();
}

std::vector<std::string> budget_findings(const std::vector<StepEvidence>& evidence,
                                         const std::vector<TestCase>& library) {
  double spent = 0, budget = 1;
  const auto add = [&](const TestCase& test) {
    if (!test.header.is_null()) budget = test.header.at("family_false_alarm");
    for (const Json& check : test.checks)
      if (check.value("kind", "") == name(Kind::statistical)) spent += check.at("false_alarm").get<double>();
  };
  for (const StepEvidence& e : evidence)
    for (const TestCase& test : e.tests) add(test);
  for (const TestCase& test : library) add(test);
  if (spent <= budget) return {};
  return {
      fmt::format("the statistical checks may raise a false alarm with probability {:.3g}, more than the budget {:.3g}",
                  spent, budget)};
}

std::vector<std::string> argument_findings(const Project& project) {
  const fs::path page = project.source / "docs/argument.md";
  std::vector<std::string> expected;
  for (const Step& step : steps)
    if (step.part <= Part::attention) expected.push_back(fmt::format("{} \"{}\"", step.slug, expected.size() + 1));
  const std::vector<std::string> found = matches_in_order(read_file(page), R"re(\\ref (\w+ "\d+"))re");
  const auto [e, f] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  if (e == expected.end() && f == found.end()) return {};
  return {fmt::format("docs/argument.md: expected {} as its step number {}, found {}",
                      e == expected.end() ? "nothing" : *e, e - expected.begin() + 1,
                      f == found.end() ? "nothing" : *f)};
}

}  // namespace rootdk::book
