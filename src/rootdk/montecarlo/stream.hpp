#pragma once

#include <Random123/philox.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

/// Streams of random numbers, estimators and their guaranteed intervals.
namespace rootdk::montecarlo {

/// Names one stream. Streams with different names share no number of their Philox sequences.
struct StreamId {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::uint64_t law = 0;
  std::uint64_t dimension = 0;
  std::uint64_t block = 0;
};

/// The 64-bit FNV-1a hash of a name, for the fields of StreamId that stand for a step or a law.
///
/// A slug never changes while its position in a table does, so a stream is named by the slug.
/// @source Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm".
constexpr std::uint64_t stream_label(std::string_view name) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

/// A counter-based engine: word \f$n\f$ is a function of the name and of \f$n\f$ alone.
///
/// Philox4x64-10 is a bijection of a 256-bit counter for each 128-bit key. The key holds
/// (seed, step) and the counter holds (n/4, law, dimension, block), so a name selects its own
/// set of counters and no two names use the same (key, counter). A stream is therefore the same
/// on any number of threads or ranks, whatever else has been drawn.
///
/// Satisfies UniformRandomBitGenerator. The period is \f$2^{66}\f$ words.
/// @source Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
class Stream {
 public:
  using result_type = std::uint64_t;

  explicit Stream(const StreamId& id) noexcept
      : key_{{id.seed, id.step}}, counter_{{0, id.law, id.dimension, id.block}} {}

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }

  /// @return the next word, uniform on \f$\{0, \dots, 2^{64}-1\}\f$.
  result_type operator()() noexcept {
    if (next_ == words_.size()) refill();
    return words_[next_++];
  }

 private:
  // Several counters at once keep the multiplier busy: one Philox block is a chain of ten rounds.
  static constexpr std::size_t blocks_at_once = 8;

  void refill() noexcept {
    // Made in place: copied one by one, a block would be read before its words are stored.
    const auto blocks = [&]<std::size_t... B>(std::index_sequence<B...>) {
      return std::array{r123::Philox4x64()({{counter_[0] + B, counter_[1], counter_[2], counter_[3]}}, key_)...};
    }
    (std::make_index_sequence<blocks_at_once>());
    counter_[0] += blocks_at_once;
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = blocks[i / 4][i % 4];
    next_ = 0;
  }

  r123::Philox4x64::key_type key_;
  r123::Philox4x64::ctr_type counter_;
  std::array<result_type, 4 * blocks_at_once> words_{};
  std::size_t next_ = 4 * blocks_at_once;
};

}  // namespace rootdk::montecarlo
