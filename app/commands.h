// The subcommands of `apiary`: one function and one file each. A function adds the subcommand's
// arguments to `app` and returns what runs it; main.cc holds the table.
#pragma once

#include <CLI/CLI.hpp>

#include "app/run_body.h"

namespace apiary::app {

CommandBody AddTrain(CLI::App& app);
CommandBody AddSelfplay(CLI::App& app);
CommandBody AddLearn(CLI::App& app);
CommandBody AddMatch(CLI::App& app);
CommandBody AddRate(CLI::App& app);
CommandBody AddReport(CLI::App& app);
CommandBody AddPlay(CLI::App& app);
CommandBody AddUhp(CLI::App& app);
CommandBody AddPerft(CLI::App& app);
CommandBody AddCrosscheck(CLI::App& app);
CommandBody AddInspect(CLI::App& app);
CommandBody AddImport(CLI::App& app);
CommandBody AddAnalyze(CLI::App& app);
CommandBody AddEncode(CLI::App& app);
CommandBody AddExport(CLI::App& app);
CommandBody AddConfig(CLI::App& app);
CommandBody AddDoctor(CLI::App& app);
CommandBody AddBench(CLI::App& app);

}  // namespace apiary::app
