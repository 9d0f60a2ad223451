// PerftTable: leaf counts of positions already seen, shared by threads without locks. Internal to
// env/perft.cc.
//
// An entry is three words: both keys of the position combined with the count, and the count (Hyatt
// and Mann 2002, "A lock-less transposition table implementation for parallel search"). Words of
// two writers that got mixed do not fit together and read as a miss.
//
//   [key ^ data] [check ^ data] [data = remaining depth << 56 | leaves]
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "env/board.h"

namespace apiary::env {

class PerftTable {
 public:
  // Names a position together with the plies that remain below it.
  struct Key {
    std::uint64_t key = 0;
    std::uint64_t check = 0;  // independent of `key`
  };
  // Precondition: all positions of a table come from one root, so that remaining plies tell the ply
  // (a player's first turns have rules of their own).
  static Key KeyOf(const Board& board, int remaining);

  // 0 bytes: an empty table that knows nothing. Throws std::bad_alloc.
  explicit PerftTable(std::size_t bytes);
  bool enabled() const { return buckets_ > 0; }

  // Any number of threads may call both.
  std::optional<std::uint64_t> Find(const Key& key) const;
  void Store(const Key& key, int remaining, std::uint64_t leaves);

 private:
  using Word = std::atomic<std::uint64_t>;
  struct Entry {
    Word key;
    Word check;
    Word data;
  };
  // The first keeps the deepest count, the second the newest.
  using Bucket = std::array<Entry, 2>;

  Bucket& BucketOf(const Key& key) const { return table_[key.key % buckets_]; }

  std::size_t buckets_;
  std::unique_ptr<Bucket[]> table_;
};

}  // namespace apiary::env
