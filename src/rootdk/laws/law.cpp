#include "rootdk/laws/law.hpp"

#include <algorithm>
#include <array>
#include <boost/exception/exception.hpp>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "rootdk/laws/family.hpp"
#include "rootdk/shown.hpp"

namespace rootdk::laws {
namespace detail {

// What stands in the way of a moment that exists.
enum class Fault : unsigned char { none, digits, range, computation };

struct Known {
  double value = 0;
  Fault fault = Fault::none;
};

}  // namespace detail

namespace {

using detail::Fault;
using detail::Known;
// Step lengths of the two rules. Halving the step of a double-exponential rule about doubles the
// number of correct digits until rounding is reached.
constexpr double coarse_step = 1.0 / 24;
constexpr double fine_step = 1.0 / 48;

// A node is left out if it adds less than this to any E|X|^k that exists, k <= 16.
constexpr double lightest_node = 1e-32;

// Rounding of a moment made by cancellation, relative to the sum of the absolute values of its terms: 50 digits, less
// the few that the gamma function and the sums of up to nine terms lose.
constexpr double rounding_of_moments = 1e-47;

// Largest |mass - 1| of a density that quadrature integrates, above its own error estimate: far above what rounding
// gives for the densities here, far below the smallest part that quadrature was seen to miss without noticing.
constexpr double missing_mass = 1e-9;

// The same for the kept rules, which do not refine until they agree.
constexpr double missing_weight = 1e-6;

// Draws of a standardised law are differences from the mean: at 2^33 deviations they keep 20 bits.
constexpr double farthest_mean = 0x1p33;

// A moment in 50 digits; its error is relative to size.
struct Held {
  Precise value = 0;
  Precise size = 0;
  bool held = false;
};

// The sum of the integrals over some pieces, and of their errors.
template <class F>
auto over(const std::vector<Piece>& pieces, const F& integral) {
  std::invoke_result_t<const F&, const Piece&> total{0, 0};
  for (const Piece& piece : pieces) {
    const auto part = integral(piece);
    total.value += part.value;
    total.error += part.error;
  }
  return total;
}

bool is_finite(const Precise& x) { return (boost::multiprecision::isfinite)(x); }

// Moments with the sums of the absolute values of their terms. unit() is a length to measure an error of the mean by
// where there is no second moment.
template <class Unit>
std::vector<Held> judged(const std::vector<Precise>& value, const std::vector<Precise>& magnitude, const Unit& unit) {
  const auto holds = [&](std::size_t k, const Precise& size) {
    return Precise(magnitude[k] * rounding_of_moments) <= Precise(size * 0x1p-53);
  };
  Precise deviation = 0;
  if (value.size() > 2 && value[2] > 0 && holds(2, value[2])) deviation = sqrt(value[2]);
  std::vector<Held> result;
  for (std::size_t k = 0; k < value.size(); ++k) {
    Precise size = abs(value[k]);
    if (k > 0) size = std::max(size, Precise(pow(deviation, static_cast<int>(k))));
    if (k == 1 && value.size() == 2 && !holds(1, size)) size = std::max(size, Precise(unit()));
    result.push_back({value[k], size, holds(k, size)});
  }
  return result;
}

Known rounded(const Held& m) {
  const double value = m.value.convert_to<double>();
  // A term that is not finite makes the value not finite, and "held" false by comparison with NaN.
  const bool small = m.size != 0 && m.size < Precise(std::numeric_limits<double>::min());
  if (!std::isfinite(value) || !is_finite(m.size) || small) return {value, Fault::range};
  return {value, m.held ? Fault::none : Fault::digits};
}

std::vector<Precise> absolute(std::vector<Precise> m) {
  for (Precise& x : m) x = abs(x);
  return m;
}

std::string hypothesis_for(int k) {
  switch (k) {
    case 1:
      return "integrable";
    case 2:
      return "finite_second_moment";
    case 3:
      return "finite_third_moment";
    case 4:
      return "finite_fourth_moment";
    default:
      return "a finite moment of order " + std::to_string(k);
  }
}

void refuse_nan(double x, const std::string& name, const char* what) {
  if (std::isnan(x)) throw std::domain_error(name + ": " + what + " of NaN");
}

}  // namespace

struct Law::State {
  std::shared_ptr<const Family> family;
  // The law of a + bY for Y in the family; kept in 50 digits so that moments of a standardised
  // law do not inherit the rounding of its own location and scale.
  Precise exact_shift = 0;
  Precise exact_scale = 1;
  bool standardised = false;

  double shift = 0;
  double scale = 1;
  double at_lower = -infinity;  // a + b lower, in one rounding
  double at_upper = infinity;
  int highest = 0;  // moments held
  std::array<Known, 9> raw{};
  std::array<Known, 9> central{};

  mutable std::array<std::once_flag, 2> rule_once;
  mutable std::array<QuadratureRule, 2> rules;
  mutable std::once_flag atoms_once;
  mutable std::vector<Atom> atoms;
  mutable std::once_flag mass_once;
  mutable std::string mass_fault;

  State(std::shared_ptr<const Family> f, const Precise& a, const Precise& b, bool unit)
      : family(std::move(f)), exact_shift(a), exact_scale(b), standardised(unit) {
    shift = exact_shift.convert_to<double>();
    scale = exact_scale.convert_to<double>();
    const Support s = family->support();
    if (std::isfinite(s.lower)) {
      at_lower = Precise(exact_shift + exact_scale * Precise(s.lower)).convert_to<double>();
    } else if (scale < 0) {
      at_lower = infinity;
    }
    if (std::isfinite(s.upper)) {
      at_upper = Precise(exact_shift + exact_scale * Precise(s.upper)).convert_to<double>();
    } else if (scale < 0) {
      at_upper = -infinity;
    }
    while (highest < 8 && exists(highest + 1)) ++highest;
    // Orders whose moments leave the range of 50-digit numbers are left out one by one.
    raw.fill({infinity, Fault::computation});
    central.fill({infinity, Fault::computation});
    for (int order = highest; order >= 0; --order) {
      const auto m = family_moments(order);
      if (!m) continue;
      const std::vector<Held> r = raw_from(*m);
      const std::vector<Held> c = central_from(*m);
      for (std::size_t k = 0; k < r.size(); ++k) {
        raw[k] = rounded(r[k]);
        central[k] = rounded(c[k]);
      }
      break;
    }
    // 50 digits leave 1e-49 where the definition of standardised gives exactly 0 and 1.
    if (standardised) raw[1] = {0}, raw[2] = {1}, central[2] = {1};
    if (highest >= 1) central[1] = {0};
  }

  bool exists(int k) const {
    const MomentLimit limit = family->moment_limit();
    return k * limit.per_order < limit.value || k == 0;
  }

  // Empty where a moment is beyond the range of 50-digit numbers: Boost throws then.
  std::optional<std::vector<Precise>> family_moments(int order) const {
    try {
      return family->raw_moments(order);
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }

  std::vector<Held> raw_from(const std::vector<Precise>& m) const {
    return judged(affine_moments(m, exact_shift, exact_scale),
                  affine_moments(absolute(m), abs(exact_shift), abs(exact_scale)), [this] { return quartile_unit(); });
  }

  // From the moments of the family itself: the shift drops out, and with it its cancellation.
  std::vector<Held> central_from(const std::vector<Precise>& m) const {
    if (m.size() < 2) return judged(m, m, [] { return 0.0; });
    std::vector<Held> all =
        judged(affine_moments(m, -m[1], Precise(1)), affine_moments(absolute(m), abs(m[1]), Precise(1)),
               [this] { return quartile_unit(); });
    Precise power = 1;
    for (Held& h : all) {
      h.value *= power;
      h.size *= abs(power);
      power *= exact_scale;
    }
    return all;
  }

  double quartile_unit() const {
    const double unit = std::abs(scale) * (family->quantile(0.75) - family->quantile(0.25));
    return std::isfinite(unit) ? unit : 0;
  }

  double given(const Known& m, int k, bool is_central) const {
    if (m.fault == Fault::none) return m.value;
    const std::string power = k == 1 ? "" : "^" + std::to_string(k);
    const std::string what = is_central ? "E((X - EX)" + power + ")" : "E(X" + power + ")";
    const char* const why = m.fault == Fault::range ? " is beyond the range of double"
                            : m.fault == Fault::digits
                                ? ": 50 digits do not hold this moment because the mean is too far from 0 in deviations"
                                : ": a number on the way to this moment is beyond the range of 50-digit numbers";
    throw std::domain_error(family->name() + ": " + what + why);
  }

  double moment(int k, bool is_central) const {
    require_moment(k);
    if (k <= highest) return given((is_central ? central : raw)[static_cast<std::size_t>(k)], k, is_central);
    const auto m = family_moments(k);
    if (!m) return given({infinity, Fault::computation}, k, is_central);
    return given(rounded((is_central ? central_from(*m) : raw_from(*m)).back()), k, is_central);
  }

  void require_moment(int k) const {
    if (k < 0) {
      throw std::domain_error(family->name() + ": expected a moment of order >= 0, given " + std::to_string(k));
    }
    if (exists(k)) return;
    const MomentLimit limit = family->moment_limit();
    const std::string power = k == 1 ? "" : "^" + std::to_string(k);
    throw std::domain_error(family->name() + ": " + hypothesis_for(k) +
                            " fails: " + (k % 2 == 0 ? "E(X" + power + ")" : "E|X|" + power) + " is infinite for " +
                            limit.parameter + " <= " + shortest(k * limit.per_order) + ", given " +
                            shortest(limit.value));
  }

  double to_y(double x) const {
    const double y = (x - shift) / scale;
    if (!family->is_discrete()) return y;
    // An atom a + bk comes back as k with the rounding of the two operations each way.
    const double k = std::nearbyint(y);
    const double slack =
        4 * std::numeric_limits<double>::epsilon() * ((std::abs(x) + std::abs(shift)) / std::abs(scale) + std::abs(y));
    return std::abs(y - k) <= slack ? k : y;
  }

  // From the nearer end of the support: close to it, a + by would cancel.
  double to_x(const Point& y) const {
    if (y.above_lower <= y.below_upper && std::isfinite(y.above_lower)) {
      return at_lower + scale * y.above_lower;
    }
    if (std::isfinite(y.below_upper)) return at_upper - scale * y.below_upper;
    return shift + scale * y.value;
  }

  Point point(double y) const { return point_at(y, family->support()); }

  // The distance of the quartiles is the unit of length of half-infinite pieces.
  void require_unit(double spread) const {
    if (spread > 0 && std::isfinite(spread)) return;
    throw std::domain_error(family->name() +
                            ": quadrature needs quartiles at a positive finite distance, which doubles give as " +
                            shortest(spread));
  }

  // The density at a node. One that underflows onto an end, where a density may be infinite, has no weight.
  double node_density(const Point& y) const {
    if (std::isinf(y.value) || y.above_lower == 0 || y.below_upper == 0) return 0;
    return family->density(y);
  }

  std::string wrong_mass(double found) const {
    return family->name() + ": quadrature finds the mass " + shortest(found) + " where a law has 1";
  }

  // Refuses a law whose mass quadrature misses: what it gives for other integrands is worth as little.
  void require_mass() const {
    if (family->is_discrete()) return;
    std::call_once(mass_once, [this] {
      try {
        const Estimate mass = over(pieces({}), [this](const Piece& piece) {
          return integrate(piece, [this](const Point& y) { return node_density(y); });
        });
        if (!(std::abs(mass.value - 1) <= missing_mass + mass.error)) {
          mass_fault = wrong_mass(mass.value);
        }
      } catch (const boost::exception& e) {
        mass_fault = boost_fault(e);
      } catch (const std::domain_error& e) {
        mass_fault = e.what();
      }
    });
    if (!mass_fault.empty()) throw std::domain_error(mass_fault);
  }

  std::string boost_fault(const boost::exception& e) const {
    const auto* const standard = dynamic_cast<const std::exception*>(&e);
    return family->name() + ": quadrature fails: " + (standard != nullptr ? standard->what() : "an error of Boost");
  }

  // The result of f, a quadrature, of a law whose mass it finds; an exception of Boost names the law.
  template <class F>
  auto quadrature(const F& f) const {
    require_mass();
    try {
      return f();
    } catch (const boost::exception& e) {
      throw std::domain_error(boost_fault(e));
    }
  }

  std::vector<Piece> pieces(std::vector<double> cuts) const {
    const Support s = family->support();
    const double middle = family->quantile(0.5);
    const double spread = family->quantile(0.75) - family->quantile(0.25);
    if (!(std::isfinite(s.lower) && std::isfinite(s.upper))) require_unit(spread);
    cuts.push_back(middle);
    for (const double kink : family->kinks()) cuts.push_back(kink);
    cuts.push_back(s.lower);
    cuts.push_back(s.upper);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<Piece> result;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i] >= s.lower && cuts[i + 1] <= s.upper) {
        result.push_back({cuts[i], cuts[i + 1], spread, s});
      }
    }
    return result;
  }

  const std::vector<Atom>& all_atoms() const {
    std::call_once(atoms_once, [this] {
      for (const Atom& a : family->atoms()) {
        atoms.push_back({Precise(exact_shift + exact_scale * Precise(a.value)).convert_to<double>(), a.mass});
      }
      if (scale < 0) std::reverse(atoms.begin(), atoms.end());
    });
    return atoms;
  }

  QuadratureRule make_rule(double step) const {
    QuadratureRule rule;
    if (family->is_discrete()) {
      for (const Atom& a : all_atoms()) {
        rule.nodes.push_back(a.value);
        rule.weights.push_back(a.mass);
      }
      return rule;
    }
    double sum = 0;
    const MomentLimit limit = family->moment_limit();
    const double order = std::min(16.0, limit.value / limit.per_order);
    for (const Piece& piece : pieces({})) {
      for_each_node(piece, step, [&](const Point& y, double weight) {
        if (weight == 0) return;
        const double w = weight * node_density(y);
        const double x = to_x(y);
        if (!std::isfinite(w)) {
          throw std::domain_error(family->name() + ": the density near " + shortest(x) + " times the weight of a node" +
                                  " is not finite");
        }
        if (w == 0) return;
        sum += w;
        if (!(w * std::pow(std::max(1.0, std::abs(x)), order) >= lightest_node)) return;
        rule.nodes.push_back(x);
        rule.weights.push_back(w);
      });
    }
    if (!(std::abs(sum - 1) <= missing_weight)) {
      throw std::domain_error(wrong_mass(sum));
    }
    return rule;
  }
};

Law::Law(std::shared_ptr<const Family> family)
    : state_(std::make_shared<State>(std::move(family), Precise(0), Precise(1), false)) {}

Law::Law(std::shared_ptr<const State> state) : state_(std::move(state)) {}

const std::string& Law::name() const { return state_->family->name(); }
std::span<const Parameter> Law::parameters() const& { return state_->family->parameters(); }
bool Law::is_discrete() const { return state_->family->is_discrete(); }
bool Law::is_standardised() const { return state_->standardised; }

Support Law::support() const {
  return {std::min(state_->at_lower, state_->at_upper), std::max(state_->at_lower, state_->at_upper)};
}

bool Law::has_moment(int k) const { return k >= 0 && state_->exists(k); }

double Law::moment(int k) const { return state_->moment(k, false); }
double Law::central_moment(int k) const { return state_->moment(k, true); }

montecarlo::RawMoments<double> Law::moments(int order) const {
  state_->require_moment(order);
  std::vector<double> m;
  for (int k = 0; k <= order; ++k) m.push_back(moment(k));
  return montecarlo::RawMoments<double>(std::move(m));
}

Estimate Law::absolute_moment(int k) const {
  state_->require_moment(k);
  if (k % 2 == 0) {
    const double m = moment(k);
    return {m, std::numeric_limits<double>::epsilon() * m};
  }
  if (is_discrete()) {
    return expectation([k](double x) { return std::pow(std::abs(x), k); });
  }
  // k x^{k-1} P(X > x) over x >= 0, then the same for -X.
  const auto one_side = [k](const Law& law) -> Estimate {
    const Support s = law.support();
    if (s.upper <= 0) return {0, 0};
    const double from = std::max(0.0, s.lower);
    const double spread = law.quantile(0.75) - law.quantile(0.25);
    std::vector<double> cuts{from, s.upper};
    const State& state = *law.state_;
    if (std::isinf(s.upper)) state.require_unit(spread);
    for (const double y : state.family->kinks()) {
      const double x = state.to_x(state.point(y));
      if (x > from && x < s.upper) cuts.push_back(x);
    }
    const double middle = law.quantile(0.5);
    if (middle > from && middle < s.upper) cuts.push_back(middle);
    std::sort(cuts.begin(), cuts.end());
    Estimate total{std::pow(from, k), 0};
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const Piece piece{cuts[i], cuts[i + 1], spread, {from, s.upper}};
      const Estimate part = integrate(piece, [&](const Point& x) {
        const double tail = law.survival(x.value);
        return tail == 0 ? 0.0 : k * std::pow(x.value, k - 1) * tail;
      });
      total.value += part.value;
      total.error += part.error;
    }
    return total;
  };
  return state_->quadrature([&]() -> Estimate {
    const Estimate above = one_side(*this);
    const Estimate below = one_side(affine(0, -1));
    return {above.value + below.value, above.error + below.error};
  });
}

double Law::pdf(double x) const {
  if (is_discrete()) throw std::domain_error(name() + ": a discrete law has no density");
  refuse_nan(x, name(), "density");
  const Support s = support();
  if (!(x >= s.lower && x <= s.upper) || std::isinf(x)) return 0;
  const Family& family = *state_->family;
  const double y = std::clamp(state_->to_y(x), family.support().lower, family.support().upper);
  return family.density(state_->point(y)) / std::abs(state_->scale);
}

double Law::mass(double x) const {
  refuse_nan(x, name(), "mass");
  if (!is_discrete() || std::isinf(x)) return 0;
  return state_->family->density(state_->point(state_->to_y(x)));
}

double Law::cdf(double x) const {
  refuse_nan(x, name(), "distribution function");
  if (std::isinf(x)) return x > 0 ? 1 : 0;
  const Family& family = *state_->family;
  const double y = state_->to_y(x);
  if (state_->scale > 0) return family.cdf(y);
  return is_discrete() ? family.survival(std::ceil(y) - 1) : family.survival(y);
}

double Law::survival(double x) const {
  refuse_nan(x, name(), "distribution function");
  if (std::isinf(x)) return x > 0 ? 0 : 1;
  const Family& family = *state_->family;
  const double y = state_->to_y(x);
  if (state_->scale > 0) return family.survival(y);
  return is_discrete() ? family.cdf(std::ceil(y) - 1) : family.cdf(y);
}

double Law::quantile(double p) const {
  if (!(p > 0 && p < 1)) {
    throw std::domain_error(name() + ": quantile: expected a probability in (0, 1), given " + shortest(p));
  }
  const Family& family = *state_->family;
  if (state_->scale > 0) return state_->to_x(state_->point(family.quantile(p)));
  if (!is_discrete()) return state_->to_x(state_->point(family.upper_quantile(p)));
  // P(a - |b|Y <= x) >= p: the largest atom y with P(Y >= y) >= p.
  const std::vector<Atom>& all = state_->all_atoms();
  return std::partition_point(all.begin(), all.end() - 1, [&](const Atom& a) { return cdf(a.value) < p; })->value;
}

std::span<const Atom> Law::atoms() const& {
  if (!is_discrete()) throw std::domain_error(name() + ": a law with a density has no atoms");
  return state_->all_atoms();
}

Estimate Law::expectation(const std::function<double(double)>& f, std::span<const double> breaks) const {
  if (is_discrete()) {
    Estimate total{0, 0};
    double absolute = 0;
    for (const Atom& a : atoms()) {
      const double term = a.mass * f(a.value);
      total.value += term;
      absolute += std::abs(term);
    }
    total.error = rounding_of_density * absolute;
    return total;
  }
  std::vector<double> cuts;
  for (const double x : breaks) cuts.push_back(state_->to_y(x));
  return state_->quadrature([&] {
    return over(state_->pieces(std::move(cuts)), [&](const Piece& piece) {
      return integrate(piece, [&](const Point& y) {
        const double density = state_->node_density(y);
        return density == 0 ? 0.0 : density * f(state_->to_x(y));
      });
    });
  });
}

const QuadratureRule& Law::rule(Resolution resolution) const& {
  const std::size_t i = resolution == Resolution::fine ? 1 : 0;
  std::call_once(state_->rule_once[i], [&] {
    state_->rules[i] = state_->quadrature([&] { return state_->make_rule(i == 1 ? fine_step : coarse_step); });
  });
  return state_->rules[i];
}

ComplexEstimate Law::characteristic_function(double t) const {
  if (!std::isfinite(t)) {
    throw std::domain_error(name() + ": characteristic function: expected a finite t, given " + shown(t));
  }
  // Rounding of t a and t b turns the phase by that of t X where X has its mass.
  const double reach = std::abs(state_->family->quantile(0.25)) + std::abs(state_->family->quantile(0.75));
  const double slack = 2 * std::numeric_limits<double>::epsilon() * std::abs(t) *
                       (std::abs(state_->shift) + std::abs(state_->scale) * reach);
  if (const auto closed = state_->family->characteristic_function(t * state_->scale)) {
    // A closed form is taken to be as accurate as a density.
    return {*closed * std::polar(1.0, t * state_->shift), rounding_of_density + slack};
  }
  if (is_discrete()) {
    const Estimate real = expectation([t](double x) { return std::cos(t * x); });
    const Estimate imaginary = expectation([t](double x) { return std::sin(t * x); });
    return {{real.value, imaginary.value}, real.error + imaginary.error};
  }
  const double omega = t * state_->scale;
  const ComplexEstimate total = state_->quadrature([&] {
    return over(state_->pieces({}), [&](const Piece& piece) {
      return fourier_integral(piece, omega, [&](const Point& y) { return state_->node_density(y); });
    });
  });
  return {total.value * std::polar(1.0, t * state_->shift), total.error + slack};
}

void Law::sample(montecarlo::Stream& stream, std::span<double> out) const {
  state_->family->fill(stream, out);
  const double a = state_->shift;
  const double b = state_->scale;
  bool finite = true;  // without a branch: a draw less itself is 0 unless it is infinite or NaN
  for (double& x : out) {
    x = a + b * x;
    finite &= x - x == 0;
  }
  if (!finite) throw std::domain_error(name() + ": a draw is beyond the range of double");
}

double Law::sample(montecarlo::Stream& stream) const {
  double x = 0;
  sample(stream, {&x, 1});
  return x;
}

Law Law::affine(double shift, double scale) const {
  if (!std::isfinite(shift) || !std::isfinite(scale) || scale == 0) {
    throw std::domain_error(name() +
                            ": affine: expected a finite shift and a finite scale other "
                            "than 0, given " +
                            shortest(shift) + " and " + shortest(scale));
  }
  const Precise a = Precise(shift) + Precise(scale) * state_->exact_shift;
  const Precise b = Precise(scale) * state_->exact_scale;
  const bool same = shift == 0 && std::abs(scale) == 1;
  auto moved = std::make_shared<const State>(state_->family, a, b, state_->standardised && same);
  const Support own = state_->family->support();
  const bool ends_fit = std::isfinite(moved->at_lower) == std::isfinite(own.lower) &&
                        std::isfinite(moved->at_upper) == std::isfinite(own.upper);
  if (!std::isfinite(moved->shift) || !std::isnormal(moved->scale) || !ends_fit) {
    throw std::domain_error(name() + ": affine: expected a law within the range of double, given shift " +
                            shortest(shift) + " and scale " + shortest(scale) + ", which make it " +
                            shortest(moved->shift) + " + " + shortest(moved->scale) + " Y with Y from " +
                            shortest(own.lower) + " to " + shortest(own.upper));
  }
  return Law(std::move(moved));
}

// In terms of the family, so that the shift of a moved law drops out.
Law Law::standardised() const {
  state_->require_moment(2);
  const auto m = state_->family_moments(2);
  if (!m) (void)state_->given({infinity, Fault::computation}, 2, true);
  const Held variance = judged(affine_moments(*m, -(*m)[1], Precise(1)),
                               affine_moments(absolute(*m), abs((*m)[1]), Precise(1)), [] { return 0.0; })[2];
  if (!is_finite(variance.size)) (void)state_->given({infinity, Fault::range}, 2, true);
  if (!variance.held || variance.value <= 0) (void)state_->given({0, Fault::digits}, 2, true);
  const Precise inverse = 1 / sqrt(variance.value);
  const double deviation = Precise(1 / inverse).convert_to<double>();
  if (!std::isnormal(deviation) || !std::isnormal(inverse.convert_to<double>())) {
    throw std::domain_error(name() + ": standardised: expected a deviation that is a normal double with its inverse, " +
                            "given " + shortest(deviation));
  }
  const double distance = Precise(abs((*m)[1]) * inverse).convert_to<double>();
  if (!(distance <= farthest_mean)) {
    throw std::domain_error(name() + ": standardised: expected a mean within 2^33 deviations of 0, given " +
                            shortest(distance) + ": draws would keep fewer than 20 bits");
  }
  const Precise sign = state_->scale < 0 ? -1 : 1;
  return Law(
      std::make_shared<const State>(state_->family, Precise(-(*m)[1] * inverse * sign), Precise(inverse * sign), true));
}

}  // namespace rootdk::laws
