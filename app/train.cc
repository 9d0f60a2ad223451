#include "app/runs.h"

namespace apiary::app {

CommandBody AddTrain(CLI::App& app) {
  app.footer(
      "Examples:\n  apiary train --run runs/first --config quick\n  apiary train --run runs/first  "
      "            (resumes it)\nCtrl-C once stops cleanly; the same command goes on.");
  return AddRun(app, RunKind::kTrain);
}

}  // namespace apiary::app
