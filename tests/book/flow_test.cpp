// The support of the tests, tested from outside: each test of the program `misbehaving` is run by itself,
// and its exit status and the evidence it left are looked at.
//
// 1. What is in order passes and leaves whole evidence in place of the old.
// 2. Whatever is wrong fails its test case, and the evidence says so.
// 3. A crash, a full disk or a folder that cannot be written leaves no evidence that counts.

#include <sys/wait.h>

#include <cctype>
#include <cstdio>
#include <sstream>

#include "book/sandbox.hpp"
#include "support/test.hpp"

using namespace rootdk;
using namespace rootdk::book;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

std::string in_quotes(const std::string& word) { return "'" + word + "'"; }  // no word here has a quote

class Child {
  Sandbox box_;

 public:
  std::string evidence = (box_.root() / "evi dence").string();
  int exit_code = 0;
  std::string output;

  fs::path file(const std::string& test) const {
    return fs::path(evidence) / "variance_rules" / (testing::evidence_file_name(test) + ".jsonl");
  }

  /// \param environment as for env
  /// \param before      shell commands in front of the program
  void run(const std::string& test, const std::string& environment = "", const std::string& before = "") {
    const std::string command = before + "exec env -u ROOTDK_SEED " + environment +
                                " ROOTDK_EVIDENCE=" + in_quotes(evidence) + " " + in_quotes(ROOTDK_MISBEHAVING) + " " +
                                in_quotes(test) + " --warn NoTests 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe);
    output.clear();
    for (int c; (c = std::fgetc(pipe)) != EOF;)  // without Catch2's line breaks
      if (!std::isspace(c))
        output += static_cast<char>(c);
      else if (!output.ends_with(' '))
        output += ' ';
    const int status = pclose(pipe);
    exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  bool left_evidence(const std::string& test) const { return fs::exists(file(test)); }
  // header first, then the checks
  std::vector<Json> lines(const std::string& test) const {
    std::istringstream in(read_file(file(test)));
    std::vector<Json> result;
    for (std::string line; std::getline(in, line);) result.push_back(Json::parse(line));
    return result;
  }
  // nothing that would count as passed, and nothing half written
  bool left_nothing_good(const std::string& test) const {
    if (fs::exists(file(test).string() + ".tmp")) return false;
    if (!left_evidence(test)) return true;
    for (const Json& line : lines(test))
      if (line.at("passed") != false) return false;
    return true;
  }
};

void fails(const std::string& test, const std::string& says, const std::string& check_kind = "") {
  INFO(test);
  Child child;
  child.run(test);
  INFO(child.output);
  CHECK(child.exit_code != 0);
  CHECK_THAT(child.output, Contains(says));
  CHECK(child.left_nothing_good(test));
  if (check_kind.empty()) return;
  REQUIRE(child.left_evidence(test));
  const auto lines = child.lines(test);
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].at("kind") == check_kind);
}

void write_old_evidence(const Child& child, const std::string& test) {
  write_file(child.file(test),
             R"({"step":"variance_rules","hash":"misbehaving","test":")" + test + R"(","passed":true})" + "\n");
}

}  // namespace

TEST_CASE("flow: what is in order passes and leaves evidence") {
  Child child;
  for (const char* test : {"good property", "good comparison", "good statistics", "good falsifiers"}) {
    write_old_evidence(child, test);
    child.run(test);
    INFO(child.output);
    CHECK(child.exit_code == 0);
    REQUIRE(child.left_evidence(test));
    CHECK_FALSE(fs::exists(child.file(test).string() + ".tmp"));
    const auto lines = child.lines(test);
    const Json& header = lines.at(0);
    CHECK(header.at("test") == test);
    CHECK(header.at("hash") == "misbehaving");
    CHECK(header.at("file") == "tests/book/misbehaving.cc");
    CHECK(header.at("seed") == 1);
    for (const Json& line : lines) CHECK(line.at("passed") == true);
  }
  const Json property = child.lines("good property").at(1);
  CHECK(property.at("cases") == 1000);
  int classified = 0;
  for (const Json& count : property.at("classes")) classified += count.get<int>();
  CHECK(property.at("classes").size() == 2);
  CHECK(classified == 1000);
  CHECK(property.at("seed") != 0);
  const Json comparison = child.lines("good comparison").at(1);
  CHECK(comparison.at("cases") == 2);
  CHECK(comparison.at("error") == 0.0625);
  CHECK(comparison.at("bound") == 0.125);
  CHECK(comparison.at("assumes") == Json{"uncorrelated_terms"});
  const Json statistics = child.lines("good statistics").at(1);
  CHECK(statistics.at("cases") == 2);
  CHECK(statistics.at("details").size() == 2);
  CHECK(statistics.at("error") <= 1);
  CHECK(statistics.at("false_alarm") > 0);
  const auto falsifiers = child.lines("good falsifiers");
  REQUIRE(falsifiers.size() == 4);
  CHECK(falsifiers[1].at("drops") == "uncorrelated_terms");
  CHECK_THAT(falsifiers[1].at("then").get<std::string>(), Contains("it is 4, not 2"));
  CHECK(falsifiers[3].at("drops") == "finite_second_moment");
}

TEST_CASE("flow: the seed reaches every check and is checked itself") {
  Child one, two;
  one.run("good property");
  two.run("good property", "ROOTDK_SEED=2");
  CHECK(two.lines("good property").at(0).at("seed") == 2);
  CHECK(one.lines("good property").at(1).at("seed") != two.lines("good property").at(1).at("seed"));
  for (const char* bad : {"", "x", "-1", "1x", "18446744073709551616"}) {
    two.run("good property", fmt::format("ROOTDK_SEED='{}'", bad));
    CHECK(two.exit_code != 0);
    CHECK_THAT(two.output, Contains("expected an unsigned integer"));
  }
}

TEST_CASE("flow: a name that no test has is an error") {
  Child child;
  child.run("no such test");
  CHECK(child.exit_code != 0);
}

TEST_CASE("flow: properties that do not hold, or hold of nothing, fail") {
  fails("property that is false", "Falsifiable", "exact");
  fails("property that throws", "seven", "exact");
  fails("property that gives up", "Gave up", "exact");
  fails("property on no cases", "nothing", "exact");
  const std::string table = "no theorem of the step assumes exactly that";
  fails("property of other hypotheses", table, "exact");
  fails("property of too many hypotheses", table, "exact");
}

TEST_CASE("flow: comparisons out of bounds, without a bound, or of nothing fail") {
  fails("comparison of nothing", "nothing was compared", "numeric");
  fails("comparison beyond its bound", "error 0.25, bound 0.125", "numeric");
  for (const char* what :
       {"that measured NaN", "that expected NaN", "with a NaN bound", "with an infinite bound", "of infinities"})
    fails(std::string("comparison ") + what, "bound", "numeric");
  fails("comparison of other hypotheses", "no theorem of the step assumes exactly that", "numeric");
}

TEST_CASE("flow: statistical checks alarm") {
  fails("statistics of nothing", "nothing was checked", "statistical");
  fails("statistics off by four deviations", "claimed 1", "statistical");
  fails("statistics off by minus four deviations", "claimed 1", "statistical");
  fails("statistics on too few batches", "enough", "statistical");
  fails("statistics with a NaN batch", "NaN");
  fails("statistics with an infinite deviation", "finite deviation");
  fails("statistics of a NaN statistic", "inside", "statistical");
  fails("statistics beyond the share", "enough", "statistical");
}

TEST_CASE("flow: falsifiers that do not falsify and refusals that do not name fail") {
  fails("falsifier where the conclusion holds", "without uncorrelated_terms", "falsifier");
  fails("falsifier within its bound", "without uncorrelated_terms", "falsifier");
  fails("falsifier that measured NaN", "without uncorrelated_terms", "falsifier");
  fails("falsifier of another hypothesis", "not a hypothesis of the step", "falsifier");
  fails("refusal that names nothing", "bad law", "falsifier");
  fails("refusal that names another", "zero_mean fails", "falsifier");
  fails("refusal that accepts", "it was accepted", "falsifier");
  fails("refusal of the wrong type", "finite_second_moment fails");
}

TEST_CASE("flow: one failure in a case fails the checks that passed in it") {
  fails("good check in a case that fails", "1 == 2", "numeric");
  fails("exception in the case", "out of the case");
}

TEST_CASE("flow: a crash leaves nothing that counts, and takes the old evidence away") {
  for (const char* how : {"abort", "segmentation fault", "kill", "exit"}) {
    const std::string test = std::string(how) + " in the case";
    INFO(test);
    Child child;
    write_old_evidence(child, test);
    child.run(test);
    if (std::string(how) != "exit") CHECK(child.exit_code != 0);
    CHECK(child.left_nothing_good(test));
  }
}

TEST_CASE("flow: a full disk fails the program and leaves nothing") {
  Child child;
  write_old_evidence(child, "good comparison");
  // no file may grow, and the signal that this raises is ignored: writing fails as on a full disk
  child.run("good comparison", "", "trap '' XFSZ; ulimit -f 0; ");
  INFO(child.output);
  CHECK(child.exit_code != 0);
  CHECK_THAT(child.output, Contains("could not be written"));
  CHECK_FALSE(child.left_evidence("good comparison"));
  CHECK_FALSE(fs::exists(child.file("good comparison").string() + ".tmp"));
}

TEST_CASE("flow: a folder that cannot be made fails the program") {
  Child child;
  write_file(child.evidence, "a file where the folder should be");
  child.run("good comparison");
  CHECK(child.exit_code != 0);
}

TEST_CASE("flow: old evidence that cannot be removed fails the program before the test runs") {
  Child child;
  write_file(child.file("exit in the case") / "in_the_way", "");
  child.run("exit in the case");
  CHECK(child.exit_code != 0);
}
