#include "support/logits.hpp"

#include <limits>
#include <ostream>
#include <tuple>

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

// position in thousandths, and whether it is 0: finite, 1: -infinity, 2: +infinity
using Entry = std::pair<int, int>;

Logits build(const LogitDemands& demands, int shape, int scale_index, int shift_index,
             const std::vector<Entry>& entries) {
  const double scale = logit_scales[static_cast<std::size_t>(scale_index)];
  const double shift = shifts[static_cast<std::size_t>(shift_index)];
  Logits row;
  for (const auto& [position, infinite] : entries) {
    // a position between -3 and 3 scales
    double x = static_cast<double>(position) / steps_per_scale;
    if (shape == ties) x = std::trunc(x);
    if (shape == leader) x = row.z.empty() ? std::abs(x) : 0;
    x = scale * x + shift;
    if (!demands.finite && infinite == 1) x = -std::numeric_limits<double>::infinity();
    if (!demands.finite && infinite == 2) x = std::numeric_limits<double>::infinity();
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
    std::swap(row.z.front(), row.z[static_cast<std::size_t>(std::abs(entries.front().first)) % row.z.size()]);
  return row;
}

}  // namespace

rc::Gen<Logits> logits(LogitDemands demands, int most) {
  require_range(demands.least, demands.least, most, "logits");
  constexpr int reach = 3 * steps_per_scale;
  const auto infinite = rc::gen::map(integer(0, 31, 0), [](int k) { return k < 30 ? 0 : k - 29; });
  const auto entry = rc::gen::pair(integer(-reach, reach, 0), infinite);
  const auto last = [](const auto& list) { return static_cast<int>(list.size()) - 1; };
  return rc::gen::map(rc::gen::tuple(integer(leader, spread, spread), integer(0, last(logit_scales), 2),
                                     integer(0, last(shifts), 0), vector_of(demands.least, most, entry)),
                      [demands](const std::tuple<int, int, int, std::vector<Entry>>& drawn) {
                        const auto& [shape, scale, shift, entries] = drawn;
                        return build(demands, shape, scale, shift, entries);
                      });
}

}  // namespace detail

Logits sampled_logits(std::uint64_t seed, std::size_t index, int least, int most) {
  rc::Random random(seed + index);
  const auto gen = detail::logits({.finite = true, .unique_maximum = false, .least = least}, most);
  return gen(random, 0).value();
}

}  // namespace rootdk::testing
