#include "book/figures.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <regex>
#include <stdexcept>

namespace rootdk::book {
namespace {

// gnuplot knows no CSS: each series is drawn in a colour that stands for a variable of the theme.
std::string series_colours() {
  std::string commands;
  for (int k = 1; k <= 5; ++k) commands += fmt::format("series_{0} = \"#01010{0}\"\n", k);
  return commands;
}

std::string themed(std::string svg, const std::string& name) {
  svg = svg.substr(svg.find("<svg"));
  svg = std::regex_replace(svg, std::regex(R"(rgb\(\s*1,\s*1,\s*([1-5])\))"), "var(--rdk-series-$1)");
  svg = std::regex_replace(svg, std::regex(R"re(fill="black"|fill = 'black')re"), "fill=\"currentColor\"");
  svg = std::regex_replace(svg, std::regex(R"((color|stroke)=(["'])black["'])"), "$1=$2currentColor$2");
  svg = std::regex_replace(svg, std::regex(R"re(<rect x="0" y="0"[^>]*/>)re"), "");
  svg = std::regex_replace(svg, std::regex(R"((<title>)Gnuplot(</title>))"), "$1" + name + "$2");
  // several figures can stand on one page
  return std::regex_replace(svg, std::regex(R"((id=['"]|href=['"]#)(gp|textbox|greybox))"), "$1" + name + "_$2");
}

}  // namespace

void write_figure(const Project& project, const std::string& name, const std::string& commands,
                  const std::string& caption) {
  const auto folder = project.build / "book/figures";
  const auto script = folder / (name + ".gp"), svg = folder / (name + ".svg");
  write_file(script, fmt::format("set term svg size 720,420 dynamic font \"sans-serif,13\"\nset output '{}'\n{}{}",
                                 svg.string(), series_colours(), commands));
  const std::string call = fmt::format("gnuplot '{}'", script.string());
  if (std::system(call.c_str()) != 0) throw std::runtime_error("gnuplot failed: " + call);
  write_file(project.build / "book/parts" / fmt::format("figure_{}.html", name),
             fmt::format("<figure class=\"rdk-figure\">\n{}<figcaption>{}</figcaption></figure>\n",
                         themed(read_file(svg), name), caption));
}

}  // namespace rootdk::book
