// train, selfplay and learn share their arguments; runs_torch.cc hands them to train/loop.h,
// runs_without_torch.cc says why not.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands.h"
#include "train/run_directory.h"

namespace apiary::app {

enum class RunKind { kTrain, kSelfplay, kLearn };

// Adds the shared arguments to `app` and returns the body.
CommandBody AddRun(CLI::App& app, RunKind kind);

// Returns the process's exit code.
int StartRun(RunKind kind, const train::RunOptions& options);

}  // namespace apiary::app
