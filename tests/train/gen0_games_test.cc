#include "train/gen0_games.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mcts/gen0.h"
#include "tests/train/sample_games.h"
#include "train/game_file.h"

namespace apiary::train {
namespace {

std::vector<GameRecord> PlayGames(int count, int max_plies) {
  RunConfig config;
  config.rules.max_plies = max_plies;
  std::vector<GameRecord> games;
  for (int i = 0; i < count; ++i)
    games.push_back(PlayGen0Game(config, base::RandomStream(5, {static_cast<std::uint64_t>(i)})));
  return games;
}

TEST(Gen0Games, AreWholeStoredGames) {
  const std::vector<GameRecord> games = PlayGames(50, 200);
  const auto decoded = DecodeGames(EncodeGames(games), "x");
  ASSERT_TRUE(decoded.ok()) << decoded.error();
  EXPECT_EQ(*decoded, games);
}

TEST(Gen0Games, AreMostlyDecisive) {
  // 98.8 % of 1,000 base games by ply 200, measured elsewhere; 300 games are above 95 % by five
  // standard deviations.
  const std::vector<GameRecord> games = PlayGames(300, 200);
  EXPECT_GT(std::count_if(games.begin(), games.end(),
                          [](const GameRecord& g) { return g.outcome.decisive(); }),
            285);
}

// The policy target is the player's own distribution: squared neighbours of the destination, or the
// moves that win at once. Only a win has a value of its own.
TEST(Gen0Games, ThePolicyTargetIsThePlayersDistribution) {
  int won_by_choice = 0;
  for (const GameRecord& game : PlayGames(60, 200)) {
    env::Game replay(game.rules);
    for (std::size_t ply = 0; ply < game.positions.size(); ++ply) {
      const PositionRecord& position = game.positions[ply];
      env::MoveList legal;
      replay.LegalMoves(legal);
      ASSERT_TRUE(position.has_policy);
      const auto units = game.Policy(position);
      ASSERT_EQ(static_cast<int>(units.size()), legal.size());
      EXPECT_EQ(position.has_value, position.solved);
      std::vector<float> policy(units.size());
      EXPECT_EQ(mcts::Gen0Policy(replay.board(), legal, policy), position.solved);
      std::vector<std::uint16_t> expected(policy.size());
      QuantizePolicy(policy, expected);
      EXPECT_TRUE(std::ranges::equal(units, expected));
      if (position.solved) {
        ++won_by_choice;
        EXPECT_EQ(ply + 1, game.positions.size());
        EXPECT_EQ(position.root_wdl, (nn::Wdl{1, 0, 0}));
        for (int i = 0; i < legal.size(); ++i) {
          replay.Apply(legal[i]);
          EXPECT_EQ(units[static_cast<std::size_t>(i)] > 0, replay.outcome() == game.outcome);
          replay.Undo();
        }
      }
      replay.Apply(game.moves[ply]);
    }
  }
  EXPECT_GT(won_by_choice, 50);
}

TEST(Gen0Games, ACappedGameHasNoValue) {
  for (const GameRecord& game : PlayGames(10, 6)) {
    EXPECT_EQ(game.outcome, (env::Outcome{env::Result::kUnfinished, env::Reason::kCap}));
    EXPECT_EQ(game.moves.size(), 6U);
    EXPECT_FALSE(game.cap_wdl.has_value());
  }
}

}  // namespace
}  // namespace apiary::train
