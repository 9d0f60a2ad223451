// The only door of app/ to LibTorch. Built from devices_torch.cc, or from devices_without_torch.cc
// in builds without LibTorch.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "nn/evaluator.h"
#include "nn/weights.h"

namespace apiary::app {

// device: "cpu", "cuda" or "auto". Null without LibTorch; throws apiary::Error (bad usage) for a
// device that is not there.
nn::EvaluatorFactory MakeEvaluatorFactory(const std::string& device);
// A net at its initialisation as a weights file's content, for measurements.
base::Result<nn::TensorFile> MakeUntrainedWeights(const nn::NetSpec& spec, std::uint64_t seed);
// One sentence: which device a net would run on, and why.
std::string DescribeDevice();

}  // namespace apiary::app
