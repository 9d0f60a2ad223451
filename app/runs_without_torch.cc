#include "app/arguments.h"
#include "app/runs.h"

namespace apiary::app {

int StartRun(RunKind, const train::RunOptions&) {
  throw Error(
      "this build of apiary has no LibTorch, so it cannot train; build it with preset release",
      kFailure);
}

}  // namespace apiary::app
