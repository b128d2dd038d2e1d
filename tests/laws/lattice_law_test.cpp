// Laws on a lattice: against the same law as a table of atoms, and sums against enumeration.
#include "rootdk/laws/lattice_law.hpp"

#include "rootdk/laws/joint_law.hpp"
#include "support/dot_product_law.hpp"
#include "support/generators.hpp"
#include "support/test.hpp"

using namespace rootdk::testing;
using rootdk::Kind;
using rootdk::laws::FiniteLaw;
using rootdk::laws::Integer;
using rootdk::laws::JointLaw;
using rootdk::laws::LatticeLaw;
using rootdk::laws::Rational;
using Finite = FiniteLaw<Rational>;

namespace {

/// The least lattice that the atoms of all the laws lie on.
unsigned common_denominator(const std::vector<Finite>& laws) {
  Integer result = 1;
  for (const Finite& law : laws) {
    for (const Rational& x : law.atoms()) result = lcm(result, Integer(denominator(x)));
  }
  return static_cast<unsigned>(result);
}

}  // namespace

TEST_CASE("a lattice law is the law it was made from") {
  for_all(Kind::exact, "any finite law on its lattice", finite_law<>(), [](const Finite& law) {
    const LatticeLaw lattice(law, 2 * common_denominator({law}));
    RC_ASSERT(lattice.finite_law() == law);
    RC_ASSERT(lattice.mean() == law.mean());
    RC_ASSERT(lattice.variance() == law.variance());
    for (unsigned k = 0; k <= 4; ++k) RC_ASSERT(lattice.moment(k) == law.moment(k));
  });
}

TEST_CASE("the law of a sum is that of the enumerated joint law") {
  for_all(Kind::exact, "sums of one to three independent variables",
          Generated<std::vector<Finite>>{vector_of(1, 3, finite_law<>().gen)}, [](const std::vector<Finite>& laws) {
            const unsigned denominator = common_denominator(laws);
            std::vector<LatticeLaw> terms;
            for (const Finite& law : laws) terms.push_back(LatticeLaw(law, denominator));
            const auto enumerated = JointLaw<Rational>::product(laws).push_forward([](std::span<const Rational> x) {
              Rational sum = 0;
              for (const Rational& term : x) sum += term;
              return sum;
            });
            RC_ASSERT(sum_of_independent(terms).finite_law() == enumerated);
          });
}

TEST_CASE("the sum of 64 fair signs is binomial") {
  const std::vector<LatticeLaw> terms(64, LatticeLaw(Finite::rademacher(), 1));
  const LatticeLaw sum = sum_of_independent(terms);
  CHECK(sum.first() == -64);
  CHECK(sum.total() == Integer(1) << 64);
  Integer binomial = 1;
  for (unsigned k = 0; k <= 64; ++k) {
    INFO("k = " << k);
    CHECK(sum.weights()[2 * k] == binomial);
    binomial = binomial * (64 - k) / (k + 1);
  }
  CHECK(sum.variance() == 64);
}

TEST_CASE("the weights of a sum add up to its total") {
  for_all(
      Kind::exact, "dot products of up to 16 half lattice components",
      half_lattice_components<"mutually_independent", "zero_mean", "unit_variance">(1, 16),
      [](const ComponentLaws& components) {
        const LatticeLaw sum = dot_product_laws(components).back();
        Integer total = 0;
        for (const Integer& w : sum.weights()) total += w;
        RC_ASSERT(total == sum.total());
        RC_ASSERT(sum.denominator() == 4U);
        RC_ASSERT(sum.variance() == sum.moment(2) - sum.mean() * sum.mean());
      },
      Cases{100});
}

TEST_CASE("the laws of dot products and the moments of their quotients are those of the enumerated joint law") {
  for_all(
      Kind::exact, "one or two half lattice components, divided by a fraction",
      std::tuple{half_lattice_components<"mutually_independent", "zero_mean", "unit_variance">(1, 2),
                 Generated<Rational>{fraction({1, 9, 1}, {1, 9, 1})}},
      [](const ComponentLaws& drawn, const Rational& c) {
        // a mean that is not 0
        ComponentLaws components = drawn;
        for (auto* side : {&components.first, &components.second}) (*side)[0] = (*side)[0].affine(Rational(1, 2), 1);
        const std::vector<LatticeLaw> sums = dot_product_laws(components);
        std::vector<Finite> components_so_far;
        for (std::size_t d = 1; d <= sums.size(); ++d) {
          components_so_far.push_back(components.first[d - 1]);
          components_so_far.push_back(components.second[d - 1]);
          const Finite enumerated =
              JointLaw<Rational>::product(components_so_far).push_forward([](std::span<const Rational> x) {
                Rational sum = 0;
                for (std::size_t i = 0; i < x.size(); i += 2) sum += x[i] * x[i + 1];
                return sum;
              });
          RC_ASSERT(sums[d - 1].finite_law() == enumerated);
          const auto [mean, variance] = quotient_moments(sums[d - 1], c);
          const Finite quotient = enumerated.map([&](const Rational& x) -> Rational { return x / c; });
          RC_ASSERT(mean == quotient.mean());
          RC_ASSERT(variance == quotient.variance());
        }
      },
      Cases{100});
}

TEST_CASE("a lattice law refuses atoms off the lattice and mixed lattices") {
  const Finite third({Rational(1, 3), 1}, {Rational(1, 2), Rational(1, 2)});
  CHECK_THROWS_WITH(LatticeLaw(third, 4), Catch::Contains("multiple of 1/4") && Catch::Contains("given atom 1/3"));
  CHECK_THROWS_AS(LatticeLaw(third, 0), std::domain_error);
  const Rational huge(Integer(1) << 40);
  CHECK_THROWS_AS(LatticeLaw(Finite::uniform({huge}), 1), std::domain_error);
  CHECK_THROWS_WITH(convolve(LatticeLaw(third, 3), LatticeLaw(third, 6)), Catch::Contains("denominators 3 and 6"));
  CHECK_THROWS_AS(sum_of_independent(std::vector<LatticeLaw>{}), std::invalid_argument);
}
