#pragma once

/// \file
/// The only place that calls RapidCheck: unlike `rc::check` it fails the test case when the property
/// does, and it leaves the count and the classes of the generated cases in the evidence.

#include <rapidcheck.h>

#include <functional>
#include <tuple>
#include <utility>

#include "support/catch.hpp"
#include "support/evidence.hpp"

namespace rootdk::testing {

/// A generator with the hypotheses that all it generates satisfies.
template <class T, HypothesisRef... H>
struct Generated {
  using value_type = T;
  rc::Gen<T> gen;
};

/// Number of cases a property runs on.
struct Cases {
  int count;
};

namespace detail {

struct RapidCheckRun {
  bool passed;
  int cases;
  std::map<std::string, int> classes;
  std::string report;
};
// `draw_and_check` is a function object of one type for all properties, since RapidCheck's templates for running one
// are far dearer to compile than the property itself.
RapidCheckRun run_rapidcheck(const std::function<void()>& draw_and_check, std::uint64_t seed, int cases);

template <class T, HypothesisRef... H>
constexpr void add_hypotheses(Slugs& to, const Generated<T, H...>&) {
  [[maybe_unused]] auto add = [&to](std::string_view slug) {
    if (!to.contains(slug)) to.push_back(slug);
  };
  (add(H->slug), ...);
}

}  // namespace detail

/// Checks that `body` holds for all generated values, and records it. Inside, use RC_ASSERT, RC_PRE,
/// RC_CLASSIFY.
template <class... G, class Body>
void for_all(Kind kind, const std::string& name, const std::tuple<G...>& generated, Body body, Cases cases = {1000},
             boost::source_location where = BOOST_CURRENT_LOCATION) {
  Evidence e{.kind = kind, .name = name, .where = where};
  std::apply([&](const auto&... g) { (detail::add_hypotheses(e.assumes, g), ...); }, generated);
  e.seed = seed_of(name);
  const auto draw_and_check = [&] {
    // braces fix the order in which the values are drawn
    auto values =
        std::apply([](const auto&... g) { return std::tuple<typename G::value_type...>{*g.gen...}; }, generated);
    std::apply(body, std::move(values));
  };
  const detail::RapidCheckRun run = detail::run_rapidcheck(draw_and_check, e.seed, cases.count);
  e.passed = run.passed;
  e.cases = run.cases;
  e.classes = run.classes;
  record(e);
  INFO(name << ", seed " << e.seed << "\n" << run.report);
  CHECK(run.passed);
}

/// As above for a single generator.
template <class T, HypothesisRef... H, class Body>
void for_all(Kind kind, const std::string& name, const Generated<T, H...>& generated, Body body, Cases cases = {1000},
             boost::source_location where = BOOST_CURRENT_LOCATION) {
  for_all(kind, name, std::tuple{generated}, std::move(body), cases, where);
}

}  // namespace rootdk::testing
