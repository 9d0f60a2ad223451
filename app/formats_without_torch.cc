#include "app/arguments.h"
#include "app/formats.h"

namespace apiary::app {

nn::ExportFormat TorchScriptFormatOrThrow() {
  throw Error(
      "this build of apiary has no LibTorch, so it cannot write .pt; build it with preset release",
      kFailure);
}

}  // namespace apiary::app
