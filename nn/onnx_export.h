// The net as an ONNX model: one graph for any number of positions, rows and moves, inputs and
// outputs named as in env::Block and nn::Evaluation (docs/models.md). All inputs are int64. Only
// operators of the standard set, version 17. Any thread.
#pragma once

#include <nn/onnx_model.pb.h>

#include "nn/model_export.h"

namespace apiary::nn {

// Precondition: CheckNet(file) gave `spec`.
onnx::ModelProto MakeOnnxModel(const TensorFile& file, const NetSpec& spec);

// Files of such models; read back by nn/onnx_evaluator.h.
ExportFormat OnnxFormat();

}  // namespace apiary::nn
