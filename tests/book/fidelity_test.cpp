// 1. The real places of a step, copied, agree.
// 2. Each fault planted in one of them is found, and what is found names the step and the fault.

#include "book/fidelity.hpp"

#include "book/sandbox.hpp"
#include "support/test.hpp"

using namespace rootdk;
using namespace rootdk::book;
using Catch::Contains;

namespace {

// The findings after one fault, of which there must be at least one, each naming the step.
template <class Plant>
std::string found_after(const Plant& plant, const Step& step = rules) {
  Sandbox box;
  box.copy(rules);
  plant(box);
  const std::vector<std::string> findings = source_findings(box.project(), step);
  CHECK_FALSE(findings.empty());
  for (const std::string& f : findings) CHECK_THAT(f, Catch::StartsWith("variance_rules: "));
  return joined(findings);
}

auto replaced(const std::string& file, const std::string& from, const std::string& to) {
  return [=](Sandbox& box) { box.replace(file, from, to); };
}

}  // namespace

TEST_CASE("fidelity: the real places of a step agree") {
  Sandbox box;
  box.copy(rules);
  CHECK(joined(source_findings(box.project(), rules)).empty());
}

TEST_CASE("fidelity: a step that has not begun has no findings, one that has begun needs all places") {
  Sandbox box;
  CHECK(source_findings(box.project(), rules).empty());
  for (const std::string& file : {Sandbox::page(rules), Sandbox::header(rules), Sandbox::test(rules)})
    CHECK_THAT(found_after([&](Sandbox& b) { b.remove(file); }), Contains("has no " + file));
}

TEST_CASE("fidelity: hypotheses of the page against the table") {
  const std::string page = Sandbox::page(rules);
  for (const char* h : {"finite_second_moment", "uncorrelated_terms"})
    CHECK_THAT(found_after(replaced(page, fmt::format("\\hyp{{{}}}", h), "assumed")),
               Contains(fmt::format("does not name the hypothesis {}", h)));
  CHECK_THAT(found_after(replaced(page, "| expectation is linear |", "| \\hyp{zero_mean} |")),
             Contains("names the hypothesis zero_mean, which the table does not"));
  CHECK_THAT(found_after(replaced(page, "| expectation is linear |", "| \\hyp{zero_mean2} |")),
             Contains("names the hypothesis zero_mean2, which the table does not"));
  // named only outside the proof
  CHECK_THAT(found_after([&](Sandbox& box) {
               box.replace(page, "\\hyp{uncorrelated_terms}", "assumed");
               box.replace(page, "Uncorrelated is weaker", "\\hyp{uncorrelated_terms} is weaker");
             }),
             Contains("does not name the hypothesis uncorrelated_terms"));
}

TEST_CASE("fidelity: hypotheses of the table against the page") {
  Step step = rules;
  step.theorems = {{"variance_rules_scale"}, {"variance_rules_sum", {"uncorrelated_terms", "zero_mean"}}};
  CHECK_THAT(found_after([](Sandbox&) {}, step), Contains("does not name the hypothesis zero_mean"));
  step.theorems = {{"variance_rules_scale"}};
  CHECK_THAT(found_after([](Sandbox&) {}, step), Contains("names the hypothesis uncorrelated_terms"));
  step = rules;
  step.domain = {};
  CHECK_THAT(found_after([](Sandbox&) {}, step), Contains("names the hypothesis finite_second_moment"));
  step = rules;
  step.uses = {{"variance_expansion", {"integrable"}}};
  CHECK_THAT(found_after([](Sandbox&) {}, step), Contains("does not establish integrable"));
}

TEST_CASE("fidelity: steps that the proof cites against the edges of the table") {
  const std::string page = Sandbox::page(rules);
  CHECK_THAT(found_after(replaced(page, "\\step{variance_expansion}", "the expansion")),
             Contains("does not name the step variance_expansion"));
  CHECK_THAT(found_after(replaced(page, "| expectation is linear |", "| \\step{product_variance} |")),
             Contains("names the step product_variance, which the table does not"));
  Step step = rules;
  step.uses = {};  // the edge dropped: the page and the header both still name it
  const std::string findings = found_after([](Sandbox&) {}, step);
  CHECK_THAT(findings, Contains("the proof on the page names the step variance_expansion"));
  CHECK_THAT(findings, Contains("the header names the step variance_expansion"));
  step.uses = {{"variance_expansion"}, {"independent_products"}};
  CHECK_THAT(found_after([](Sandbox&) {}, step), Contains("does not name the step independent_products"));
}

TEST_CASE("fidelity: snippets") {
  for (const std::string& file : {Sandbox::header(rules), Sandbox::test(rules)}) {
    const std::string where = file.ends_with(".hpp") ? "the header" : "the test";
    const std::string mark = "[variance_rules]";
    CHECK_THAT(found_after(replaced(file, mark, "")), Contains(where + " has no snippet " + mark));
    CHECK_THAT(found_after([&](Sandbox& box) { box.replace_all(file, mark, ""); }),
               Contains(where + " has no snippet " + mark));
    for (const char* rest : {"", "  // a comment alone"})
      CHECK_THAT(found_after([&](Sandbox& box) {
                   std::string text = box.read(file);
                   const std::size_t open = text.find('\n', text.find(mark)) + 1;
                   const std::size_t close = text.rfind('\n', text.rfind(mark));
                   box.write(file, text.replace(open, close - open, rest));
                 }),
                 Contains("the snippet " + mark + " of " + where + " has no code"));
  }
}

TEST_CASE("fidelity: formulas") {
  const std::string page = Sandbox::page(rules);
  CHECK_THAT(found_after(replaced(page, "c \\f$ stretches", "c stretches")), Contains("opened and not closed"));
  CHECK_THAT(found_after(replaced(page, "Write ", "\\f[ x = y\n\nWrite ")),
             Contains("displayed formula that is opened and not closed"));
  CHECK_THAT(found_after(replaced(page, "E(cX) = cm", "|E(cX)| = |cm|")),
             Contains("a formula in a table has a |, which ends its cell"));
}

TEST_CASE("fidelity: headings and the parts that the build takes in") {
  const std::string page = Sandbox::page(rules);
  CHECK_THAT(found_after(replaced(page, " {#variance_rules_notes}", "")), Contains("heading without an anchor"));
  CHECK_THAT(found_after(replaced(page, "{#variance_rules_notes}", "{#product_variance_notes}")),
             Contains("heading without an anchor of this step"));
  for (const char* command : {"stepopen", "stepshow", "stepclose"}) {
    const std::string whole = fmt::format("\\{}{{variance_rules}}", command);
    CHECK_THAT(found_after(replaced(page, whole, "")), Contains("lacks " + whole));
  }
}

TEST_CASE("fidelity: lines of the proof") {
  const std::string page = Sandbox::page(rules);
  CHECK_THAT(found_after(replaced(page, "| 7, 8 |", "| |")), Contains("line 9 of the proof has no reason"));
  CHECK_THAT(found_after(replaced(page, "| 7, 8 |", "|")), Contains("line 9 of the proof has no reason"));
  CHECK_THAT(found_after([&](Sandbox& box) { box.replace_all(page, "\n| ", "\n"); }),
             Contains("no proof line by line"));
  CHECK_THAT(found_after(replaced(page, "{#variance_rules_proof}", "{#variance_rules_why}")),
             Contains("no section {#variance_rules_proof}"));
}

TEST_CASE("fidelity: includes and requires stay within the edges of the table") {
  const std::string header = Sandbox::header(rules), proof = Sandbox::proof(rules);
  CHECK_THAT(found_after(replaced(header, "#include <cmath>",
                                  "#include \"rootdk/dot_product/independent_products.hpp\"\n#include <cmath>")),
             Contains("the header names the step independent_products"));

  // a test may include what its step uses through others, and its helpers too
  const std::string test = Sandbox::test(rules), helper = "tests/dot_product/helper.hpp";
  const auto test_includes = [&](const std::string& file, const std::string& include) {
    return replaced(file, "#include", fmt::format("#include \"{}\"\n#include", include));
  };
  CHECK_THAT(found_after(test_includes(test, "rootdk/dot_product/product_variance.hpp")),
             Contains("the test names the step product_variance"));
  CHECK_THAT(found_after([&](Sandbox& box) {
               test_includes(test, "dot_product/helper.hpp")(box);
               box.write(helper, "#include \"rootdk/dot_product/product_variance.hpp\"\n");
             }),
             Contains("the test names the step product_variance"));

  const auto requires_line = [&](const std::string& text) {
    return [=](Sandbox& box) { box.write(proof, "From mathcomp Require Import all_ssreflect.\n" + text); };
  };
  for (const char* text :
       {"From rootdk.dot_product Require Import variance_expansion product_variance.\n",
        "From rootdk.dot_product Require Import variance_expansion\n  product_variance.\n",
        "From rootdk Require Export dot_product.product_variance.\n", "Require rootdk.dot_product.product_variance.\n",
        "Require Import rootdk.dot_product.product_variance."})
    CHECK_THAT(found_after(requires_line(text)), Contains("the machine proof names the step product_variance"));

  Sandbox box;
  box.copy(rules);
  requires_line("From rootdk.theory Require Import law.\nFrom rootdk.dot_product Require Import variance_expansion.\n")(
      box);
  CHECK(joined(source_findings(box.project(), rules)).empty());
}

TEST_CASE("fidelity: the page of the argument refers to each step of parts 1 to 3 once, in order") {
  const std::string page = "docs/argument.md";
  Sandbox box;
  box.write(page, read_file(std::filesystem::path(ROOTDK_SOURCE_DIR) / page));
  CHECK(joined(argument_findings(box.project())).empty());
  box.replace(page, "[\\ref softmax_jacobian \"14\"]", "");
  CHECK_THAT(joined(argument_findings(box.project())),
             Contains("expected softmax_jacobian \"14\" as its step number 14, found jacobian_structure \"15\""));
  box.write(page, read_file(std::filesystem::path(ROOTDK_SOURCE_DIR) / page) + "\\ref general_covariance \"23\"\n");
  CHECK_THAT(joined(argument_findings(box.project())),
             Contains("expected nothing as its step number 23, found general_covariance \"23\""));
}
