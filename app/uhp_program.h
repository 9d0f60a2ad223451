// The UHP engine as a program: what `apiary uhp` and the stand-alone `apiary-uhp` share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "nn/evaluator.h"
#include "play/uhp_engine.h"

namespace apiary::app {

struct UhpArguments {
  std::string model;
  int threads = 1;
  int memory_mb = 1024;
  int simulations = 0;
  std::uint64_t seed = 1;
};

// `without_model`: what the engine plays when none is given, for --help.
void AddUhpOptions(CLI::App& app, const std::string& without_model, UhpArguments& arguments);

// Models that are weights files or run directories.
play::UhpModelLoader FileLoader(const nn::EvaluatorFactory& factory);

// Serves stdin and stdout until `exit` or the end of the input, with `model` from the start;
// returns the exit code. Throws apiary::Error.
int ServeStandardInput(const UhpArguments& arguments, play::UhpModel model,
                       const play::UhpModelLoader& loader);

}  // namespace apiary::app
