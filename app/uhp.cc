#include <memory>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/devices.h"
#include "app/uhp_program.h"

namespace apiary::app {
namespace {

struct Arguments : UhpArguments {
  std::string device = "auto";
};

int RunUhp(const Arguments& arguments) {
  const play::UhpModelLoader loader = FileLoader(MakeEvaluatorFactory(arguments.device));
  play::UhpModel model;
  if (!arguments.model.empty()) model = OrThrow(loader(arguments.model));
  return ServeStandardInput(arguments, std::move(model), loader);
}

}  // namespace

CommandBody AddUhp(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  AddUhpOptions(app, "plays by alpha-beta", *arguments);
  app.add_option("--device", arguments->device, kDeviceHelp)->capture_default_str();
  return [arguments] { return RunUhp(*arguments); };
}

}  // namespace apiary::app
