#include "rootdk/laws/family.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace rootdk::laws {
namespace {

// The tails of a discrete law are summed until an atom is lighter than this.
constexpr double lightest_atom = 1e-60;
constexpr std::size_t most_atoms = std::size_t{1} << 22;

}  // namespace

std::string shortest(double x) {
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, x);
  return std::string(text, result.ptr);
}

Family::Family(const std::string& family, std::vector<Parameter> parameters, Support support, bool discrete)
    : name_(family), parameters_(std::move(parameters)), support_(support), discrete_(discrete) {
  if (parameters_.empty()) return;
  name_ += '(';
  for (const Parameter& p : parameters_) {
    if (&p != &parameters_.front()) name_ += ", ";
    name_ += p.name + '=' + shortest(p.value);
  }
  name_ += ')';
}

// The masses of every family here rise to a mode and fall after it, so each side ends at its first
// light atom.
std::vector<Atom> Family::atoms() const {
  std::vector<Atom> found;
  const double middle = quantile(0.5);
  const auto add = [&](double k) {
    const double mass = density(point_at(k, support_));
    if (mass < lightest_atom) return false;
    if (found.size() == most_atoms) {
      throw std::length_error(name_ + ": more than " + std::to_string(most_atoms) + " atoms of mass above 1e-60");
    }
    found.push_back({k, mass});
    return true;
  };
  for (double k = middle - 1; k >= support_.lower && add(k); --k) {
  }
  std::reverse(found.begin(), found.end());
  for (double k = middle; k <= support_.upper && add(k); ++k) {
  }
  return found;
}

std::optional<std::complex<double>> Family::characteristic_function(double) const { return std::nullopt; }

void require(bool ok, const char* family, const char* expected, double given) {
  if (ok) return;
  throw std::domain_error(std::string(family) + ": expected " + expected + ", given " + shortest(given));
}

void require(bool ok, const char* family, const char* expected, std::initializer_list<Parameter> given) {
  if (ok) return;
  std::string list;
  for (const Parameter& p : given) {
    if (&p != given.begin()) list += &p + 1 == given.end() ? " and " : ", ";
    list += p.name + " = " + shortest(p.value);
  }
  throw std::domain_error(std::string(family) + ": expected " + expected + ", given " + list);
}

}  // namespace rootdk::laws
