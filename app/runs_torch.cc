#include "app/devices.h"
#include "app/runs.h"
#include "train/loop.h"

namespace apiary::app {

int StartRun(RunKind kind, const train::RunOptions& options) {
  const nn::EvaluatorFactory evaluators = MakeEvaluatorFactory(options.device);
  switch (kind) {
    case RunKind::kTrain:
      return train::RunTrain(options, evaluators);
    case RunKind::kSelfplay:
      return train::RunSelfplay(options, evaluators);
    case RunKind::kLearn:
      return train::RunLearn(options, evaluators);
  }
  return 1;
}

}  // namespace apiary::app
