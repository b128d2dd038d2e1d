#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "book/fragments.hpp"
#include "book/html.hpp"

namespace rootdk::book {
namespace {

// A slug over several lines, broken after underscores: with narrow boxes the whole graph fits a page.
std::string broken(std::string_view slug) {
  constexpr std::size_t width = 12;
  std::string result;
  std::size_t line = 0;
  while (!slug.empty()) {
    const std::size_t length = std::min(slug.find('_'), slug.size() - 1) + 1;
    if (line > 0 && line + length > width) {
      result += "\\n";
      line = 0;
    }
    result += slug.substr(0, length);
    line += length;
    slug.remove_prefix(length);
  }
  return result;
}

std::string dot_source(const std::vector<StepEvidence>& evidence) {
  std::string dot =
      "digraph steps {\n  rankdir=LR; bgcolor=transparent; nodesep=0.12; ranksep=0.3;\n"
      "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=12, margin=\"0.08,0.05\"];\n"
      "  edge [arrowsize=0.6];\n";
  for (const StepEvidence& e : evidence)
    dot +=
        fmt::format("  {0} [label=\"{1} {2} {3}\\n{4}{5}\", URL=\"{0}.html\", tooltip=\"{6}\", class=\"{7}\"];\n",
                    e.step->slug, shape(e.status), step_index(e.step->slug) + 1, name(e.status), broken(e.step->slug),
                    e.machine.is_null()                                ? ""
                    : e.machine.value("axioms", Json::array()).empty() ? "\\nno axioms"
                                                                       : "\\nproved",
                    e.step->title, css_class(e.status));
  for (const StepEvidence& e : evidence)
    for (const Use& use : e.step->uses) dot += fmt::format("  {} -> {};\n", use.step, e.step->slug);
  return dot + "}\n";
}

}  // namespace

void write_graph(const Project& project, const std::vector<StepEvidence>& evidence) {
  const auto dot = project.build / "book/graph.dot", svg = project.build / "book/graph.svg";
  write_file(dot, dot_source(evidence));
  const std::string command = fmt::format("dot -Tsvg '{}' -o '{}'", dot.string(), svg.string());
  if (std::system(command.c_str()) != 0) throw std::runtime_error("Graphviz failed: " + command);
  std::string text = read_file(svg);
  text = text.substr(text.find("<svg"));  // without the XML prologue it stands inline
  text = std::regex_replace(text, std::regex("<!--[^>]*-->\n?"), "");
  // Graphviz counts in points; one unit for one pixel keeps the text at its size.
  text = std::regex_replace(text, std::regex("(width|height)=\"([0-9.]+)pt\""), "$1=\"$2\"");
  text.replace(0, 4, "<svg class=\"rdk-graph\" role=\"img\" aria-label=\"Dependency graph of the steps\"");
  write_file(project.build / "book/parts/graph.html", "<div class=\"rdk-scroll\">\n" + text + "</div>\n");
}

}  // namespace rootdk::book
