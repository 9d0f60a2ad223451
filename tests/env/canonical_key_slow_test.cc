// Canonical keys of ten million positions against the exact forms that they stand for: equal
// exactly where those are equal.
#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>
#include <vector>

#include "base/random.h"
#include "env/canonical_key.h"
#include "tests/env/exact_form.h"

namespace apiary::env {
namespace {

constexpr std::size_t kPositions = 10'000'000;

// The exact form, shortened to half of its SHA-256: a hash that has nothing in common with the
// key.
using Digest = std::array<std::uint64_t, 2>;

Digest DigestOf(const std::vector<std::uint32_t>& form) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash;
  ::SHA256(reinterpret_cast<const unsigned char*>(form.data()), form.size() * sizeof(std::uint32_t),
           hash.data());
  Digest digest;
  std::memcpy(digest.data(), hash.data(), sizeof(digest));
  return digest;
}

struct Entry {
  PositionKey key;
  Digest digest;
};

// All children of the positions of random games of all variants, which differ from each other in
// one piece: the hardest case for a hash, and rich in positions that are reached twice.
std::vector<Entry> Entries() {
  std::vector<Entry> entries;
  entries.reserve(kPositions);
  base::RandomStream random(31);
  MoveList moves;
  for (int game = 0; entries.size() < kPositions; ++game) {
    Rules rules;
    rules.variant = Variant::FromIndex(game % 8);
    rules.first_player = game % 16 < 8 ? Color::kWhite : Color::kBlack;
    rules.queen_first_turn = game % 32 < 16;
    Board board(rules);
    for (int ply = 0; ply < 120; ++ply) {
      GenerateLegalMoves(board, moves);
      if (moves.empty()) break;
      for (const Move move : moves) {
        if (entries.size() == kPositions) return entries;
        const Undo undo = board.Apply(move);
        entries.push_back({Canonicalize(board).key, DigestOf(testing::ExactForm(board))});
        board.Undo(undo);
      }
      board.Apply(moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))]);
    }
  }
  return entries;
}

// Neighbours in an order by `field` that are equal there must be equal in `other` too. Returns the
// number of different values of `field`.
template <typename Field, typename Other>
std::size_t CountDifferent(std::vector<Entry>& entries, Field Entry::*field, Other Entry::*other,
                           std::size_t& broken) {
  std::sort(entries.begin(), entries.end(),
            [&](const Entry& a, const Entry& b) { return a.*field < b.*field; });
  std::size_t different = 1;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].*field != entries[i - 1].*field) {
      ++different;
    } else {
      broken += entries[i].*other != entries[i - 1].*other;
    }
  }
  return different;
}

TEST(CanonicalKeySlow, TenMillionPositionsCollideExactlyWhereTheyAreEqual) {
  std::vector<Entry> entries = Entries();
  ASSERT_EQ(entries.size(), kPositions);
  std::size_t collisions = 0, missed = 0;
  const std::size_t keys = CountDifferent(entries, &Entry::key, &Entry::digest, collisions);
  const std::size_t forms = CountDifferent(entries, &Entry::digest, &Entry::key, missed);
  EXPECT_EQ(collisions, 0U);
  EXPECT_EQ(missed, 0U);
  EXPECT_EQ(keys, forms);
  EXPECT_GT(forms, kPositions / 2);
  EXPECT_LT(forms, kPositions);
  std::cout << kPositions << " positions, " << forms << " different ones\n";
}

}  // namespace
}  // namespace apiary::env
