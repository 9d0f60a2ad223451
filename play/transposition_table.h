// What alpha-beta knows of positions that it has searched. A search sees the entries of its own
// epoch only, so that its result does not depend on what was searched before. Lives on one thread;
// allocates when it is made.
//
// Entry, 16 bytes:   key 8 | score 2 | move 2 | epoch 2 | depth 1 | bound 1
// Bucket: two entries of one index; the first keeps the deeper search, the second the newer.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "env/move.h"

namespace apiary::play {

class TranspositionTable {
 public:
  enum class Bound : std::uint8_t { kExact, kAtLeast, kAtMost };
  struct Entry {
    std::uint64_t key = 0;
    std::int16_t score = 0;  // of the side to move; wins and losses counted from this position
    env::Move move;          // the best one, or the one that caused the cutoff
    std::uint16_t epoch = 0;
    std::uint8_t depth = 0;  // plies searched below the position
    Bound bound = Bound::kExact;
  };
  static_assert(sizeof(Entry) == 16);

  // At least one bucket, at most `bytes` otherwise; a power of two of them.
  explicit TranspositionTable(std::size_t bytes)
      : buckets_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Bucket), 1))) {}

  std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

  // Forgets everything, at no cost but once in 65,535 times.
  void NewEpoch() {
    if (++epoch_ != 0) return;
    std::fill(buckets_.begin(), buckets_.end(), Bucket{});
    epoch_ = 1;
  }
  // Null if the position is not there. Valid until the next call of Store.
  const Entry* Find(std::uint64_t key) const {
    for (const Entry& entry : BucketOf(key)) {
      if (entry.key == key && entry.epoch == epoch_) return &entry;
    }
    return nullptr;
  }
  void Store(std::uint64_t key, int depth, int score, Bound bound, env::Move move) {
    Bucket& bucket = BucketOf(key);
    Entry& deep = bucket[0];
    const bool replaces = deep.epoch != epoch_ || deep.key == key || deep.depth <= depth;
    if (replaces && deep.epoch == epoch_ && deep.key != key) bucket[1] = deep;
    (replaces ? deep : bucket[1]) = {key,    static_cast<std::int16_t>(score), move,
                                     epoch_, static_cast<std::uint8_t>(depth), bound};
  }

 private:
  using Bucket = std::array<Entry, 2>;
  const Bucket& BucketOf(std::uint64_t key) const { return buckets_[key & (buckets_.size() - 1)]; }
  Bucket& BucketOf(std::uint64_t key) { return buckets_[key & (buckets_.size() - 1)]; }

  std::vector<Bucket> buckets_;
  std::uint16_t epoch_ = 0;  // 0: of no search
};

}  // namespace apiary::play
