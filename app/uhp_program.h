// The UHP engine as a program: what `apiary uhp` and the stand-alone `apiary-uhp` share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "nn/evaluator.h"

namespace apiary::app {

struct UhpArguments {
  std::string model;  // "": the net inside, "none": no net
  int threads = 1;
  int memory_mb = 1024;
  int simulations = 0;
  std::uint64_t seed = 1;
};

void AddUhpOptions(CLI::App& app, UhpArguments& arguments);

// Serves stdin and stdout until `exit` or the end of the input; returns the exit code. Weights
// files and run directories are loaded by `factory`; without a model named, the net inside the
// program plays. Throws apiary::Error.
int RunUhp(const UhpArguments& arguments, const nn::EvaluatorFactory& factory);

}  // namespace apiary::app
