#pragma once

/// \file
/// The inputs that came closest to the bounds of the pages on attention, found by a search over 60 000 cases in
/// `double` and as many in `float`: one query of normal entries times a power of two from 1/16 to 16, two keys, d = 1
/// and 2.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "attention/attention_cases.hpp"
#include "support/worst_input.hpp"

namespace rootdk::testing {

inline std::vector<AttentionCase> worst_inputs() {
  const auto one_query = [](std::vector<double> q, std::vector<double> k, std::vector<double> v, double up) {
    const std::size_t d = q.size();
    return AttentionCase{Matrix<double>(1, d, std::move(q)), Matrix<double>(2, d, std::move(k)),
                         Matrix<double>(2, 1, std::move(v)), Matrix<double>::filled(1, 1, up),
                         attention::Mask::all(1, 2)};
  };
  return {
      // weights and dV in double
      one_query({0x1.6ededcp+4, -0x1.c5ffcap+1}, {0x1.cf7f36p-2, -0x1.a63eb6p-1, -0x1.2a37p-1, -0x1.36be5p-3},
                {-0x1.47792ap-2, -0x1.20af4cp-2}, 0x1.6073fap-6),
      // the output in double
      one_query({0x1.0925f2p-4, 0x1.6d38e8p-5}, {0x1.590cdap-2, -0x1.8516cp-1, -0x1.4a767cp+0, 0x1.31f4eap+1},
                {-0x1.9044bap-6, 0x1.238ba8p-1}, 0x1.213d56p+0),
      // dQ in double
      one_query({0x1.44b608p-10, 0x1.060a5ap-5}, {-0x1.3c09eap-2, 0x1.b3f182p-2, 0x1.28a296p-1, 0x1.3fab0cp-6},
                {-0x1.ea40dap-2, -0x1.ad6b62p-6}, 0x1.4d2ce2p-3),
      // dK in double
      one_query({0x1.187e6p+3, 0x1.f60c8ap-3}, {0x1.9b55dcp-1, -0x1.b66a16p-2, -0x1.d7906ep-1, -0x1.8f0544p-1},
                {0x1.d75cbap-4, 0x1.7b858cp-2}, 0x1.a8cda8p-1),
      // weights and dV in float
      one_query({-0x1.23fbbep+2, -0x1.baee92p+3}, {0x1.7cd704p-1, 0x1.8763c2p+0, -0x1.26a3eap-2, -0x1.3a406ap+0},
                {-0x1.0f553ep+0, -0x1.3b9a28p-2}, -0x1.5af2c6p-1),
      // the output in float
      one_query({0x1.d5fc9cp-7}, {0x1.76c8a8p-1, -0x1.f96476p-1}, {-0x1.04a0c2p+1, -0x1.2de248p-3}, 0x1.55ca3p+0),
      // dQ in float
      one_query({-0x1.6483eep-6, -0x1.b8958ap-3}, {-0x1.7002fp-1, -0x1.3b0bep-3, 0x1.9d2124p-1, -0x1.0d0fdap+0},
                {0x1.42719ap-4, 0x1.441164p-4}, 0x1.b47daap-1),
      // dK in float
      one_query({0x1.45ce1p+0, 0x1.7d495p+0}, {-0x1.1c4cf8p+1, -0x1.760c8ep+0, 0x1.8dd306p+0, -0x1.9716dcp-3},
                {0x1.3f6ea4p-1, 0x1.3abbd4p-1}, -0x1.a29452p+0),
  };
}

/// A layer of one query and two keys, all widths 2 but that of the values, 1, from a row of 17 numbers: X, Y, W_Q, W_K,
/// W_V, dO. They are taken modulo 4, between -2 and 2, and rounded to S, so that every row has scores in range.
template <class S>
Layer small_layer(const std::vector<double>& row) {
  std::size_t at = 0;
  const auto matrix = [&](std::size_t rows, std::size_t columns) {
    Matrix<double> result(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) result(i, j) = static_cast<S>(std::remainder(row[at++], 4.0));
    return result;
  };
  // braces fix the order in which the numbers are taken
  return {matrix(1, 2),
          matrix(2, 2),
          {matrix(2, 2), matrix(2, 2), matrix(2, 1)},
          matrix(1, 1),
          {.mask = attention::Mask::all(1, 2), .return_weights = true}};
}

/// Compares functions of a small layer at the worst rows kept, and at those that a search finds for each function now.
///
/// @param each_error calls its last argument with what is compared and its error over the bound, at a layer
template <class S, class EachError>
void compare_worst_layers(Comparison& check, const std::vector<std::vector<double>>& kept,
                          const std::vector<std::string>& functions, EachError each_error) {
  auto rows = kept;
  for (const std::string& function : functions)
    rows.push_back(worst_input(seed_of("search"), 17, 17,
                               [&](const std::vector<double>& row) {
                                 double worst = 0;
                                 each_error(small_layer<S>(row), [&](const std::string& what, double ratio) {
                                   if (what == function) worst = worse_ratio(worst, ratio, 1);
                                 });
                                 return worst;
                               },
                               {.random = 100, .climb = 150})
                       .row);
  for (const auto& row : rows)
    each_error(small_layer<S>(row),
               [&](const std::string& what, double ratio) { check.error(ratio, 1, what + " at a worst input found"); });
}

}  // namespace rootdk::testing
