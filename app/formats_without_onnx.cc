#include "app/arguments.h"
#include "app/formats.h"

namespace apiary::app {

nn::ExportFormat OnnxFormatOrThrow() {
  throw Error(
      "this build of apiary has no Protobuf, so it cannot write .onnx: install Debian's packages "
      "libprotobuf-dev and protobuf-compiler and build it again",
      kFailure);
}

}  // namespace apiary::app
