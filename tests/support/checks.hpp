#pragma once

/// \file
/// The checks that are not properties of RapidCheck: measured against expected with a bound,
/// statistical, and falsifiers. Each leaves evidence and fails its test case.

#include <fmt/format.h>

#include <concepts>
#include <span>
#include <sstream>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/evidence.hpp"

namespace rootdk::testing {

/// The slugs of a list of template arguments.
template <HypothesisRef... H>
constexpr Slugs slugs() {
  return Slugs{H->slug...};
}

/// Many comparisons of a measured value with an expected one, each with the bound of the method that
/// measured it; one record. Construct, `compare` as often as wanted, and let it go out of scope.
class Comparison {
 public:
  /// \param assumes the hypotheses that everything compared satisfies: `slugs<"zero_mean">()`
  Comparison(Kind kind, std::string name, Slugs assumes, boost::source_location where = BOOST_CURRENT_LOCATION);
  ~Comparison();
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  /// Names a law that the comparisons run over.
  void law(const std::string& name);

  /// Counts the case under a class that the evidence shows.
  void classify(const std::string& name) { ++evidence_.classes[name]; }

  /// |measured - expected| <= bound, where a NaN anywhere fails, and so does an infinite bound.
  /// \param context what is being compared; printed on failure
  void compare(double measured, double expected, double bound, const std::string& context = {});

  /// The same in any arithmetic: the difference is taken before anything is rounded to double.
  template <class T>
  void compare_as(const T& measured, const T& expected, const T& bound, const std::string& context = {}) {
    using std::abs;
    const T difference = measured - expected;
    error(static_cast<double>(difference < 0 ? T(-difference) : difference), static_cast<double>(bound),
          fmt::format("{}: measured {:.17g}, expected {:.17g}", context, static_cast<double>(measured),
                      static_cast<double>(expected)));
  }

  /// An error in whatever unit the bound has.
  void error(double error, double bound, const std::string& context);

 private:
  Evidence evidence_;
  double worst_ratio_ = -1;
  int failures_ = 0;
};

/// The statistical checks of one claim over several laws and dimensions (median of batches; see the
/// step median_of_batches); one record, one detail a check.
class StatisticalCheck {
 public:
  StatisticalCheck(std::string name, Slugs assumes, boost::source_location where = BOOST_CURRENT_LOCATION);
  ~StatisticalCheck();
  StatisticalCheck(const StatisticalCheck&) = delete;
  StatisticalCheck& operator=(const StatisticalCheck&) = delete;

  /// The number of batches that the policy's share of one check asks for.
  static std::size_t batches();

  /// \param label    law and dimension
  /// \param claimed  the value under test
  /// \param sigma_b  bound on the standard deviation of one batch estimate under the claim
  /// \param estimates independent unbiased batch estimates, `batches()` of them
  /// \param scale    what the detectable deviation is given relative to (1 for an absolute one)
  /// \return the detectable deviation
  double check(const std::string& label, double claimed, double sigma_b, std::span<const double> estimates,
               double scale);

  /// A check by another method with its own proved false-alarm probability.
  /// \param statistic the measured statistic, at most `limit` unless an alarm is raised
  void bounded(const std::string& label, double statistic, double limit, double false_alarm);

  /// A check by a proved interval about the claimed value, which the estimate leaves with probability at most
  /// `false_alarm`.
  /// \param detectable the deviation that would be seen with probability 0.999, relative to the claim; 0 if not known
  void interval(const std::string& label, double claimed, double estimate, double low, double high, double detectable,
                double false_alarm);

  /// Counts a sampled row under a class that the evidence shows.
  void classify(const std::string& name) { ++evidence_.classes[name]; }

  /// A seed of its own for the sampling of this check alone.
  std::uint64_t seed() const { return seed_of(evidence_.name); }

 private:
  Evidence evidence_;
};

/// Shows that the conclusion fails without hypothesis `dropped`.
/// \param take the counterexample in words (HTML, formulas in \\( \\))
/// \param measured,claimed what it gives, and what the conclusion claims; they must differ by more
/// than `bound` (0 for exact types)
template <class T>
void falsifier(HypothesisRef dropped, const std::string& take, const std::string& quantity, const T& measured,
               const T& claimed, double bound = 0, boost::source_location where = BOOST_CURRENT_LOCATION);

/// Shows that the code refuses input outside the domain condition `dropped`, by name: `call` must
/// throw a `std::domain_error` or `std::invalid_argument` whose message holds the condition's slug.
template <class Call>
void refusal(HypothesisRef dropped, const std::string& take, Call call,
             boost::source_location where = BOOST_CURRENT_LOCATION);

// ------------------------------------------------------------------------------------------------

namespace detail {

void record_falsifier(HypothesisRef dropped, const std::string& take, const std::string& then, bool fails, double error,
                      double bound, boost::source_location where);

template <class T>
std::string show(const T& value) {
  if constexpr (std::floating_point<T>) {
    return fmt::format("{:.6g}", value);
  } else {
    std::ostringstream out;
    out << value;
    return out.str();
  }
}

}  // namespace detail

template <class T>
void falsifier(HypothesisRef dropped, const std::string& take, const std::string& quantity, const T& measured,
               const T& claimed, double bound, boost::source_location where) {
  const T difference = measured > claimed ? T(measured - claimed) : T(claimed - measured);
  const bool fails = difference > T(bound);
  const std::string then = fmt::format("{} is {}, not {}", quantity, detail::show(measured), detail::show(claimed));
  detail::record_falsifier(dropped, take, then, fails, static_cast<double>(difference), bound, where);
}

template <class Call>
void refusal(HypothesisRef dropped, const std::string& take, Call call, boost::source_location where) {
  std::string then = "it was accepted";
  bool refused = false;
  const auto judge = [&](const std::exception& e) {
    then = fmt::format("the code refuses it: “{}”", e.what());
    refused = std::string_view(e.what()).find(dropped->slug) != std::string_view::npos;
  };
  try {
    call();
  } catch (const std::domain_error& e) {
    judge(e);
  } catch (const std::invalid_argument& e) {
    judge(e);
  }
  detail::record_falsifier(dropped, take, then, refused, 0, 0, where);
}

}  // namespace rootdk::testing
