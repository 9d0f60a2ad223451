// The learner's net, its averaged copy and its optimiser. LibTorch is hidden behind this header.
// One thread.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "nn/safetensors.h"
#include "nn/weights.h"
#include "train/batch.h"
#include "train/run_config.h"

namespace apiary::train {

// Losses of one step, means over the batch (policy: over the positions that have one).
struct StepLosses {
  double policy = 0;          // cross entropy, nats
  double policy_entropy = 0;  // of the targets: policy - policy_entropy = KL of target to net
  double value = 0;           // cross entropy, nats
  double moves_left = 0;      // Huber, in units of the head
  double gradient_norm = 0;   // before clipping
  nn::Wdl mean_target;        // the batch's base rate
  nn::Wdl mean_predicted;     // a calibrated net's mean is the base rate
};

class Learner {
 public:
  // A new net from `seed`.
  Learner(const RunConfig& config, const nn::NetSpec& spec, std::uint64_t seed);
  ~Learner();

  // One optimiser step (AdamW, gradient clipping) and one step of the average. Throws apiary::Error
  // if a loss is not finite.
  StepLosses Step(const TrainingBatch& batch, double learning_rate);

  // The averaged weights as a file for players.
  nn::TensorFile Weights(int generation) const;
  // Net, average and optimiser; Restore brings all of them back bit for bit.
  nn::TensorFile State() const;
  base::Result<void> Restore(const nn::TensorFile& state, const std::string& name);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Learning rate at `progress` in [0, 1] of the budget and `step`: linear warm-up over 100 steps,
// then a half cosine from learning_rate to final_learning_rate.
double LearningRate(const RunConfig& config, double progress, std::int64_t step);

}  // namespace apiary::train
