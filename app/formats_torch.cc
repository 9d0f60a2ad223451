#include "app/formats.h"
#include "nn/torch_script.h"

namespace apiary::app {

nn::ExportFormat TorchScriptFormatOrThrow() { return nn::TorchScriptFormat(); }

}  // namespace apiary::app
