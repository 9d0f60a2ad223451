// A deterministic evaluator without a net: outputs are a hash of the encoded position and move,
// equal for equal positions whatever block they are in, and under all 12 symmetries. For tests,
// benchmarks and sanitizer runs.
#pragma once

#include <cstdint>

#include "nn/evaluator.h"

namespace apiary::nn {

class FakeEvaluator : public Evaluator {
 public:
  enum class Mode {
    kHashed,   // logits in [-2, 2], WDL and moves left from the hash
    kUniform,  // logits 0, WDL (1/3, 1/3, 1/3), 30 moves left
  };
  explicit FakeEvaluator(Mode mode = Mode::kHashed, std::uint64_t seed = 0)
      : mode_(mode), seed_(seed) {}
  void Submit(const env::Block& block, Evaluation& evaluation) override;
  void Wait(Evaluation&) override {}
  std::string Describe() const override;

 private:
  Mode mode_;
  std::uint64_t seed_;
};

}  // namespace apiary::nn
