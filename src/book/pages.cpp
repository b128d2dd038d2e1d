#include <fmt/format.h>

#include "book/fragments.hpp"
#include "book/html.hpp"

namespace rootdk::book {
namespace {

std::string part_title(std::size_t part) {
  std::string title(part_names[part]);
  std::replace(title.begin(), title.end(), '_', ' ');
  return fmt::format("Part {}: {}", part + 1, title);
}

// The navigation tree: what stands around the steps is fixed, the steps come from the table.
std::string layout() {
  const auto tab = [](std::string_view slug, std::string_view title) {
    return fmt::format("<tab type=\"user\" url=\"@ref {}\" title=\"{}\"/>\n", slug, escape(title));
  };
  const auto group = [](std::string_view title, const std::string& tabs) {
    return fmt::format("<tab type=\"usergroup\" url=\"[none]\" title=\"{}\">\n{}</tab>\n", title, tabs);
  };
  std::string xml =
      "<doxygenlayout version=\"1.0\">\n<navindex>\n"
      "<tab type=\"mainpage\" visible=\"yes\" title=\"Question and answer\"/>\n";
  xml += tab("argument", "The argument on one screen") + tab("how_to_read", "How to read") +
         tab("notation", "Notation") + tab("graph", "Graph of the steps");
  for (std::size_t part = 0; part < part_names.size(); ++part) {
    std::string tabs;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (static_cast<std::size_t>(steps[i].part) == part)
        tabs += tab(steps[i].slug, fmt::format("{} {}", i + 1, steps[i].title));
    xml += group(part_title(part), tabs);
  }
  xml += tab("questions", "Questions");
  xml += group("Indexes", tab("hypotheses", "Hypotheses") + tab("counterexamples", "Counterexamples") +
                              tab("machine", "Machine proofs") + tab("certificate", "Certificate"));
  xml += group("C++ reference", tab("reference", "Overview") +
                                    "<tab type=\"filelist\" visible=\"yes\" title=\"Headers\"/>\n"
                                    "<tab type=\"namespacelist\" visible=\"yes\" title=\"Namespaces\"/>\n"
                                    "<tab type=\"classlist\" visible=\"yes\" title=\"Classes\"/>\n");
  xml += tab("source_notes", "Source notes") + tab("citing", "Citing") + tab("bibliography", "Bibliography");
  // Without the link to the list of all members, which repeats the page of the class: ./run removes those pages.
  return xml + R"(</navindex>
<class>
<briefdescription visible="yes"/>
<includes visible="$SHOW_HEADERFILE"/>
<memberdecl>
<nestedclasses visible="yes" title=""/>
<publictypes title=""/>
<publicmethods title=""/>
<publicstaticmethods title=""/>
<publicattributes title=""/>
<publicstaticattributes title=""/>
<friends title=""/>
<related title="" subtitle=""/>
</memberdecl>
<detaileddescription title=""/>
<memberdef>
<inlineclasses title=""/>
<typedefs title=""/>
<enums title=""/>
<constructors title=""/>
<functions title=""/>
<related title=""/>
<variables title=""/>
</memberdef>
<usedfiles visible="yes"/>
</class>
</doxygenlayout>
)";
}

std::string hypothesis_entry(const Hypothesis& h, const std::vector<StepEvidence>& evidence) {
  std::string html = fmt::format("<p>{}.", escape(h.statement));
  for (std::size_t i = 0; i < h.implies.size(); ++i) html += (i ? ", " : " Implies ") + hypothesis_link(h.implies[i]);
  html += h.implies.empty() ? "</p><ul>" : ".</p><ul>";
  for (const StepEvidence& e : evidence) {
    const bool assumed = e.step->assumptions().contains(h.slug);
    if (!assumed && !e.step->domain.contains(h.slug)) continue;
    html += fmt::format("<li>{} {}", step_link(*e.step), assumed ? "assumes it" : "needs it");
    const std::vector<Json> falsifiers = e.falsifiers(h.slug);
    for (const Json& f : falsifiers)
      html += fmt::format("; without it take {}: {}", escape(f.at("take").get<std::string>()),
                          escape(f.at("then").get<std::string>()));
    html += falsifiers.empty() ? "; its falsifier has not been run.</li>" : ".</li>";
  }
  return html + "</ul>\n";
}

}  // namespace

void write_pages(const Project& project, const std::vector<StepEvidence>& evidence) {
  const auto pages = project.build / "book/pages", parts = project.build / "book/parts";
  std::string index =
      "# Hypotheses {#hypotheses}\n\nEvery condition that a step names, in the order of the table. How they are used "
      "is said in "
      "\\ref how_to_read.\n\n";
  for (const Hypothesis& h : hypotheses) {
    write_file(parts / fmt::format("hypothesis_{}.html", h.slug), hypothesis_entry(h, evidence));
    index += fmt::format("## {0} {{#hyp_{0}}}\n\n\\htmlinclude hypothesis_{0}.html\n\n", h.slug);
  }
  write_file(pages / "hypotheses.md", index);
  for (const StepEvidence& e : evidence) {
    const auto stub = pages / fmt::format("{}.md", e.step->slug);
    if (e.has_page)
      std::filesystem::remove(stub);
    else
      write_file(stub, fmt::format("# {0} {{#{1}}}\n\n\\stepstub{{{1}}}\n", e.step->title, e.step->slug));
  }
  write_file(project.build / "book/DoxygenLayout.xml", layout());
}

}  // namespace rootdk::book
