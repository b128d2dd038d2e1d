#include <cmath>
#include <numbers>
#include <span>

#include "book/questions.hpp"
#include "rootdk/dot_product/scale_uniqueness.hpp"
#include "rootdk/dot_product/unit_variance_scaling.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/laws/joint_law.hpp"
#include "rootdk/laws/lattice_law.hpp"

namespace rootdk::book {
namespace {

using dot_product::Moments;
using laws::FiniteLaw;
using laws::JointLaw;
using laws::LatticeLaw;
using laws::Rational;
using RawMoments = montecarlo::RawMoments<Rational>;

constexpr std::size_t d = 64;  // of every question that names no other

const FiniteLaw<Rational>& fair_sign() {
  static const FiniteLaw<Rational> law = FiniteLaw<Rational>::rademacher();
  return law;
}

Rational dot(std::span<const Rational> w) { return dot_product::dot(w.first(w.size() / 2), w.last(w.size() / 2)); }

// The moments of a standard normal law are whole numbers, and doubles hold them.
RawMoments normal_moments(int order) {
  const laws::Law law = laws::normal(0, 1);
  std::vector<Rational> m;
  for (int k = 0; k <= order; ++k) m.emplace_back(law.moment(k));
  return RawMoments(m);
}

Rational variance(const RawMoments& x) { return dot_product::variance_from_moments(x[1], x[2]); }

// Of independent vectors with d mutually independent components each.
Rational variance_of_dot(std::size_t dimension, const Moments<Rational>& u, const Moments<Rational>& v) {
  const std::vector<Rational> products(dimension, dot_product::product_variance(u, v));
  return dot_product::variance_of_sum<Rational>(products);
}

Rational mean_of_dot(std::size_t dimension, const Rational& u, const Rational& v) {
  const std::vector<Rational> us(dimension, u), vs(dimension, v);
  return dot_product::dot_product_mean<Rational>(us, vs);
}

void products(Answers& answers) {
  const RawMoments x = normal_moments(6);
  const RawMoments xy = montecarlo::product_of_independent(x, x);
  const Rational cov_squares = xy[2] - x[2] * x[2], cov = xy[1] - x[1] * x[1];
  const Rational root = cov + x[1] * x[1];
  answers.exact("normal_product_covariance_of_squares", cov_squares);
  answers.exact("normal_product_long_formula", cov_squares + x[2] * x[2] - root * root);
  answers.exact("normal_product_variance", dot_product::product_variance<Rational>({x[1], x[2]}, {x[1], x[2]}));

  // U and V = (U^2 - 1)/sqrt 2: moments of U alone decide
  answers.exact("uncorrelated_covariance", x[3] - x[1]);
  answers.exact("uncorrelated_normal", (x[6] - 2 * x[4] + x[2]) / 2);
  const double r = std::numbers::sqrt2;
  const auto cross = JointLaw<double>::uniform({{r, 0}, {-r, 0}, {0, r}, {0, -r}});
  answers.exact("uncorrelated_cross",
                Rational(cross.push_forward([](std::span<const double> w) { return w[0] * w[1]; }).variance()));

  answers.refusal("impossible_moments", [] { (void)dot_product::variance_from_moments<double>(1, 0.5); });
}

void dependence(Answers& answers) {
  const std::vector<LatticeLaw> terms(d, LatticeLaw(fair_sign(), 1));
  const FiniteLaw<Rational> sum = laws::sum_of_independent(std::span<const LatticeLaw>(terms)).finite_law();
  // all components of k are one fair sign: q.k is that sign times a sum of d signs
  answers.exact("one_vector_correlated",
                JointLaw<Rational>::product(std::vector{sum, fair_sign()})
                    .push_forward([](std::span<const Rational> w) -> Rational { return w[0] * w[1]; })
                    .variance());
  // A vector whose components are one common sign with probability 1/10 and independent signs else
  // has correlations 1/10. If both vectors show the common sign q.k is d or -d, else a sum of d signs.
  const Rational both = Rational(1) / 100, edge(d);
  std::vector<Rational> atoms = sum.atoms(), weights = sum.weights();
  for (Rational& w : weights) w *= 1 - both;
  for (const Rational& end : {edge, Rational(-edge)}) {
    atoms.push_back(end);
    weights.push_back(both / 2);
  }
  answers.exact("both_vectors_correlated", FiniteLaw<Rational>(atoms, weights).variance());

  std::vector<std::vector<Rational>> outcomes;
  for (const int u1 : {-1, 1})
    for (const int u2 : {-1, 1})
      for (const int v1 : {-1, 1}) outcomes.push_back({u1, u2, v1, u1 * u2 * v1});
  answers.exact("three_wise_independent", JointLaw<Rational>::uniform(outcomes).push_forward(dot).variance());
  answers.exact("mutually_independent",
                JointLaw<Rational>::product(std::vector(4, fair_sign())).push_forward(dot).variance());
}

void means(Answers& answers) {
  const auto shifted = [](const Rational& mean) { return Moments<Rational>{mean, mean * mean + 1}; };
  const Rational half = Rational(1) / 2, third = Rational(1) / 3;
  answers.exact("mean_half_mean", mean_of_dot(d, half, half));
  answers.exact("mean_half_variance", variance_of_dot(d, shifted(half), shifted(half)));
  answers.exact("mean_one_variance", variance_of_dot(d, shifted(1), shifted(1)));
  const Moments<Rational> uniform{half, third};
  answers.exact("uniform_mean", mean_of_dot(d, half, half));
  answers.exact("uniform_variance", variance_of_dot(d, uniform, uniform));
  const Rational root = Scale::inverse_sqrt().divisor_for<Rational>(d);
  answers.exact("uniform_scaled_mean", mean_of_dot(d, half, half) / root);
  answers.exact("uniform_scaled_variance",
                dot_product::variance_of_multiple<Rational>(1 / root, variance_of_dot(d, uniform, uniform)));
}

// In float: of 1000 pairs, how many dot products change when q is divided first.
int changed_by_scaling_first(std::size_t dimension) {
  montecarlo::Stream stream({.seed = 1,
                             .step = montecarlo::stream_label("unit_variance_scaling"),
                             .law = montecarlo::stream_label("normal"),
                             .dimension = dimension});
  const laws::Law law = laws::normal(0, 1);
  const float root = Scale::inverse_sqrt().divisor_for<float>(dimension);
  std::vector<double> drawn(2 * dimension);
  int changed = 0;
  for (int pair = 0; pair < 1000; ++pair) {
    law.sample(stream, drawn);
    std::vector<float> q, k, divided;
    for (std::size_t i = 0; i < dimension; ++i) {
      q.push_back(static_cast<float>(drawn[i]));
      k.push_back(static_cast<float>(drawn[dimension + i]));
      divided.push_back(q.back() / root);
    }
    changed += dot_product::dot<float>(divided, k) != dot_product::scaled_logit<float>(q, k);
  }
  return changed;
}

void scale_answers(Answers& answers) {
  const auto under = [&](const Scale& scale, std::size_t dimension = d) {
    return dot_product::logit_variance<Rational>(scale, dimension);
  };
  answers.exact("multiplied_by_root", under(Scale::power(-1, 2)));
  const double model_width = 64;
  answers.exact("model_width", under(Scale::divisor(std::sqrt(model_width)), 16));
  answers.exact("exponent_third", under(Scale::power(1, 3)));
  answers.exact("exponent_half", under(Scale::inverse_sqrt()));
  answers.exact("exponent_two_thirds", under(Scale::power(2, 3)));
  answers.exact("exponent_one", under(Scale::inverse()));
  answers.exact("no_scale", under(Scale::none()));
  answers.exact("mup_independent", under(Scale::inverse()));

  const RawMoments squared_length = montecarlo::sum_of_copies(montecarlo::power(normal_moments(4), 2), d);
  const Rational by_d = 1 / Scale::inverse().divisor_for<Rational>(d);
  const Rational by_root = 1 / Scale::inverse_sqrt().divisor_for<Rational>(d);
  answers.exact("mup_equal_mean", montecarlo::scaled(squared_length, by_d)[1]);
  answers.exact("mup_equal_variance", variance(montecarlo::scaled(squared_length, by_d)));
  answers.exact("mup_equal_root_mean", montecarlo::scaled(squared_length, by_root)[1]);
  answers.exact("self_diagonal_mean", squared_length[1]);
  answers.exact("self_diagonal_variance", variance(squared_length));

  const auto divided_by = [](const Rational& divisor) {
    return Moments<Rational>{0, dot_product::variance_of_multiple<Rational>(1 / divisor, 1)};
  };
  const Rational fourth_root = Scale::power(1, 4).divisor_for<Rational>(16);
  answers.exact("fourth_roots", variance_of_dot(16, divided_by(fourth_root), divided_by(fourth_root)));
  const Rational root = Scale::inverse_sqrt().divisor_for<Rational>(d);
  answers.exact("only_query_scaled", variance_of_dot(d, divided_by(root), divided_by(1)));
  answers.exact("both_scaled", variance_of_dot(d, divided_by(root), divided_by(root)));
  for (const std::size_t dimension : {4u, 16u, 64u, 256u, 128u})
    answers.exact("scaled_first_" + std::to_string(dimension), changed_by_scaling_first(dimension));

  // queries initialised with variance 1/d
  answers.exact("t5", variance_of_dot(d, divided_by(root), divided_by(1)));
  answers.exact("t5_scaled_again", dot_product::variance_of_multiple<Rational>(
                                       1 / root, variance_of_dot(d, divided_by(root), divided_by(1))));
}

void rows(Answers& answers) {
  const RawMoments normal = normal_moments(4);
  const RawMoments squared_length = montecarlo::sum_of_copies(montecarlo::power(normal, 2), d);
  const RawMoments score = montecarlo::sum_of_copies(montecarlo::product_of_independent(normal, normal), d);
  // given q, two scores are independent with second moment |q|^2
  const Rational covariance = squared_length[2] - score[2] * score[2];
  const Rational own = score[4] - score[2] * score[2];
  answers.exact("row_covariance", covariance);
  const Rational keys = 512;
  const auto relative = [&](const Rational& v) {
    return std::sqrt(static_cast<double>(v)) / static_cast<double>(score[2]);
  };
  answers.rounded("row_deviation_if_independent", relative(own / keys), 2);
  answers.rounded("row_deviation", relative(own / keys + covariance * (keys - 1) / keys), 2);

  // given the input x of width D, a component of q or k is normal with variance |x|^2/D
  const std::size_t width = 512;
  const RawMoments component_variance =
      montecarlo::scaled(montecarlo::sum_of_copies(montecarlo::power(normal, 2), width), Rational(Rational(1) / width));
  answers.exact("projected_diagonal_mean", mean_of_dot(d, 0, 0));  // given x the components are independent
  answers.exact("projected_diagonal_variance", d * component_variance[2]);
}

void other_laws(Answers& answers) {
  // (1 + cos)/2 has this law for a uniform direction
  const double a = (static_cast<double>(d) - 1) / 2, root = Scale::inverse_sqrt().divisor_for<double>(d);
  const double cosine = laws::beta(a, a).affine(-1, 2).variance();
  answers.rounded("cosine_variance", cosine, 5);
  answers.rounded("cosine_multiplied", dot_product::variance_of_multiple(root, cosine), 5);
  answers.rounded("cosine_divided", dot_product::variance_of_multiple(1 / root, cosine), 5);

  const laws::Law t3 = laws::student_t(3).standardised();
  const Moments<Rational> component{Rational(t3.moment(1)), Rational(t3.moment(2))};
  answers.exact("t3_variance", variance_of_dot(d, component, component));
  answers.refusal("t3_fourth_moment", [&] { (void)t3.moment(4); });
  const auto t5 = laws::student_t(5).standardised().moments(4);
  const auto logit = montecarlo::sum_of_copies(montecarlo::product_of_independent(t5, t5), d);
  answers.rounded("t5_excess_kurtosis", logit[4] / (logit[2] * logit[2]) - 3, 6);
  answers.refusal("t2_refused", [] { (void)laws::student_t(2).standardised(); });
  answers.refusal("cauchy_refused", [] { (void)laws::cauchy().standardised(); });
}

}  // namespace

void answer_variance_questions(Answers& answers) {
  products(answers);
  dependence(answers);
  means(answers);
  scale_answers(answers);
  rows(answers);
  other_laws(answers);
}

}  // namespace rootdk::book
