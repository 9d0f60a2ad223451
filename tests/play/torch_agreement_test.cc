// The shipped net plays on the torch-free evaluator as on LibTorch.
#include <gtest/gtest.h>

#include <cmath>

#include "mcts/search.h"
#include "nn/cpu_evaluator.h"
#include "nn/torch_evaluator.h"
#include "play/model_player.h"
#include "tests/env/random_positions.h"

namespace apiary::play {
namespace {

TEST(TorchAgreement, NearlyAllMovesAndTheValuesOfTheRest) {
  const std::string path = APIARY_SOURCE_DIR "/models/base-2core.safetensors";
  auto plain = nn::MakeCpuEvaluator(path);
  auto torch = nn::MakeTorchEvaluator(path);
  ASSERT_TRUE(plain.ok() && torch.ok());
  int positions = 0, same = 0;
  env::Rules rules;
  for (std::uint64_t seed = 0; positions < 200; ++seed) {
    const env::Game game = env::RandomGame(rules, static_cast<int>(seed % 60), seed);
    if (game.outcome().over()) continue;
    ++positions;
    const mcts::SearchOptions options = PlaySearchOptions(64);
    const auto a = mcts::RunSearch(game, options, base::RandomStream(seed), **plain);
    const auto b = mcts::RunSearch(game, options, base::RandomStream(seed), **torch);
    same += a.best == b.best;
    if (a.best != b.best) {
      EXPECT_NEAR(a.root_wdl.value_stm(), b.root_wdl.value_stm(), 1e-3) << seed;
    }
  }
  EXPECT_GE(same, 196);
}

}  // namespace
}  // namespace apiary::play
