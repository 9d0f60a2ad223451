// Plays random games of Hive in a batch and gives every observation to a tensor library as it lies
// in memory. EXAMPLE_WITH_TORCH: with LibTorch (CMakeLists.txt).
#include <cstdio>
#include <vector>

#include "base/random.h"
#include "env/batch_env.h"
#ifdef EXAMPLE_WITH_TORCH
#include <torch/torch.h>
#endif

namespace env = apiary::env;

int main() {
  constexpr int kBatch = 32;
  env::Rules rules;
  rules.variant = env::ParseVariant("Base+MLP").value();
  rules.max_plies = 200;
  env::BatchEnv envs(rules, kBatch);
  env::Block block;  // used again for each step: no allocation
  std::vector<env::Move> moves(kBatch);
  apiary::base::RandomStream random(1);
  int finished = 0;
  for (int step = 0; step < 400; ++step) {
    envs.Observe(block);
#ifdef EXAMPLE_WITH_TORCH
    // Views of the block, valid until it is written again: [R, features], [R, 6], [M, 2].
    const auto rows = torch::from_blob(block.row_features.data(),
                                       {block.rows(), env::kNumRowFeatures}, torch::kUInt8);
    const auto neighbors =
        torch::from_blob(block.neighbors.data(), {block.rows(), 6}, torch::kInt32);
    const auto edges = torch::from_blob(block.moves.data(), {block.move_count(), 2}, torch::kInt32);
    if (step == 0) std::printf("%ld rows in a tensor\n", static_cast<long>(rows.size(0)));
      // A net would say here which move to play.
#endif
    for (int i = 0; i < kBatch; ++i) {
      const env::MoveList& legal = envs.legal_moves(i);  // in the order of block.moves
      moves[i] = legal[static_cast<int>(random.Below(static_cast<std::uint32_t>(legal.size())))];
    }
    if (const auto played = envs.Step(moves); !played) {
      std::fprintf(stderr, "%s\n", played.error().c_str());
      return 1;
    }
    for (int i = 0; i < kBatch; ++i) {
      if (!envs.game(i).outcome().over()) continue;
      ++finished;
      envs.Reset(i);
    }
  }
  std::printf("%d games finished, %d rows in the last observation\n", finished, block.rows());
}
