#include "app/uhp_program.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "app/arguments.h"
#include "base/stop.h"
#include "base/version.h"
#include "nn/weights.h"

namespace apiary::app {

void AddUhpOptions(CLI::App& app, const std::string& without_model, UhpArguments& arguments) {
  app.add_option(
      "--model", arguments.model,
      "Weights file or run directory (the engine's option Model); without it the engine " +
          without_model);
  app.add_option("--threads", arguments.threads,
                 "Threads that search one tree (the engine's option NumThreads)")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  app.add_option("--memory", arguments.memory_mb,
                 "MiB that the tree may take (the engine's option MemoryMB)")
      ->capture_default_str()
      ->check(CLI::Range(16, 65'536));
  app.add_option("--sims", arguments.simulations,
                 "Simulations of every search, whatever bestmove says; 0: as it says (the engine's "
                 "option Simulations)")
      ->capture_default_str()
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--seed", arguments.seed, "Seed of all random numbers")->capture_default_str();
  app.footer(
      "Point a viewer such as MzingaViewer at this command. 'bestmove depth N' means 32 x 2^N "
      "simulations, or N plies of alpha-beta without a model.");
}

play::UhpModelLoader FileLoader(const nn::EvaluatorFactory& factory) {
  return [factory](const std::string& text) -> base::Result<play::UhpModel> {
    auto path = nn::ResolveWeights(text);
    if (!path) return path.failure();
    // Tried at once: a bad file is to be refused where it is named, not in the first search.
    if (auto evaluator = factory(*path); !evaluator) return evaluator.failure();
    return play::UhpModel{std::filesystem::path(*path).stem().string(),
                          play::SourceOf(factory, *path)};
  };
}

int ServeStandardInput(const UhpArguments& arguments, play::UhpModel model,
                       const play::UhpModelLoader& loader) {
  play::UhpOptions options;
  options.simulations = arguments.simulations;
  options.resources.threads = arguments.threads;
  options.resources.memory_mb = arguments.memory_mb;
  OrThrow(play::UhpSearch::Check(options.resources), kBadUsage);
  play::UhpEngine engine(std::string(base::ProgramVersion().number), std::move(model),
                         arguments.seed, options, loader);
  play::DescriptorInput input(STDIN_FILENO, base::ProcessStop());
  play::ServeUhp(engine, input, std::cout);
  return base::StopExitCode();
}

}  // namespace apiary::app
