#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "book/fragments.hpp"
#include "book/html.hpp"

namespace rootdk::book {
namespace {

namespace fs = std::filesystem;

// The lines between two lines that hold `[marker]`, without the markers.
std::string marked_lines(const std::string& text, const std::string& marker) {
  std::istringstream lines(text);
  std::string result;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("[" + marker + "]") != std::string::npos) {
      if (inside) return result;
      inside = true;
    } else if (inside) {
      result += line + '\n';
    }
  }
  return {};
}

// `Definition x ... .` or `Example x ... .`, up to the line that ends its first sentence; nothing if it is not there.
std::string sentence(const std::string& source, std::string_view keyword, std::string_view name) {
  const std::string start = fmt::format("\n{} {}", keyword, name);
  for (std::size_t at = source.find(start); at != std::string::npos; at = source.find(start, at + 1)) {
    const std::size_t after = at + start.size();
    if (after < source.size() && std::string_view(" (:{\n").find(source[after]) == std::string_view::npos)
      continue;  // a longer name
    const std::size_t end = std::min(source.find(".\n", after), source.size() - 1);
    return source.substr(at + 1, end - at);
  }
  return {};
}

std::string pre(const std::string& text) { return fmt::format("<pre class=\"fragment\">{}</pre>\n", escape(text)); }

// A hypothesis has one definition for finite laws and, where measures need their own, one in the general theory.
std::string definitions(const Project& project, const std::vector<std::string>& slugs) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(project.source / "proofs"))
    if (entry.path().extension() == ".v") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string html;
  for (const std::string& slug : slugs)
    for (const fs::path& file : files)
      if (const std::string text = sentence(read_file(file), "Definition", slug); !text.empty())
        html += fmt::format("<p>In <code>{}</code>:</p>\n{}", fs::relative(file, project.source).generic_string(),
                            pre(text));
  return html;
}

std::string axioms_text(const std::vector<std::string>& axioms) {
  if (axioms.empty()) return "<p>Axioms: none.</p>\n";
  return fmt::format("<p>Axioms: <code>{}</code>; <a href=\"machine.html#machine_trusted\">in plain words</a>.</p>\n",
                     escape(fmt::format("{}", fmt::join(axioms, ", "))));
}

// In part 1 a theorem is for finite laws or for any law; the type of its law says which.
std::string scope_text(const std::string& statement) {
  if (statement.find(": finite_law") != std::string::npos) return "<p>For laws with finitely many outcomes:</p>\n";
  if (statement.find(": probability") != std::string::npos) return "<p>For any law:</p>\n";
  return {};
}

std::string theorem_text(const Project& project, const std::string& source, const Json& theorem) {
  const std::string name = theorem.at("theorem");
  const std::string statement = marked_lines(source, "statement:" + name);
  std::string html =
      scope_text(statement) + pre(statement) + axioms_text(theorem.at("axioms").get<std::vector<std::string>>());
  const auto hypotheses = theorem.at("hypotheses").get<std::vector<std::string>>();
  if (!hypotheses.empty()) html += fold("What its hypotheses say", definitions(project, hypotheses));
  if (theorem.value("instance", Json()).is_string())
    html += fold("An instance: all hypotheses hold",
                 pre(sentence(source, "Example", theorem.at("instance").get<std::string>())));
  return html +
         fold(fmt::format("The proof of <code>{}</code>", escape(name)), pre(marked_lines(source, "proof:" + name)));
}

}  // namespace

std::string machine_fragment(const Project& project, const StepEvidence& e) {
  if (!e.step->owes.contains(Kind::machine)) return "<p>This step owes no machine proof.</p>\n";
  if (e.machine.is_null()) return "<p>The machine proof of this step has not been run.</p>\n";
  const std::string source = read_file(project.source / e.machine.at("file").get<std::string>());
  std::string html =
      "<p>In Coq, checked in this build. <a href=\"machine.html\">What that guarantees, and how to read it</a>.</p>\n";
  for (const Json& theorem : e.machine.at("theorems")) html += theorem_text(project, source, theorem);
  std::string counterexamples;
  for (const Json& name : e.machine.value("counterexamples", Json::array()))
    counterexamples += pre(sentence(source, "Example", name.get<std::string>()));
  if (!counterexamples.empty())
    html += fold("Counterexamples: one hypothesis dropped, the others hold, the conclusion fails", counterexamples);
  return html;
}

}  // namespace rootdk::book
