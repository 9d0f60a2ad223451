// Playing, taking back, generating moves, stepping and observing batches allocate nothing.
#include <gtest/gtest.h>

#include <new>

#include "base/allocation_count.h"
#include "base/random.h"
#include "env/batch_env.h"
#include "env/game.h"

namespace apiary::env {
namespace {

using base::AllocationsOfThread;

// Under AddressSanitizer this ends the program if a form is not one of ours.
TEST(AllocationCount, CountsEveryFormOfNew) {
  constexpr std::align_val_t kWide{128};
  const auto counted = [](auto allocate) {
    const std::int64_t before = base::AllocationsOfThread().count;
    allocate();
    return base::AllocationsOfThread().count - before;
  };
  EXPECT_EQ(counted([] { ::operator delete(::operator new(8)); }), 1);
  EXPECT_EQ(counted([] { ::operator delete(::operator new(8, std::nothrow), std::nothrow); }), 1);
  EXPECT_EQ(counted([] { ::operator delete (::operator new(8, std::nothrow), std::size_t{8}); }),
            1);
  EXPECT_EQ(counted([] { ::operator delete(::operator new(8, kWide), kWide); }), 1);
  EXPECT_EQ(counted([] { ::operator delete(::operator new(8, kWide, std::nothrow), kWide); }), 1);
}

TEST(Allocation, TheCounterCounts) {
  const base::Allocations before = AllocationsOfThread();
  const std::vector<int> numbers(1000);
  EXPECT_EQ(AllocationsOfThread().count, before.count + 1);
  EXPECT_EQ(AllocationsOfThread().bytes,
            before.bytes + static_cast<std::int64_t>(1000 * sizeof(int)));
  struct alignas(64) Aligned {
    char bytes[128];
  };
  const std::vector<Aligned> aligned(3);
  EXPECT_EQ(AllocationsOfThread().count, before.count + 2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned.data()) % 64, 0u);
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
    const std::int64_t before = AllocationsOfThread().count;
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
    EXPECT_EQ(AllocationsOfThread().count, before) << ToString(variant);
    EXPECT_GT(game.ply(), 30);
  }
}

// A batch of one as well: a single position larger than the mean has room, too.
TEST(Allocation, NoneInBatchesFromTheSecondObservationOn) {
  for (const int batch : {1, 7}) {
    Rules rules;
    rules.variant = Variant::FromIndex(7);
    rules.max_plies = 120;
    base::RandomStream random(3);
    BatchEnv envs(rules, batch);
    Block block;
    envs.Observe(block);
    std::vector<Move> moves(static_cast<std::size_t>(batch));
    int restarts = 0;
    const std::int64_t before = AllocationsOfThread().count;
    for (int step = 0; step < 400; ++step) {
      for (int i = 0; i < batch; ++i) {
        if (envs.game(i).outcome().over()) {
          envs.Reset(i);
          ++restarts;
        }
        const MoveList& legal = envs.legal_moves(i);
        moves[static_cast<std::size_t>(i)] =
            legal[static_cast<int>(random.Below(static_cast<std::uint32_t>(legal.size())))];
      }
      ASSERT_TRUE(envs.Step(moves).ok());
      envs.Observe(block);
    }
    EXPECT_EQ(AllocationsOfThread().count, before) << batch;
    EXPECT_GT(restarts, 0);
  }
}

}  // namespace
}  // namespace apiary::env
