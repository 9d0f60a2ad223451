#include "app/uhp_program.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <utility>

#include "app/arguments.h"
#include "app/built_in_model.h"
#include "base/stop.h"
#include "base/version.h"
#include "nn/weights.h"
#include "play/uhp_engine.h"

namespace apiary::app {
namespace {

// Models that are weights files or run directories.
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

play::UhpModel ModelOf(const std::string& text, const play::UhpModelLoader& loader) {
  if (text == "none") return {};
  if (!text.empty()) return OrThrow(loader(text));
  BuiltInModel inside = LoadBuiltInModel();
  return {std::move(inside.name), std::move(inside.source)};
}

}  // namespace

void AddUhpOptions(CLI::App& app, UhpArguments& arguments) {
  app.add_option("--model", arguments.model,
                 "Weights file or run directory (the engine's option Model); without it the net "
                 "inside plays; 'none': alpha-beta without a net");
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

int RunUhp(const UhpArguments& arguments, const nn::EvaluatorFactory& factory) {
  const play::UhpModelLoader loader = FileLoader(factory);
  play::UhpOptions options;
  options.simulations = arguments.simulations;
  options.resources.threads = arguments.threads;
  options.resources.memory_mb = arguments.memory_mb;
  OrThrow(play::UhpSearch::Check(options.resources), kBadUsage);
  play::UhpEngine engine(std::string(base::ProgramVersion().number),
                         ModelOf(arguments.model, loader), arguments.seed, options, loader);
  play::DescriptorInput input(STDIN_FILENO, base::ProcessStop());
  play::ServeUhp(engine, input, std::cout);
  return base::StopExitCode();
}

}  // namespace apiary::app
