// Playing, taking back and generating moves allocate nothing: the global operator new of this
// program counts.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "base/random.h"
#include "env/game.h"

namespace {
std::atomic<long> allocations{0};
}  // namespace

// Not inlined: else the compiler takes the pair malloc and operator delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace apiary::env {
namespace {

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  const std::vector<int> numbers(1000);
  EXPECT_GT(allocations, before);
}

TEST(Allocation, NoneInGenerationApplyAndUndo) {
  constexpr int kPlies = 150;
  for (const Variant variant : AllVariants()) {
    Rules rules;
    rules.variant = variant;
    rules.repetition = 1000;  // the look-back runs, but ends no game
    base::RandomStream random(2, {static_cast<std::uint64_t>(variant.index())});
    Game game(rules);
    game.Reserve(kPlies + 1);
    MoveList moves;
    const long before = allocations;
    for (int ply = 0; ply < kPlies && !game.outcome().over(); ++ply) {
      game.LegalMoves(moves);
      FindWinInOne(game.board(), moves);
      PinnedPieces(game.board());
      Board board = game.board();
      board.Undo(board.Apply(moves[0]));
      const Move move =
          moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))];
      game.Apply(move);
      game.Undo();
      game.Apply(move);
    }
    EXPECT_EQ(allocations, before) << ToString(variant);
    EXPECT_GT(game.ply(), 30);
  }
}

}  // namespace
}  // namespace apiary::env
