#include <fmt/format.h>

#include "book/fragments.hpp"
#include "book/html.hpp"

namespace rootdk::book {
namespace {

std::string table(std::string_view head, const std::string& rows) {
  return fmt::format(
      R"(<div class="rdk-scroll"><table class="rdk-table"><thead><tr>{}</tr></thead><tbody>
{}</tbody></table></div>
)",
      head, rows);
}

std::string steps_table(const std::vector<StepEvidence>& evidence) {
  std::string rows;
  for (const StepEvidence& e : evidence) {
    std::string owes;
    for (Kind kind : e.step->owes) {
      const bool there = kind == Kind::machine ? !e.machine.is_null() : !e.checks(kind).empty();
      owes += fmt::format("{}{}{}", owes.empty() ? "" : ", ", name(kind), there ? "" : " (not run)");
    }
    rows += fmt::format("<tr><td>{}</td><td><a href=\"{}.html\">{}</a></td><td>{}</td><td>{}</td></tr>\n",
                        step_index(e.step->slug) + 1, e.step->slug, escape(e.step->title), badge(e.status), owes);
  }
  return table("<th>step</th><th>title</th><th>status</th><th>evidence owed</th>", rows);
}

std::string counterexamples(const std::vector<StepEvidence>& evidence) {
  std::string rows;
  for (const StepEvidence& e : evidence)
    for (const Json& f : e.checks(Kind::falsifier))
      rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", step_link(*e.step),
                          hypothesis_link(f.at("drops").get<std::string>()), escape(f.at("take").get<std::string>()),
                          escape(f.at("then").get<std::string>()));
  return table("<th>step</th><th>without</th><th>take</th><th>then</th>", rows);
}

std::string certificate_summary(const Json& certificate) {
  std::string rows;
  const auto add = [&](std::string_view field, const std::string& value) {
    rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", field, escape(value));
  };
  add("version", certificate.at("version"));
  add("commit", certificate.at("commit"));
  add("date", certificate.at("date"));
  add("seed", certificate.at("seed").dump());
  for (const auto& [tool, version] : certificate.at("toolchain").items()) add(tool, version.get<std::string>());
  const Json& policy = certificate.at("policy");
  add("false-alarm budget of the run", policy.at("family_false_alarm").dump());
  add("spent by this run's statistical checks", number(policy.at("spent_false_alarm").get<double>()));
  add("statistical checks", policy.at("statistical_checks").dump());
  return table("<th>field</th><th>this build</th>", rows);
}

}  // namespace

void write_overviews(const Project& project, const std::vector<StepEvidence>& evidence, const Json& certificate) {
  const auto parts = project.build / "book/parts";
  write_file(parts / "steps_table.html", steps_table(evidence));
  write_file(parts / "counterexamples.html", counterexamples(evidence));
  write_file(parts / "certificate_summary.html", certificate_summary(certificate));
}

}  // namespace rootdk::book
