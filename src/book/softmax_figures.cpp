#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "book/figures.hpp"
#include "book/html.hpp"
#include "rootdk/softmax/softmax_jacobian.hpp"
#include "rootdk/softmax/softmax_saturation.hpp"
#include "rootdk/softmax/softmax_temperature.hpp"

namespace rootdk::book {
namespace {

using Row = std::vector<double>;

void write_gap(const Project& project) {
  const std::size_t keys[] = {2, 8, 64, 512};
  std::string commands, curves, bounds;
  for (std::size_t series = 0; series < std::size(keys); ++series) {
    const std::size_t n = keys[series];
    commands += fmt::format("$series_{} << EOD\n", series);
    for (int step = 0; step <= 60; ++step) {
      const double gap = step / 4.0;
      Row z(n, 0.0);
      z[0] = gap;
      commands += fmt::format("{} {:.10g} {:.10g}\n", gap, softmax::missing_weight<double>(z),
                              softmax::saturation_bound(gap, n).r);
    }
    commands += "EOD\n";
    curves += fmt::format("{0}$series_{1} using 1:2 with lines lw 2 lc rgb series_{2} title '{3} keys'",
                          series ? ", " : "", series, series + 1, n);
    bounds += fmt::format(", $series_{0} using 1:3 with lines lw 1 dt 2 lc rgb series_{1} {2}", series, series + 1,
                          series ? "notitle" : "title 'r, dashed'");
  }
  commands +=
      "set logscale y 10\nset format y '10^{%L}'\nset yrange [1e-7:2]\nset xlabel 'gap between the largest logit and "
      "the others'\n"
      "set ylabel 'weight of all others, 1 - s_{max}'\nset grid\nset key outside bottom center horizontal\nplot " +
      curves + bounds + "\n";
  write_figure(project, "softmax_gap", commands,
               "The weight that the largest logit leaves to all others, \\(1 - s_{\\max}\\), at "
               "\\((\\Delta, 0, \\dots, 0)\\), and its bound \\(r = (n-1)e^{-\\Delta}\\), dashed. Each unit of the gap "
               "divides it by \\(e\\); more keys only shift the curve by \\(\\log(n-1)\\).");
}

void write_entropy(const Project& project) {
  const std::pair<const char*, Row> rows[] = {{"(1, 0, 0, 0)", {1, 0, 0, 0}},
                                              {"(2, 1, 0, -1)", {2, 1, 0, -1}},
                                              {"(1, 1, 0, 0)", {1, 1, 0, 0}},
                                              {"(1, 1, 1, 1)", {1, 1, 1, 1}}};
  std::string commands, curves;
  for (std::size_t series = 0; series < std::size(rows); ++series) {
    const auto& [name, z] = rows[series];
    commands += fmt::format("$series_{} << EOD\n", series);
    for (int step = -32; step <= 48; ++step) {
      const double temperature = std::exp2(step / 8.0);
      commands += fmt::format("{:.10g} {:.10g}\n", temperature, softmax::softmax_entropy<double>(z, temperature));
    }
    commands += "EOD\n";
    curves += fmt::format("$series_{0} with lines lw 2 lc rgb series_{1} title '{2}', ", series, series + 1, name);
  }
  commands +=
      "set logscale x 2\nset yrange [0:1.6]\nset xlabel 'temperature T'\nset ylabel 'entropy of softmax(z/T), "
      "nats'\nset grid\n"
      "set key outside bottom center horizontal\nplot " +
      curves + "log(4) with lines lw 1 dt 2 lc rgb series_5 title 'log 4'\n";
  write_figure(project, "entropy_temperature", commands,
               "Entropy against temperature for four rows of four logits. It never falls as \\(T\\) grows. It tends to "
               "\\(\\log 4\\) for every row, and for \\(T \\to 0\\) to the logarithm of the number of largest logits.");
}

// One matrix as a table whose cells are shaded by size: a heat map that can be read aloud and printed.
constexpr double full_shade = 45;  // percent of the series' colour: text stays readable on it

std::string shaded(const std::vector<double>& matrix, std::size_t n, double largest) {
  std::string html = "<table class=\"rdk-heat\"><tbody>\n";
  for (std::size_t i = 0; i < n; ++i) {
    html += "<tr>";
    for (std::size_t j = 0; j < n; ++j) {
      const double x = matrix[i * n + j];
      html +=
          fmt::format("<td class=\"{}\" style=\"--rdk-heat: {:.0f}%\">{}</td>", x < 0 ? "rdk-negative" : "rdk-positive",
                      full_shade * std::min(1.0, std::abs(x) / largest), number(x));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table>";
}

void write_heat_map(const Project& project) {
  const Row z{2, 1, 0, -1};
  std::string html = "<figure class=\"rdk-figure\">\n<div class=\"rdk-heats\">\n";
  for (const double temperature : {0.125, 1.0, 8.0}) {
    Row scaled = z;
    for (double& x : scaled) x /= temperature;
    html += fmt::format("<div><p>\\(T = {}\\)</p>{}</div>\n", temperature,
                        shaded(softmax::softmax_jacobian<double>(scaled), z.size(), 0.25));
  }
  html +=
      "</div><figcaption>\\(J\\) at \\(\\operatorname{softmax}(z/T)\\), \\(z = (2, 1, 0, -1)\\), for three "
      "temperatures. Positive "
      "entries in the first colour, negative ones in the second; full shade is \\(1/4\\), the largest that an entry "
      "can be. A "
      "row that is nearly one-hot has a Jacobian that is nearly 0; a row that is nearly uniform has "
      "\\((I - \\mathbf 1\\mathbf 1^{\\mathsf T}/n)/n\\).</figcaption></figure>\n";
  write_file(project.build / "book/parts/figure_jacobian_heat.html", html);
}

}  // namespace

void write_softmax_figures(const Project& project) {
  write_gap(project);
  write_entropy(project);
  write_heat_map(project);
}

}  // namespace rootdk::book
