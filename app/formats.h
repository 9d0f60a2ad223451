// Export formats that a build may lack: formats_onnx.cc or formats_without_onnx.cc,
// formats_torch.cc or formats_without_torch.cc.
#pragma once

#include "nn/model_export.h"

namespace apiary::app {

// Both throw apiary::Error where this build does not have the format, saying what it takes.
nn::ExportFormat OnnxFormatOrThrow();
nn::ExportFormat TorchScriptFormatOrThrow();

}  // namespace apiary::app
