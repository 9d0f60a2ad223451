// The evaluator with the LibTorch net: no gradients, one intra-op thread. Submit does all the work.
// One thread at a time; every worker makes its own.
#pragma once

#include <memory>
#include <string>

#include "nn/evaluator.h"
#include "nn/hive_net.h"

namespace apiary::nn {

// Prepares the calling thread and the process for LibTorch; call it once on every thread that
// evaluates or trains.
void SetUpTorch();

class TorchEvaluator : public Evaluator {
 public:
  // The net is shared, not copied, and moved to `device`; it must not be trained while the
  // evaluator lives.
  TorchEvaluator(HiveNet net, const NetSpec& spec, torch::Device device = torch::kCPU);
  void Submit(const env::Block& block, Evaluation& evaluation) override;
  void Wait(Evaluation&) override {}
  std::string Describe() const override;
  const NetSpec& spec() const { return spec_; }

 private:
  HiveNet net_;
  NetSpec spec_;
  torch::Device device_;
};

// The name of the CPU when LibTorch shall evaluate on it, not nn/cpu_evaluator.h.
inline constexpr const char* kTorchOnCpu = "torch";
// `device`: "cpu" or "torch", "cuda" (an error without one) or "auto" (cuda where there is one).
base::Result<torch::Device> ParseDevice(const std::string& device);
// Reads and verifies a weights file. Calls SetUpTorch.
base::Result<std::unique_ptr<Evaluator>> MakeTorchEvaluator(const std::string& weights_path,
                                                            const std::string& device = "cpu");

}  // namespace apiary::nn
