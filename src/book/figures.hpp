#pragma once

/// \file
/// Figures: data computed by the library, drawn by gnuplot, coloured by the book's theme.

#include <string>

#include "book/project.hpp"

namespace rootdk::book {

/// Writes `parts/figure_<name>.html`, an SVG with its caption.
///
/// Series k takes the theme's colour k, in light and in dark: write `lc rgb series_k` for k = 1 to 5.
/// \param commands gnuplot commands; inline data as `$name << EOD ... EOD`
/// \param caption  HTML, formulas in \\( \\)
/// \throws std::runtime_error if gnuplot fails
void write_figure(const Project& project, const std::string& name, const std::string& commands,
                  const std::string& caption);

/// The variance of the logit against the dimension under four exponents of the scale.
void write_scale_figure(const Project& project);

/// The weight of all others against the gap, the entropy against the temperature, the Jacobian at three temperatures.
void write_softmax_figures(const Project& project);

/// What passes through softmax against the dimension, under three scales; and `parts/survival_table.html`, with
/// guaranteed intervals, for four numbers of keys, five dimensions and several component laws.
void write_survival_figure(const Project& project);

}  // namespace rootdk::book
