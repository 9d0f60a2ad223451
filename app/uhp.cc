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
  std::uint64_t seed = 1;
};

int RunUhp(const Arguments& arguments) {
  std::unique_ptr<nn::Evaluator> evaluator;
  std::string name;
  if (!arguments.model.empty()) {
    const nn::EvaluatorFactory factory = MakeEvaluatorFactory(arguments.device);
    const std::string path = OrThrow(nn::ResolveWeights(arguments.model));
    evaluator = OrThrow(factory(path));
    name = std::filesystem::path(path).stem().string();
  }
  play::UhpEngine engine({std::string(base::ProgramVersion().number), name}, std::move(evaluator),
                         arguments.seed);
  play::ServeUhp(engine, std::cin, std::cout, base::ProcessStop());
  return base::StopExitCode();
}

}  // namespace

CommandBody AddUhp(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("--model", arguments->model,
                 "Weights file or run directory; without it the engine plays crowd");
  app.add_option("--seed", arguments->seed, "Seed of all random numbers")->capture_default_str();
  app.add_option("--device", arguments->device, kDeviceHelp)->capture_default_str();
  app.footer(
      "Point a viewer such as MzingaViewer at this command. 'bestmove depth N' means 32 x 2^N "
      "simulations.");
  return [arguments] { return RunUhp(*arguments); };
}

}  // namespace apiary::app
