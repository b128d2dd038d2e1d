#include "book/seeds.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "book/evidence.hpp"

namespace rootdk::book {
namespace {

struct Count {
  std::int64_t batches = 0, outside = 0;
  double share() const { return static_cast<double>(outside) / static_cast<double>(batches); }
};

}  // namespace

std::vector<std::string> seeds_findings(const std::filesystem::path& folder, std::ostream& out) {
  std::map<std::string, Count> counts;  // by step, check and label
  std::vector<std::string> findings;
  std::map<std::string, int> seeds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::istringstream lines(read_file(entry.path()));
    Json header;
    for (std::string line; std::getline(lines, line);) {
      const Json json = Json::parse(line);
      if (header.is_null()) {
        header = json;
        ++seeds[header.at("seed").dump()];
        if (!header.at("passed"))
          findings.push_back(fmt::format("{}: alarm at seed {} in '{}'", header.at("step").get<std::string>(),
                                         header.at("seed").dump(), header.at("test").get<std::string>()));
        continue;
      }
      for (const Json& detail : json.at("details")) {
        if (detail.at("batches").get<std::int64_t>() < 2) continue;  // not a check by batches
        Count& count = counts[fmt::format("{}: {}: {}", header.at("step").get<std::string>(),
                                          json.at("name").get<std::string>(), detail.at("label").get<std::string>())];
        count.batches += detail.at("batches").get<std::int64_t>();
        count.outside += detail.at("outside").get<std::int64_t>();
      }
    }
  }
  double most = 0, least_normal = 1;
  for (const auto& [check, count] : counts) {
    most = std::max(most, count.share());
    if (count.share() > 0.25)
      findings.push_back(fmt::format("{}: {:.3g} of the batches outside, more than 1/4", check, count.share()));
    if (check.find(": normal(") == std::string::npos) continue;
    least_normal = std::min(least_normal, count.share());
    if (count.share() < 0.01)
      findings.push_back(fmt::format("{}: {:.3g} of the batches outside, less than 1%", check, count.share()));
  }
  out << fmt::format(
      "{} seeds, {} statistical checks each; largest share of batches outside {:.3g}, smallest with normal "
      "components {:.3g}\n",
      seeds.size(), counts.size(), most, least_normal);
  return findings;
}

}  // namespace rootdk::book
