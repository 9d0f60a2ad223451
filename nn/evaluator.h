// The seam between search and nets: a block of encoded positions in, priors and values out.
// Torch-free. The caller owns both block and evaluation and keeps them unchanged from Submit until
// Wait.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "env/encoder.h"

namespace apiary::nn {

// Win, draw, loss probabilities for the side to move of the position they belong to. Sum 1.
struct Wdl {
  float win = 0;
  float draw = 0;
  float loss = 0;
  // In [-1, 1], side to move's view. draw_value: what it gives for a draw, in [-1, 1].
  float value_stm(float draw_value = 0) const { return win - loss + draw_value * draw; }
  friend bool operator==(const Wdl&, const Wdl&) = default;
};
// The one place where a value changes sides.
constexpr Wdl Flip(const Wdl& wdl) { return {wdl.loss, wdl.draw, wdl.win}; }

// Outputs for a block, filled by the evaluator (which resizes the vectors; capacity is kept).
struct Evaluation {
  std::vector<float> logits;      // [block.move_count()], one a legal move, same order; pass has 0
  std::vector<Wdl> wdl;           // [block.positions()]
  std::vector<float> moves_left;  // [block.positions()], expected remaining plies, >= 0
};

// Gives the vectors the sizes that the block asks for.
void Resize(const env::Block& block, Evaluation& evaluation);

// One thread may use an evaluator at a time. Errors of the device are thrown as apiary::Error, and
// so is a non-finite output, with the block dumped to the log: a search never goes on with it.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Starts the evaluation of a non-empty block; at most one is in flight for each Evaluation.
  virtual void Submit(const env::Block& block, Evaluation& evaluation) = 0;
  // Blocks until `evaluation` is filled.
  virtual void Wait(Evaluation& evaluation) = 0;
  // Rows that are computed for a block, padding included; the block's own where there is none.
  virtual std::int64_t RowsComputed(const env::Block& block) const { return block.rows(); }
  // For logs: kind, architecture, device.
  virtual std::string Describe() const = 0;

  void Evaluate(const env::Block& block, Evaluation& evaluation) {
    Submit(block, evaluation);
    Wait(evaluation);
  }
};

// Makes an evaluator for a weights file; each caller thread makes its own.
using EvaluatorFactory =
    std::function<base::Result<std::unique_ptr<Evaluator>>(const std::string& weights_path)>;

// Throws apiary::Error naming the first non-finite output and the position's block index.
void CheckFinite(const env::Block& block, const Evaluation& evaluation);

}  // namespace apiary::nn
