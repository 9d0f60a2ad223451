#include "app/runs.h"

namespace apiary::app {

CommandBody AddLearn(CLI::App& app) {
  app.footer(
      "Trains until the budget is spent, RUN/STOP appears or Ctrl-C. One learner a run: a second "
      "one takes it over.");
  return AddRun(app, RunKind::kLearn);
}

}  // namespace apiary::app
