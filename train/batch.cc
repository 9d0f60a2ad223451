#include "train/batch.h"

#include <algorithm>

#include "base/check.h"
#include "env/notation.h"

namespace apiary::train {
namespace {
constexpr float kPolicyUnit = 1.0F / 65535.0F;
}  // namespace

void TrainingBatch::Clear() {
  block.Clear();
  targets.Clear();
}

void AppendSample(const Sample& sample, env::Symmetry symmetry, float draw_weight,
                  TrainingBatch& batch) {
  env::Game game(sample.game->rules);
  for (int ply = 0; ply < sample.ply; ++ply)
    game.Apply(sample.game->moves[static_cast<std::size_t>(ply)]);
  env::MoveList moves;
  game.LegalMoves(moves);
  env::Append(game, moves, symmetry, batch.block);

  const PositionRecord& position = sample.game->positions[static_cast<std::size_t>(sample.ply)];
  nn::Targets& targets = batch.targets;
  targets.policy_weight.push_back(position.has_policy ? 1.0F : 0.0F);
  if (position.has_policy) {
    const std::span<const std::uint16_t> policy = sample.game->Policy(position);
    APIARY_CHECK(policy.size() == static_cast<std::size_t>(moves.size()),
                 "policy of {} entries for {} legal moves in {}", policy.size(), moves.size(),
                 env::ToGameString(game));
    for (const std::uint16_t units : policy)
      targets.policy.push_back(static_cast<float>(units) * kPolicyUnit);
  } else {
    targets.policy.resize(targets.policy.size() + static_cast<std::size_t>(moves.size()), 0.0F);
  }
  targets.wdl.push_back(sample.value);
  const bool drawn = sample.game->outcome.result == env::Result::kDraw;
  targets.value_weight.push_back(drawn ? draw_weight : 1.0F);
  targets.moves_left.push_back(std::max(0.0F, sample.moves_left));
  targets.moves_left_weight.push_back(sample.moves_left >= 0 ? 1.0F : 0.0F);
}

void FillBatch(ReplayWindow& window, int size, float draw_weight, base::RandomStream& random,
               TrainingBatch& batch) {
  batch.Clear();
  for (int i = 0; i < size && window.available() > 0; ++i) {
    const Sample sample = window.Draw(random);
    const auto symmetry =
        env::Symmetry::FromIndex(static_cast<int>(random.Below(env::kNumSymmetries)));
    AppendSample(sample, symmetry, draw_weight, batch);
  }
}

}  // namespace apiary::train
