#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "book/figures.hpp"
#include "book/html.hpp"
#include "rootdk/attention/gradient_survival.hpp"
#include "rootdk/dot_product/dot_product_mean.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/montecarlo/bounded_mean.hpp"
#include "rootdk/montecarlo/median_interval.hpp"

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

using Rows = std::array<std::vector<Statistics>, 3>;

montecarlo::Stream stream_of(const std::string& law, std::size_t n, std::size_t d) {
  return montecarlo::Stream({1, montecarlo::stream_label("gradient_survival"), montecarlo::stream_label(law), d, n});
}

// The statistics of one row of dot products under each scale.
void add(Rows& rows, std::span<const double> dots, std::size_t d) {
  std::vector<double> z(dots.size());
  for (std::size_t s = 0; s < scales.size(); ++s) {
    const double c = scales[s].scale.divisor_for<double>(d);
    std::transform(dots.begin(), dots.end(), z.begin(), [c](double x) { return x / c; });
    rows[s].push_back(attention::gradient_statistics<double>(z));
  }
}

// Rows of n logits, components standard normal. Given q the logits are independent and normal with variance |q|^2,
// which is chi squared, so that is what is drawn.
Rows sample(std::size_t n, std::size_t d, std::size_t count) {
  montecarlo::Stream stream = stream_of("normal", n, d);
  const laws::Law normal = laws::normal(0, 1), square = laws::chi_squared(static_cast<double>(d));
  std::vector<double> dots(n);
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    const double norm = std::sqrt(square.sample(stream));
    normal.sample(stream, dots);
    for (double& x : dots) x *= norm;
    add(rows, dots, d);
  }
  return rows;
}

// The same for components of any law.
Rows sample(const laws::Law& law, std::size_t n, std::size_t d, std::size_t count) {
  montecarlo::Stream stream = stream_of(law.name(), n, d);
  std::vector<double> q(d), keys(n * d), dots(n);
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    law.sample(stream, q);
    law.sample(stream, keys);
    for (std::size_t j = 0; j < n; ++j)
      dots[j] = dot_product::dot(std::span<const double>(q), std::span<const double>(keys).subspan(j * d, d));
    add(rows, dots, d);
  }
  return rows;
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
  constexpr double uniform = 1 - 1.0 / n, floor = 1e-13;
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
      "set logscale x 2\nset logscale y 10\nset format y '10^{%L}'\nset ytics 100\nset yrange [1e-13:2]\n"
      "set xlabel 'head dimension d'\nset ylabel 'tr J, relative to uniform weights'\nset grid\n"
      "set key outside bottom center horizontal\nplot " +
      bands + curves + "$series_0 using 1:5 with lines lw 2 dt 2 lc rgb series_1 title 'no scale: mean'\n";
  write_figure(project, "gradient_survival", commands,
               fmt::format("What passes through softmax, {} keys, normal components: median and middle half of {} "
                           "sampled rows, divided by its value at equal weights. Without a scale the typical row dies "
                           "exponentially in \\(\\sqrt d\\), while the mean, kept up by rare rows, falls like "
                           "\\(1/\\sqrt d\\). Levels of the quantiles are within {:.2f} of the nominal ones, but for a "
                           "chance of {:.0e} each.",
                           n, rows, std::ceil(100 * level_error(rows)) / 100, confidence_lost));
}

// A number below 1e-3 with two digits, rounded down or up.
std::string small(double x, double (*round)(double)) {
  if (x == 0) return "0";
  const int power = static_cast<int>(std::floor(std::log10(x)));
  return fmt::format("{:.1f}·10<sup>{}</sup>", round(x * std::pow(10.0, 1 - power)) / 10, power);
}

// An interval, its ends rounded outwards to two digits of its width, but to four places at most.
std::string shown(montecarlo::Interval interval) {
  const auto down = [](double x) { return std::floor(x); };
  const auto up = [](double x) { return std::ceil(x); };
  if (interval.high < 1e-3) return small(interval.low, down) + "–" + small(interval.high, up);
  const double width = std::max(interval.high - interval.low, 1e-4);
  const int places = std::clamp(1 - static_cast<int>(std::floor(std::log10(width))), 0, 4);
  const double units = std::pow(10.0, places);
  return fmt::format("{:.{}f}–{:.{}f}", down(interval.low * units) / units, places, up(interval.high * units) / units,
                     places);
}

constexpr const char* quantities[] = {"tr J", "\\(\\lVert J\\rVert_2\\)", "entropy, of \\(\\log n\\)",
                                      "largest weight"};

std::string table_head(const std::string& first) {
  std::string html =
      "<div class=\"rdk-scroll\"><table class=\"rdk-table\"><thead><tr><th>" + first + "</th><th>logits</th>";
  for (const char* quantity : quantities) html += fmt::format("<th>{0}: mean</th><th>median</th>", quantity);
  return html + "<th>share above 0.999</th></tr></thead><tbody>\n";
}

const char* const table_end = "</tbody></table></div>\n";

// Three rows of a table, one a scale: an interval for the mean and the median of each quantity.
std::string table_rows(const std::string& first, std::size_t n, const Rows& rows) {
  const double m = static_cast<double>(n);
  const Member members[] = {&Statistics::trace, &Statistics::norm, &Statistics::entropy, &Statistics::largest};
  const double uppers[] = {1 - 1 / m, 0.5, std::log(m), 1}, units[] = {1, 1, std::log(m), 1};
  std::string html;
  for (std::size_t s = 0; s < scales.size(); ++s) {
    html += fmt::format("<tr><td>{}</td><td>{}</td>", first, scales[s].formula);
    for (std::size_t k = 0; k < 4; ++k) {
      const std::vector<double> values = sorted(rows[s], members[k]);
      // wider than rounding makes it: a logit errs by at most 1e-11 here, and gradient_statistics() by less
      const auto cell = [&](montecarlo::Interval i) {
        html += "<td>" + shown({i.low * (1 - 1e-9) / units[k], std::min(i.high * (1 + 1e-9), uppers[k]) / units[k]}) +
                "</td>";
      };
      const double most = std::min(mean(values), uppers[k]);  // all at the upper end add up to a rounding more
      cell(montecarlo::bounded_mean_confidence(most, uppers[k], values.size(), confidence_lost));
      cell(montecarlo::median_interval(values, confidence_lost));
    }
    const auto sharp =
        std::count_if(rows[s].begin(), rows[s].end(), [](const Statistics& x) { return x.largest > 0.999; });
    html += "<td>" +
            shown(montecarlo::bounded_mean_confidence(static_cast<double>(sharp) / static_cast<double>(rows[s].size()),
                                                      1, rows[s].size(), confidence_lost)) +
            "</td></tr>\n";
  }
  return html;
}

void write_table(const Project& project) {
  constexpr std::size_t shown_dimension = 64, key_counts[] = {2, 8, 64, 512}, dimensions[] = {1, 8, 64, 512, 4096};
  std::string at_one = table_head("keys"), by_dimension;
  for (const std::size_t n : key_counts) {
    std::string table = table_head("d");
    for (const std::size_t d : dimensions) {
      const Rows rows = sample(n, d, n < 512 ? 4001 : 2001);
      table += table_rows(fmt::format("{}", d), n, rows);
      if (d == shown_dimension) at_one += table_rows(fmt::format("{}", n), n, rows);
    }
    by_dimension += fold(fmt::format("{} keys, d from 1 to 4096", n), table + table_end);
  }
  std::string by_law;
  for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{2, 64}, {8, 64}, {64, 64}, {512, 8}}) {
    std::string table = table_head("components, standardised");
    for (const laws::Law& law :
         {laws::rademacher(), laws::uniform(0, 1).standardised(), laws::exponential(1).standardised(),
          laws::student_t(5).standardised(), laws::bernoulli(0.3).standardised()})
      table += table_rows(law.name(), n, sample(law, n, d, 2001));
    by_law += fold(fmt::format("Other components: {} keys, d = {}", n, d), table + table_end);
  }
  write_file(project.build / "book/parts/survival_table.html",
             at_one + table_end +
                 fmt::format("<p>\\(d = {}\\), normal components, 4001 rows, for 512 keys and for other components "
                             "2001. Each cell is an interval that "
                             "misses the true value for at most {:.0e} of all samples: for means of bounded values and "
                             "shares by Hoeffding, for medians by order statistics.</p>\n",
                             shown_dimension, confidence_lost) +
                 by_dimension + by_law);
}

// What can be computed of two normal logits: without a scale they have variance d, under its root 1.
void write_two_logits(const Project& project) {
  constexpr double d = 64;
  const auto number = [](double x) {
    return x < 1e-4 ? small(x, [](double y) { return std::round(y); }) : fmt::format("{:.3g}", x);
  };
  std::string html = fmt::format(
      "<div class=\"rdk-scroll\"><table class=\"rdk-table\"><thead><tr><th>two normal logits, \\(d = {}\\)</th>"
      "<th>no scale</th><th>\\(\\sqrt d\\)</th></tr></thead><tbody>\n",
      d);
  const auto row = [&](const char* what, double unscaled, double scaled) {
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", what, number(unscaled), number(scaled));
  };
  const double unscaled = attention::mean_of_two_normal_logits(d), scaled = attention::mean_of_two_normal_logits(1.0);
  row("mean of \\(s(1-s)\\), the derivative by the gap of the logits", unscaled, scaled);
  row("median of the same", attention::median_of_two_normal_logits(d), attention::median_of_two_normal_logits(1.0));
  row("mean of the derivative by the raw \\(q \\cdot k\\)", unscaled, scaled / std::sqrt(d));
  row("share of rows with a weight above 0.999", attention::probability_of_saturation(d, 0.999),
      attention::probability_of_saturation(1.0, 0.999));
  row("mean norm of \\(\\partial s_1/\\partial q\\), limit for large \\(d\\)", 1 / std::sqrt(2 * std::numbers::pi),
      std::numbers::sqrt2 * scaled);
  write_file(project.build / "book/parts/survival_two_logits.html", html + table_end);
}

}  // namespace

void write_survival_figure(const Project& project) {
  write_curves(project);
  write_table(project);
  write_two_logits(project);
}

}  // namespace rootdk::book
