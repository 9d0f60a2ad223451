#include "train/selfplay_game.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/train/worker_runs.h"
#include "train/game_file.h"

namespace apiary::train {
namespace {

// Plays a game to its end with the fake evaluator; `results` gets the searches.
GameRecord Play(const RunConfig& config, std::uint64_t seed,
                std::vector<mcts::SearchResult>* results = nullptr) {
  SelfplayGame game(config, base::RandomStream(seed));
  nn::FakeEvaluator evaluator;
  env::Block block;
  nn::Evaluation evaluation;
  mcts::Search search;
  while (true) {
    game.BeginSearch(search, 7, nullptr);
    while (!search.done()) {
      block.Clear();
      if (search.SelectWave(block) > 0) evaluator.Evaluate(block, evaluation);
      search.BackupWave(evaluation, 0);
    }
    if (results != nullptr) results->push_back(search.result());
    if (game.FinishSearch(search.result())) return game.TakeRecord();
  }
}

TEST(SelfplayGame, TheRecordIsAWholeStoredGame) {
  const RunConfig config = SmallConfig();
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const GameRecord game = Play(config, seed);
    const auto decoded = DecodeGames(EncodeGames({game}), "x");
    ASSERT_TRUE(decoded.ok()) << decoded.error();
    EXPECT_EQ(decoded->front().moves, game.moves);
    EXPECT_EQ(game.rules, config.Rules(env::Variant()));
    EXPECT_EQ(game.first_generation, 7);
    EXPECT_EQ(game.last_generation, 7);
    EXPECT_LE(game.opening_plies, 2);
    for (std::size_t ply = 0; ply < game.positions.size(); ++ply) {
      const bool opening = static_cast<int>(ply) < game.opening_plies;
      EXPECT_EQ(game.positions[ply].has_policy, !opening);
      EXPECT_EQ(game.positions[ply].has_value, !opening);
    }
  }
}

TEST(SelfplayGame, TargetsAreTheSearchs) {
  std::vector<mcts::SearchResult> searches;
  const GameRecord game = Play(SmallConfig(), 3, &searches);
  const auto opening = static_cast<std::size_t>(game.opening_plies);
  ASSERT_EQ(searches.size(), game.moves.size() - opening + game.cap_wdl.has_value());
  for (std::size_t ply = opening; ply < game.moves.size(); ++ply) {
    const mcts::SearchResult& search = searches[ply - opening];
    const PositionRecord& position = game.positions[ply];
    EXPECT_EQ(position.root_wdl, search.root_wdl);
    EXPECT_EQ(position.solved, search.proven != mcts::Proven::kUnknown);
    const auto policy = game.Policy(position);
    ASSERT_EQ(policy.size(), search.moves.size());
    for (std::size_t i = 0; i < search.moves.size(); ++i)
      EXPECT_NEAR(policy[i], search.moves[i].improved * 65535, 2);
    if (ply - opening >= 6 || position.solved) {
      EXPECT_EQ(game.moves[ply], search.best) << ply;
    }
  }
}

TEST(SelfplayGame, ACappedGameHasTheValueOfOneMoreSearch) {
  RunConfig config = SmallConfig();
  config.rules.max_plies = 8;
  std::vector<mcts::SearchResult> searches;
  const GameRecord game = Play(config, 1, &searches);
  EXPECT_EQ(game.outcome, (env::Outcome{env::Result::kUnfinished, env::Reason::kCap}));
  EXPECT_EQ(game.moves.size(), 8U);
  EXPECT_EQ(game.positions.size(), 8U);
  ASSERT_TRUE(game.cap_wdl.has_value());
  EXPECT_EQ(*game.cap_wdl, searches.back().root_wdl);
  EXPECT_EQ(searches.back().simulations, 4);
}

TEST(SelfplayGame, FastSearchesCarryNoPolicy) {
  RunConfig config = SmallConfig();
  config.selfplay.fast_simulations = 2;
  config.selfplay.full_share = 0.25;
  int full = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const GameRecord game = Play(config, seed);
    for (std::size_t ply = static_cast<std::size_t>(game.opening_plies);
         ply < game.positions.size(); ++ply) {
      EXPECT_TRUE(game.positions[ply].has_value);
      full += game.positions[ply].has_policy;
      ++all;
    }
  }
  // Binomial: five standard deviations.
  EXPECT_NEAR(full, 0.25 * all, 5 * std::sqrt(0.1875 * all));
}

TEST(SelfplayGame, OpeningsHaveZeroToThatManyPlies) {
  RunConfig config = SmallConfig();
  config.selfplay.opening_plies = 3;
  std::array<int, 4> lengths{};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SelfplayGame game(config, base::RandomStream(seed));
    ++lengths.at(static_cast<std::size_t>(game.TakeRecord().opening_plies));
  }
  for (const int count : lengths) EXPECT_NEAR(count, 100, 45);
}

TEST(SelfplayGame, ASeedGivesTheSameGame) {
  EXPECT_EQ(Play(SmallConfig(), 11), Play(SmallConfig(), 11));
  EXPECT_NE(Play(SmallConfig(), 11).moves, Play(SmallConfig(), 12).moves);
}

}  // namespace
}  // namespace apiary::train
