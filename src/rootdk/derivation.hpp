#pragma once

/// \file
/// The one table of the derivation: every hypothesis and every step, in order.
///
/// Tests, book, command line and the audit of the machine proofs read this table and repeat none of
/// it. A slug never changes, since it is what people cite; a step's number is its place in the table.

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

namespace rootdk {

/// A constexpr list of at most `N` items, so that rows of different length share one table.
template <class T, std::size_t N>
class FixedList {
 public:
  constexpr FixedList() = default;
  constexpr FixedList(std::initializer_list<T> items) {
    for (const T& item : items) push_back(item);
  }
  constexpr void push_back(const T& item) {
    if (size_ == N) throw std::length_error("FixedList: a row of the table is longer than its bound");
    items_[size_++] = item;
  }
  constexpr const T* begin() const { return items_.data(); }
  constexpr const T* end() const { return items_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](std::size_t i) const { return items_[i]; }
  constexpr bool contains(const T& item) const { return std::find(begin(), end(), item) != end(); }

 private:
  std::array<T, N> items_{};
  std::size_t size_ = 0;
};

using Slugs = FixedList<std::string_view, 12>;

/// The five parts of the derivation, in order.
enum class Part { dot_product, softmax, attention, beyond, methods };
inline constexpr std::array<std::string_view, 5> part_names{"dot_product", "softmax", "attention", "beyond", "methods"};

/// The kinds of evidence; the book's page on how to read it says what makes each one honest.
enum class Kind { proof, machine, exact, numeric, statistical, floating, falsifier };
inline constexpr std::array<std::string_view, 7> kind_names{"proof",       "machine",  "exact",    "numeric",
                                                            "statistical", "floating", "falsifier"};

constexpr std::string_view name(Part part) { return part_names[static_cast<std::size_t>(part)]; }
constexpr std::string_view name(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

/// A condition that steps name. Whether it is an assumption or a domain condition is said by the
/// step, since the same condition can be a premise in one place and mere well-posedness in another.
struct Hypothesis {
  std::string_view slug;
  std::string_view statement;  ///< HTML with TeX formulas
  Slugs implies{};             ///< directly; `implied_by` takes the closure
};

/// One claim of a step with the assumptions that it, and only it, needs. The name is that of the
/// theorem in the machine proof.
struct Theorem {
  std::string_view name;
  Slugs assumptions{};
  bool further = false;  ///< a version under other assumptions, which are not the step's
};

/// An edge of the derivation. `discharges` lists hypotheses of the used step that the using step
/// establishes in its own proof instead of assuming them.
struct Use {
  std::string_view step;
  Slugs discharges{};
};

/// A step of the derivation.
struct Step {
  std::string_view slug;
  std::string_view title;
  Part part;
  std::string_view statement;  ///< HTML with TeX formulas
  FixedList<Theorem, 12> theorems;
  Slugs domain;  ///< without these the claim is undefined or infinite: the code refuses them by name
  FixedList<Use, 8> uses;
  FixedList<Kind, 8> owes;  ///< beside `proof`, and a falsifier for each hypothesis
  std::string_view source;
  std::string_view cites{};  ///< an external theorem that the step rests on

  /// The union of the assumptions of the step's own theorems, in order of first appearance.
  constexpr Slugs assumptions() const {
    Slugs result;
    for (const Theorem& theorem : theorems)
      for (std::string_view a : theorem.further ? Slugs{} : theorem.assumptions)
        if (!result.contains(a)) result.push_back(a);
    return result;
  }
  constexpr bool uses_step(std::string_view other) const {
    return std::any_of(uses.begin(), uses.end(), [&](const Use& u) { return u.step == other; });
  }
};

inline constexpr auto hypotheses = std::to_array<Hypothesis>({
    {"integrable", R"(\(E|X| < \infty\) for each variable or component; of products nothing is asked)"},
    {"finite_second_moment", R"(\(E(X^2) < \infty\) for each variable)", {"integrable"}},
    {"finite_third_moment", R"(\(E|X|^3 < \infty\) for each variable)", {"finite_second_moment"}},
    {"finite_fourth_moment", R"(\(E(X^4) < \infty\) for each variable)", {"finite_third_moment"}},
    {"uncorrelated_terms", R"(\(\operatorname{Cov}(X_i, X_j) = 0\) for all \(i \ne j\))"},
    {"uncorrelated_products", R"(\(\sum_{i \ne j} \operatorname{Cov}(X_i, X_j) = 0\))"},
    {"independent_pair", R"(\(U\) and \(V\) are independent)"},
    {"independent_pairs", R"(for each \(i\), \(U_i\) and \(V_i\) are independent)", {"independent_pair"}},
    {"independent_vectors",
     R"(the vectors \(q\) and \(k\) are independent; their own components need not be)",
     {"independent_pairs"}},
    {"mutually_independent",
     R"(the \(2d\) components \(U_1, \dots, U_d, V_1, \dots, V_d\) are mutually independent)",
     {"independent_vectors"}},
    {"zero_mean", R"(each component has mean 0; of a single product, one factor is enough)"},
    {"unit_variance", R"(each component has variance 1)", {"finite_second_moment"}},
    {"identity_covariance",
     R"(\(\Sigma_q = I\), and every diagonal entry of \(\Sigma_k\) is 1)",
     {"finite_second_moment"}},
    {"identically_distributed", R"(the products \(U_iV_i\) all have the same law)"},
    {"common_fourth_moments",
     R"(all \(U_i\) have the fourth moment \(\kappa_u\), all \(V_i\) the fourth moment \(\kappa_v\))"},
    {"standard_normal_components",
     R"(each component is standard normal)",
     {"zero_mean", "unit_variance", "finite_fourth_moment", "identically_distributed", "common_fourth_moments"}},
    {"fixed_component_law", R"(the law of the components does not change with \(d\))"},
    {"uniform_direction", R"(the direction \(q/\|q\|\) is uniform on the sphere)"},
    {"positive_dimension", R"(\(d \ge 1\))"},
    {"two_or_more_dimensions", R"(\(d \ge 2\))", {"positive_dimension"}},
    {"non_zero_vectors", R"(\(a \ne 0\) and \(b \ne 0\))"},
    {"fixed_norms", R"(\(\|a\|\) and \(\|b\|\) are held fixed while the angle varies)"},
    {"non_empty", R"(there is at least one logit)"},
    {"two_or_more_logits", R"(\(n \ge 2\))", {"non_empty"}},
    {"finite_logits", R"(every logit \(z_i\) is a real number: no \(\pm\infty\), no NaN)"},
    {"unique_maximum", R"(exactly one logit is largest, and it is not \(-\infty\))"},
    {"weights_sum_to_one", R"(\(\sum_i s_i = 1\))"},
    {"simplex_point", R"(\(s_i \ge 0\) and \(\sum_i s_i = 1\))", {"weights_sum_to_one"}},
    {"scale_at_least_one", R"(the logits are divided by some \(c \ge 1\))"},
    {"differentiable_loss", R"(the loss \(L\) is differentiable at the point in question)"},
    {"one_visible_key", R"(each query sees at least one key that is not masked)"},
    {"matching_shapes", R"(\(Q\) and \(K\) have the same width, \(K\) and \(V\) the same height)"},
    {"finite_entries", R"(every entry of \(X, Y, W_Q, W_K, W_V\) is a real number)", {"finite_logits"}},
    {"two_or_more_keys", R"(\(n \ge 2\) keys)", {"two_or_more_logits"}},
    {"independent_batches", R"(the batch estimates are independent)"},
    {"bounded_batch_variance",
     R"(each batch estimate has mean \(m\) and variance at most \(\sigma_b^2\))",
     {"finite_second_moment"}},
});

inline constexpr auto steps = std::to_array<Step>({
    // ------------------------------------------------------------------------------ dot_product
    {.slug = "variance_expansion",
     .title = "Variance as a difference of moments",
     .part = Part::dot_product,
     .statement = R"(\(\operatorname{Var} X = E\bigl[(X - EX)^2\bigr] = E(X^2) - E^2(X)\), and in
particular \(\operatorname{Var}(UV) = E(U^2V^2) - E^2(UV)\).)",
     .theorems = {{"variance_expansion"}, {"variance_expansion_lines"}, {"variance_expansion_general"}},
     .domain = {"finite_second_moment"},
     .uses = {},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    {.slug = "variance_rules",
     .title = "Variance of a multiple and of a sum",
     .part = Part::dot_product,
     .statement = R"(\(\operatorname{Var}(cX) = c^2 \operatorname{Var} X\). If \(X_1, \dots, X_n\) are
uncorrelated, then \(\operatorname{Var} \sum_i X_i = \sum_i \operatorname{Var} X_i\).)",
     .theorems = {{"variance_rules", {"uncorrelated_terms"}},
                  {"variance_rules_scale"},
                  {"variance_rules_general", {"uncorrelated_terms"}},
                  {"variance_rules_scale_general"}},
     .domain = {"finite_second_moment"},
     .uses = {{"variance_expansion"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    {.slug = "independent_products",
     .title = "Expectation of independent products",
     .part = Part::dot_product,
     .statement = R"(If \(U\) and \(V\) are independent, then \(E(UV) = E(U)\,E(V)\), and
\(E(U^2V^2) = E(U^2)\,E(V^2)\) in \([0, \infty]\).)",
     .theorems = {{"independent_products", {"independent_pair"}},
                  {"independent_products_general", {"independent_pair"}},
                  {"independent_products_squares_general", {"independent_pair"}}},
     .domain = {"integrable"},
     .uses = {},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    {.slug = "product_variance",
     .title = "Variance of an independent product",
     .part = Part::dot_product,
     .statement = R"(If \(U\) and \(V\) are independent, then
\(\operatorname{Var}(UV) = E(U^2)\,E(V^2) - E^2(U)\,E^2(V)\).)",
     .theorems = {{"product_variance", {"independent_pair"}}, {"product_variance_general", {"independent_pair"}}},
     .domain = {"finite_second_moment"},
     .uses = {{"variance_expansion"}, {"independent_products"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    {.slug = "centred_product_variance",
     .title = "Variance of a centred product",
     .part = Part::dot_product,
     .statement = R"(If \(U\) and \(V\) are independent and one of them has mean 0, then
\(\operatorname{Var}(UV) = E(U^2)\,E(V^2)\).)",
     .theorems = {{"centred_product_variance", {"independent_pair", "zero_mean"}},
                  {"centred_product_variance_other", {"independent_pair", "zero_mean"}},
                  {"centred_product_variance_general", {"independent_pair", "zero_mean"}}},
     .domain = {"finite_second_moment"},
     .uses = {{"product_variance"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    {.slug = "unit_second_moment",
     .title = "Second moment of a standardised component",
     .part = Part::dot_product,
     .statement = R"(If \(E(U) = 0\) and \(\operatorname{Var} U = 1\), then \(E(U^2) = 1\).)",
     .theorems = {{"unit_second_moment", {"zero_mean", "unit_variance"}},
                  {"unit_second_moment_general", {"zero_mean", "unit_variance"}}},
     .domain = {},
     .uses = {{"variance_expansion"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    {.slug = "dot_product_mean",
     .title = "Mean of the dot product",
     .part = Part::dot_product,
     .statement = R"(If each \(U_i\) is independent of its \(V_i\) and the components have mean 0, then
\(E(q \cdot k) = 0\).)",
     .theorems = {{"dot_product_mean", {"independent_pairs", "zero_mean"}},
                  {"dot_product_mean_general", {"independent_pairs", "zero_mean"}}},
     .domain = {"integrable"},
     .uses = {{"independent_products"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    {.slug = "dot_product_variance",
     .title = "Variance of the dot product",
     .part = Part::dot_product,
     .statement = R"(If the \(2d\) components are mutually independent with mean 0 and variance 1, then
\(\operatorname{Var}(q \cdot k) = \sum_{i=1}^{d} \operatorname{Var}(U_iV_i) = d\).)",
     .theorems = {{"dot_product_variance_terms", {"mutually_independent"}},
                  {"dot_product_variance", {"mutually_independent", "zero_mean", "unit_variance"}},
                  {"dot_product_variance_general", {"independent_vectors", "zero_mean", "identity_covariance"}, true}},
     .domain = {"finite_second_moment"},
     .uses = {{"variance_rules", {"uncorrelated_terms"}},
              {"independent_products"},
              {"centred_product_variance"},
              {"unit_second_moment"},
              {"dot_product_mean"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    {.slug = "unit_variance_scaling",
     .title = "Division by the square root of the dimension",
     .part = Part::dot_product,
     .statement = R"(Under the same hypotheses and \(d \ge 1\),
\(E\bigl(q \cdot k/\sqrt d\bigr) = 0\) and \(\operatorname{Var}\bigl(q \cdot k/\sqrt d\bigr) = 1\).)",
     .theorems = {{"unit_variance_scaling",
                   {"mutually_independent", "zero_mean", "unit_variance", "positive_dimension"}},
                  {"unit_variance_scaling_general",
                   {"independent_vectors", "zero_mean", "identity_covariance", "positive_dimension"},
                   true}},
     .domain = {},
     .uses = {{"variance_rules"}, {"dot_product_mean"}, {"dot_product_variance"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    {.slug = "scale_uniqueness",
     .title = "No other scale does it",
     .part = Part::dot_product,
     .statement = R"(Exactly one \(c > 0\) has \(\operatorname{Var}\bigl((q \cdot k)/c\bigr) = 1\), namely
\(c = \sqrt d\). For \(d \ge 2\): \(\operatorname{Var}\bigl(q \cdot k/d^a\bigr) = d^{1-2a}\), which is 1 if
and only if \(a = 1/2\). No scale leaves \(d\); division by \(d\) leaves \(1/d\).)",
     .theorems = {{"scale_uniqueness", {"mutually_independent", "zero_mean", "unit_variance", "positive_dimension"}},
                  {"scale_uniqueness_exponent",
                   {"mutually_independent", "zero_mean", "unit_variance", "two_or_more_dimensions"}},
                  {"scale_uniqueness_cases",
                   {"mutually_independent", "zero_mean", "unit_variance", "positive_dimension"}},
                  {"scale_uniqueness_general",
                   {"independent_vectors", "zero_mean", "identity_covariance", "positive_dimension"},
                   true}},
     .domain = {},
     .uses = {{"variance_rules"}, {"dot_product_variance"}, {"unit_variance_scaling"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "A"},
    // ---------------------------------------------------------------------------------- softmax
    {.slug = "dot_product_similarity",
     .title = "The dot product as a similarity",
     .part = Part::softmax,
     .statement = R"(\(|a \cdot b| \le \|a\|\,\|b\|\). For non-zero vectors \(a \cdot b\) is
\(\|a\|\,\|b\|\) if and only if they are aligned, \(-\|a\|\,\|b\|\) if and only if they are opposed, and 0 if and
only if they are orthogonal. For fixed norms \(a \cdot b\) grows with \(\cos\theta\).)",
     .theorems = {{"dot_product_similarity_bound"},
                  {"dot_product_similarity", {"non_zero_vectors"}},
                  {"dot_product_similarity_cosine", {"fixed_norms"}}},
     .domain = {},
     .uses = {},
     .owes = {Kind::exact, Kind::numeric, Kind::floating, Kind::machine},
     .source = "B"},
    {.slug = "softmax_simplex",
     .title = "Softmax lands in the simplex",
     .part = Part::softmax,
     .statement = R"(With \(s = \operatorname{softmax}(z)\): \(s_i \in (0, 1]\), and \(s_i < 1\) when
\(n \ge 2\); \(\sum_i s_i = 1\); \(z_i < z_j\) if and only if \(s_i < s_j\); and
\(\operatorname{softmax}(z + c\mathbf 1) = \operatorname{softmax}(z)\).)",
     .theorems = {{"softmax_simplex", {"finite_logits"}},
                  {"softmax_simplex_below_one", {"finite_logits", "two_or_more_logits"}}},
     .domain = {"non_empty"},
     .uses = {},
     .owes = {Kind::numeric, Kind::floating, Kind::machine},
     .source = "B"},
    {.slug = "softmax_saturation",
     .title = "Large gaps saturate softmax",
     .part = Part::softmax,
     .statement = R"(Let \(\Delta\) be the gap between the largest logit and the runner-up and
\(r = (n-1)e^{-\Delta}\). Then \(0 < 1 - s_{\max} \le r/(1+r) < r\), the middle one an equality
if and only if all logits but one largest are equal, as at \((\Delta, 0, \dots, 0)\); and
\(\operatorname{softmax}(tz)\) tends to one-hot as \(t \to \infty\) if the largest logit is unique.)",
     .theorems = {{"softmax_saturation", {"finite_logits", "two_or_more_logits"}},
                  {"softmax_saturation_attained"},
                  {"softmax_saturation_limit", {"unique_maximum"}},
                  {"softmax_saturation_example"}},
     .domain = {},
     .uses = {{"softmax_simplex"}},
     .owes = {Kind::numeric, Kind::floating, Kind::machine},
     .source = "B"},
    {.slug = "softmax_jacobian",
     .title = "The Jacobian of softmax",
     .part = Part::softmax,
     .statement = R"(\(\partial s_i/\partial z_j = s_i(\delta_{ij} - s_j)\), that is,
\(J = \operatorname{diag}(s) - ss^{\mathsf T}\).)",
     .theorems = {{"softmax_jacobian", {"finite_logits"}},
                  {"softmax_jacobian_matrix"},
                  {"softmax_jacobian_directional", {"finite_logits"}},
                  {"softmax_jacobian_frechet", {"finite_logits"}},
                  {"softmax_jacobian_4"}},
     .domain = {"non_empty"},
     .uses = {{"softmax_simplex"}},
     .owes = {Kind::numeric, Kind::floating, Kind::machine},
     .source = "B"},
    {.slug = "jacobian_structure",
     .title = "The structure of the Jacobian",
     .part = Part::softmax,
     .statement = R"(For \(s\) in the simplex and \(J = \operatorname{diag}(s) - ss^{\mathsf T}\):
\(J = J^{\mathsf T}\), \(J\mathbf 1 = 0\), \(v^{\mathsf T}Jv = \operatorname{Var}_s(v) \ge 0\), and
\(\|J\|_2 \le 1/2\), attained at \((1/2, 1/2, 0, \dots, 0)\).)",
     .theorems = {{"jacobian_structure", {"simplex_point"}}, {"jacobian_structure_attained"}},
     .domain = {},
     .uses = {{"variance_expansion", {"finite_second_moment"}}, {"softmax_jacobian", {"finite_logits", "non_empty"}}},
     .owes = {Kind::exact, Kind::numeric, Kind::floating, Kind::machine},
     .source = "B"},
    {.slug = "jacobian_vanishes",
     .title = "The Jacobian vanishes only at the vertices",
     .part = Part::softmax,
     .statement = R"(\(J = 0\) if and only if \(s\) is one-hot.)",
     .theorems = {{"jacobian_vanishes", {"weights_sum_to_one"}}, {"jacobian_vanishes_4"}},
     .domain = {},
     .uses = {{"jacobian_structure", {"simplex_point"}}},
     .owes = {Kind::exact, Kind::numeric, Kind::machine},
     .source = "B"},
    {.slug = "saturated_jacobian",
     .title = "The Jacobian of a saturated softmax",
     .part = Part::softmax,
     .statement = R"(With \(r\) as in the saturation bound,
\(0 < \|J\|_\infty = \max_i 2s_i(1 - s_i) \le 2(1 - s_{\max}) \le 2r\);
\(\|J\|_2 \le \|J\|_F \le \operatorname{tr} J \le 2(1 - s_{\max})\); and \(J(tz) \to 0\) as \(t \to \infty\) if the
largest logit is unique.)",
     .theorems = {{"saturated_jacobian", {"finite_logits", "two_or_more_logits"}},
                  {"saturated_jacobian_norms"},
                  {"saturated_jacobian_limit", {"unique_maximum"}}},
     .domain = {},
     .uses = {{"softmax_saturation"}, {"jacobian_structure", {"simplex_point"}}},
     .owes = {Kind::numeric, Kind::floating, Kind::machine},
     .source = "B"},
    {.slug = "softmax_temperature",
     .title = "Entropy against temperature",
     .part = Part::softmax,
     .statement = R"(\(\frac{d}{dt} H(\operatorname{softmax}(tz)) = -t \operatorname{Var}_s(z)\) and
\(\frac{d}{dt} E_s z = \operatorname{Var}_s(z)\). Dividing the logits by \(c \ge 1\) never lowers the entropy, and
for \(c > 1\) keeps it only if all logits are equal; \(0 \le H \le \log n\).)",
     .theorems = {{"softmax_temperature_derivative"},
                  {"softmax_temperature", {"scale_at_least_one"}},
                  {"softmax_temperature_range"}},
     .domain = {"finite_logits", "non_empty"},
     .uses = {{"softmax_jacobian"}, {"jacobian_structure", {"simplex_point"}}},
     .owes = {Kind::numeric, Kind::floating, Kind::machine},
     .source = "B"},
    {.slug = "softmax_chain_rule",
     .title = "The chain rule through softmax",
     .part = Part::softmax,
     .statement = R"(\(\partial L/\partial z = J^{\mathsf T}\,\partial L/\partial s = J\,\partial L/\partial s\);
with \(g = \partial L/\partial s\), component \(i\) is \(s_i \sum_j s_j (g_i - g_j)\).)",
     .theorems = {{"softmax_chain_rule", {"finite_logits", "differentiable_loss"}}},
     .domain = {"non_empty"},
     .uses = {{"softmax_jacobian"}, {"jacobian_structure", {"simplex_point"}}},
     .owes = {Kind::exact, Kind::numeric, Kind::floating, Kind::machine},
     .source = "B"},
    // -------------------------------------------------------------------------------- attention
    {.slug = "attention_definition",
     .title = "Scaled dot-product attention",
     .part = Part::attention,
     .statement = R"(\(Q = XW_Q\), \(K = YW_K\), \(V = YW_V\), and
\(A = \operatorname{softmax}(QK^{\mathsf T}/\sqrt d)\) by rows. Each row of the output \(AV\) is a convex
combination of the rows of \(V\) whose keys are not masked.)",
     .theorems = {{"attention_definition", {"one_visible_key"}}},
     .domain = {"matching_shapes", "positive_dimension", "finite_entries"},
     .uses = {{"dot_product_similarity"}, {"softmax_simplex", {"non_empty"}}},
     .owes = {Kind::numeric, Kind::floating, Kind::machine},
     .source = "A, B"},
    {.slug = "attention_gradient",
     .title = "The gradient through attention",
     .part = Part::attention,
     .statement = R"(With \(dO = \partial L/\partial O\): \(dV = A^{\mathsf T}dO\), \(dA = dO\,V^{\mathsf T}\),
\(dS_i = J(A_i)\,dA_i\) by rows, \(dQ = dS\,K/\sqrt d\), \(dK = dS^{\mathsf T}Q/\sqrt d\);
\(dW_Q = X^{\mathsf T}dQ\), \(dW_K = Y^{\mathsf T}dK\), \(dW_V = Y^{\mathsf T}dV\),
\(dX = dQ\,W_Q^{\mathsf T}\), \(dY = dK\,W_K^{\mathsf T} + dV\,W_V^{\mathsf T}\).)",
     .theorems = {{"attention_gradient", {"differentiable_loss"}},
                  {"attention_gradient_inputs", {"differentiable_loss"}},
                  {"attention_gradient_self", {"differentiable_loss"}}},
     .domain = {"matching_shapes", "positive_dimension", "finite_entries", "one_visible_key"},
     .uses = {{"softmax_chain_rule", {"non_empty"}}, {"attention_definition"}},
     .owes = {Kind::numeric, Kind::floating, Kind::machine},
     .source = "A, B"},
    {.slug = "gradient_survival",
     .title = "What scaling saves",
     .part = Part::attention,
     .statement = R"(For \(n \ge 2\) fixed keys, \(z_j = q \cdot k_j\) and \(d \to \infty\):
\(J(z) \to 0\) in probability and in mean; \(J(z/\sqrt d) \to J(N(0, I_n))\) in law;
\(J(z/d) \to (I - \mathbf 1\mathbf 1^{\mathsf T}/n)/n\). For two normal logits the mean of \(s(1-s)\) is
asymptotically \(1/\sqrt{4\pi d}\) and its median \(e^{-c\sqrt d}\) to first order in the exponent,
\(c = \sqrt 2\,\Phi^{-1}(3/4)\). By \(q\) itself, the unscaled mean norm of \(\partial s_1/\partial q\) tends to
\(1/\sqrt{2\pi}\): it is the typical gradient that dies.)",
     .theorems = {{"gradient_survival",
                   {"mutually_independent", "zero_mean", "unit_variance", "fixed_component_law", "two_or_more_keys"}}},
     .domain = {},
     .uses = {{"unit_variance_scaling", {"positive_dimension"}},
              {"scale_uniqueness", {"positive_dimension"}},
              {"jacobian_structure", {"simplex_point"}},
              {"saturated_jacobian", {"finite_logits"}},
              {"attention_definition", {"matching_shapes", "positive_dimension", "finite_entries", "one_visible_key"}}},
     .owes = {Kind::numeric, Kind::statistical},
     .source = "A, B",
     .cites = "the central limit theorem"},
    // ----------------------------------------------------------------------------------- beyond
    {.slug = "general_covariance",
     .title = "Any covariance",
     .part = Part::beyond,
     .statement = R"(If \(q\) and \(k\) are independent, then \(E(q \cdot k) = \mu_q \cdot \mu_k\) and
\(\operatorname{Var}(q \cdot k) = \operatorname{tr}(\Sigma_q\Sigma_k) + \mu_q^{\mathsf T}\Sigma_k\mu_q +
\mu_k^{\mathsf T}\Sigma_q\mu_k\).)",
     .theorems = {{"general_covariance", {"independent_vectors"}}},
     .domain = {"finite_second_moment"},
     .uses = {{"variance_rules"}, {"independent_products"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "beyond A"},
    {.slug = "logit_kurtosis",
     .title = "Kurtosis of the logit",
     .part = Part::beyond,
     .statement = R"(The excess kurtosis of \(q \cdot k\) is
\(\frac{1}{d^2}\sum_i (\kappa_{u,i}\kappa_{v,i} - 3)\), where \(\kappa\) is the fourth moment of a component; it is
\((\kappa_u\kappa_v - 3)/d\) when the moments are common.)",
     .theorems = {{"logit_kurtosis", {"mutually_independent", "zero_mean", "unit_variance", "positive_dimension"}}},
     .domain = {"finite_fourth_moment"},
     .uses = {{"independent_products"}, {"unit_second_moment"}, {"dot_product_variance"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "beyond A"},
    {.slug = "logit_law",
     .title = "The exact law of a normal logit",
     .part = Part::beyond,
     .statement = R"(For standard normal components the characteristic function of \(q \cdot k\) is
\((1 + t^2)^{-d/2}\), and its density and distribution function are known for every \(d\).)",
     .theorems = {{"logit_law", {"mutually_independent", "standard_normal_components"}}},
     .domain = {},
     .uses = {{"dot_product_variance"}},
     .owes = {Kind::numeric, Kind::statistical},
     .source = "beyond A"},
    {.slug = "logit_limit",
     .title = "How close the logit is to normal",
     .part = Part::beyond,
     .statement = R"(With \(F\) the distribution function of \(q \cdot k/\sqrt d\) and \(\rho\) the third
absolute moments, \(\sup|F - \Phi| \le 0.4748\,\rho_u\rho_v/\sqrt d\) for identically distributed products.)",
     .theorems = {{"logit_limit",
                   {"mutually_independent", "zero_mean", "unit_variance", "positive_dimension",
                    "identically_distributed"}}},
     .domain = {"finite_third_moment"},
     .uses = {{"unit_variance_scaling"}},
     .owes = {Kind::numeric, Kind::statistical},
     .source = "beyond A",
     .cites = "Shevtsova 2011"},
    {.slug = "normalised_vectors",
     .title = "Normalised vectors",
     .part = Part::beyond,
     .statement = R"(The variance of the logit for RMS-normalised, layer-normalised and unit vectors, and the
law of the cosine: for a uniform direction \((1 + \cos\theta)/2 \sim \operatorname{Beta}((d-1)/2, (d-1)/2)\).)",
     .theorems = {{"normalised_vectors", {"independent_vectors", "uniform_direction", "two_or_more_dimensions"}}},
     .domain = {},
     .uses = {{"general_covariance", {"finite_second_moment"}}},
     .owes = {Kind::numeric, Kind::statistical},
     .source = "beyond A"},
    {.slug = "aligned_vectors",
     .title = "Aligned vectors",
     .part = Part::beyond,
     .statement = R"(For \(k = \rho q + \sqrt{1 - \rho^2}\,w\) with \(w\) independent of \(q\), the mean of
\(q \cdot k\) is \(\rho d\) and its variance \(d(\rho^2(\kappa_u - 1) + 1 - \rho^2)\): no power of \(d\) makes both
of order 1.)",
     .theorems = {{"aligned_vectors", {"mutually_independent", "zero_mean", "unit_variance"}}},
     .domain = {"finite_fourth_moment"},
     .uses = {{"variance_rules", {"uncorrelated_terms"}}, {"independent_products"}, {"dot_product_variance"}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical, Kind::machine},
     .source = "beyond A"},
    {.slug = "weaker_hypotheses",
     .title = "Weaker hypotheses, and too weak ones",
     .part = Part::beyond,
     .statement = R"(\(\operatorname{Var}\sum_i X_i = \sum_i \operatorname{Var} X_i\) if and only if
\(\sum_{i \ne j} \operatorname{Cov}(X_i, X_j) = 0\). Independent \(q\) and \(k\) with zero means,
\(\Sigma_q = I\) and unit diagonal of \(\Sigma_k\) give variance \(d\). Uncorrelated \(U\) and \(V\), or pairwise
or three-wise independent components, do not.)",
     .theorems = {{"weaker_hypotheses_sum", {"uncorrelated_products"}},
                  {"weaker_hypotheses", {"independent_vectors", "zero_mean", "identity_covariance"}}},
     .domain = {"finite_second_moment"},
     .uses = {{"variance_rules"}, {"general_covariance"}},
     .owes = {Kind::exact, Kind::machine},
     .source = "beyond A"},
    // ---------------------------------------------------------------------------------- methods
    {.slug = "median_of_batches",
     .title = "The median of batches",
     .part = Part::methods,
     .statement = R"(If each of \(K\) independent batch estimates has mean \(m\) and variance at most
\(\sigma_b^2\), their median lies outside \(m \pm 2\sigma_b\) with probability at most
\(P(\operatorname{Bin}(K, 1/4) \ge K/2)\).)",
     .theorems = {{"median_of_batches", {"independent_batches", "bounded_batch_variance"}}},
     .domain = {},
     .uses = {{"variance_expansion"}},
     .owes = {Kind::exact, Kind::machine},
     .source = "methods"},
    {.slug = "crossed_estimator",
     .title = "The crossed estimator",
     .part = Part::methods,
     .statement = R"(The mean of squares over the \(B^2\) logits of \(B\) queries and \(B\) keys has mean
\(d\) and variance \(\frac{1}{B^4}\bigl[B^2\operatorname{Var}(X^2) + B^2(B-1)d(\kappa_u - 1) +
B^2(B-1)d(\kappa_v - 1)\bigr]\), \(\operatorname{Var}(X^2) = 2d^2 + d(\kappa_u\kappa_v - 3)\).)",
     .theorems = {{"crossed_estimator",
                   {"mutually_independent", "zero_mean", "unit_variance", "common_fourth_moments"}}},
     .domain = {"finite_fourth_moment"},
     .uses = {{"independent_products"}, {"logit_kurtosis", {"positive_dimension"}}},
     .owes = {Kind::exact, Kind::numeric, Kind::statistical},
     .source = "methods"},
});

namespace detail {

template <class Table>
constexpr std::size_t find_slug(const Table& table, std::string_view slug) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].slug == slug) return i;
  throw std::invalid_argument("no such slug in src/rootdk/derivation.hpp");
}

}  // namespace detail

/// A hypothesis of the table, made from its slug; an unknown slug does not compile. Structural, so
/// that templates take hypotheses as arguments: `f<"zero_mean", "unit_variance">()`.
struct HypothesisRef {
  std::size_t index;
  template <std::size_t N>
  consteval HypothesisRef(const char (&slug)[N])  // NOLINT: implicit, that is its point
      : index(detail::find_slug(hypotheses, std::string_view(slug, N - 1))) {}
  constexpr const Hypothesis& operator*() const { return hypotheses[index]; }
  constexpr const Hypothesis* operator->() const { return &hypotheses[index]; }
};

/// A step of the table, made from its slug; an unknown slug does not compile.
struct StepRef {
  std::size_t index;
  template <std::size_t N>
  consteval StepRef(const char (&slug)[N])  // NOLINT: implicit, that is its point
      : index(detail::find_slug(steps, std::string_view(slug, N - 1))) {}
  constexpr const Step& operator*() const { return steps[index]; }
  constexpr const Step* operator->() const { return &steps[index]; }
  constexpr std::size_t number() const { return index + 1; }
};

/// The position of a slug that is known only at run time.
/// \throws std::invalid_argument if the table has no such slug
constexpr std::size_t step_index(std::string_view slug) { return detail::find_slug(steps, slug); }
constexpr std::size_t hypothesis_index(std::string_view slug) { return detail::find_slug(hypotheses, slug); }

/// Membership in the closure of a set of hypotheses under the table's implications.
using HypothesisSet = std::array<bool, hypotheses.size()>;

/// All hypotheses that the given ones imply, themselves included.
constexpr HypothesisSet implied_by(const Slugs& slugs) {
  HypothesisSet closed{};
  auto add = [&closed](auto&& self, std::string_view slug) -> void {
    const std::size_t i = hypothesis_index(slug);
    if (closed[i]) return;
    closed[i] = true;
    for (std::string_view next : hypotheses[i].implies) self(self, next);
  };
  for (std::string_view slug : slugs) add(add, slug);
  return closed;
}

namespace detail {

constexpr bool slugs_are_distinct() {
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (steps[i].slug == steps[j].slug) return false;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (hypotheses[i].slug == hypotheses[j].slug) return false;
  return true;
}

// An edge leads to an earlier row, which rules out cycles; a reference that does not resolve throws.
constexpr bool edges_lead_back() {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const Use& use : steps[i].uses) {
      if (step_index(use.step) >= i) return false;
      for (std::string_view h : use.discharges) (void)hypothesis_index(h);
    }
    for (std::string_view h : steps[i].domain) (void)hypothesis_index(h);
    for (std::string_view h : steps[i].assumptions()) (void)hypothesis_index(h);
  }
  return true;
}

constexpr bool every_hypothesis_is_used() {
  for (const Hypothesis& h : hypotheses)
    if (std::none_of(steps.begin(), steps.end(),
                     [&](const Step& s) { return s.domain.contains(h.slug) || s.assumptions().contains(h.slug); }))
      return false;
  return true;
}

// A step's hypotheses, with what its own proof establishes, imply the domain of each step it uses
// and the assumptions of at least one of that step's theorems.
constexpr bool hypotheses_carry_over(const Step& step, const Use& use) {
  Slugs given = step.assumptions();
  for (std::string_view h : step.domain) given.push_back(h);
  for (std::string_view h : use.discharges) given.push_back(h);
  const HypothesisSet closed = implied_by(given);
  const auto holds = [&](std::string_view h) { return closed[hypothesis_index(h)]; };
  const Step& used = steps[step_index(use.step)];
  return std::all_of(used.domain.begin(), used.domain.end(), holds) &&
         std::any_of(used.theorems.begin(), used.theorems.end(),
                     [&](const Theorem& t) { return std::all_of(t.assumptions.begin(), t.assumptions.end(), holds); });
}

constexpr bool all_hypotheses_carry_over() {
  return std::all_of(steps.begin(), steps.end(), [](const Step& step) {
    return std::all_of(step.uses.begin(), step.uses.end(),
                       [&](const Use& use) { return hypotheses_carry_over(step, use); });
  });
}

}  // namespace detail

static_assert(detail::slugs_are_distinct());
static_assert(detail::edges_lead_back());
static_assert(detail::every_hypothesis_is_used());
static_assert(detail::all_hypotheses_carry_over());

}  // namespace rootdk
