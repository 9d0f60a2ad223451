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

}  // namespace

CommandBody AddUhp(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  AddUhpOptions(app, *arguments);
  app.add_option("--device", arguments->device,
                 std::string(kDeviceHelp) + "; the net inside plays on the CPU")
      ->capture_default_str();
  return [arguments] { return RunUhp(*arguments, MakeEvaluatorFactory(arguments->device)); };
}

}  // namespace apiary::app
