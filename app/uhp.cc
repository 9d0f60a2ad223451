#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/devices.h"
#include "base/stop.h"
#include "base/version.h"
#include "nn/weights.h"
#include "play/uhp_engine.h"

namespace apiary::app {
namespace {

struct Arguments {
  std::string model;
  std::string device = "auto";
  int threads = 1;
  int memory_mb = 1024;
  std::uint64_t seed = 1;
};

int RunUhp(const Arguments& arguments) {
  play::UhpSearch::EvaluatorSource source;
  std::string name;
  if (!arguments.model.empty()) {
    const nn::EvaluatorFactory factory = MakeEvaluatorFactory(arguments.device);
    const std::string path = OrThrow(nn::ResolveWeights(arguments.model));
    source = play::SourceOf(factory, path);
    name = std::filesystem::path(path).stem().string();
  }
  play::UhpOptions options;
  options.resources.threads = arguments.threads;
  options.resources.memory_mb = arguments.memory_mb;
  OrThrow(play::UhpSearch::Check(options.resources), kBadUsage);
  play::UhpEngine engine({std::string(base::ProgramVersion().number), name}, std::move(source),
                         arguments.seed, options);
  play::DescriptorInput input(STDIN_FILENO, base::ProcessStop());
  play::ServeUhp(engine, input, std::cout);
  return base::StopExitCode();
}

}  // namespace

CommandBody AddUhp(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("--model", arguments->model,
                 "Weights file or run directory; without it the engine plays crowd");
  app.add_option("--threads", arguments->threads,
                 "Threads that search one tree (the engine's option NumThreads)")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  app.add_option("--memory", arguments->memory_mb,
                 "MiB that the tree may take (the engine's option MemoryMB)")
      ->capture_default_str()
      ->check(CLI::Range(16, 65'536));
  app.add_option("--seed", arguments->seed, "Seed of all random numbers")->capture_default_str();
  app.add_option("--device", arguments->device, kDeviceHelp)->capture_default_str();
  app.footer(
      "Point a viewer such as MzingaViewer at this command. 'bestmove depth N' means 32 x 2^N "
      "simulations.");
  return [arguments] { return RunUhp(*arguments); };
}

}  // namespace apiary::app
