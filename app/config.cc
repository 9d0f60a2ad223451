#include <iostream>
#include <memory>

#include "app/arguments.h"
#include "app/commands.h"
#include "train/run_config.h"

namespace apiary::app {
namespace {

struct Arguments {
  std::string source;
  std::vector<std::string> overrides;
};

std::string Presets() {
  std::string names;
  for (const std::string& name : train::PresetNames()) names += names.empty() ? name : ", " + name;
  return names;
}

int PrintConfig(const Arguments& arguments) {
  // Without a source: the defaults, which overrides can change only by way of a preset or file.
  if (arguments.source.empty() && !arguments.overrides.empty())
    throw Error("--set needs a preset or file to change", kBadUsage);
  const train::RunConfig config =
      arguments.source.empty()
          ? train::RunConfig()
          : OrThrow(train::LoadConfig(arguments.source, arguments.overrides), kBadUsage);
  std::cout << train::ConfigToToml(config);
  return 0;
}

}  // namespace

CommandBody AddConfig(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("source", arguments->source,
                 fmt::format("Preset ({}) or TOML file; without it the defaults", Presets()));
  app.add_option("--set", arguments->overrides, "Change one setting: key=value; may be repeated")
      ->allow_extra_args(false);
  return [arguments] { return PrintConfig(*arguments); };
}

}  // namespace apiary::app
