#include "app/runs.h"

#include "app/devices.h"

namespace apiary::app {

CommandBody AddRun(CLI::App& app, RunKind kind) {
  const auto options = std::make_shared<train::RunOptions>();
  app.add_option("--run", options->run, "Run directory; made if missing by train and learn")
      ->required();
  app.add_option("--config", options->config,
                 "Preset (see apiary config) or TOML file; without it the run's own configuration");
  app.add_option("--set", options->overrides, "Change one setting: key=value; may be repeated")
      ->allow_extra_args(false);
  if (kind != RunKind::kSelfplay) {
    app.add_option("--minutes", options->minutes,
                   "End after so many minutes of the run in total, resumed time included")
        ->check(CLI::PositiveNumber);
    app.add_option("--generations", options->generations,
                   "End after so many generations of the run in total")
        ->check(CLI::PositiveNumber);
  }
  app.add_option("--threads", options->threads,
                 "Threads; without it the configuration's, 0 = all cores allowed")
      ->check(CLI::NonNegativeNumber);
  app.add_option_function<std::uint64_t>(
      "--seed",
      [options](std::uint64_t seed) { options->overrides.push_back(fmt::format("seed={}", seed)); },
      "Seed of a new run's random streams");
  app.add_option("--device", options->device, kDeviceHelp)->capture_default_str();
  return [options, kind] { return StartRun(kind, *options); };
}

}  // namespace apiary::app
