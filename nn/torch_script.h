// The net as a TorchScript file (.pt): one module with all parameters, whose forward takes the
// arrays of env::Block (any integer type, any device) and returns (logits, wdl, moves_left) as
// nn::Evaluation has them (docs/models.md). Loads in C++ and in Python's torch without anything
// else. The metadata of the weights file is in its extra file "metadata.json". Any thread.
#pragma once

#include "nn/model_export.h"

namespace apiary::nn {

ExportFormat TorchScriptFormat();

// From such a file, on the CPU. One thread at a time; Submit computes at once.
base::Result<std::unique_ptr<Evaluator>> MakeTorchScriptEvaluator(const std::string& path);

}  // namespace apiary::nn
