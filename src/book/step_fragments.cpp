#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "book/fragments.hpp"
#include "book/html.hpp"

namespace rootdk::book {
namespace {

std::string joined_links(const std::vector<std::string>& links) {
  return links.empty() ? "nothing" : fmt::format("{}", fmt::join(links, ", "));
}

std::string links_to(const Slugs& slugs) {
  std::vector<std::string> links;
  for (std::string_view h : slugs) links.push_back(hypothesis_link(h));
  return joined_links(links);
}

std::string card(const StepEvidence& e) {
  const Step& step = *e.step;
  std::vector<std::string> uses, used_by;
  for (const Use& use : step.uses) uses.push_back(step_link(steps[step_index(use.step)]));
  for (const Step& other : steps)
    if (other.uses_step(step.slug)) used_by.push_back(step_link(other));

  std::string html = R"(<div class="rdk-card"><dl>)";
  html += fmt::format("<dt>Step</dt><dd>{} · <code class=\"rdk-slug\">{}</code></dd>", step_index(step.slug) + 1,
                      step.slug);
  html += fmt::format("<dt>Status</dt><dd>{}", badge(e.status));
  if (!e.missing.empty()) {
    std::string items;
    for (const std::string& m : e.missing) items += fmt::format("<li>{}</li>", escape(m));
    html += fold("What is missing", fmt::format("<ul>{}</ul>", items));
  }
  html += "</dd>";
  html += fmt::format("<dt>Assumes</dt><dd>{}</dd>", links_to(step.assumptions()));
  if (!step.domain.empty()) html += fmt::format("<dt>Needs</dt><dd>{}</dd>", links_to(step.domain));
  html += fmt::format("<dt>Uses</dt><dd>{}</dd><dt>Used by</dt><dd>{}</dd>", joined_links(uses), joined_links(used_by));
  if (!step.cites.empty()) html += fmt::format("<dt>Rests on</dt><dd>{}</dd>", escape(step.cites));
  return html + "</dl></div>\n";
}

std::string statement(const StepEvidence& e) {
  return fmt::format("<div class=\"rdk-statement\"><p>{}</p></div>\n", escape(e.step->statement));
}

std::string classes_text(const Json& check) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : check.at("classes").items())
    parts.push_back(fmt::format("{} {}", count.get<int>(), name.empty() ? "other" : name));
  return parts.empty()
             ? ""
             : fmt::format("<br><small>of which {}</small>", escape(fmt::format("{}", fmt::join(parts, ", "))));
}

std::string laws_text(const Json& check) {
  const auto laws = check.at("laws").get<std::vector<std::string>>();
  if (laws.empty()) return "";
  return fold(fmt::format("{} laws", laws.size()), escape(fmt::format("{}", fmt::join(laws, ", "))));
}

std::string measured_text(const Json& check) {
  const std::string kind = check.at("kind");
  const double error = check.at("error"), bound = check.at("bound");
  if (!check.at("passed"))
    return fmt::format("<td><strong>failed</strong>: {}</td><td>{}</td>", number(error), number(bound));
  if (kind == "statistical") {
    const double detectable = check.at("detectable");
    std::string text = fmt::format("false alarm {} in all", number(check.at("false_alarm")));
    if (detectable > 0) text += fmt::format("; sees {:.2g}%", 100 * detectable);
    return fmt::format("<td>all inside, worst at {:.2f} of the half-width</td><td>{}</td>", error, text);
  }
  return fmt::format("<td>{}</td><td>{}</td>", number(error), number(bound));
}

std::string details_text(const Json& check) {
  const Json& details = check.at("details");
  if (details.empty()) return "";
  std::string html =
      R"(<div class="rdk-scroll"><table class="rdk-table"><thead><tr><th>law, dimension</th><th>claimed</th><th>measured</th><th>half-width</th><th>sees</th></tr></thead><tbody>)";
  for (const Json& d : details)
    html += fmt::format("<tr><td>{}</td><td>{:.6g}</td><td>{:.6g}</td><td>{:.3g}</td><td>{:.2g}%</td></tr>",
                        escape(d.at("label").get<std::string>()), d.at("claimed").get<double>(),
                        d.at("median").get<double>(), d.at("half_width").get<double>(),
                        100 * d.at("detectable").get<double>());
  return fold(fmt::format("{} checks", details.size()), html + "</tbody></table></div>");
}

std::string evidence_table(const StepEvidence& e) {
  std::string rows;
  for (Kind kind : e.step->owes)
    for (const Json& check : e.checks(kind))
      rows += fmt::format("<tr><td>{}</td><td>{}{}{}{}</td><td>{}</td>{}</tr>\n", name(kind),
                          escape(check.at("name").get<std::string>()), classes_text(check), laws_text(check),
                          details_text(check), check.at("cases").get<std::int64_t>(), measured_text(check));
  for (Kind kind : e.step->owes)
    if (kind != Kind::machine && e.checks(kind).empty())
      rows += fmt::format("<tr><td>{}</td><td>not run</td><td></td><td></td><td></td></tr>\n", name(kind));
  return fmt::format(
      R"(<div class="rdk-scroll"><table class="rdk-table"><thead><tr><th>kind</th><th>what ran</th><th>cases</th><th>measured</th><th>bound</th></tr></thead><tbody>
{}</tbody></table></div>
)",
      rows);
}

std::string falsifier_table(const StepEvidence& e) {
  std::string rows;
  const auto add = [&](std::string_view hypothesis) {
    const std::vector<Json> found = e.falsifiers(hypothesis);
    for (const Json& f : found)
      rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", hypothesis_link(hypothesis),
                          escape(f.at("take").get<std::string>()), escape(f.at("then").get<std::string>()));
    if (found.empty())
      rows += fmt::format("<tr><td>{}</td><td>not run</td><td></td></tr>\n", hypothesis_link(hypothesis));
  };
  for (std::string_view h : e.step->assumptions()) add(h);
  for (std::string_view h : e.step->domain) add(h);
  if (rows.empty()) return "<p>This step assumes nothing.</p>\n";
  return fmt::format(
      R"(<div class="rdk-scroll"><table class="rdk-table"><thead><tr><th>without</th><th>take</th><th>then</th></tr></thead><tbody>
{}</tbody></table></div>
)",
      rows);
}

// An underscore ends the text mode of LaTeX.
std::string in_latex(std::string_view slug) {
  std::string result;
  for (const char c : slug) result += c == '_' ? "\\_" : std::string(1, c);
  return result;
}

std::string cite(const StepEvidence& e, const std::string& version, const std::string& commit) {
  const Step& step = *e.step;
  const std::size_t i = step_index(step.slug);
  const std::string bibtex = fmt::format(
      "@misc{{rootdk:{0},\n  title        = {{{1}}},\n  author       = {{{{The rootdk developers}}}},\n"
      "  year         = {{{2:%Y}}},\n"
      "  howpublished = {{rootdk {3}, step \\texttt{{{4}}}, commit {5}}},\n"
      "  note         = {{Status {6}; SHA-256 of statement, code, tests and machine proof, not of the prose: {7}}}\n}}",
      step.slug, step.title, fmt::gmtime(std::time(nullptr)), version, in_latex(step.slug), commit, name(e.status),
      e.hash.empty() ? "not computed" : e.hash);
  std::string html = fmt::format(
      "<div class=\"rdk-cite\"><p>Link to <a href=\"{0}.html\">{0}.html</a>: the slug never changes.</p>"
      "<pre class=\"rdk-bibtex\">{1}</pre><button class=\"rdk-copy\" type=\"button\">Copy BibTeX</button>"
      "<p>Sources: {2} (see <a href=\"source_notes.html\">source notes</a>).</p></div>\n",
      step.slug, escape(bibtex), escape(step.source));
  html += "<nav class=\"rdk-prevnext\">";
  if (i > 0)
    html += fmt::format("<a rel=\"prev\" href=\"{}.html\">← {}</a>", steps[i - 1].slug, escape(steps[i - 1].title));
  if (i + 1 < steps.size())
    html += fmt::format("<a rel=\"next\" href=\"{}.html\">{} →</a>", steps[i + 1].slug, escape(steps[i + 1].title));
  return html + "</nav>\n";
}

}  // namespace

void write_step_fragments(const Project& project, const std::vector<StepEvidence>& evidence, const std::string& version,
                          const std::string& commit) {
  const auto parts = project.build / "book/parts";
  for (const StepEvidence& e : evidence) {
    const auto write = [&](std::string_view fragment, const std::string& html) {
      write_file(parts / fmt::format("{}_{}.html", fragment, e.step->slug), html);
    };
    write("card", card(e));
    write("statement", statement(e));
    write("machine", machine_fragment(project, e));
    write("evidence", evidence_table(e));
    write("falsifiers", falsifier_table(e));
    write("cite", cite(e, version, commit));
  }
}

}  // namespace rootdk::book
