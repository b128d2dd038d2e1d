#include "support/dot_product_law.hpp"

#include <span>
#include <utility>

namespace rootdk::testing {

std::vector<laws::LatticeLaw> dot_product_laws(const ComponentLaws& components) {
  const auto& [us, vs] = components;
  const auto product = [](std::span<const Rational> w) -> Rational { return w[0] * w[1]; };
  std::vector<laws::LatticeLaw> sums;
  for (std::size_t i = 0; i < us.size(); ++i) {
    laws::LatticeLaw term(JointLaw<Rational>::product(std::vector{us[i], vs[i]}).push_forward(product), 4);
    sums.push_back(i == 0 ? std::move(term) : convolve(sums.back(), term));
  }
  return sums;
}

MeanAndVariance quotient_moments(const laws::LatticeLaw& x, const Rational& c) {
  using laws::Integer;
  // Sums of integers, for speed: the atoms are n/D with n = (a + j) times the denominator of c, the weights w/W.
  const Integer stretch(denominator(c)), d = x.denominator() * Integer(numerator(c));
  const auto expect = [&](const auto& f) {
    Integer total = 0, term;  // one term for all: it is longer than what fits without allocation
    for (std::size_t j = 0; j < x.weights().size(); ++j) {
      if (x.weights()[j] == 0) continue;
      term = x.weights()[j];
      total += term *= f(Integer(stretch * (x.first() + static_cast<long long>(j))));
    }
    return total;
  };
  const Rational mean(expect([](const Integer& n) { return n; }), x.total() * d);
  // n/D - p/q = (nq - pD)/(Dq)
  const Integer p(numerator(mean)), q(denominator(mean)), dq = d * q, pd = p * d;
  const Integer squares = expect([&](const Integer& n) {
    const Integer deviation = n * q - pd;
    return Integer(deviation * deviation);
  });
  return {mean, Rational(squares, x.total() * dq * dq)};
}

}  // namespace rootdk::testing
