#include "support/logit_sample.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "rootdk/dot_product/dot_product_mean.hpp"
#include "rootdk/laws/catalogue.hpp"
#include "rootdk/montecarlo/median_of_batches.hpp"
#include "rootdk/montecarlo/moments.hpp"
#include "rootdk/montecarlo/stream.hpp"
#include "support/checks.hpp"
#include "support/identity.hpp"

namespace rootdk::testing {
namespace {

namespace fs = std::filesystem;

// The law of the V_i; see LogitSample.
const laws::Law& partner(const laws::Law& u) {
  static const laws::Law uniform = laws::uniform(0, 1).standardised(), normal = laws::normal(0, 1);
  return u.name() == normal.name() ? normal : uniform;
}

// The relative deviation to be seen: 40% is asked for at d = 64, and above, where a logit costs most, 80% has to do.
double target(std::size_t d) { return d == 1 ? 0.05 : d < 64 ? 0.2 : d == 64 ? 0.4 : 0.8; }

// The number of logits in a batch that lets the targets be met by the mean of X^2, whose relative variance is
// Var(X^2)/d^2, and by that of X/sqrt(d), for which it is 1.
std::size_t batch_size(double kurtosis_of_product, std::size_t d) {
  const double relative = std::max(1.0, 2 + (kurtosis_of_product - 3) / static_cast<double>(d));
  const double seen = montecarlo::MedianOfBatches(StatisticalCheck::batches()).detectable_deviation(1);
  return static_cast<std::size_t>(std::ceil(relative * std::pow(seen / target(d), 2)));
}

// Holds a lock on a file as long as it lives, so that one test draws a sample and the others wait.
class Lock {
 public:
  explicit Lock(const fs::path& path) : file_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) throw std::runtime_error("cannot lock " + path.string());
  }
  ~Lock() { close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

// Of all that the draws depend on: dot() is that of this step, whose hash has laws, streams and this file in it.
std::string_view hash_of_draws() {
  const auto found = std::find_if(tests_of_steps.begin(), tests_of_steps.end(),
                                  [](const TestOf& of) { return of.step == "dot_product_mean"; });
  if (found == tests_of_steps.end()) throw std::logic_error("logit samples: no test of the step dot_product_mean");
  return found->hash;
}

void draw(const laws::Law& u, std::vector<LogitSample>& samples) {
  const laws::Law& v = partner(u);
  std::size_t products = 0;
  for (const LogitSample& sample : samples) products = std::max(products, sample.n * sample.dimension);
  std::vector<double> us(products), vs(products);
  for (std::size_t batch = 0; batch < StatisticalCheck::batches(); ++batch) {
    montecarlo::Stream stream(
        {run_seed(), montecarlo::stream_label("logit"), montecarlo::stream_label(u.name()), 0, batch});
    u.sample(stream, us);
    v.sample(stream, vs);
    for (LogitSample& sample : samples) {
      const std::size_t d = sample.dimension;
      double total = 0, squares = 0;
      for (std::size_t i = 0; i < sample.n; ++i) {
        const double x = dot_product::dot(std::span<const double>(us).subspan(i * d, d),
                                          std::span<const double>(vs).subspan(i * d, d));
        total += x;
        squares += x * x;
      }
      sample.mean[batch] = total / static_cast<double>(sample.n);
      sample.square[batch] = squares / static_cast<double>(sample.n);
    }
  }
}

bool read(const fs::path& path, std::vector<LogitSample>& samples) {
  std::ifstream in(path, std::ios::binary);
  for (LogitSample& sample : samples)
    for (std::vector<double>* values : {&sample.mean, &sample.square})
      in.read(reinterpret_cast<char*>(values->data()), static_cast<std::streamsize>(values->size() * sizeof(double)));
  return static_cast<bool>(in);
}

void write(const fs::path& path, const std::vector<LogitSample>& samples) {
  const fs::path temporary = path.string() + ".tmp";
  std::ofstream out(temporary, std::ios::binary);
  for (const LogitSample& sample : samples)
    for (const std::vector<double>* values : {&sample.mean, &sample.square})
      out.write(reinterpret_cast<const char*>(values->data()),
                static_cast<std::streamsize>(values->size() * sizeof(double)));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path.string());
  fs::rename(temporary, path);
}

}  // namespace

double LogitSample::sigma_mean() const { return std::sqrt(static_cast<double>(dimension) / static_cast<double>(n)); }

std::string label(const laws::Law& law, std::size_t dimension) {
  return fmt::format("{}, d = {}", law.name(), dimension);
}

std::vector<LogitSample> logit_samples(const laws::Law& law) {
  const std::size_t batches = StatisticalCheck::batches();
  const bool has_square = law.has_moment(4);
  const double kurtosis = (has_square ? law.moment(4) : 3) * partner(law).moment(4);  // of one product
  std::vector<LogitSample> samples;
  for (const std::size_t d : {1, 2, 3, 8, 64, 512}) {
    LogitSample& sample = samples.emplace_back(
        LogitSample{d, batch_size(kurtosis, d), std::vector<double>(batches), std::vector<double>(batches)});
    sample.has_square = has_square;
    sample.target = target(d);
    if (has_square) {
      // E(X^4) by the recursion for sums of independent terms, not by the formula under test
      const auto term = montecarlo::product_of_independent(law.moments(4), partner(law).moments(4));
      sample.sigma_square =
          std::sqrt(montecarlo::variance_of_mean_power(montecarlo::sum_of_copies(term, d), 2, sample.n));
    }
  }

  const fs::path folder = fs::path(ROOTDK_EVIDENCE_DIR).parent_path() / "samples" / hash_of_draws();
  fs::create_directories(folder);
  const fs::path path = folder / fmt::format("{:016x}_{}", montecarlo::stream_label(law.name()), run_seed());
  const Lock lock(path.string() + ".lock");
  if (!read(path, samples)) {
    draw(law, samples);
    write(path, samples);
  }
  return samples;
}

}  // namespace rootdk::testing
