#include "rootdk/laws/law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "rootdk/laws/family.hpp"
#include "rootdk/shown.hpp"

namespace rootdk::laws {
namespace {

// Step lengths of the two rules. Halving the step of a double-exponential rule about doubles the
// number of correct digits until rounding is reached.
constexpr double coarse_step = 1.0 / 24;
constexpr double fine_step = 1.0 / 48;

// A node is left out if it adds less than this to any E|X|^k that exists, k <= 16.
constexpr double lightest_node = 1e-32;

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
  std::array<double, 9> raw{};
  std::array<double, 9> central{};

  mutable std::array<std::once_flag, 2> rule_once;
  mutable std::array<QuadratureRule, 2> rules;
  mutable std::once_flag atoms_once;
  mutable std::vector<Atom> atoms;

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
    const std::vector<Precise> m = precise_moments(highest);
    const std::vector<Precise> c = precise_central(m);
    for (std::size_t k = 0; k < m.size(); ++k) {
      raw[k] = m[k].convert_to<double>();
      central[k] = c[k].convert_to<double>();
    }
    // 50 digits leave 1e-49 where the definition of standardised gives exactly 0 and 1.
    if (standardised) raw[1] = 0, raw[2] = 1, central[2] = 1;
    if (highest >= 1) central[1] = 0;
  }

  bool exists(int k) const {
    const MomentLimit limit = family->moment_limit();
    return k * limit.per_order < limit.value || k == 0;
  }

  std::vector<Precise> precise_moments(int order) const {
    return affine_moments(family->raw_moments(order), exact_shift, exact_scale);
  }

  static std::vector<Precise> precise_central(const std::vector<Precise>& m) {
    return m.size() < 2 ? m : affine_moments(m, -m[1], Precise(1));
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

  std::vector<Piece> pieces(std::vector<double> cuts) const {
    const Support s = family->support();
    const double middle = family->quantile(0.5);
    const double spread = family->quantile(0.75) - family->quantile(0.25);
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
    const MomentLimit limit = family->moment_limit();
    const double order = std::min(16.0, limit.value / limit.per_order);
    for (const Piece& piece : pieces({})) {
      for_each_node(piece, step, [&](const Point& y, double weight) {
        if (weight == 0 || std::isinf(y.value)) return;
        const double w = weight * family->density(y);
        const double x = to_x(y);
        if (!(w * std::pow(std::max(1.0, std::abs(x)), order) >= lightest_node)) return;
        rule.nodes.push_back(x);
        rule.weights.push_back(w);
      });
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

double Law::moment(int k) const {
  state_->require_moment(k);
  if (k <= state_->highest) return state_->raw[static_cast<std::size_t>(k)];
  return state_->precise_moments(k).back().convert_to<double>();
}

double Law::central_moment(int k) const {
  state_->require_moment(k);
  if (k <= state_->highest) return state_->central[static_cast<std::size_t>(k)];
  return State::precise_central(state_->precise_moments(k)).back().convert_to<double>();
}

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
  const Estimate above = one_side(*this);
  const Estimate below = one_side(affine(0, -1));
  return {above.value + below.value, above.error + below.error};
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
  Estimate total{0, 0};
  if (is_discrete()) {
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
  for (const Piece& piece : state_->pieces(std::move(cuts))) {
    const Estimate part = integrate(piece, [&](const Point& y) {
      if (std::isinf(y.value)) return 0.0;
      const double density = state_->family->density(y);
      return density == 0 ? 0.0 : density * f(state_->to_x(y));
    });
    total.value += part.value;
    total.error += part.error;
  }
  return total;
}

const QuadratureRule& Law::rule(Resolution resolution) const& {
  const std::size_t i = resolution == Resolution::fine ? 1 : 0;
  std::call_once(state_->rule_once[i], [&] { state_->rules[i] = state_->make_rule(i == 1 ? fine_step : coarse_step); });
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
  ComplexEstimate total{0, 0};
  for (const Piece& piece : state_->pieces({})) {
    const ComplexEstimate part =
        fourier_integral(piece, omega, [&](const Point& y) { return state_->family->density(y); });
    total.value += part.value;
    total.error += part.error;
  }
  return {total.value * std::polar(1.0, t * state_->shift), total.error + slack};
}

void Law::sample(montecarlo::Stream& stream, std::span<double> out) const {
  state_->family->fill(stream, out);
  const double a = state_->shift;
  const double b = state_->scale;
  if (a == 0 && b == 1) return;
  for (double& x : out) x = a + b * x;
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
  const bool same = shift == 0 && std::abs(scale) == 1;
  return Law(
      std::make_shared<const State>(state_->family, Precise(Precise(shift) + Precise(scale) * state_->exact_shift),
                                    Precise(Precise(scale) * state_->exact_scale), state_->standardised && same));
}

Law Law::standardised() const {
  state_->require_moment(2);
  const std::vector<Precise> m = state_->precise_moments(2);
  const Precise inverse = 1 / sqrt(Precise(m[2] - m[1] * m[1]));
  return Law(std::make_shared<const State>(state_->family, Precise((state_->exact_shift - m[1]) * inverse),
                                           Precise(state_->exact_scale * inverse), true));
}

}  // namespace rootdk::laws
