#include "app/bench.h"

#include <memory>

#include "app/commands.h"

namespace apiary::app {

CommandBody AddBench(CLI::App& app) {
  const auto arguments = std::make_shared<BenchArguments>();
  app.add_option("PART", arguments->part, "movegen, encode, key, eval or selfplay")
      ->required()
      ->check(CLI::IsMember({"movegen", "encode", "key", "eval", "selfplay"}));
  app.add_option("--data", arguments->data,
                 "File with games, a GameString a line (default: the human games of tests/data)");
  app.add_option("--net", arguments->net, "eval, selfplay: an untrained net, CHANNELSxBLOCKS")
      ->capture_default_str();
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
  app.add_option("--device", arguments->device, "eval, selfplay: cpu, cuda or auto")
      ->capture_default_str();
  app.add_option("--seed", arguments->seed, "Seed of all random numbers")->capture_default_str();
  app.add_flag("--json", arguments->json, "Print JSON, one object a line");
  return [arguments] {
    if (arguments->part == "movegen") return BenchMovegen(*arguments);
    if (arguments->part == "encode") return BenchEncode(*arguments);
    if (arguments->part == "key") return BenchKey(*arguments);
    if (arguments->part == "eval") return BenchEval(*arguments);
    return BenchSelfplay(*arguments);
  };
}

}  // namespace apiary::app
