#pragma once

/// \file
/// The inputs that came closest to the bounds of the pages on attention, found by a search over 60 000 cases in
/// `double` and as many in `float`: one query of normal entries times a power of two from 1/16 to 16, two keys, d = 1
/// and 2.

#include "attention/attention_cases.hpp"

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

}  // namespace rootdk::testing
