#include "app/bench.h"

#include <memory>

#include "app/commands.h"
#include "app/devices.h"

namespace apiary::app {

CommandBody AddBench(CLI::App& app) {
  constexpr int kMaxEnvs = 1 << 20;
  const auto arguments = std::make_shared<BenchArguments>();
  app.add_option("PART", arguments->part, "movegen, encode, key, env, eval, search or selfplay")
      ->required()
      ->check(CLI::IsMember({"movegen", "encode", "key", "env", "eval", "search", "selfplay"}));
  app.add_option("--data", arguments->data,
                 "File with games, a GameString a line (default: the human games of tests/data)");
  app.add_option("--variant", arguments->variant,
                 "env: the variant that is played (default: Base, then Base+MLP)");
  app.add_option("--envs", arguments->envs, "env: games stepped together")
      ->capture_default_str()
      ->check(CLI::Range(1, kMaxEnvs));
  app.add_option("--net", arguments->net,
                 "eval, search, selfplay: an untrained net, CHANNELSxBLOCKS, or a weights file or "
                 "run directory")
      ->capture_default_str();
  app.add_flag("--no-cache", arguments->no_cache,
               "search, selfplay: evaluations are not remembered");
  app.add_option("--sims", arguments->simulations, "selfplay: simulations a move")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", arguments->threads, "selfplay: threads, 0 = all cores allowed")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--seconds", arguments->seconds,
                 "Time for each figure; selfplay takes ten times as long")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--device", arguments->device,
                 fmt::format("eval, search, selfplay: {}", kDeviceHelp))
      ->capture_default_str();
  app.add_option("--seed", arguments->seed, "Seed of all random numbers")->capture_default_str();
  app.add_flag("--json", arguments->json, "Print JSON, one object a line");
  return [arguments] {
    if (arguments->part == "movegen") return BenchMovegen(*arguments);
    if (arguments->part == "encode") return BenchEncode(*arguments);
    if (arguments->part == "env") return BenchBatchEnv(*arguments);
    if (arguments->part == "key") return BenchKey(*arguments);
    if (arguments->part == "eval") return BenchEval(*arguments);
    if (arguments->part == "search") return BenchSearch(*arguments);
    return BenchSelfplay(*arguments);
  };
}

}  // namespace apiary::app
