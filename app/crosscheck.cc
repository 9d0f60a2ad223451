#include "play/crosscheck.h"

#include <spdlog/spdlog.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/progress_line.h"
#include "base/stop.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

struct Arguments {
  std::string engine;
  std::string variant = "all";
  int games = 20;
  int max_plies = 300;
  int threads = 0;
  double timeout = 30;
  std::uint64_t seed = 1;
  bool climb = false;
  bool queen_first_turn = false;
  bool json = false;
};

play::CrosscheckOptions OptionsOf(const Arguments& arguments) {
  play::CrosscheckOptions options;
  options.variants = OrThrow(env::ParseVariants(arguments.variant), kBadUsage);
  options.games = arguments.games;
  options.threads = ThreadsOrAll(arguments.threads);
  options.seed = arguments.seed;
  options.timeout = std::chrono::milliseconds(static_cast<int>(arguments.timeout * 1000));
  options.play.rules.repetition = 0;  // the protocol has no such draw
  options.play.rules.queen_first_turn = arguments.queen_first_turn;
  options.play.max_plies = arguments.max_plies;
  options.play.climb = arguments.climb;
  return options;
}

std::string TableRow(const std::string& name, const play::CrosscheckCounts& counts) {
  return fmt::format("{:<10} {:>8} {:>10} {:>12} {:>12} {:>11} {:>13}\n", name, counts.games,
                     counts.positions, counts.moves, counts.differences, counts.duplicates,
                     counts.foreign_ends);
}

void PrintTable(const play::CrosscheckResult& result) {
  std::cout << fmt::format("Apiary and {}, {}:\n", result.engine, FormatSeconds(result.seconds));
  std::cout << fmt::format("{:<10} {:>8} {:>10} {:>12} {:>12} {:>11} {:>13}\n", "variant", "games",
                           "positions", "moves", "differences", "duplicates", "foreign ends");
  for (const play::CrosscheckVariant& entry : result.variants)
    std::cout << TableRow(env::ToString(entry.variant), entry.counts);
  std::cout << TableRow("all", result.total());
  if (!result.first) return;
  std::cout << fmt::format("\nfirst difference: {}\n{}\n", result.first->what,
                           result.first->game_string);
  std::cout << "only ours:\n";
  for (const std::string& move : result.first->only_ours) std::cout << "  " << move << "\n";
  std::cout << "only theirs:\n";
  for (const std::string& move : result.first->only_theirs) std::cout << "  " << move << "\n";
}

ordered_json ToJson(const std::string& name, const play::CrosscheckCounts& counts) {
  return {{"variant", name},
          {"games", counts.games},
          {"positions", counts.positions},
          {"moves", counts.moves},
          {"differences", counts.differences},
          {"duplicates", counts.duplicates},
          {"foreign_ends", counts.foreign_ends}};
}

// One object a variant; the sum, as variant "all", comes last and has the rest.
void PrintJson(const play::CrosscheckResult& result) {
  for (const play::CrosscheckVariant& entry : result.variants)
    std::cout << ToJson(env::ToString(entry.variant), entry.counts).dump() << "\n";
  ordered_json last = ToJson("all", result.total());
  last["engine"] = result.engine;
  last["seconds"] = result.seconds;
  last["not_supported"] = ordered_json::array();
  for (const env::Variant variant : result.not_supported)
    last["not_supported"].push_back(env::ToString(variant));
  last["first_difference"] = nullptr;
  if (result.first)
    last["first_difference"] = {{"what", result.first->what},
                                {"game_string", result.first->game_string},
                                {"only_ours", result.first->only_ours},
                                {"only_theirs", result.first->only_theirs}};
  std::cout << last.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

// What the exit code says besides a stop.
void ThrowUnlessEqual(const play::CrosscheckResult& result) {
  if (result.failure) throw Error(result.failure->message, kFailure);
  const play::CrosscheckCounts total = result.total();
  if (total.differences > 0)
    throw Error(fmt::format("{} differences in {} positions", total.differences, total.positions),
                kFailure);
  if (total.positions == 0)
    throw Error(
        fmt::format("nothing was compared: {} plays none of the variants asked for", result.engine),
        kFailure);
}

int RunCrosscheck(const Arguments& arguments) {
  const play::UhpSpec spec = OrThrow(play::ParseUhpSpec(arguments.engine), kBadUsage);
  const play::CrosscheckOptions options = OptionsOf(arguments);
  spdlog::info("{}: {} games of each of {} variants, seed {}, {} threads", spec.text, options.games,
               options.variants.size(), options.seed, options.threads);
  const base::StopToken& stop = base::ProcessStop();
  auto result = [&] {
    ProgressLine line("games", false);
    const auto show = [&line](const play::CrosscheckProgress& progress) {
      line.Show(progress.finished_games, progress.games,
                fmt::format("{} positions, {} differences", progress.total.positions,
                            progress.total.differences));
    };
    return play::Crosscheck(spec, options, show, stop);
  }();
  if (!result && stop.requested()) return base::StopExitCode();
  const play::CrosscheckResult& compared = OrThrow(std::move(result));
  for (const env::Variant variant : compared.not_supported)
    spdlog::warn("{} does not play {}: skipped", compared.engine, env::ToString(variant));
  if (arguments.json) {
    PrintJson(compared);
  } else {
    PrintTable(compared);
  }
  if (stop.requested()) return base::StopExitCode();
  ThrowUnlessEqual(compared);
  return 0;
}

void AddGames(CLI::App& app, Arguments& arguments) {
  app.add_option("--games", arguments.games, "Random games of each variant")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--variant", arguments.variant, "Base, Base+M, ..., Base+MLP, or all")
      ->capture_default_str();
  app.add_flag("--climb", arguments.climb,
               "Draw moves onto, along and off stacks, throws, and pieces that can do such things "
               "more often; without it all legal moves are equally likely");
  app.add_option("--max-plies", arguments.max_plies, "Games are left after so many plies")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--queen-first-turn", arguments.queen_first_turn,
               "For an engine that lets a player open with the queen");
  app.add_option("--seed", arguments.seed, "Seed of all random numbers")->capture_default_str();
}

}  // namespace

CommandBody AddCrosscheck(CLI::App& app) {
  constexpr double kMaxTimeout = 3600;
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("engine", arguments->engine,
                 "uhp:COMMAND, with ;set.NAME=VALUE for options of the engine")
      ->required();
  AddGames(app, *arguments);
  app.add_option("--threads", arguments->threads,
                 "Threads, each with an engine process of its own; 0 = all cores allowed")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--timeout", arguments->timeout, "Seconds to wait for each answer of the engine")
      ->capture_default_str()
      ->check(CLI::Range(0.001, kMaxTimeout));
  app.add_flag("--json", arguments->json,
               "Print JSON, one object a variant; the sum comes last, with the first difference");
  app.footer(
      "At every ply the engine's validmoves are compared with ours by piece and destination, and\n"
      "so is the state of the game. A draw that the engine sees by repetition ends the game and "
      "is\n"
      "counted as a foreign end. Exit code 0 only if there was no difference.\n"
      "Example: apiary crosscheck 'uhp:nokamute uhp;set.NumThreads=1' --games 100");
  return [arguments] { return RunCrosscheck(*arguments); };
}

}  // namespace apiary::app
