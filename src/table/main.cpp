// rootdk-table: the table of the derivation as JSON on standard output, for what is not C++.

#include <iostream>
#include <nlohmann/json.hpp>

#include "rootdk/derivation.hpp"

namespace {

nlohmann::ordered_json array(const rootdk::Slugs& slugs) {
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (std::string_view slug : slugs) result.push_back(slug);
  return result;
}

nlohmann::ordered_json row(const rootdk::Step& step) {
  nlohmann::ordered_json theorems = nlohmann::ordered_json::array();
  for (const rootdk::Theorem& t : step.theorems)
    theorems.push_back({{"name", t.name}, {"assumptions", array(t.assumptions)}});
  nlohmann::ordered_json uses = nlohmann::ordered_json::array();
  for (const rootdk::Use& use : step.uses) uses.push_back({{"step", use.step}, {"discharges", array(use.discharges)}});
  nlohmann::ordered_json owes = nlohmann::ordered_json::array();
  for (rootdk::Kind kind : step.owes) owes.push_back(rootdk::name(kind));
  return {{"slug", step.slug},
          {"title", step.title},
          {"part", rootdk::name(step.part)},
          {"statement", step.statement},
          {"theorems", theorems},
          {"assumptions", array(step.assumptions())},
          {"domain", array(step.domain)},
          {"uses", uses},
          {"owes", owes},
          {"source", step.source},
          {"cites", step.cites}};
}

}  // namespace

int main() {
  nlohmann::ordered_json table{{"hypotheses", nlohmann::ordered_json::array()},
                               {"steps", nlohmann::ordered_json::array()}};
  for (const rootdk::Hypothesis& h : rootdk::hypotheses)
    table["hypotheses"].push_back({{"slug", h.slug}, {"statement", h.statement}, {"implies", array(h.implies)}});
  for (const rootdk::Step& step : rootdk::steps) table["steps"].push_back(row(step));
  std::cout << table.dump(1) << '\n';
}
