#include "app/runs.h"

namespace apiary::app {

CommandBody AddSelfplay(CLI::App& app) {
  app.footer(
      "Plays until the file RUN/STOP appears or Ctrl-C. Any number of such processes may serve one "
      "run.");
  return AddRun(app, RunKind::kSelfplay);
}

}  // namespace apiary::app
