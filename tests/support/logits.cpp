#include "support/logits.hpp"

#include <limits>
#include <ostream>

#include "support/generators.hpp"

namespace rootdk::testing {

std::ostream& operator<<(std::ostream& out, const Logits& row) {
  return out << fmt::format("({:.17g})", fmt::join(row.z, ", "));
}

RowClass row_class(std::span<const double> z) {
  const auto [least, largest] = std::minmax_element(z.begin(), z.end());
  if (*largest - *least <= 0.1) return RowClass::nearly_uniform;
  double rest = -1;
  for (double x : z) rest += x == *largest ? 1 : std::exp(x - *largest);
  return rest <= 0.001 / 0.999 ? RowClass::saturated : RowClass::moderate;
}

std::string name(RowClass row) {
  constexpr std::array names{"nearly uniform", "moderate", "saturated"};
  return names[static_cast<std::size_t>(row)];
}

RowClasses::~RowClasses() {
  int total = 0;
  for (const auto& [row, count] : counts_) total += count;
  for (RowClass row : {RowClass::nearly_uniform, RowClass::moderate, RowClass::saturated}) {
    const bool enough = 10 * counts_[row] >= total && counts_[row] > 0;
    UNSCOPED_INFO(name(row) << ": " << counts_[row] << " rows of " << total);
    CHECK(enough);
  }
}

std::string RowClasses::count(std::span<const double> z) {
  const RowClass row = row_class(z);
  ++counts_[row];
  return name(row);
}

void RowClasses::count_case(std::span<const double> z) { RC_TAG(count(z)); }

namespace detail {
namespace {

enum Shape { leader, ties, spread };
constexpr int steps_per_scale = 1024;
constexpr std::array<double, 6> shifts{0, 0, 0, 0, 500, -1e6};

// From shape, scale and shift, and for each entry its position and how it is drawn to be infinite.
Logits build(const LogitDemands& demands, const Integers& drawn) {
  const int shape = drawn.head[0];
  const double scale = logit_scales[static_cast<std::size_t>(drawn.head[1])];
  const double shift = shifts[static_cast<std::size_t>(drawn.head[2])];
  Logits row;
  for (const auto& entry : drawn.rows) {
    // a position between -3 and 3 scales
    double x = static_cast<double>(entry[0]) / steps_per_scale;
    if (shape == ties) x = std::trunc(x);
    if (shape == leader) x = row.z.empty() ? std::abs(x) : 0;
    x = scale * x + shift;
    if (!demands.finite && entry[1] == 30) x = -std::numeric_limits<double>::infinity();
    if (!demands.finite && entry[1] == 31) x = std::numeric_limits<double>::infinity();
    row.z.push_back(x);
  }
  auto largest = std::max_element(row.z.begin(), row.z.end());
  if (*largest == -std::numeric_limits<double>::infinity()) *largest = shift;
  if (demands.unique_maximum && std::count(row.z.begin(), row.z.end(), *largest) > 1) {
    if (std::isinf(*largest))
      for (auto x = largest + 1; x != row.z.end(); ++x) *x = std::min(*x, shift);
    else
      *largest += scale / 4;
  }
  // the leader need not be the first
  if (shape == leader)
    std::swap(row.z.front(), row.z[static_cast<std::size_t>(std::abs(drawn.rows.front()[0])) % row.z.size()]);
  return row;
}

}  // namespace

rc::Gen<Logits> logits(LogitDemands demands, int most) {
  require_range(demands.least, demands.least, most, "logits");
  constexpr int reach = 3 * steps_per_scale;
  const auto last = [](const auto& list) { return static_cast<int>(list.size()) - 1; };
  return rc::gen::map(integers({{leader, spread, spread}, {0, last(logit_scales), 2}, {0, last(shifts), 0}},
                               demands.least, most, {{-reach, reach, 0}, {0, 31, 0}}),
                      [demands](const Integers& drawn) { return build(demands, drawn); });
}

}  // namespace detail

Logits sampled_logits(std::uint64_t seed, std::size_t index, int least, int most) {
  rc::Random random(seed + index);
  const auto gen = detail::logits({.finite = true, .unique_maximum = false, .least = least}, most);
  return gen(random, 0).value();
}

}  // namespace rootdk::testing
