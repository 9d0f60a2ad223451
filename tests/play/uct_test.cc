#include "play/uct.h"

#include <gtest/gtest.h>

#include <set>

#include "base/allocation_count.h"
#include "play/player.h"
#include "tests/play/positions.h"

namespace apiary::play {
namespace {

TEST(Uct, TakesAWinInOne) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const env::Game game = FindWinnable(seed);
    base::RandomStream random(seed);
    Uct search;
    const UctResult found = search.Search(game, 1000, random);
    EXPECT_EQ(env::ResultAfter(game.board(), found.best), game.side_to_move() == env::Color::kWhite
                                                              ? env::Result::kWhiteWins
                                                              : env::Result::kBlackWins);
    EXPECT_EQ(found.value, 1);
  }
}

TEST(Uct, SeesThatAMoveLoses) {
  const env::Game game = GameOf(kBeforeSuicide);
  Uct search;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    base::RandomStream random(seed);
    EXPECT_NE(env::ResultAfter(game.board(), search.Search(game, 500, random).best),
              env::Result::kWhiteWins);
  }
}

TEST(Uct, TheSameStreamGivesTheSameMove) {
  const env::Game game = GameOf(kRow);
  Uct used;
  std::set<std::uint16_t> moves;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    base::RandomStream one(seed), two(seed);
    Uct fresh;
    const UctResult again = used.Search(game, 30, one);
    const UctResult first = fresh.Search(game, 30, two);
    EXPECT_EQ(again.best, first.best);
    EXPECT_EQ(again.value, first.value);
    EXPECT_EQ(one.Next(), two.Next());
    moves.insert(again.best.bits());
  }
  EXPECT_GT(moves.size(), 1U);
}

TEST(Uct, OnePlayoutIsARandomMove) {
  std::set<std::uint16_t> moves;
  Uct search;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    base::RandomStream random(seed);
    moves.insert(search.Search(GameOf(kRow), 1, random).best.bits());
  }
  EXPECT_EQ(moves.size(), 22U);
}

TEST(Uct, RepetitionAndCapInTheTreeCountAHalf) {
  env::Rules rules;
  rules.max_plies = 5;
  auto capped =
      env::ParseGameString("Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-", rules);
  ASSERT_TRUE(capped.ok());
  base::RandomStream random(1);
  Uct search;
  EXPECT_EQ(search.Search(capped->game, 100, random).value, 0.5);
}

TEST(Uct, PlayoutsAllocateNothing) {
  const env::Game game = GameOf(kRow);
  Uct search;
  base::RandomStream warm_up(1);
  (void)search.Search(game, 600, warm_up);
  const auto allocations = [&](int playouts) {
    base::RandomStream random(1);
    const std::int64_t before = base::AllocationsOfThread().count;
    (void)search.Search(game, playouts, random);
    return base::AllocationsOfThread().count - before;
  };
  EXPECT_EQ(allocations(600), allocations(200));
}

}  // namespace
}  // namespace apiary::play
