// The judgement over many seeds, on evidence made up here: what is in order has no findings, and each
// single thing that is not is found and named.

#include "book/seeds.hpp"

#include <sstream>

#include "book/sandbox.hpp"
#include "support/test.hpp"

using namespace rootdk::book;
using Catch::Contains;

namespace {

constexpr const char* normal = "normal(mu=0, sigma=1), d = 8";
constexpr const char* other = "rademacher, d = 8";

Json row(const std::string& label, int batches, int outside) {
  return {{"label", label}, {"batches", batches}, {"outside", outside}};
}

// Two seeds with a check by batches over two laws, one by another method, and one of another step.
class Seeds : public Sandbox {
 public:
  Seeds() {
    for (const int seed : {1, 2}) {
      leave(seed, "variance", {row(normal, 100, 5), row(other, 100, 0)});
      leave(seed, "sampler", {row("normal(mu=3, sigma=0.5)", 1, 0)});
    }
  }

  void leave(int seed, const std::string& check, const std::vector<Json>& details, bool passed = true) {
    const Json header{
        {"step", "dot_product_variance"}, {"test", "statistical: " + check}, {"seed", seed}, {"passed", passed}};
    const Json record{{"name", check}, {"details", details}};
    write_file(file(seed, check), header.dump() + "\n" + record.dump() + "\n");
  }

  std::filesystem::path file(int seed, const std::string& check) const {
    return root() / std::to_string(seed) / "dot_product_variance" / (check + ".jsonl");
  }

  std::string findings(std::size_t count = 2) {
    std::ostringstream out;
    const std::vector<std::string> found = seeds_findings(root(), tests, count, out);
    summary = out.str();
    return fmt::format("{}", fmt::join(found, "\n"));
  }

  std::vector<std::string> tests{"dot_product_variance: statistical: variance",
                                 "dot_product_variance: statistical: sampler"};
  std::string summary;
};

}  // namespace

TEST_CASE("seeds: what is in order has no findings") {
  Seeds seeds;
  CHECK(seeds.findings() == "");
  CHECK(seeds.summary ==
        "2 seeds, 2 statistical checks by batches each; largest share of batches outside 0.05, smallest of 1 checks of "
        "normal laws 0.05\n");
}

TEST_CASE("seeds: an alarm at one seed is found") {
  Seeds seeds;
  seeds.leave(2, "variance", {row(normal, 100, 5), row(other, 100, 0)}, false);
  CHECK(seeds.findings() == "dot_product_variance: alarm at seed 2 in 'statistical: variance'");
}

TEST_CASE("seeds: each law by itself has at most a quarter of its batches outside") {
  Seeds seeds;
  seeds.leave(1, "variance", {row(normal, 100, 5), row(other, 100, 10)});
  seeds.leave(2, "variance", {row(normal, 100, 5), row(other, 100, 42)});
  CHECK(seeds.findings() ==
        "dot_product_variance: variance: rademacher, d = 8: 0.26 of the batches outside, more than 1/4");
  // a quarter is allowed, and only the sum over the seeds counts
  seeds.leave(2, "variance", {row(normal, 100, 5), row(other, 100, 40)});
  CHECK(seeds.findings() == "");
}

TEST_CASE("seeds: each check of a normal law has at least 1% of its batches outside") {
  Seeds seeds;
  for (const int seed : {1, 2}) seeds.leave(seed, "second", {row(normal, 1000, 9)});
  CHECK(seeds.findings() ==
        "dot_product_variance: second: normal(mu=0, sigma=1), d = 8: 0.009 of the batches outside, less than 1%");
  for (const int seed : {1, 2}) seeds.leave(seed, "second", {row(normal, 1000, 10)});
  CHECK(seeds.findings() == "");
  // wherever the label names it
  for (const int seed : {1, 2}) seeds.leave(seed, "second", {row("q normal(mu=0, sigma=1), k normal", 1000, 9)});
  CHECK_THAT(seeds.findings(), Contains("less than 1%"));
  // a law that is not normal may have fewer, also if its name ends like the normal one
  for (const int seed : {1, 2}) seeds.leave(seed, "second", {row("lognormal(mu=0, sigma=0.25), d = 8", 1000, 0)});
  CHECK(seeds.findings() == "");
}

TEST_CASE("seeds: a check that is missing at one seed is found, whatever its method") {
  Seeds seeds;
  seeds.leave(2, "variance", {row(normal, 100, 5)});
  CHECK(seeds.findings() == "dot_product_variance: variance: rademacher, d = 8: done with 1 of 2 seeds");
  Seeds crashed;
  std::filesystem::remove(crashed.file(1, "sampler"));
  CHECK(crashed.findings() ==
        "dot_product_variance: sampler: normal(mu=3, sigma=0.5): done with 1 of 2 seeds\n"
        "dot_product_variance: statistical: sampler: ran with 1 of 2 seeds");
}

TEST_CASE("seeds: a test that left nothing at any seed is found") {
  Seeds seeds;
  seeds.tests.push_back("gradient_survival: statistical: two keys");
  CHECK(seeds.findings() == "gradient_survival: statistical: two keys: ran with 0 of 2 seeds");
}

TEST_CASE("seeds: fewer seeds than asked for are found") {
  Seeds seeds;
  const std::string findings = seeds.findings(3);
  CHECK_THAT(findings, Contains("evidence of 2 seeds, expected 3"));
  CHECK_THAT(findings, Contains("variance: rademacher, d = 8: done with 2 of 3 seeds"));
}

TEST_CASE("seeds: evidence without a check by batches of a normal law is found") {
  Seeds seeds;
  for (const int seed : {1, 2}) seeds.leave(seed, "variance", {row(other, 100, 5)});
  CHECK(seeds.findings() == "no check with normal components");
}

TEST_CASE("seeds: a folder that is not there is an error") {
  std::ostringstream out;
  CHECK_THROWS_AS(seeds_findings("no such folder", {}, 1, out), std::filesystem::filesystem_error);
}
