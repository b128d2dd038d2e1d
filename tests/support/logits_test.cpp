// The rows both ways: all satisfy the hypotheses named, also after shrinking, and among 1000 some
// violate each hypothesis not named. The reference and the search are held to known answers.
#include "support/logits.hpp"

#include "support/softmax_reference.hpp"
#include "support/test.hpp"
#include "support/worst_input.hpp"

using namespace rootdk;
using namespace rootdk::testing;

namespace {

template <HypothesisRef... H>
std::vector<rc::Shrinkable<Logits>> rows() {
  rc::Random random(seed_of("logits"));
  const auto generated = logits<H...>();
  std::vector<rc::Shrinkable<Logits>> result;
  for (int i = 0; i < 1000; ++i) result.push_back(generated.gen(random.split(), 100));
  return result;
}

template <HypothesisRef H>
void all_meet(const std::vector<rc::Shrinkable<Logits>>& drawn) {
  INFO(H->slug);
  for (const auto& row : drawn) {
    REQUIRE(satisfies<H>(row.value()));
    auto shrinks = row.shrinks();
    for (int i = 0; i < 5; ++i)
      if (auto next = shrinks.next()) REQUIRE(satisfies<H>(next->value()));
  }
}

template <HypothesisRef H>
void some_violate(const std::vector<rc::Shrinkable<Logits>>& drawn) {
  INFO(H->slug);
  CHECK(std::any_of(drawn.begin(), drawn.end(), [](const auto& row) { return !satisfies<H>(row.value()); }));
}

}  // namespace

TEST_CASE("logits: rows meet the hypotheses that are named") {
  all_meet<"non_empty">(rows<>());
  all_meet<"finite_logits">(rows<"finite_logits">());
  all_meet<"two_or_more_logits">(rows<"two_or_more_logits">());
  all_meet<"unique_maximum">(rows<"unique_maximum">());
  const auto all = rows<"finite_logits", "two_or_more_logits", "unique_maximum">();
  all_meet<"finite_logits">(all);
  all_meet<"two_or_more_logits">(all);
  all_meet<"unique_maximum">(all);
  CHECK_FALSE(satisfies<"unique_maximum">(Logits{{-std::numeric_limits<double>::infinity()}}));
}

TEST_CASE("logits: some rows violate each hypothesis that is not named") {
  some_violate<"finite_logits">(rows<"two_or_more_logits", "unique_maximum">());
  some_violate<"two_or_more_logits">(rows<"finite_logits", "unique_maximum">());
  some_violate<"unique_maximum">(rows<"finite_logits", "two_or_more_logits">());
}

TEST_CASE("logits: no row is only minus infinity, and none holds a NaN") {
  for (const auto& row : rows<>()) {
    const auto& z = row.value().z;
    CHECK(std::any_of(z.begin(), z.end(), [](double x) { return x > -std::numeric_limits<double>::infinity(); }));
    CHECK(std::none_of(z.begin(), z.end(), [](double x) { return std::isnan(x); }));
  }
}

TEST_CASE("logits: classes of rows with known answers") {
  CHECK(row_class(std::vector{1.0, 1.05, 1.09}) == RowClass::nearly_uniform);
  CHECK(row_class(std::vector{500.0}) == RowClass::nearly_uniform);
  CHECK(row_class(std::vector{0.0, 0.0, -1000.0}) == RowClass::moderate);
  CHECK(row_class(std::vector{0.0, 6.9}) == RowClass::moderate);
  CHECK(row_class(std::vector{0.0, 6.91}) == RowClass::saturated);
  CHECK(row_class(std::vector{0.0, std::numeric_limits<double>::infinity()}) == RowClass::saturated);
}

TEST_CASE("logits: each class has at least a tenth of the rows") {
  RowClasses classes;
  for (const auto& row : rows<"finite_logits", "two_or_more_logits">()) classes.count(row.value().z);
}

TEST_CASE("logits: the reference at logarithms of whole numbers") {
  const std::vector<Precise> z{log(Precise(1)), log(Precise(2)), log(Precise(5))};
  const auto s = reference_weights(z);
  for (std::size_t i = 0; i < 3; ++i) CHECK(abs(s[i] - Precise(i == 0 ? 1 : i == 1 ? 2 : 5) / 8) < precise_exp_error);
  const SoftmaxReference saturated(std::vector{0.0, 200.0});
  CHECK(abs(saturated.log_weight(1) / -exp(Precise(-200)) - 1) < Precise("1e-40"));
  CHECK(saturated.gap() == 200);
  CHECK(abs(saturated.jacobian(1, 1) + saturated.jacobian(1, 0)) < Precise("1e-130"));
}

TEST_CASE("logits: the search climbs") {
  // largest at a row whose first entry is pi, which random rows come near and only a climb reaches
  const auto height = [](const std::vector<double>& row) { return -std::abs(row[0] - 3.14159265); };
  const auto random = worst_input(7, 2, 4, [&](const auto& row) { return 10 + height(row); }, {300, 0});
  const auto climbed = worst_input(7, 2, 4, [&](const auto& row) { return 10 + height(row); }, {300, 3000});
  CHECK(climbed.ratio > random.ratio);
  CHECK(climbed.ratio > 10 - 1e-6);
}
