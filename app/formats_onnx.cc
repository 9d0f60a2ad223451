#include "app/formats.h"
#include "nn/onnx_export.h"

namespace apiary::app {

nn::ExportFormat OnnxFormatOrThrow() { return nn::OnnxFormat(); }

}  // namespace apiary::app
