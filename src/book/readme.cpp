#include "book/readme.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "book/html.hpp"

namespace rootdk::book {

std::string readme_with_status(const std::string& readme, const std::vector<StepEvidence>& evidence) {
  static constexpr std::string_view begin = "<!-- steps: written by ./run readme -->\n", end = "<!-- /steps -->";
  const std::size_t first = readme.find(begin), last = readme.find(end);
  if (first == std::string::npos || last == std::string::npos || last < first)
    throw std::runtime_error(fmt::format("README.md: expected the markers {}and {}", begin, end));

  std::string table = "| | step | title | status |\n|---|---|---|---|\n";
  for (const StepEvidence& e : evidence)
    table += fmt::format("| {} | `{}` | {} | {} {} |\n", step_index(e.step->slug) + 1, e.step->slug, e.step->title,
                         shape(e.status), name(e.status));
  return readme.substr(0, first + begin.size()) + table + readme.substr(last);
}

}  // namespace rootdk::book
