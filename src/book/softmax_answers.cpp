#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "book/questions.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/scale.hpp"
#include "rootdk/softmax/jacobian_structure.hpp"
#include "rootdk/softmax/softmax_chain_rule.hpp"
#include "rootdk/softmax/softmax_jacobian.hpp"
#include "rootdk/softmax/softmax_simplex.hpp"

namespace rootdk::book {
namespace {

using laws::Rational;

constexpr std::size_t dimension = 64;

std::vector<double> weights(const std::vector<double>& logits) { return softmax::softmax<double>(logits); }

void gaps(Answers& answers) {
  answers.rounded("equal_large_logits", weights({500, 500, 500})[2], 6);
  answers.rounded("large_gaps", weights({490, 495, 500})[2], 6);
  answers.rounded("small_gaps", weights({4.9, 4.95, 5})[2], 6);
}

// Two independent normal logits of variance v: s(1 - s) depends on their gap, normal of variance 2v.
void typical_gradient(Answers& answers) {
  const auto slope = [](double gap) {
    const std::vector<double> z{gap, 0};
    return softmax::softmax_jacobian<double>(z)[0];
  };
  for (const auto& [name, scale] : {std::pair{"scaled", Scale::inverse_sqrt()}, {"unscaled", Scale::none()}}) {
    const double variance = static_cast<double>(dimension) / std::pow(scale.divisor_for<double>(dimension), 2);
    const laws::Law gap = laws::normal(0, std::sqrt(2 * variance));
    const double mean = gap.expectation(slope).value;
    answers.rounded(std::string(name) + "_mean_slope", mean, variance == 1 ? 4 : 3);
    // s(1 - s) falls as |gap| grows, so its median is taken at the median of |gap|
    answers.rounded(std::string(name) + "_median_slope", slope(gap.quantile(0.75)), variance == 1 ? 4 : 3);
    if (variance == 1)
      answers.rounded("scaled_mean_slope_by_raw_logit", mean / scale.divisor_for<double>(dimension), 3);
  }
  answers.rounded("unscaled_mean_slope_limit", 1 / std::sqrt(4 * std::numbers::pi * static_cast<double>(dimension)), 3);
}

void jacobian(Answers& answers) {
  const std::vector<double> z{1, 1, 1, 5};
  const std::vector<double> entries = softmax::softmax_jacobian<double>(z);
  answers.rounded("jacobian_44", entries[15], 7);
  answers.rounded("jacobian_14", entries[3], 7);

  const std::vector<Rational> s{Rational(1) / 2, Rational(1) / 3, Rational(1) / 6};
  const std::vector<Rational> of_weights = softmax::jacobian_of_weights<Rational>(s);
  std::vector<Rational> row_sums;
  for (std::size_t i = 0; i < 3; ++i)
    row_sums.push_back(of_weights[3 * i] + of_weights[3 * i + 1] + of_weights[3 * i + 2]);
  const std::vector<double> two_equal{0.5, 0.5, 0}, uniform(8, 0.125);
  answers.rounded("norm_two_equal", softmax::jacobian_spectral_norm<double>(two_equal), 4);
  answers.rounded("norm_uniform", softmax::jacobian_spectral_norm<double>(uniform), 4);
  answers.exact("jacobian_row", std::vector(of_weights.begin(), of_weights.begin() + 3));
  answers.exact("jacobian_row_sums", row_sums);
}

void backward(Answers& answers) {
  const std::vector<Rational> s{Rational(1) / 2, Rational(1) / 3, Rational(1) / 6};
  const std::vector<Rational> ones(3, 1);
  answers.exact("backward_of_ones", softmax::softmax_vjp<Rational>(s, ones));
  // cross-entropy of the second class: -log s_2
  const std::vector<Rational> upstream{0, -1 / s[1], 0};
  answers.exact("cross_entropy_upstream", upstream);
  answers.exact("backward_of_cross_entropy", softmax::softmax_vjp<Rational>(s, upstream));
}

void masked(Answers& answers) {
  const std::vector<double> s = weights({0, -std::numeric_limits<double>::infinity(), 0, 0, 0});
  std::vector<Rational> log_likelihood, cross_entropy;
  for (std::size_t i = 0; i < s.size(); ++i) {
    cross_entropy.push_back(Rational(s[i]) - (i == 2 ? 1 : 0));
    log_likelihood.push_back(-cross_entropy.back());
  }
  answers.exact("masked_log_likelihood", log_likelihood);
  answers.exact("masked_cross_entropy", cross_entropy);
}

void overflow(Answers& answers) {
  const laws::Law logit = laws::normal(0, std::sqrt(static_cast<double>(dimension)));
  const double single = std::log(static_cast<double>(std::numeric_limits<float>::max()));
  const double half = std::log(std::ldexp(2 - std::ldexp(1, -10), 15));  // the largest number of 16 bits
  answers.rounded("single_limit", single, 4);
  answers.rounded("single_overflow", logit.survival(single), 2);
  answers.rounded("half_limit", half, 4);
  answers.rounded("half_overflow_percent", 100 * logit.survival(half), 3);
}

}  // namespace

void answer_softmax_questions(Answers& answers) {
  gaps(answers);
  typical_gradient(answers);
  jacobian(answers);
  backward(answers);
  masked(answers);
  overflow(answers);
}

}  // namespace rootdk::book
