#include "rootdk/montecarlo/stream.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "support/statistical_policy.hpp"
#include "support/test.hpp"

using namespace rootdk;
using montecarlo::Stream;
using montecarlo::StreamId;

static_assert(std::uniform_random_bit_generator<Stream>);

namespace {

std::vector<std::uint64_t> first_words(const StreamId& id, std::size_t n) {
  Stream stream(id);
  std::vector<std::uint64_t> words(n);
  for (std::uint64_t& w : words) w = stream();
  return words;
}

}  // namespace

// The vectors of the authors of Random123 for Philox4x64-10.
TEST_CASE("philox gives the published known answers") {
  CHECK(first_words({}, 4) ==
        std::vector<std::uint64_t>{0x16554d9eca36314cU, 0xdb20fe9d672d0fdcU, 0xd7e772cee186176bU, 0x7e68b68aec7ba23bU});
  const r123::Philox4x64::ctr_type pi_counter = {
      {0x243f6a8885a308d3U, 0x13198a2e03707344U, 0xa4093822299f31d0U, 0x082efa98ec4e6c89U}};
  const r123::Philox4x64::key_type pi_key = {{0x452821e638d01377U, 0xbe5466cf34e90c6cU}};
  const r123::Philox4x64::ctr_type pi_answer = {
      {0xa528f45403e61d95U, 0x38c72dbd566e9788U, 0xa5a1610e72fd18b5U, 0x57bd43b5e52b7fe6U}};
  CHECK(r123::Philox4x64()(pi_counter, pi_key) == pi_answer);
}

TEST_CASE("word n of a stream is the documented function of its name") {
  const StreamId id{11, 22, 33, 44, 55};
  const std::vector<std::uint64_t> words = first_words(id, 100);
  for (std::size_t n = 0; n < words.size(); ++n) {
    const r123::Philox4x64::ctr_type counter = {{n / 4, id.law, id.dimension, id.block}};
    CHECK(words[n] == r123::Philox4x64()(counter, {{id.seed, id.step}})[n % 4]);
  }
}

TEST_CASE("streams whose names differ in one field share no word") {
  std::set<std::uint64_t> seen;
  const std::vector<StreamId> names{{1, 1, 1, 1, 1}, {2, 1, 1, 1, 1}, {1, 2, 1, 1, 1},
                                    {1, 1, 2, 1, 1}, {1, 1, 1, 2, 1}, {1, 1, 1, 1, 2}};
  for (const StreamId& id : names) {
    for (const std::uint64_t w : first_words(id, 1000)) seen.insert(w);
  }
  CHECK(seen.size() == 6000);
}

TEST_CASE("blocks are the same on any number of threads") {
  constexpr std::size_t blocks = 16;
  std::vector<std::vector<std::uint64_t>> serial(blocks);
  for (std::size_t b = 0; b < blocks; ++b) serial[b] = first_words({7, 0, 0, 0, b}, 257);
  std::vector<std::vector<std::uint64_t>> threaded(blocks);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t b = blocks; b-- > 0;) {
        if (b % 4 == t) threaded[b] = first_words({7, 0, 0, 0, b}, 257);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(threaded == serial);
}

TEST_CASE("labels are FNV-1a") {
  CHECK(montecarlo::stream_label("") == 0xcbf29ce484222325U);
  CHECK(montecarlo::stream_label("a") == 0xaf63dc4c8601ec8cU);
  CHECK(montecarlo::stream_label("foobar") == 0x85944171f73967e8U);
}

TEST_CASE("statistical: words are uniform") {
  testing::StatisticalCheck check("words against the uniform distribution function", {});
  std::vector<std::uint64_t> words = first_words({check.seed(), montecarlo::stream_label("words"), 0, 0, 0}, 1 << 20);
  std::sort(words.begin(), words.end());
  const double n = static_cast<double>(words.size());
  double distance = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double u = std::ldexp(static_cast<double>(words[i]), -64);
    distance = std::max({distance, u - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - u});
  }
  // Dvoretzky, Kiefer, Wolfowitz with Massart's constant.
  const double limit = std::sqrt(std::log(2 / testing::share()) / (2 * n));
  check.bounded("uniform on [0, 1)", distance, limit, testing::share());
}
