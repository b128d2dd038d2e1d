#include "support/checks.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>

#include "rootdk/montecarlo/median_of_batches.hpp"
#include "support/statistical_policy.hpp"

namespace rootdk::testing {

Comparison::Comparison(Kind kind, std::string name, Slugs assumes, boost::source_location where)
    : evidence_{.kind = kind, .name = std::move(name), .assumes = assumes, .passed = true, .where = where} {}

Comparison::~Comparison() {
  if (std::uncaught_exceptions() > 0) return;  // the test case has failed already
  if (evidence_.cases == 0) {
    evidence_.passed = false;
    UNSCOPED_INFO(evidence_.name << ": nothing was compared");
    CHECK(evidence_.cases > 0);
  }
  record(evidence_);
}

void Comparison::law(const std::string& name) {
  if (std::find(evidence_.laws.begin(), evidence_.laws.end(), name) == evidence_.laws.end())
    evidence_.laws.push_back(name);
}

void Comparison::compare(double measured, double expected, double bound, const std::string& context) {
  compare_as(measured, expected, bound, context);
}

void Comparison::error(double error, double bound, const std::string& context) {
  ++evidence_.cases;
  const bool within = error <= bound && std::isfinite(bound);  // false for NaN
  const double ratio = !within ? (std::isnan(error) ? HUGE_VAL : error / bound) : (bound > 0 ? error / bound : 0);
  if (ratio > worst_ratio_) {
    worst_ratio_ = ratio;
    evidence_.error = error;
    evidence_.bound = bound;
  }
  if (within) return;
  evidence_.passed = false;
  if (++failures_ > 5) return;  // the first few say what is wrong
  UNSCOPED_INFO(evidence_.name << ": " << context << ", error " << fmt::format("{:.17g}", error) << ", bound "
                               << fmt::format("{:.17g}", bound));
  CHECK(within);
}

StatisticalCheck::StatisticalCheck(std::string name, Slugs assumes, boost::source_location where)
    : evidence_{
          .kind = Kind::statistical, .name = std::move(name), .assumes = assumes, .passed = true, .where = where} {
  evidence_.seed = run_seed();  // which gives all others, also those of samples that several checks share
}

StatisticalCheck::~StatisticalCheck() {
  if (std::uncaught_exceptions() > 0) return;  // the test case has failed already
  if (evidence_.details.empty()) {
    evidence_.passed = false;
    UNSCOPED_INFO(evidence_.name << ": nothing was checked");
    CHECK_FALSE(evidence_.details.empty());
  }
  record(evidence_);
}

std::size_t StatisticalCheck::batches() {
  static const std::size_t k = montecarlo::MedianOfBatches::for_share(share()).batches();
  return k;
}

double StatisticalCheck::check(const std::string& label, double claimed, double sigma_b,
                               std::span<const double> estimates, double scale) {
  const montecarlo::MedianOfBatches method(estimates.size());
  const double half_width = montecarlo::MedianOfBatches::half_width(sigma_b);
  const double median = montecarlo::median(estimates);
  const auto outside = static_cast<std::size_t>(std::count_if(
      estimates.begin(), estimates.end(), [&](double x) { return !(std::abs(x - claimed) <= half_width); }));
  const Detail detail{
      label, claimed, median, half_width, method.detectable_deviation(sigma_b) / scale, estimates.size(), outside};
  std::cout << fmt::format(
      "{}, {}: claimed {:.17g}, median of {} batches {:.17g}, half-width {:.3g}, outside {}, share {:.3g}, "
      "seed {}, sees {:.3g}\n",
      evidence_.name, label, claimed, estimates.size(), median, half_width, outside, share(), evidence_.seed,
      detail.detectable);
  ++evidence_.cases;
  evidence_.false_alarm += method.false_alarm();
  evidence_.detectable = std::max(evidence_.detectable, detail.detectable);
  // error and bound are in units of the half-width: 1 is the edge
  evidence_.error = std::max(evidence_.error, std::abs(median - claimed) / half_width);
  evidence_.bound = 1;
  evidence_.details.push_back(detail);
  const bool enough = method.false_alarm() <= share();
  const bool inside = std::abs(median - claimed) <= half_width;
  evidence_.passed = evidence_.passed && enough && inside;
  INFO(evidence_.name << ", " << label << ": median " << fmt::format("{:.17g}", median) << ", claimed "
                      << fmt::format("{:.17g}", claimed) << " ± " << fmt::format("{:.3g}", half_width));
  CHECK(enough);
  CHECK(inside);
  return detail.detectable;
}

void StatisticalCheck::bounded(const std::string& label, double statistic, double limit, double false_alarm) {
  std::cout << fmt::format("{}, {}: statistic {:.17g}, limit {:.17g}, share {:.3g}, seed {}\n", evidence_.name, label,
                           statistic, limit, false_alarm, evidence_.seed);
  ++evidence_.cases;
  evidence_.false_alarm += false_alarm;
  evidence_.error = std::max(evidence_.error, statistic / limit);
  evidence_.bound = 1;
  evidence_.details.push_back({label, 0, statistic, limit, 0, 1, statistic <= limit ? 0u : 1u});
  const bool enough = false_alarm <= share();
  const bool inside = statistic <= limit;
  evidence_.passed = evidence_.passed && enough && inside;
  INFO(evidence_.name << ", " << label << ": statistic " << statistic << ", limit " << limit);
  CHECK(enough);
  CHECK(inside);
}

void StatisticalCheck::interval(const std::string& label, double claimed, double estimate, double low, double high,
                                double detectable, double false_alarm) {
  const double half_width = std::max(high - claimed, claimed - low);
  std::cout << fmt::format(
      "{}, {}: claimed {:.17g}, estimate {:.17g}, from {:.6g} to {:.6g}, share {:.3g}, seed {}, sees {:.3g}\n",
      evidence_.name, label, claimed, estimate, low, high, false_alarm, evidence_.seed, detectable);
  const bool enough = false_alarm <= share();
  const bool inside = low <= estimate && estimate <= high;
  const double reach = estimate < claimed ? claimed - low : high - claimed;
  ++evidence_.cases;
  evidence_.false_alarm += false_alarm;
  evidence_.detectable = std::max(evidence_.detectable, detectable);
  evidence_.error = std::max(evidence_.error, inside && reach == 0 ? 0 : std::abs(estimate - claimed) / reach);
  evidence_.bound = 1;
  evidence_.details.push_back({label, claimed, estimate, half_width, detectable, 1, inside ? 0u : 1u});
  evidence_.passed = evidence_.passed && enough && inside;
  INFO(evidence_.name << ", " << label << ": estimate " << fmt::format("{:.17g}", estimate) << ", expected from "
                      << fmt::format("{:.17g}", low) << " to " << fmt::format("{:.17g}", high));
  CHECK(enough);
  CHECK(inside);
}

namespace detail {

void record_falsifier(HypothesisRef dropped, const std::string& take, const std::string& then, bool fails, double error,
                      double bound, boost::source_location where) {
  record({.kind = Kind::falsifier,
          .name = take,
          .drops = dropped->slug,
          .cases = 1,
          .error = error,
          .bound = bound,
          .take = take,
          .then = then,
          .passed = fails,
          .where = where});
  INFO("without " << dropped->slug << ", take " << take << ": " << then);
  CHECK(fails);
}

}  // namespace detail

}  // namespace rootdk::testing
