#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/sort/spreadsort/float_sort.hpp>
#include <cmath>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "laws/varied_laws.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "support/statistical_policy.hpp"
#include "support/test.hpp"

using namespace rootdk;
using namespace rootdk::laws;
using montecarlo::Stream;
using montecarlo::StreamId;

namespace {

constexpr std::size_t draws = 1 << 19;

// A stream that counts the words taken from it.
struct Counted {
  using result_type = Stream::result_type;
  static constexpr result_type min() { return Stream::min(); }
  static constexpr result_type max() { return Stream::max(); }
  result_type operator()() {
    ++words;
    return stream();
  }
  Stream stream{StreamId{.seed = 5}};
  std::size_t words = 0;
};

// Order statistics at which a law with a density is compared. The largest distance over these is
// below the largest over all, so the bound covers it, and within 1/4096 of it.
constexpr std::size_t stride = 128;

std::vector<double> sample(const Law& law, std::uint64_t seed) {
  Stream stream(StreamId{.seed = seed, .law = montecarlo::stream_label(law.name())});
  std::vector<double> x(draws);
  law.sample(stream, x);
  boost::sort::spreadsort::float_sort(x.begin(), x.end());
  return x;
}

// sup |F_n - F| over the atoms, or over every stride-th order statistic.
double distance(const Law& law, const std::vector<double>& sorted) {
  const double n = static_cast<double>(sorted.size());
  double largest = 0;
  if (law.is_discrete()) {
    const std::span<const Atom> atoms = law.atoms();
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      // Draws equal an atom up to rounding: count up to halfway to the next.
      const double to = i + 1 < atoms.size() ? std::midpoint(atoms[i].value, atoms[i + 1].value) : atoms[i].value + 1;
      const auto below = std::upper_bound(sorted.begin(), sorted.end(), to) - sorted.begin();
      largest = std::max(largest, std::abs(static_cast<double>(below) / n - law.cdf(atoms[i].value)));
    }
    return largest;
  }
  for (std::size_t i = 0; i < sorted.size(); i += stride) {
    const double f = law.cdf(sorted[i]);
    largest = std::max({largest, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return largest;
}

// Dvoretzky, Kiefer, Wolfowitz with Massart's constant: P(sup|F_n - F| > limit) <= share, for
// every distribution function.
double limit() { return std::sqrt(std::log(2 / testing::share()) / (2 * static_cast<double>(draws))); }

}  // namespace

TEST_CASE("statistical: samplers follow the distribution functions of the catalogue") {
  testing::StatisticalCheck check("samplers of the catalogue", {});
  for (const Law& law : catalogue()) {
    check.bounded(law.name(), distance(law, sample(law, check.seed())), limit(), testing::share());
  }
}

TEST_CASE("statistical: samplers follow the distribution functions at other parameters") {
  testing::StatisticalCheck check("samplers at other parameters", {});
  for (const Law& law : testing::varied_laws()) {
    check.bounded(law.name(), distance(law, sample(law, check.seed())), limit(), testing::share());
  }
}

TEST_CASE("the check sees the sampler of a wrong law") {
  const auto far = [](const Law& claimed, const Law& drawn) {
    INFO(claimed.name() << " against draws of " << drawn.name());
    CHECK(distance(claimed, sample(drawn, 1)) > limit());
  };
  far(normal(0, 1), normal(0, 1.04));
  far(normal(0, 1), normal(0.02, 1));
  far(student_t(5).standardised(), student_t(6).standardised());
  far(gamma(4, 1).standardised(), gamma(6, 1).standardised());
  far(poisson(4), poisson(4.05));
  far(bernoulli(0.3), bernoulli(0.31));
  far(exponential(1), exponential(1).affine(0, -1));
}

TEST_CASE("draws of a discrete law are its atoms") {
  for (const Law& law : testing::all_laws()) {
    if (!law.is_discrete()) continue;
    INFO(law.name());
    Stream stream(StreamId{.seed = 5});
    for (int i = 0; i < 1000; ++i) {
      const double x = law.sample(stream);
      CHECK(law.mass(x) > 0);
    }
  }
}

TEST_CASE("draws one by one equal the draws of a span") {
  for (const Law& law : catalogue()) {
    INFO(law.name());
    Stream one(StreamId{.seed = 9});
    Stream many(StreamId{.seed = 9});
    std::vector<double> x(1000);
    law.sample(many, x);
    for (const double expected : x) CHECK(law.sample(one) == expected);
  }
}

TEST_CASE("laws are shared by threads") {
  for (const Law& law : catalogue()) {
    INFO(law.name());
    std::vector<std::vector<double>> x(4, std::vector<double>(1000));
    std::vector<double> sums(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        Stream stream(StreamId{.seed = 3, .block = t % 2});
        law.sample(stream, x[t]);
        sums[t] =
            std::accumulate(law.rule(Resolution::fine).weights.begin(), law.rule(Resolution::fine).weights.end(), 0.0);
      });
    }
    for (std::thread& t : threads) t.join();
    CHECK(x[0] == x[2]);
    CHECK(x[1] == x[3]);
    CHECK(x[0] != x[1]);
    CHECK(sums == std::vector<double>(4, sums[0]));
  }
}

TEST_CASE("normal draws take different numbers of words, so that skipping words skips no draws") {
  Counted engine;
  boost::random::normal_distribution<double> draw;
  std::set<std::size_t> taken;
  for (int i = 0; i < 10000; ++i) {
    const std::size_t before = engine.words;
    (void)draw(engine);
    taken.insert(engine.words - before);
  }
  CHECK(taken.size() > 1);
}

TEST_CASE("draws: counts far above 32 bits and small shapes stay in the support") {
  const auto of = [](const Law& law) {
    Stream stream(StreamId{.seed = 4});
    std::vector<double> x(20000);
    law.sample(stream, x);
    return x;
  };
  // The mean of 20000 draws is within 8 of its deviations, which are the mean itself for these two laws.
  for (const Law& law : {geometric(1e-9), negative_binomial(1, 1e-9)}) {
    INFO(law.name());
    const std::vector<double> x = of(law);
    CHECK(*std::min_element(x.begin(), x.end()) >= 0);
    CHECK(*std::max_element(x.begin(), x.end()) > 0x1p31);
    CHECK(std::abs(std::accumulate(x.begin(), x.end(), 0.0) / 20000 / law.mean() - 1) < 8 / std::sqrt(20000.0));
  }
  const std::vector<double> rare = of(negative_binomial(0.01, 1e-10));
  CHECK(*std::min_element(rare.begin(), rare.end()) >= 0);
  for (const double shape : {1e-3, 0.05}) {
    const std::vector<double> x = of(beta(shape, shape));
    CHECK(*std::min_element(x.begin(), x.end()) >= 0);
    CHECK(*std::max_element(x.begin(), x.end()) <= 1);
    CHECK(std::abs(std::accumulate(x.begin(), x.end(), 0.0) / 20000 - 0.5) < 4 / std::sqrt(20000.0));
  }
  // The median of F with equal degrees of freedom is 1.
  const std::vector<double> f = of(fisher_f(0.1, 0.1));
  const auto below = std::count_if(f.begin(), f.end(), [](double x) { return x < 1; });
  CHECK(std::abs(static_cast<double>(below) / 20000 - 0.5) < 4 / std::sqrt(20000.0));
}

TEST_CASE("draws: a skew normal of huge alpha is a folded normal") {
  for (const double alpha : {1e200, 1e308}) {
    const Law law = skew_normal(0, 1, alpha);
    const Law other_side = skew_normal(0, 1, -alpha);
    Stream stream(StreamId{.seed = 4});
    Stream mirrored(StreamId{.seed = 4});
    for (int i = 0; i < 1000; ++i) {
      const double x = law.sample(stream);
      CHECK(x >= 0);
      CHECK(x < 10);
      CHECK(other_side.sample(mirrored) == -x);
    }
  }
}

TEST_CASE("draws: one beyond the range of double is refused, and a range whose width is") {
  Stream stream(StreamId{.seed = 4});
  std::vector<double> x(1000);
  CHECK_THROWS_WITH(pareto(1e-3, 1).sample(stream, x),
                    "pareto(alpha=0.001, scale=1): a draw is beyond the range of double");
  CHECK_THROWS_WITH(fisher_f(0.002, 0.002).sample(stream, x), Catch::Contains("a draw is beyond the range of double"));
  CHECK_NOTHROW(student_t(0.02).sample(stream, x));
  for (const auto make : {uniform, arcsine}) {
    CHECK_THROWS_WITH(make(-1e308, 1e308), Catch::Contains("a finite upper - lower"));
  }
  CHECK_THROWS_WITH(triangular(-1e308, 0, 1e308), Catch::Contains("a finite upper - lower"));
}
