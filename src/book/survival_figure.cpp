#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "book/figures.hpp"
#include "rootdk/attention/gradient_survival.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/montecarlo/bounded_mean.hpp"

namespace rootdk::book {
namespace {

using Statistics = attention::GradientStatistics<double>;
using Member = double Statistics::*;

struct NamedScale {
  const char* name;
  const char* formula;
  Scale scale;
};
const std::array<NamedScale, 3> scales{{{"no scale", "\\(q \\cdot k\\)", Scale::none()},
                                        {"√d", "\\(q \\cdot k/\\sqrt d\\)", Scale::inverse_sqrt()},
                                        {"d", "\\(q \\cdot k/d\\)", Scale::inverse()}}};

constexpr double confidence_lost = 1e-6;

// Rows of n logits under each scale, components standard normal. Given q the logits are independent and normal with
// variance |q|^2, so that is what is drawn.
std::array<std::vector<Statistics>, 3> sample(std::size_t n, std::size_t d, std::size_t rows) {
  montecarlo::Stream stream({1, montecarlo::stream_label("gradient_survival"), n, d, rows});
  const laws::Law normal = laws::normal(0, 1);
  std::vector<double> q(d), directions(n), z(n);
  std::array<std::vector<Statistics>, 3> result;
  for (std::size_t i = 0; i < rows; ++i) {
    normal.sample(stream, q);
    normal.sample(stream, directions);
    double square = 0;
    for (double x : q) square += x * x;
    for (std::size_t s = 0; s < scales.size(); ++s) {
      const double sigma = std::sqrt(square) / scales[s].scale.divisor_for<double>(d);
      for (std::size_t j = 0; j < n; ++j) z[j] = sigma * directions[j];
      result[s].push_back(attention::gradient_statistics<double>(z));
    }
  }
  return result;
}

std::vector<double> sorted(const std::vector<Statistics>& rows, Member member) {
  std::vector<double> values;
  for (const Statistics& row : rows) values.push_back(row.*member);
  std::sort(values.begin(), values.end());
  return values;
}

double mean(const std::vector<double>& values) {
  double total = 0;
  for (double x : values) total += x;
  return total / static_cast<double>(values.size());
}

double quantile(const std::vector<double>& values, double p) {
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

// By the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart: how far the level of a quantile of the sample is from
// its nominal one.
double level_error(std::size_t rows) {
  return std::sqrt(std::log(2 / confidence_lost) / (2 * static_cast<double>(rows)));
}

void write_curves(const Project& project) {
  constexpr std::size_t n = 8, rows = 4001;
  constexpr double uniform = 1 - 1.0 / n, floor = 1e-12;
  std::array<std::string, 3> data;
  for (std::size_t d = 1; d <= 4096; d *= 2) {
    const auto statistics = sample(n, d, rows);
    for (std::size_t s = 0; s < scales.size(); ++s) {
      const std::vector<double> trace = sorted(statistics[s], &Statistics::trace);
      const auto shown = [&](double x) { return std::max(x / uniform, floor); };
      data[s] += fmt::format("{} {:.6g} {:.6g} {:.6g} {:.6g}\n", d, shown(quantile(trace, 0.25)),
                             shown(quantile(trace, 0.5)), shown(quantile(trace, 0.75)), shown(mean(trace)));
    }
  }
  std::string commands, bands, curves;
  for (std::size_t s = 0; s < scales.size(); ++s) {
    commands += fmt::format("$series_{} << EOD\n{}EOD\n", s, data[s]);
    bands += fmt::format(
        "$series_{0} using 1:2:4 with filledcurves fs transparent solid 0.2 noborder lc rgb series_{1} notitle, ", s,
        s + 1);
    curves += fmt::format("$series_{0} using 1:3 with linespoints lw 2 pt {2} lc rgb series_{1} title '{3}: median', ",
                          s, s + 1, 4 + 2 * s, scales[s].name);
  }
  commands +=
      "set logscale x 2\nset logscale y 10\nset format y '10^{%L}'\nset yrange [1e-8:2]\n"
      "set xlabel 'head dimension d'\nset ylabel 'tr J, relative to uniform weights'\nset grid\n"
      "set key outside bottom center horizontal\nplot " +
      bands + curves + "$series_0 using 1:5 with lines lw 2 dt 2 lc rgb series_1 title 'no scale: mean'\n";
  write_figure(project, "gradient_survival", commands,
               fmt::format("What passes through softmax, {} keys, normal components: median and middle half of {} "
                           "sampled rows, divided by its value at equal weights. Without a scale the typical row dies "
                           "exponentially in \\(\\sqrt d\\), while the mean, kept up by rare rows, falls like "
                           "\\(1/\\sqrt d\\). Levels of the quantiles are within {:.2f} of the nominal ones, but for a "
                           "chance of {:.0e}.",
                           n, rows, level_error(rows), confidence_lost));
}

void write_table(const Project& project) {
  constexpr std::size_t d = 64, rows = 1001;
  std::string html =
      "<div class=\"rdk-scroll\"><table class=\"rdk-table\"><thead><tr><th>keys</th><th>logits</th><th>mean tr J</th>"
      "<th>median tr J</th><th>median \\(\\lVert J\\rVert_2\\)</th><th>mean entropy, of \\(\\log n\\)</th>"
      "<th>median largest weight</th><th>share above 0.999</th></tr></thead><tbody>\n";
  for (const std::size_t n : {2u, 8u, 64u, 512u}) {
    const auto statistics = sample(n, d, rows);
    for (std::size_t s = 0; s < scales.size(); ++s) {
      const auto column = [&](Member member) { return sorted(statistics[s], member); };
      const auto median = [&](Member member) { return quantile(column(member), 0.5); };
      const std::vector<double> largest = column(&Statistics::largest);
      const auto sharp = static_cast<double>(largest.end() - std::upper_bound(largest.begin(), largest.end(), 0.999));
      html += fmt::format(
          "<tr><td>{}</td><td>{}</td><td>{:.3f}</td><td>{:.3g}</td><td>{:.3g}</td><td>{:.0f}%</td><td>{:.4f}</"
          "td><td>{:.1f}%</td></tr>\n",
          n, scales[s].formula, mean(column(&Statistics::trace)), median(&Statistics::trace), median(&Statistics::norm),
          100 * mean(column(&Statistics::entropy)) / std::log(static_cast<double>(n)), quantile(largest, 0.5),
          100 * sharp / static_cast<double>(rows));
    }
  }
  // the widest intervals: a mean in [0, 1] about 1/2, and a share about 1/2
  const double half_width = montecarlo::bounded_mean_interval(0.5, 1, rows, confidence_lost).high - 0.5;
  html += fmt::format(
      "</tbody></table></div>\n<p>\\(d = {}\\), normal components, {} rows each. Means and shares are within {:.2f} of "
      "the "
      "true ones and the levels of the medians within {:.2f} of one half, but for a chance of {:.0e} each.</p>\n",
      d, rows, half_width, level_error(rows), confidence_lost);
  write_file(project.build / "book/parts/survival_table.html", html);
}

}  // namespace

void write_survival_figure(const Project& project) {
  write_curves(project);
  write_table(project);
}

}  // namespace rootdk::book
