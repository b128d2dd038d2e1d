#include <fmt/format.h>

#include "book/figures.hpp"
#include "rootdk/dot_product/scale_uniqueness.hpp"

namespace rootdk::book {

void write_scale_figure(const Project& project) {
  std::string commands;
  const char* names[] = {"no scale, a = 0", "a = 1/4", "√d, a = 1/2", "d, a = 1"};
  const int quarters[] = {0, 1, 2, 4};
  for (int series = 0; series < 4; ++series) {
    commands += fmt::format("$series_{} << EOD\n", series);
    for (std::size_t d = 1; d <= 4096; d *= 2)
      commands +=
          fmt::format("{} {:.17g}\n", d, dot_product::logit_variance<double>(Scale::power(quarters[series], 4), d));
    commands += "EOD\n";
  }
  commands +=
      "set logscale x 2\nset logscale y 10\nset format y '10^{%L}'\nset xlabel 'head dimension d'\n"
      "set ylabel 'variance of the logit'\nset grid\nset key outside bottom center horizontal\nplot ";
  for (int series = 0; series < 4; ++series)
    commands += fmt::format("{}$series_{} with linespoints lw 2 pt {} lc rgb series_{} title '{}'", series ? ", " : "",
                            series, 4 + 2 * series, series + 1, names[series]);
  write_figure(
      project, "scale_exponents", commands + "\n",
      "Variance of \\(q \\cdot k/d^a\\) against \\(d\\) for four exponents. Only \\(a = 1/2\\) keeps it at 1.");
}

}  // namespace rootdk::book
