#include <fmt/format.h>

#include <cstdlib>
#include <regex>

#include "book/fragments.hpp"
#include "book/html.hpp"

namespace rootdk::book {
namespace {

std::string dot_source(const std::vector<StepEvidence>& evidence) {
  std::string dot =
      "digraph steps {\n  rankdir=TB; bgcolor=transparent; nodesep=0.25; ranksep=0.4;\n"
      "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=12, margin=\"0.12,0.06\"];\n"
      "  edge [arrowsize=0.6];\n";
  for (std::size_t part = 0; part < part_names.size(); ++part) {
    dot += fmt::format("  subgraph cluster_{0} {{ label=\"{0}\"; fontname=\"sans-serif\"; fontsize=12;\n",
                       part_names[part]);
    for (const StepEvidence& e : evidence)
      if (static_cast<std::size_t>(e.step->part) == part)
        dot += fmt::format(
            "    {0} [label=\"{1} {2} {3}\\n{4}{5}\", URL=\"{0}.html\", tooltip=\"{6}\", class=\"{7}\"];\n",
            e.step->slug, shape(e.status), step_index(e.step->slug) + 1, e.step->slug, name(e.status),
            e.machine.is_null()                               ? ""
            : e.machine.value("axioms", Json::array()).empty() ? ", proved without axioms"
                                                              : ", proved",
            e.step->title, css_class(e.status));
    dot += "  }\n";
  }
  for (const StepEvidence& e : evidence)
    for (const Use& use : e.step->uses) dot += fmt::format("  {} -> {};\n", use.step, e.step->slug);
  return dot + "}\n";
}

}  // namespace

void write_graph(const Project& project, const std::vector<StepEvidence>& evidence) {
  const auto dot = project.build / "book/graph.dot", svg = project.build / "book/graph.svg";
  write_file(dot, dot_source(evidence));
  const std::string command = fmt::format("dot -Tsvg '{}' -o '{}'", dot.string(), svg.string());
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error("Graphviz failed: " + command);
  std::string text = read_file(svg);
  text = text.substr(text.find("<svg"));  // without the XML prologue it stands inline
  text = std::regex_replace(text, std::regex("<!--[^>]*-->\n?"), "");
  text.replace(0, 4, "<svg class=\"rdk-graph\" role=\"img\" aria-label=\"Dependency graph of the steps\"");
  write_file(project.build / "book/parts/graph.html",
             "<div class=\"rdk-scroll\">\n" + text + "</div>\n");
}

}  // namespace rootdk::book
