// Evaluator over nn/cpu_net.h: the default on CPUs. One thread at a time; Submit computes at once.
#pragma once

#include <memory>
#include <string>

#include "nn/cpu_net.h"
#include "nn/evaluator.h"

namespace apiary::nn {

class CpuEvaluator : public Evaluator {
 public:
  explicit CpuEvaluator(CpuNet net) : net_(std::move(net)) {}

  void Submit(const env::Block& block, Evaluation& evaluation) override;
  void Wait(Evaluation&) override {}
  std::string Describe() const override;

 private:
  CpuNet net_;
};

// From a weights file. `kernel`: for tests and measurements.
base::Result<std::unique_ptr<Evaluator>> MakeCpuEvaluator(
    const std::string& weights_path, const ProductKernel& kernel = BestProductKernel());

}  // namespace apiary::nn
