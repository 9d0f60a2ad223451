// Evaluations of one net by canonical key, so that a position is evaluated once wherever it lies
// and however it was reached. Memory is bounded, reserved at the start and touched as it fills: a
// ring of entries, the oldest overwritten first, and a table of where the entries of a key begin.
//
//   ring    | entry | entry | entry | ... entries of 40 bytes + 4 a move, one after the other
//   table   [key] -> four places in the ring, of the newest entries
//
// A cache never changes what a search does as long as the evaluator's outputs depend on a position
// alone, not on the block it is in, and every position is evaluated in its canonical orientation.
// One thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/uninitialized.h"
#include "env/canonical_key.h"
#include "nn/evaluator.h"

namespace apiary::nn {

class EvaluationCache {
 public:
  // `bytes`: of ring and table together; room for one entry of any size is always taken.
  explicit EvaluationCache(std::uint64_t bytes);

  // Appends what is known of the position `key` to `found`, as an evaluator would have written it,
  // and returns true; or returns false. ranks[i]: the place of the caller's move i in the order
  // that all positions of the key share (env::RankMoves).
  bool Find(const env::PositionKey& key, std::span<const std::uint16_t> ranks, Evaluation& found);
  // Takes in the evaluation of a position; its logits in the order of the caller's moves.
  void Insert(const env::PositionKey& key, std::span<const std::uint16_t> ranks, const Wdl& wdl,
              float moves_left, std::span<const float> logits);

  std::uint64_t lookups() const { return lookups_; }
  std::uint64_t hits() const { return hits_; }
  std::uint64_t bytes() const;

 private:
  struct Header {
    env::PositionKey key;
    Wdl wdl;
    float moves_left;
    std::uint64_t moves;
  };
  static_assert(sizeof(Header) == 40 && std::is_trivially_copyable_v<Header>);
  // Words of the ring are counted on and on: word n lies at n modulo its size, and is overwritten
  // once ring_.size() more are written. 0: none.
  using Place = std::uint64_t;
  static constexpr int kWays = 4;
  using Bucket = std::array<Place, kWays>;

  static std::size_t Words(std::size_t moves);
  Bucket& BucketOf(const env::PositionKey& key);
  bool Holds(Place place, const env::PositionKey& key) const;
  Place TakePlace(std::size_t words);

  base::UninitializedVector<std::uint64_t> ring_;  // written up to end_
  std::vector<Bucket> table_;
  Place end_;  // of what is written
  std::uint64_t lookups_ = 0;
  std::uint64_t hits_ = 0;
};

}  // namespace apiary::nn
