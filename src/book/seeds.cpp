#include "book/seeds.hpp"

#include <fmt/format.h>

#include <map>
#include <regex>
#include <sstream>

#include "book/evidence.hpp"

namespace rootdk::book {
namespace {

struct Count {
  std::int64_t batches = 0, outside = 0;
  std::size_t seeds = 0;
  double share() const { return static_cast<double>(outside) / static_cast<double>(batches); }
};

}  // namespace

std::vector<std::string> seeds_findings(const std::filesystem::path& folder, const std::vector<std::string>& tests,
                                        std::size_t count, std::ostream& out) {
  std::map<std::string, Count> counts;  // by step, check and label: a law, and a dimension where there is one
  std::vector<std::string> findings;
  std::map<std::string, int> seeds;
  std::map<std::string, std::size_t> ran;  // by step and test
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::istringstream lines(read_file(entry.path()));
    Json header;
    for (std::string line; std::getline(lines, line);) {
      const Json json = Json::parse(line);
      if (header.is_null()) {
        header = json;
        ++seeds[header.at("seed").dump()];
        ++ran[header.at("step").get<std::string>() + ": " + header.at("test").get<std::string>()];
        if (!header.at("passed"))
          findings.push_back(fmt::format("{}: alarm at seed {} in '{}'", header.at("step").get<std::string>(),
                                         header.at("seed").dump(), header.at("test").get<std::string>()));
        continue;
      }
      for (const Json& detail : json.at("details")) {
        Count& found = counts[fmt::format("{}: {}: {}", header.at("step").get<std::string>(),
                                          json.at("name").get<std::string>(), detail.at("label").get<std::string>())];
        ++found.seeds;
        if (detail.at("batches").get<std::int64_t>() < 2) continue;  // not a check by batches
        found.batches += detail.at("batches").get<std::int64_t>();
        found.outside += detail.at("outside").get<std::int64_t>();
      }
    }
  }
  const std::regex normal_law("[: ]normal\\(");  // not lognormal(, skew_normal(
  double most = 0, least_normal = 1;
  std::size_t by_batches = 0, normal = 0;
  for (const auto& [check, found] : counts) {
    if (found.seeds != count)
      findings.push_back(fmt::format("{}: done with {} of {} seeds", check, found.seeds, count));
    if (found.batches == 0) continue;
    ++by_batches;
    most = std::max(most, found.share());
    if (found.share() > 0.25)
      findings.push_back(fmt::format("{}: {:.3g} of the batches outside, more than 1/4", check, found.share()));
    // checks of a normal law know the variance of a batch; others may have only a bound on it
    if (!std::regex_search(check, normal_law)) continue;
    ++normal;
    least_normal = std::min(least_normal, found.share());
    if (found.share() < 0.01)
      findings.push_back(fmt::format("{}: {:.3g} of the batches outside, less than 1%", check, found.share()));
  }
  for (const std::string& test : tests)
    if (ran[test] != count) findings.push_back(fmt::format("{}: ran with {} of {} seeds", test, ran[test], count));
  if (seeds.size() != count) findings.push_back(fmt::format("evidence of {} seeds, expected {}", seeds.size(), count));
  if (normal == 0) findings.emplace_back("no check with normal components");
  out << fmt::format(
      "{} seeds, {} statistical checks by batches each; largest share of batches outside {:.3g}, smallest of {} checks "
      "of normal laws {:.3g}\n",
      seeds.size(), by_batches, most, normal, least_normal);
  return findings;
}

}  // namespace rootdk::book
