#include "book/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "book/certificate.hpp"
#include "book/fidelity.hpp"
#include "book/figures.hpp"
#include "book/fragments.hpp"
#include "book/html.hpp"
#include "book/questions.hpp"
#include "book/readme.hpp"
#include "book/seeds.hpp"

namespace rootdk::book {
namespace {

using Evidence = std::vector<StepEvidence>;

// Why a step is not verified, as far as it is the step's own doing.
std::string reasons(const StepEvidence& e) {
  if (e.status == Status::not_run) return e.has_page ? "nothing has run on the present sources" : "not written yet";
  std::vector<std::string> own = e.missing;
  std::erase_if(own, [](const std::string& m) { return m.starts_with("uses "); });
  return own.empty() && !e.missing.empty() ? "a step it uses is not verified" : fmt::format("{}", fmt::join(own, "; "));
}

bool print_status(const Evidence& evidence) {
  bool failed = false;
  for (const StepEvidence& e : evidence) {
    failed = failed || e.status == Status::failed;
    std::cout << fmt::format("{:>3} {} {:<8}  {:<25}{}\n", rootdk::step_index(e.step->slug) + 1, shape(e.status),
                             name(e.status), e.step->slug, reasons(e));
  }
  return !failed;
}

void write_book(const Project& project, const Evidence& evidence, const std::string& commit) {
  const Json json = certificate(project, evidence, commit);
  write_file(project.build / "book/certificate.json", json.dump(1) + "\n");
  write_step_fragments(project, evidence, json.at("version"), commit);
  write_overviews(project, evidence, json);
  write_graph(project, evidence);
  write_scale_figure(project);
  write_softmax_figures(project);
  write_questions(project);
  write_survival_figure(project);
  write_pages(project, evidence);
}

bool check(const Project& project, const Evidence& evidence) {
  std::vector<std::string> findings = budget_findings(evidence, library_tests(project));
  for (std::string& f : argument_findings(project)) findings.push_back(std::move(f));
  for (std::string& f : questions_findings(project)) findings.push_back(std::move(f));
  for (const StepEvidence& e : evidence) {
    for (std::string& f : source_findings(project, *e.step)) findings.push_back(std::move(f));
    for (std::string& f : evidence_findings(e)) findings.push_back(std::move(f));
  }
  for (const std::string& f : findings) std::cout << f << '\n';
  return findings.empty();
}

bool update_readme(const Project& project, const Evidence& evidence, bool only_check) {
  const auto path = project.source / "README.md";
  const std::string old = read_file(path), now = readme_with_status(old, evidence);
  if (!only_check) {
    write_file(path, now);
    return true;
  }
  if (old != now) std::cout << "README.md: the table of steps is not what was computed; ./run readme writes it\n";
  return old == now;
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App app("The book of rootdk: status, certificate and pages from the evidence");
  app.require_subcommand(1);
  Project project{".", "build"};
  std::string commit = "unknown";
  bool only_check = false;
  app.add_option("--source", project.source, "root of the project")->capture_default_str();
  app.add_option("--build", project.build, "build folder")->capture_default_str();
  auto* write = app.add_subcommand("write", "write certificate, fragments and generated pages");
  write->add_option("--commit", commit, "what the certificate calls the commit");
  auto* status = app.add_subcommand("status", "print each step's status; exit 1 if one failed");
  auto* stale = app.add_subcommand("stale", "print the steps whose tests have to run again");
  auto* checks = app.add_subcommand("check", "compare table, pages, code and evidence");
  auto* seeds = app.add_subcommand("seeds", "judge the statistical checks over many seeds");
  std::filesystem::path seeds_folder;
  std::size_t seeds_count = 0;
  seeds->add_option("folder", seeds_folder, "one evidence folder a seed")->required();
  seeds->add_option("count", seeds_count, "number of seeds")->required();
  auto* readme = app.add_subcommand("readme", "write the table of steps into README.md");
  readme->add_flag("--check", only_check, "compare only");
  CLI11_PARSE(app, argc, argv);

  try {
    if (*seeds) {
      const std::vector<std::string> findings =
          seeds_findings(seeds_folder, statistical_tests(project), seeds_count, std::cout);
      for (const std::string& f : findings) std::cout << f << '\n';
      return findings.empty() ? 0 : 1;
    }
    const Evidence evidence = gather(project);
    bool good = true;
    if (*write) write_book(project, evidence, commit);
    if (*status) good = print_status(evidence);
    if (*stale)
      for (const std::string& slug : stale_steps(evidence)) std::cout << slug << '\n';
    if (*checks) good = check(project, evidence);
    if (*readme) good = update_readme(project, evidence, only_check);
    return good ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << "rootdk-book: " << e.what() << '\n';
    return 2;
  }
}

}  // namespace rootdk::book
