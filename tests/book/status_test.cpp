// 1. A step whose every owed kind is there, current and passing is verified; each single thing taken away
//    or spoilt makes it what it then is, and says why.
// 2. The certificate has the fields that the book documents, of the documented types.
// 3. The book is written whatever failed.
// 4. The table in README.md is written between its markers.

#include "book/certificate.hpp"
#include "book/fidelity.hpp"
#include "book/fragments.hpp"
#include "book/readme.hpp"
#include "book/sandbox.hpp"
#include "support/test.hpp"

using namespace rootdk;
using namespace rootdk::book;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

// Evidence of two steps, of which the second uses the first, as a run in which all went well leaves it.
class Run : public Sandbox {
 public:
  Run() {
    Json hashes;
    for (const Step& s : steps) hashes[std::string(s.slug)] = hash(s);
    build_file("hashes/hashes.json", hashes.dump());
    build_file("toolchain.json", read_file(fs::path(ROOTDK_EVIDENCE_DIR).parent_path() / "toolchain.json"));
    for (const Step* s : {&expansion, &rules}) {
      copy(*s);
      for (Kind kind : {Kind::exact, Kind::numeric, Kind::statistical}) {
        list(*s, test_name(kind));
        leave(*s, test_name(kind), {check(kind)});
      }
      list(*s, test_name(Kind::falsifier));
      std::vector<Json> falsifiers;
      for (std::string_view h : s->assumptions()) falsifiers.push_back(falsifier(h));
      for (std::string_view h : s->domain) falsifiers.push_back(falsifier(h));
      leave(*s, test_name(Kind::falsifier), falsifiers);
      audit(*s, true);
    }
  }

  static std::string hash(const Step& s) { return "hash of " + std::string(s.slug); }
  static std::string test_name(Kind kind) { return fmt::format("{}: the claim", name(kind)); }
  static Json header(const Step& s, const std::string& test) {
    return {{"step", s.slug}, {"hash", hash(s)}, {"test", test},   {"file", "tests/x_test.cpp"},
            {"seed", 1},      {"assertions", 1}, {"seconds", 0.5}, {"family_false_alarm", 1e-9},
            {"passed", true}};
  }
  static Json check(Kind kind) {
    const bool statistical = kind == Kind::statistical;
    return {{"kind", name(kind)},
            {"name", "a check"},
            {"file", "tests/x_test.cpp"},
            {"line", 7},
            {"cases", 3},
            {"classes", {{"small", 1}, {"large", 2}}},
            {"laws", {"normal", "rademacher"}},
            {"assumes", Json::array()},
            {"drops", nullptr},
            {"take", ""},
            {"then", ""},
            {"error", 0.5},
            {"bound", 1.0},
            {"false_alarm", statistical ? 1e-12 : 0.0},
            {"detectable", statistical ? 0.05 : 0.0},
            {"details", Json::array()},
            {"seed", 17},
            {"seconds", 0.25},
            {"passed", true}};
  }
  static Json falsifier(std::string_view hypothesis) {
    Json f = check(Kind::falsifier);
    f["drops"] = hypothesis;
    f["name"] = f["take"] = fmt::format("a case without {}", hypothesis);
    return f;
  }

  void list(const Step& s, const std::string& test) {
    listed_.push_back(
        {{"name", fmt::format("{}_test:{}", s.slug, test)},
         {"properties", {{{"name", "LABELS"}, {"value", {s.slug}}}, {{"name", "TIMEOUT"}, {"value", 600.0}}}}});
    build_file("tests.json", Json{{"tests", listed_}}.dump());
  }
  void leave(const Step& s, const std::string& test, const std::vector<Json>& checks) {
    leave(s, header(s, test), checks);
  }
  void leave(const Step& s, const Json& header, const std::vector<Json>& checks) {
    std::string text = header.dump() + '\n';
    for (const Json& c : checks) text += c.dump() + '\n';
    build_file(evidence_file(s, header.at("test")), text);
  }
  void audit(const Step& s, bool passed) {
    build_file(fmt::format("evidence/{}/machine.json", s.slug),
               Json{{"hash", hash(s)},
                    {"file", fmt::format("proofs/dot_product/{}.v", s.slug)},
                    {"passed", passed},
                    {"theorems", {{{"theorem", s.slug}, {"axioms", Json::array()}, {"hypotheses", Json::array()}}}}}
                   .dump());
  }
  static std::string evidence_file(const Step& s, const std::string& test) {
    return fmt::format("evidence/{}/{}.jsonl", s.slug, rootdk::testing::evidence_file_name(test));
  }
  void build_file(const std::string& file, const std::string& text) { write_file(project().build / file, text); }
  void forget(const std::string& file) {
    if (!fs::remove(project().build / file)) throw std::logic_error("there is no " + file);
  }
  StepEvidence of(const Step& s) const { return gather(project()).at(step_index(s.slug)); }

 private:
  Json listed_ = Json::array();
};

void is(const StepEvidence& e, Status status, const std::string& reason) {
  INFO(joined(e.missing));
  CHECK(name(e.status) == name(status));
  CHECK_THAT(joined(e.missing), Contains(reason));
}

bool is_stale(const Run& run, const Step& s) {
  const auto stale = stale_steps(gather(run.project()));
  return std::find(stale.begin(), stale.end(), s.slug) != stale.end();
}

}  // namespace

TEST_CASE("status: all there, current and passing is verified") {
  Run run;
  for (const Step* s : {&expansion, &rules}) {
    is(run.of(*s), Status::verified, "");
    CHECK(run.of(*s).missing.empty());
    CHECK(joined(evidence_findings(run.of(*s))).empty());
    CHECK_FALSE(is_stale(run, *s));
  }
  CHECK(run.of(rules).checks(Kind::exact).size() == 1);
  CHECK(run.of(rules).falsifiers("uncorrelated_terms").size() == 1);
  CHECK(run.of(rules).falsifiers("zero_mean").empty());
}

TEST_CASE("status: a step that has not begun is not run") {
  const Run run;
  CHECK(run.of(steps.back()).status == Status::not_run);
  CHECK(evidence_findings(run.of(steps.back())).empty());
  CHECK_FALSE(is_stale(run, steps.back()));
  const Sandbox empty;  // no build at all
  for (const StepEvidence& e : gather(empty.project())) CHECK(e.status == Status::not_run);
}

TEST_CASE("status: each owed kind is needed") {
  for (Kind kind : {Kind::exact, Kind::numeric, Kind::statistical}) {
    Run run;
    run.leave(rules, Run::test_name(kind), {});
    is(run.of(rules), Status::partial, fmt::format("{}: no evidence", name(kind)));
    CHECK_THAT(joined(evidence_findings(run.of(rules))), Contains("variance_rules: " + std::string(name(kind))));
  }
  Run run;
  run.forget("evidence/variance_rules/machine.json");
  is(run.of(rules), Status::partial, "machine: not run");
  run.remove(Sandbox::page(rules));
  is(run.of(rules), Status::partial, "proof: no page");
}

TEST_CASE("status: each hypothesis needs its falsifier") {
  for (std::string_view kept : {"uncorrelated_terms", "finite_second_moment"}) {
    Run run;
    run.leave(rules, Run::test_name(Kind::falsifier), {Run::falsifier(kept)});
    const std::string lost = kept == "uncorrelated_terms" ? "finite_second_moment" : "uncorrelated_terms";
    is(run.of(rules), Status::partial, "no falsifier for " + lost);
    CHECK_THAT(joined(evidence_findings(run.of(rules))), Contains("variance_rules: no falsifier for " + lost));
  }
}

TEST_CASE("status: evidence of other sources is none") {
  Run run;
  Json header = Run::header(rules, Run::test_name(Kind::exact));
  header["hash"] = "hash of older sources";
  run.leave(rules, header, {Run::check(Kind::exact)});
  is(run.of(rules), Status::partial, "test not run on the present sources: exact: the claim");
  CHECK(run.of(rules).checks(Kind::exact).empty());
  CHECK(is_stale(run, rules));
  CHECK_FALSE(is_stale(run, expansion));

  header["passed"] = false;  // a failure on other sources says nothing of these
  run.leave(rules, header, {});
  CHECK(run.of(rules).status == Status::partial);

  header.erase("hash");
  run.leave(rules, header, {Run::check(Kind::exact)});
  CHECK(run.of(rules).status == Status::partial);
  run.forget("hashes/hashes.json");  // the present sources are not known: nothing is current
  for (const Step* s : {&expansion, &rules}) {
    CHECK(run.of(*s).status == Status::not_run);
    CHECK(is_stale(run, *s));
  }
}

TEST_CASE("status: machine evidence of other sources is none") {
  Run run;
  run.build_file("evidence/variance_rules/machine.json", R"({"hash": "older", "passed": true, "theorems": []})");
  is(run.of(rules), Status::partial, "machine: not run");
  run.build_file("evidence/variance_rules/machine.json", R"({"hash": "hash of varia)");
  is(run.of(rules), Status::partial, "machine: not run");
}

TEST_CASE("status: a file that is cut off is no evidence") {
  Run run;
  const std::string file = Run::evidence_file(rules, Run::test_name(Kind::exact));
  const std::string whole = read_file(run.project().build / file);
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t length : {std::size_t{0}, std::size_t{1}, first / 2, first + 1, whole.size() - 2}) {
    run.build_file(file, whole.substr(0, length));
    is(run.of(rules), Status::partial, "test not run: exact: the claim");
    CHECK(is_stale(run, rules));
  }
  run.build_file(file, whole.substr(0, first) + "7\n");
  is(run.of(rules), Status::partial, "test not run: exact: the claim");
}

TEST_CASE("status: a listed test without evidence is not run") {
  Run run;
  run.list(rules, "exact: another claim");
  is(run.of(rules), Status::partial, "test not run: exact: another claim");
  CHECK(is_stale(run, rules));
  for (Kind kind : {Kind::exact, Kind::numeric, Kind::statistical, Kind::falsifier})
    run.forget(Run::evidence_file(rules, Run::test_name(kind)));
  run.forget("evidence/variance_rules/machine.json");
  is(run.of(rules), Status::not_run, "test not run");
}

TEST_CASE("status: evidence of a test that is not listed counts for nothing") {
  Run run;
  run.leave(rules, std::string("exact: a test that is gone"), {Run::check(Kind::exact)});
  run.leave(rules, Run::test_name(Kind::exact), {});
  is(run.of(rules), Status::partial, "exact: no evidence");
}

TEST_CASE("status: one failure fails the step and not those that it uses") {
  Run run;
  Json header = Run::header(rules, Run::test_name(Kind::exact)), check = Run::check(Kind::exact);
  header["passed"] = check["passed"] = false;
  run.leave(rules, header, {check});
  is(run.of(rules), Status::failed, "test failed: exact: the claim");
  CHECK(run.of(expansion).status == Status::verified);
  CHECK(is_stale(run, rules));
  const std::string findings = joined(evidence_findings(run.of(rules)));
  CHECK_THAT(findings, Contains("variance_rules: test failed: exact: the claim"));
  CHECK_THAT(findings, Contains("variance_rules: check failed: a check"));

  run.leave(rules, header, {});  // an assertion failed that is no check
  CHECK(run.of(rules).status == Status::failed);
  header["passed"] = true;
  run.leave(rules, header, {check});  // a check failed in a case that did not notice
  CHECK(run.of(rules).status == Status::failed);
  check.erase("passed");
  run.leave(rules, header, {check});
  CHECK(run.of(rules).status == Status::failed);
}

TEST_CASE("status: a machine proof that fails fails the step") {
  Run run;
  run.audit(rules, false);
  is(run.of(rules), Status::failed, "machine: failed");
  CHECK_THAT(joined(evidence_findings(run.of(rules))), Contains("variance_rules: machine: failed"));
}

TEST_CASE("status: a step is verified only if those that it uses are") {
  Run run;
  run.leave(expansion, Run::test_name(Kind::numeric), {});
  CHECK(run.of(expansion).status == Status::partial);
  is(run.of(rules), Status::partial, "uses variance_expansion, which is partial");
  CHECK(joined(evidence_findings(run.of(rules))).empty());  // it is said at the other step
  run.audit(expansion, false);
  is(run.of(rules), Status::partial, "uses variance_expansion, which is failed");
}

TEST_CASE("status: a page that disagrees with the table is no proof") {
  Run run;
  run.replace(Sandbox::page(rules), "\\hyp{uncorrelated_terms}", "assumed");
  is(run.of(rules), Status::partial, "proof: table, page and code disagree");
}

TEST_CASE("status: the budget of false alarms") {
  Run run;
  CHECK(budget_findings(gather(run.project()), {}).empty());
  Json check = Run::check(Kind::statistical);
  check["false_alarm"] = 9e-10;  // and 1e-12 in the other step
  run.leave(rules, Run::test_name(Kind::statistical), {check});
  CHECK(budget_findings(gather(run.project()), {}).empty());
  run.leave(rules, Run::test_name(Kind::statistical), {check, check});
  CHECK_THAT(joined(budget_findings(gather(run.project()), {})), Contains("more than the budget 1e-09"));
  run.leave(rules, Run::test_name(Kind::statistical), {check});
  const TestCase library{"of the library", TestCase::State::passed, {{"family_false_alarm", 1e-9}}, {check}};
  CHECK_FALSE(budget_findings(gather(run.project()), {library}).empty());
  check["false_alarm"] = nullptr;
  run.leave(rules, Run::test_name(Kind::statistical), {check});
  CHECK_FALSE(budget_findings(gather(run.project()), {}).empty());
}

TEST_CASE("certificate: documented fields, of the documented types") {
  Run run;
  const auto evidence = gather(run.project());
  const Json c = Json::parse(certificate(run.project(), evidence, "abc123").dump());
  CHECK(c.at("project") == "rootdk");
  CHECK(c.at("commit") == "abc123");
  CHECK(c.at("version").is_string());
  CHECK_THAT(c.at("date").get<std::string>(), Catch::Matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
  for (const char* tool : {"compiler", "boost", "rapidcheck", "catch2", "doxygen", "coq", "cpu"}) {
    INFO(tool);
    CHECK_FALSE(c.at("toolchain").at(tool).get<std::string>().empty());
  }
  CHECK(c.at("seed") == 1);
  CHECK(c.at("policy").at("family_false_alarm") == 1e-9);
  CHECK(c.at("policy").at("statistical_checks") == 6);
  REQUIRE(c.at("steps").size() == steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Json& s = c.at("steps").at(i);
    INFO(steps[i].slug);
    CHECK(s.at("number") == i + 1);
    CHECK(s.at("slug") == steps[i].slug);
    CHECK(s.at("part") == name(steps[i].part));
    CHECK(s.at("title") == steps[i].title);
    CHECK(s.at("hash") == Run::hash(steps[i]));
    CHECK(s.at("uses").size() == steps[i].uses.size());
    CHECK(s.at("owes").size() == steps[i].owes.size());
    CHECK(s.at("hypotheses").size() == steps[i].assumptions().size() + steps[i].domain.size());
    CHECK(s.at("evidence").is_array());
    const std::string status = s.at("status");
    CHECK((status == "verified" || status == "partial" || status == "failed" || status == "not run"));
    CHECK((status == "verified") == (i < 2));
    CHECK(s.at("machine").is_null() == (i >= 2));
  }

  const Json& s = c.at("steps").at(1);
  CHECK(s.at("uses") == Json{"variance_expansion"});
  CHECK(s.at("owes") == Json{"exact", "numeric", "statistical", "machine"});
  for (const Json& h : s.at("hypotheses"))
    CHECK(h.at("falsifiers") == Json{fmt::format("a case without {}", h.at("slug").get<std::string>())});
  CHECK(s.at("machine").at("theorem") == "variance_rules");
  CHECK(s.at("machine").at("file") == "proofs/dot_product/variance_rules.v");
  CHECK(s.at("machine").at("axioms").is_array());
  CHECK(s.at("machine").at("hypotheses").is_array());
  REQUIRE(s.at("evidence").size() == 5);
  for (const Json& e : s.at("evidence")) {
    for (const char* text : {"kind", "name", "file"}) CHECK(e.at(text).is_string());
    for (const char* count : {"line", "cases", "seed"}) CHECK(e.at(count).is_number_integer());
    for (const char* real : {"error", "bound", "false_alarm", "seconds"}) CHECK(e.at(real).is_number());
    CHECK(e.at("laws").is_array());
    CHECK(e.at("passed").is_boolean());
    CHECK(e.at("drops").is_string() == (e.at("kind") == "falsifier"));
    CHECK(e.at("drops").is_null() == (e.at("kind") != "falsifier"));
  }
}

TEST_CASE("certificate: of nothing run, and of an audit without theorems") {
  Run run;
  run.build_file("tests.json", R"({"tests": []})");
  run.build_file(
      "evidence/variance_rules/machine.json",
      R"({"hash": "hash of variance_rules", "passed": false, "file": "proofs/dot_product/variance_rules.v", "theorems": []})");
  const Json c = certificate(run.project(), gather(run.project()), "unknown");
  CHECK(c.at("seed").is_null());
  CHECK(c.at("steps").at(1).at("status") == "failed");
  CHECK(c.at("steps").at(1).at("machine").at("file") == "proofs/dot_product/variance_rules.v");
}

TEST_CASE("book: a check that failed with no finite number is written like any other") {
  Run run;
  Json header = Run::header(rules, Run::test_name(Kind::numeric)), check = Run::check(Kind::numeric);
  header["passed"] = check["passed"] = false;
  check["error"] = check["bound"] = check["detectable"] = nullptr;  // JSON's infinity and NaN
  check["details"] = {{{"label", "normal"},
                       {"claimed", 1.0},
                       {"median", nullptr},
                       {"half_width", nullptr},
                       {"detectable", nullptr},
                       {"batches", 3},
                       {"outside", 3}}};
  run.leave(rules, header, {check});
  for (const Step* s : {&expansion, &rules})  // the page shows the proof
    run.write(Sandbox::proof(*s), "Theorem t : True. Proof. exact I. Qed.\n");
  const auto evidence = gather(run.project());
  CHECK(evidence.at(step_index("variance_rules")).status == Status::failed);
  write_step_fragments(run.project(), evidence, "0.1.0", "abc123");
  const auto parts = run.project().build / "book/parts";
  CHECK_THAT(read_file(parts / "evidence_variance_rules.html"), Contains("<strong>failed</strong>: not finite"));
  CHECK_THAT(read_file(parts / "card_variance_rules.html"), Contains("test failed: numeric: the claim"));
  CHECK_THAT(read_file(parts / "card_dot_product_variance.html"), Contains("not run"));
}

TEST_CASE("readme: the table stands between its markers and nothing else changes") {
  const Run run;
  const auto evidence = gather(run.project());
  const std::string begin = "<!-- steps: written by ./run readme -->\n", end = "<!-- /steps -->";
  const std::string before = "# title\n\n", after = "\n\n## more\n";
  const std::string once = readme_with_status(before + begin + "an older row\n" + end + after, evidence);
  CHECK_THAT(once, Catch::StartsWith(before + begin + "| | step |"));
  CHECK_THAT(once, Catch::EndsWith(end + after));
  CHECK_THAT(once, Contains("\n| 1 | `variance_expansion` | Variance as a difference of moments | ■ verified |\n"));
  CHECK_THAT(once, Contains("\n| 31 | `crossed_estimator` | The crossed estimator | □ not run |\n"));
  CHECK_THAT(once, !Contains("an older row"));
  CHECK(readme_with_status(once, evidence) == once);
  for (const std::string& bad : {before + begin, before + end, end + before + begin, std::string()})
    CHECK_THROWS_WITH(readme_with_status(bad, evidence), Contains("expected the markers"));
  // those of this repository are in place
  CHECK_NOTHROW(readme_with_status(read_file(fs::path(ROOTDK_SOURCE_DIR) / "README.md"), evidence));
}
