// A training batch: positions drawn from the replay window, re-encoded through a random symmetry,
// with their targets. Torch-free. Owned by the learner's thread; allocates only while its vectors
// grow.
#pragma once

#include "base/random.h"
#include "env/encoder.h"
#include "nn/targets.h"
#include "train/replay_window.h"

namespace apiary::train {

struct TrainingBatch {
  env::Block block;     // n positions, M legal moves
  nn::Targets targets;  // of the same positions and moves
  void Clear();
};

// Appends one sample seen through a symmetry. draw_weight: of the value loss in a drawn game.
void AppendSample(const Sample& sample, env::Symmetry symmetry, float draw_weight,
                  TrainingBatch& batch);

// Clears `batch` and fills it with up to `size` draws (fewer when the window runs out of available
// positions).
void FillBatch(ReplayWindow& window, int size, float draw_weight, base::RandomStream& random,
               TrainingBatch& batch);

}  // namespace apiary::train
