#include "env/perft.h"

#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "base/stop.h"
#include "env/notation.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

struct Arguments {
  std::string position = "Base";
  int depth = 0;
  int threads = 1;
  int hash_mb = 0;
  bool divide = false;
  bool json = false;
};

void PrintMove(const Arguments& arguments, const std::string& move, std::uint64_t nodes) {
  const std::string line = arguments.json ? ordered_json{{"move", move}, {"nodes", nodes}}.dump()
                                          : fmt::format("{:<10} {}", move, nodes);
  std::cout << line << std::endl;  // flushed: the next may take minutes
}

std::uint64_t Count(const Arguments& arguments, const env::Board& board) {
  env::PerftOptions options;
  options.threads = ThreadsOrAll(arguments.threads);
  options.hash_bytes = static_cast<std::size_t>(arguments.hash_mb) << 20;
  options.stop = [] { return base::ProcessStop().requested(); };
  if (arguments.divide) {
    options.on_root_move = [&](env::Move move, std::uint64_t nodes) {
      PrintMove(arguments, env::MoveToString(board, move), nodes);
    };
  }
  return env::CountLeaves(board, arguments.depth, options);
}

int RunPerft(const Arguments& arguments) {
  env::Rules rules;
  rules.repetition = 0;
  const env::ParsedGame parsed =
      OrThrow(env::ParseGameString(arguments.position, rules), kBadUsage);
  const env::Board& board = parsed.game.board();
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t nodes = Count(arguments, board);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (base::ProcessStop().requested()) return base::StopExitCode();
  const double rate = seconds > 0 ? static_cast<double>(nodes) / seconds : 0;
  if (arguments.json) {
    std::cout << ordered_json{{"nodes", nodes}, {"seconds", seconds}, {"nodes_per_s", rate}}.dump()
              << "\n";
  } else {
    std::cout << fmt::format("depth {}: {} nodes, {:.3f} s, {:.1f} million nodes/s\n",
                             arguments.depth, nodes, seconds, rate / 1e6);
  }
  return 0;
}

}  // namespace

CommandBody AddPerft(CLI::App& app) {
  constexpr int kMaxDepth = 20;
  constexpr int kMaxThreads = 1024;
  constexpr int kMaxHashMb = 1 << 20;
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("position", arguments->position, "GameString or variant")->capture_default_str();
  app.add_option("--depth", arguments->depth, "Plies")->required()->check(CLI::Range(1, kMaxDepth));
  app.add_option("--threads", arguments->threads, "Threads, 0 = all cores allowed")
      ->capture_default_str()
      ->check(CLI::Range(0, kMaxThreads));
  app.add_option("--hash", arguments->hash_mb,
                 "MiB for positions already counted, 0 = none; the counts stay the same")
      ->capture_default_str()
      ->check(CLI::Range(0, kMaxHashMb));
  app.add_flag("--divide", arguments->divide, "Also print the count after each move");
  app.add_flag("--json", arguments->json, "Print JSON, one object a line; the total comes last");
  app.footer(
      "Moves are counted as (piece, destination); no repetition draws. Base to depth 5: 516240.");
  return [arguments] { return RunPerft(*arguments); };
}

}  // namespace apiary::app
