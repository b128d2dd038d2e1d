// The numbers of the questions page against what is known to be right. The text of an exact answer
// is the number itself; a rounded one is compared in the digits that the page shows.

#include "book/questions.hpp"

#include "support/test.hpp"

using rootdk::book::Answers;
using rootdk::book::questions_answers;
using rootdk::laws::Rational;

namespace {

const Answers& answers() {
  static const Answers all = questions_answers();
  return all;
}

std::string answer(const char* name) { return answers().html(name); }

void check_refusal(const char* name, const char* hypothesis) {
  INFO(name << ": " << answer(name));
  CHECK(answer(name).find(hypothesis) != std::string::npos);
}

}  // namespace

TEST_CASE("a number is written as what it is") {
  Answers written;
  written.exact("whole", 104);
  written.exact("negative", Rational(-7) / 3);
  written.exact("proper", Rational(1) / 64);
  written.exact("decimal", Rational(2608) / 25);
  written.exact("long decimal", Rational(39) / 32);
  written.exact("small places", Rational(1001) / 1000);
  written.exact("list", std::vector<Rational>{1, Rational(-1) / 2});
  written.rounded("tiny", 7.04e-29, 2);
  written.rounded("below", -0.0164573, 3);
  written.rounded("one", 1, 5);
  CHECK(written.html("whole") == "104");
  CHECK(written.html("negative") == "−7/3");
  CHECK(written.html("proper") == "1/64");
  CHECK(written.html("decimal") == "104.32");
  CHECK(written.html("long decimal") == "39/32");
  CHECK(written.html("small places") == "1.001");
  CHECK(written.html("list") == "(1, −1/2)");
  CHECK(written.html("tiny") == "≈ 7.0·10<sup>−29</sup>");
  CHECK(written.html("below") == "≈ −0.0165");
  CHECK(written.html("one") == "≈ 1.0000");
  CHECK_THROWS_AS(written.exact("whole", 1), std::logic_error);
  CHECK_THROWS_AS(written.html("absent"), std::out_of_range);
  CHECK_THROWS_AS(written.refusal("nothing", [] {}), std::logic_error);
}

TEST_CASE("exact: answers on products and sums") {
  CHECK(answer("normal_product_covariance_of_squares") == "0");
  CHECK(answer("normal_product_long_formula") == "1");
  CHECK(answer("normal_product_variance") == "1");
  CHECK(answer("uncorrelated_covariance") == "0");
  CHECK(answer("uncorrelated_normal") == "5");
  CHECK(answer("uncorrelated_cross") == "0");
  check_refusal("impossible_moments", "E(X^2) &gt;= E(X)^2");
  CHECK(answer("one_vector_correlated") == "64");
  CHECK(answer("both_vectors_correlated") == "104.32");
  CHECK(answer("three_wise_independent") == "4");
  CHECK(answer("mutually_independent") == "2");
  CHECK(answer("mean_half_mean") == "16");
  CHECK(answer("mean_half_variance") == "96");
  CHECK(answer("mean_one_variance") == "192");
  CHECK(answer("uniform_mean") == "16");
  CHECK(answer("uniform_variance") == "28/9");
  CHECK(answer("uniform_scaled_mean") == "2");
  CHECK(answer("uniform_scaled_variance") == "7/144");
}

TEST_CASE("exact: answers on the scale") {
  CHECK(answer("multiplied_by_root") == "4096");
  CHECK(answer("model_width") == "1/4");
  CHECK(answer("no_scale") == "64");
  CHECK(answer("exponent_third") == "4");
  CHECK(answer("exponent_half") == "1");
  CHECK(answer("exponent_two_thirds") == "1/4");
  CHECK(answer("exponent_one") == "1/64");
  CHECK(answer("mup_independent") == "1/64");
  CHECK(answer("mup_equal_mean") == "1");
  CHECK(answer("mup_equal_variance") == "1/32");
  CHECK(answer("mup_equal_root_mean") == "8");
  CHECK(answer("fourth_roots") == "1");
  CHECK(answer("only_query_scaled") == "1");
  CHECK(answer("both_scaled") == "1/64");
  CHECK(answer("t5") == "1");
  CHECK(answer("t5_scaled_again") == "1/64");
}

TEST_CASE("floating: scaling the query first changes nothing where the root is a power of two") {
  for (const char* name : {"scaled_first_4", "scaled_first_16", "scaled_first_64", "scaled_first_256"})
    CHECK(answer(name) == "0");
  CHECK(std::stoi(answer("scaled_first_128")) > 500);
}

TEST_CASE("exact: answers on what is measured") {
  CHECK(answer("row_covariance") == "128");
  CHECK(answer("self_diagonal_mean") == "64");
  CHECK(answer("self_diagonal_variance") == "128");
  CHECK(answer("projected_diagonal_mean") == "0");
  CHECK(answer("projected_diagonal_variance") == "64.25");
  CHECK(answer("t3_variance") == "64");
  check_refusal("t3_fourth_moment", "finite_fourth_moment");
  check_refusal("t2_refused", "finite_second_moment");
  check_refusal("cauchy_refused", "cauchy");
  check_refusal("cauchy_refused", "finite_second_moment");
}

TEST_CASE("numeric: answers on what is measured") {
  CHECK(answer("row_deviation_if_independent") == "≈ 0.064");  // sqrt((2d^2 + 6d)/512)/d
  CHECK(answer("row_deviation") == "≈ 0.19");                  // that and 2d*511/512 under the root
  CHECK(answer("cosine_variance") == "≈ 0.015625");
  CHECK(answer("cosine_multiplied") == "≈ 1.0000");
  CHECK(answer("cosine_divided") == "≈ 0.00024414");
  CHECK(answer("t5_excess_kurtosis") == "≈ 1.21875");
}

TEST_CASE("numeric: answers on softmax") {
  CHECK(answer("equal_large_logits") == "≈ 0.333333");
  CHECK(answer("large_gaps") == "≈ 0.993262");
  CHECK(answer("small_gaps") == "≈ 0.350132");
  CHECK(answer("single_limit") == "≈ 88.72");
  CHECK(answer("single_overflow") == "≈ 7.0·10<sup>−29</sup>");
  CHECK(answer("half_limit") == "≈ 11.09");
  CHECK(answer("half_overflow_percent") == "≈ 8.28");
}

TEST_CASE("numeric: answers on the gradient") {
  CHECK(answer("scaled_mean_slope") == "≈ 0.1816");
  CHECK(answer("unscaled_mean_slope") == "≈ 0.0348");
  CHECK(answer("unscaled_mean_slope_limit") == "≈ 0.0353");
  CHECK(answer("scaled_median_slope") == "≈ 0.2008");
  CHECK(answer("unscaled_median_slope") == "≈ 0.000485");
  CHECK(answer("scaled_mean_slope_by_raw_logit") == "≈ 0.0227");
  CHECK(answer("jacobian_44") == "≈ 0.04937216");
  CHECK(answer("jacobian_14") == "≈ −0.01645739");
  CHECK(answer("norm_two_equal") == "≈ 0.5000");
  CHECK(answer("norm_uniform") == "≈ 0.1250");
}

TEST_CASE("exact: answers on the gradient") {
  CHECK(answer("jacobian_row") == "(1/4, −1/6, −1/12)");
  CHECK(answer("jacobian_row_sums") == "(0, 0, 0)");
  CHECK(answer("backward_of_ones") == "(0, 0, 0)");
  CHECK(answer("cross_entropy_upstream") == "(0, −3, 0)");
  CHECK(answer("backward_of_cross_entropy") == "(1/2, −2/3, 1/6)");
  CHECK(answer("masked_log_likelihood") == "(−1/4, 0, 3/4, −1/4, −1/4)");
  CHECK(answer("masked_cross_entropy") == "(1/4, 0, −3/4, 1/4, 1/4)");
}
