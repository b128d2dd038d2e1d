#include "support/generators.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>

namespace rootdk::testing {

namespace detail {

void require_range(int least, int simplest, int most, const char* what) {
  if (!(least <= simplest && simplest <= most)) {
    throw std::invalid_argument(std::string(what) + ": expected an increasing range, given " + std::to_string(least) +
                                ", " + std::to_string(simplest) + ", " + std::to_string(most));
  }
}

int draw(rc::Random& random, int least, int most) {
  const auto range = static_cast<std::uint64_t>(most - least) + 1;
  return least + static_cast<int>(random.next() % range);
}

namespace {

/// How much room a law may take in a table of so many rows.
struct Breadth {
  int atoms;    ///< of a law without a demand
  int pairs;    ///< \f$ \{-a, b\} \f$ of a centred law
  bool narrow;  ///< keep standardised laws to three atoms
};

Rational ratio(int numerator, int denominator) { return Rational(numerator, denominator); }

rc::Gen<FiniteLaw<Rational>> any_law(int atoms) {
  // a denominator; numerators and weights
  return rc::gen::map(integers({{1, 4, 1}}, 1, atoms, {{-6, 6, 0}, {1, 4, 1}}), [](const Integers& drawn) {
    int total = 0;
    for (const auto& entry : drawn.rows) total += entry[1];
    std::vector<Rational> values, weights;
    for (const auto& entry : drawn.rows) {
      values.push_back(ratio(entry[0], drawn.head[0]));
      weights.push_back(ratio(entry[1], total));
    }
    return FiniteLaw<Rational>(std::move(values), std::move(weights));
  });
}

/// A mixture of laws of mean 0 on \f$ \{-a, b\} \f$, of total weight at most 1, and an atom at 0
/// that takes the rest. The variance is the sum of weight \f$ \cdot\, ab \f$.
class CentredMixture {
 public:
  void add(const Rational& a, const Rational& b, const Rational& weight) {
    atoms_.push_back(-a);
    weights_.push_back(weight * b / (a + b));
    atoms_.push_back(b);
    weights_.push_back(weight * a / (a + b));
    rest_ -= weight;
  }
  FiniteLaw<Rational> law() && {
    if (rest_ > 0) {
      atoms_.push_back(0);
      weights_.push_back(rest_);
    }
    return FiniteLaw<Rational>(std::move(atoms_), std::move(weights_));
  }

 private:
  std::vector<Rational> atoms_, weights_;
  Rational rest_ = 1;
};

rc::Gen<FiniteLaw<Rational>> mean_zero_law(int pairs) {
  // a denominator, the weight of 0; a, b and the weight of each pair
  return rc::gen::map(
      integers({{1, 3, 1}, {0, 2, 0}}, 0, pairs, {{1, 5, 1}, {1, 5, 1}, {1, 3, 1}}), [](const Integers& drawn) {
        const int denominator = drawn.head[0];
        int total = drawn.head[1];
        for (const auto& entry : drawn.rows) total += entry[2];
        CentredMixture mixture;
        for (const auto& entry : drawn.rows) {
          mixture.add(ratio(entry[0], denominator), ratio(entry[1], denominator), ratio(entry[2], total));
        }
        return std::move(mixture).law();
      });
}

/// A pair \f$ \{-a, b\} \f$ by a and its variance ab, and its share before scaling.
struct WeightedPair {
  Rational a;
  Rational variance;
  int share;
};

/// Scales the shares to weights \f$ c_j \f$ with \f$ \sum_j c_j a_j b_j = 1 \f$. If the variances
/// are on average above 1 the weights sum to less than 1 and the rest goes to 0; if below, as much
/// of \f$ \{-2, 2\} \f$ is added as brings them to 1.
FiniteLaw<Rational> standardised(const std::vector<WeightedPair>& entries) {
  Rational shares = 0, variance = 0;
  for (const auto& entry : entries) {
    shares += entry.share;
    variance += entry.share * entry.variance;
  }
  CentredMixture mixture;
  if (variance < shares) {
    const Rational added = (shares - variance) / 3;
    mixture.add(2, 2, added / (shares + added));
    variance = shares + added;
  }
  for (const auto& entry : entries) {
    mixture.add(entry.a, entry.variance / entry.a, entry.share / variance);
  }
  return std::move(mixture).law();
}

rc::Gen<FiniteLaw<Rational>> standardised_law(int pairs, bool narrow) {
  // a as a fraction, the variance ab by what it has beyond 1, the share
  return rc::gen::map(integers({}, 1, pairs, {{1, 3, 1}, {1, 3, 1}, {narrow ? -3 : -1, 4, 0}, {1, 3, 1}}),
                      [narrow](const Integers& drawn) {
                        std::vector<WeightedPair> entries;
                        for (const auto& row : drawn.rows) {
                          // Half of the narrow laws have no atom at 0.
                          const int halves = 2 + (narrow ? std::max(row[2], 0) : row[2]);
                          entries.push_back({ratio(row[0], row[1]), ratio(halves, 2), row[3]});
                        }
                        return standardised(entries);
                      });
}

rc::Gen<FiniteLaw<Rational>> finite_law(const Demands& demands, const Breadth& breadth) {
  if (!demands.unit_variance) {
    return demands.zero_mean ? mean_zero_law(breadth.pairs) : any_law(breadth.atoms);
  }
  auto centred = standardised_law(breadth.pairs, breadth.narrow);
  if (demands.zero_mean) return centred;
  return rc::gen::map(
      rc::gen::pair(std::move(centred), integer(-4, 4, 0)),
      [](const std::pair<FiniteLaw<Rational>, int>& drawn) { return drawn.first.affine(ratio(drawn.second, 2), 1); });
}

using Laws = std::vector<FiniteLaw<Rational>>;
using Blocks = std::vector<JointLaw<Rational>>;
using Rows = std::vector<JointLaw<Rational>::Row>;

/// A share in a mixture of couplings, and for each block an order of its outcomes: they are sorted
/// by these keys, repeated as needed; no keys keep the order.
struct Coupling {
  int share;
  std::vector<std::vector<int>> keys;
};

/// Lays the weights of each block end to end in its order along [0, 1]; a point of [0, 1] then
/// picks one outcome of each block, and each block keeps its own law.
void append_coupling(const Blocks& blocks, const Coupling& coupling, int shares, Rows& rows) {
  const std::size_t n = blocks.size();
  std::vector<std::vector<std::size_t>> order(n);
  std::vector<std::size_t> at(n, 0);
  std::vector<Rational> left(n);
  for (std::size_t i = 0; i < n; ++i) {
    order[i].resize(blocks[i].rows().size());
    std::iota(order[i].begin(), order[i].end(), std::size_t{0});
    const std::vector<int>& keys = coupling.keys[i];
    if (!keys.empty()) {
      std::stable_sort(order[i].begin(), order[i].end(),
                       [&](std::size_t a, std::size_t b) { return keys[a % keys.size()] < keys[b % keys.size()]; });
    }
    left[i] = blocks[i].rows()[order[i][0]].weight;
  }
  while (true) {
    const Rational step = *std::min_element(left.begin(), left.end());
    JointLaw<Rational>::Row row{{}, step * ratio(coupling.share, shares)};
    for (std::size_t i = 0; i < n; ++i) {
      const auto& outcome = blocks[i].rows()[order[i][at[i]]].outcome;
      row.outcome.insert(row.outcome.end(), outcome.begin(), outcome.end());
    }
    rows.push_back(std::move(row));
    for (std::size_t i = 0; i < n; ++i) {
      left[i] -= step;
      if (left[i] != 0) continue;
      // The weights of every block sum to 1 exactly, so all blocks end in the same step.
      if (++at[i] == order[i].size()) return;
      left[i] = blocks[i].rows()[order[i][at[i]]].weight;
    }
  }
}

JointLaw<Rational> couple(const Blocks& blocks, const std::vector<Coupling>& couplings) {
  if (blocks.empty()) return JointLaw<Rational>::product(blocks);
  int shares = 0;
  for (const auto& coupling : couplings) shares += coupling.share;
  Rows rows;
  for (const auto& coupling : couplings) append_coupling(blocks, coupling, shares, rows);
  return JointLaw<Rational>(std::move(rows));
}

rc::Gen<std::vector<Coupling>> couplings(int blocks) {
  return vector_of(
      1, 2,
      rc::gen::map(rc::gen::pair(integer(1, 3, 1), vector_of(blocks, blocks, vector_of(0, 6, integer(0, 3, 0)))),
                   [](const std::pair<int, std::vector<std::vector<int>>>& drawn) {
                     return Coupling{drawn.first, drawn.second};
                   }));
}

Blocks as_blocks(Laws::const_iterator begin, Laws::const_iterator end) {
  Blocks blocks;
  for (auto law = begin; law != end; ++law) blocks.push_back(JointLaw<Rational>::single(*law));
  return blocks;
}

/// From pairs laid out as \f$ (U_1, V_1, U_2, V_2, \dots) \f$ to a query and a key.
JointLaw<Rational> unzip(const JointLaw<Rational>& law) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < law.dimension(); i += 2) order.push_back(i);
  for (std::size_t i = 1; i < law.dimension(); i += 2) order.push_back(i);
  return law.marginal(order);
}

/// \f$ X_i - \sum_{j<i} \beta_{ij} (X_j' - EX_j) \f$ with the regression coefficients
/// \f$ \beta_{ij} = \operatorname{Cov}(X_i, X_j') / \operatorname{Var}(X_j') \f$ on the variables
/// \f$ X_j' \f$ already treated: uncorrelated, with the means of X. A constant has coefficient 0.
JointLaw<Rational> regression_residuals(JointLaw<Rational> law) {
  for (std::size_t i = 1; i < law.dimension(); ++i) {
    std::vector<Rational> beta, mean;
    for (std::size_t j = 0; j < i; ++j) {
      const Rational variance = law.variance(j);
      beta.push_back(variance == 0 ? Rational(0) : Rational(law.covariance(i, j) / variance));
      mean.push_back(law.mean(j));
    }
    law = law.map([&](std::span<const Rational> x) {
      std::vector<Rational> y(x.begin(), x.end());
      for (std::size_t j = 0; j < i; ++j) y[i] -= beta[j] * (x[j] - mean[j]);
      return y;
    });
  }
  return law;
}

/// \f$ EX_i + W_i(B)\,(X_i - EX_i) \f$ with B uniform on \f$ \{0, \dots, 2^m - 1\} \f$, independent
/// of X, and the Walsh signs \f$ W_i(b) = (-1)^{\text{number of ones of } i \wedge b} \f$, \f$ i <
/// n \le 2^m \f$. \f$ W_iW_j = W_{i \oplus j} \f$ has mean 0 unless \f$ i = j \f$, so the
/// covariances vanish; means and variances are kept.
JointLaw<Rational> with_signs(const JointLaw<Rational>& law) {
  const std::size_t n = law.dimension();
  std::size_t points = 1;
  while (points < n) points *= 2;
  std::vector<Rational> mean;
  for (std::size_t i = 0; i < n; ++i) mean.push_back(law.mean(i));
  Rows rows;
  for (std::size_t b = 0; b < points; ++b) {
    for (const auto& [outcome, weight] : law.rows()) {
      std::vector<Rational> x;
      for (std::size_t i = 0; i < n; ++i) {
        const bool flip = __builtin_popcountll(i & b) % 2 == 1;
        x.push_back(flip ? Rational(2 * mean[i] - outcome[i]) : outcome[i]);
      }
      rows.push_back({std::move(x), weight / points});
    }
  }
  return JointLaw<Rational>(std::move(rows));
}

/// Which components of a pair have mean 0.
enum class Centred { both, query, key };

rc::Gen<Laws> marginals(const Demands& demands, int variables, ZeroMean where, const Breadth& breadth) {
  const auto count = static_cast<std::size_t>(variables);
  if (!demands.zero_mean || where == ZeroMean::everywhere) {
    return one_of_each(std::vector<rc::Gen<FiniteLaw<Rational>>>(count, finite_law(demands, breadth)));
  }
  Demands anywhere = demands;
  anywhere.zero_mean = false;
  return rc::gen::mapcat(vector_of(variables / 2, variables / 2, integer(0, 2, 0)), [=](const std::vector<int>& drawn) {
    const std::size_t d = drawn.size();
    std::vector<rc::Gen<FiniteLaw<Rational>>> gens;
    for (std::size_t i = 0; i < 2 * d; ++i) {
      const auto centred = static_cast<Centred>(drawn[i % d]);
      const bool free = centred == (i < d ? Centred::key : Centred::query);
      gens.push_back(finite_law(free ? anywhere : demands, breadth));
    }
    return one_of_each(std::move(gens));
  });
}

}  // namespace

rc::Gen<FiniteLaw<Rational>> finite_law(const Demands& demands) { return finite_law(demands, Breadth{6, 3, false}); }

rc::Gen<JointLaw<Rational>> joint_law(const Demands& demands, int variables, ZeroMean where) {
  using enum Dependence;
  const bool pairs = demands.dependence == independent_pairs || demands.dependence == independent_vectors ||
                     (demands.zero_mean && where == ZeroMean::one_of_each_pair);
  if (variables < 0 || (pairs && variables % 2 != 0)) {
    throw std::invalid_argument(std::string("joint_law: expected ") + (pairs ? "an even number" : "a number") +
                                " of variables, given " + std::to_string(variables));
  }
  const Breadth broad{5, 2, false}, middle{3, 1, false}, narrow{3, 1, true};
  switch (demands.dependence) {
    case mutually_independent:
      return rc::gen::map(marginals(demands, variables, where, variables <= 2 ? broad : narrow),
                          [](const Laws& laws) { return JointLaw<Rational>::product(laws); });
    case independent_pairs:
      if (variables == 2) {
        return rc::gen::map(marginals(demands, variables, where, broad),
                            [](const Laws& laws) { return JointLaw<Rational>::product(laws); });
      }
      return rc::gen::map(rc::gen::pair(marginals(demands, variables, where, middle), couplings(variables / 2)),
                          [](const std::pair<Laws, std::vector<Coupling>>& drawn) {
                            const auto& [laws, couplings] = drawn;
                            const std::size_t d = laws.size() / 2;
                            Blocks blocks;
                            for (std::size_t i = 0; i < d; ++i) {
                              blocks.push_back(JointLaw<Rational>::product(Laws{laws[i], laws[d + i]}));
                            }
                            return unzip(couple(blocks, couplings));
                          });
    case independent_vectors:
      return rc::gen::map(rc::gen::tuple(marginals(demands, variables, where, middle), couplings(variables / 2),
                                         couplings(variables / 2)),
                          [](const std::tuple<Laws, std::vector<Coupling>, std::vector<Coupling>>& drawn) {
                            const auto& [laws, of_query, of_key] = drawn;
                            const auto half = laws.begin() + static_cast<std::ptrdiff_t>(laws.size() / 2);
                            return JointLaw<Rational>::product(Blocks{couple(as_blocks(laws.begin(), half), of_query),
                                                                      couple(as_blocks(half, laws.end()), of_key)});
                          });
    case any:
    case uncorrelated:
      break;
  }
  auto coupled = rc::gen::map(
      rc::gen::pair(marginals(demands, variables, where, variables <= 2 ? broad : middle), couplings(variables)),
      [](const std::pair<Laws, std::vector<Coupling>>& drawn) {
        return couple(as_blocks(drawn.first.begin(), drawn.first.end()), drawn.second);
      });
  if (demands.dependence == any) return coupled;
  // Coefficients of many variables grow long; the signs keep every atom as it is.
  const bool residuals = !demands.unit_variance && variables <= 3;
  return rc::gen::map(rc::gen::pair(std::move(coupled), integer(0, residuals ? 1 : 0, 0)),
                      [](const std::pair<JointLaw<Rational>, int>& drawn) {
                        return drawn.second == 1 ? regression_residuals(drawn.first) : with_signs(drawn.first);
                      });
}

rc::Gen<JointLaw<Rational>> query_key_law(const Demands& demands, int most, ZeroMean where) {
  require_range(0, demands.least_dimension, most, "query_key_law");
  return rc::gen::mapcat(integer(demands.least_dimension, most, demands.least_dimension),
                         [=](int d) { return joint_law(demands, 2 * d, where); });
}

}  // namespace detail

rc::Gen<int> integer(int least, int most, int simplest) {
  detail::require_range(least, simplest, most, "integer");
  return [=](const rc::Random& random, int) {
    rc::Random stream(random);
    return rc::shrinkable::shrinkRecur(detail::draw(stream, least, most),
                                       [simplest](int value) { return rc::shrink::towards(value, simplest); });
  };
}

rc::Gen<Integers> integers(std::vector<Range> head, int least, int most, std::vector<Range> row) {
  const auto each = [](const std::vector<Range>& ranges) {
    std::vector<rc::Gen<int>> gens;
    for (const Range& range : ranges) gens.push_back(integer(range.least, range.most, range.simplest));
    return one_of_each(std::move(gens));
  };
  return rc::gen::map(rc::gen::pair(each(head), vector_of(least, most, each(row))),
                      [](const std::pair<std::vector<int>, std::vector<std::vector<int>>>& drawn) {
                        return Integers{drawn.first, drawn.second};
                      });
}

rc::Gen<Rational> fraction(Range numerator, Range denominator) {
  return rc::gen::map(integers({numerator, denominator}),
                      [](const Integers& drawn) { return Rational(drawn.head[0], drawn.head[1]); });
}

template rc::Gen<std::vector<int>> vector_of(int, int, rc::Gen<int>);
template rc::Gen<std::vector<Rational>> vector_of(int, int, rc::Gen<Rational>);

rc::Gen<ComponentLaws> half_lattice_components_gen(int least, int most) {
  detail::require_range(0, least, most, "half_lattice_components");
  // a and b in halves, so that ab is at least 1/4; mixtures stay on the lattice.
  const auto law = rc::gen::map(integers({}, 1, 2, {{1, 4, 2}, {1, 4, 2}, {1, 2, 1}}), [](const Integers& drawn) {
    std::vector<detail::WeightedPair> entries;
    for (const auto& row : drawn.rows) {
      entries.push_back({Rational(row[0], 2), Rational(row[0] * row[1], 4), row[2]});
    }
    return detail::standardised(entries);
  });
  return rc::gen::map(vector_of(least, most, rc::gen::pair(law, law)),
                      [](const std::vector<std::pair<FiniteLaw<Rational>, FiniteLaw<Rational>>>& drawn) {
                        ComponentLaws components;
                        for (const auto& [u, v] : drawn) {
                          components.first.push_back(u);
                          components.second.push_back(v);
                        }
                        return components;
                      });
}

void classify(const JointLaw<Rational>& law) {
  bool constant = false, skewed = false;
  for (std::size_t i = 0; i < law.dimension(); ++i) {
    const auto marginal = law.marginal(i);
    constant = constant || marginal.size() == 1;
    skewed = skewed || marginal.central_moment(3) != 0;
  }
  const bool independent = law.mutually_independent();
  RC_TAG(constant ? "constant"
         : skewed ? "skewed"
                  : "unskewed",
         independent          ? "independent"
         : law.uncorrelated() ? "dependent"
                              : "correlated");
}

}  // namespace rootdk::testing
