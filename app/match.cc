#include "play/match.h"

#include <spdlog/spdlog.h>

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/devices.h"
#include "app/progress_line.h"
#include "base/files.h"
#include "base/stop.h"
#include "play/match_record.h"
#include "play/openings.h"

namespace apiary::app {
namespace {

struct Arguments {
  std::string a, b;
  std::string variant;
  std::string openings = "random:4";
  std::string device = "auto";
  std::string sprt;
  int simulations = 32;
  double seconds = 0;  // a move; 0: simulations
  int games = 200;
  int max_plies = 400;
  int threads = 0;
  std::uint64_t seed = 1;
  std::string resume;
  double engine_timeout = 30;  // seconds
  bool json = false;
  bool print_games = false;
};

constexpr std::string_view kRandomOpenings = "random:";

int OpeningPlies(const std::string& openings) {
  int plies = 0;
  const char* const end = openings.data() + openings.size();
  const auto [stop, error] = std::from_chars(openings.data() + kRandomOpenings.size(), end, plies);
  if (error == std::errc() && stop == end && plies >= 0) return plies;
  throw Error(fmt::format("--openings {}: expected random:PLIES, for instance random:4, or a file",
                          openings),
              kBadUsage);
}

std::vector<env::Game> ReadOpenings(const std::string& path, int games, const env::Rules& rules) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw Error(
        fmt::format("--openings {}: there is no such file, and it is not random:PLIES", path),
        kBadUsage);
  std::vector<env::Game> openings =
      OrThrow(play::ParseOpenings(OrThrow(base::ReadFile(path)), path, rules));
  if (openings.size() < static_cast<std::size_t>(games) / 2)
    throw Error(
        fmt::format("--openings {}: {} openings, but {} games need {} (each is played with both "
                    "colours)",
                    path, openings.size(), games, games / 2),
        kBadUsage);
  return openings;
}

play::MatchOptions OptionsOf(const Arguments& arguments, const env::Variant& variant) {
  play::MatchOptions options;
  options.rules.variant = variant;
  options.rules.max_plies = arguments.max_plies;
  options.games = arguments.games;
  options.threads = ThreadsOrAll(arguments.threads);
  options.seed = arguments.seed;
  options.engine_timeout =
      std::chrono::milliseconds(static_cast<std::int64_t>(arguments.engine_timeout * 1000));
  if (options.games % 2 != 0)
    throw Error(
        fmt::format("--games {}: the number must be even, each opening is played with both colours",
                    options.games),
        kBadUsage);
  if (!arguments.sprt.empty()) {
    auto hypotheses = play::ParseSprt(arguments.sprt);
    if (!hypotheses) throw Error("--sprt " + hypotheses.error(), kBadUsage);
    options.sprt = *hypotheses;
  }
  if (arguments.openings.starts_with(kRandomOpenings)) {
    options.opening_plies = OpeningPlies(arguments.openings);
  } else {
    options.openings = ReadOpenings(arguments.openings, options.games, options.rules);
  }
  return options;
}

std::string FormatElo(double elo) {
  if (std::isinf(elo)) return elo > 0 ? "+inf" : "-inf";
  return fmt::format("{:+.0f}", elo);
}

// "5.2 s in 8,877 moves (0.6 ms a move)".
std::string FormatTime(double seconds, std::int64_t moves) {
  return fmt::format("{:.1f} s in {} moves ({:.3g} ms a move)", seconds, moves,
                     moves == 0 ? 0 : 1000 * seconds / static_cast<double>(moves));
}

// How the games were played: pairs, reasons, time.
void PrintCourse(const play::MatchResult& result) {
  const play::PairCounts pairs = play::Pentanomial(result.played, result.first_player);
  std::cout << fmt::format("pairs by points of A (0, 0.5, 1, 1.5, 2): {}\n",
                           fmt::join(pairs, ", "));
  std::cout << "ended by";
  const char* comma = " ";
  for (const auto& [reason, games] : play::Reasons(result)) {
    std::cout << comma << reason << " " << games;
    comma = ", ";
  }
  const play::TimeUsed used = play::SumTimes(result);
  std::cout << fmt::format("\ntime of A {}, of B {}\n", FormatTime(used.seconds_a, used.moves_a),
                           FormatTime(used.seconds_b, used.moves_b));
}

void PrintResult(const play::PlayerSpec& a, const play::PlayerSpec& b,
                 const play::MatchResult& result) {
  const play::Estimate estimate = play::EstimateMatch(result);
  std::cout << fmt::format("A: {}\nB: {}\n", play::PlayerName(a), play::PlayerName(b));
  std::cout << fmt::format(
      "games {}: A won {}, drew {}, lost {}, capped {}; {:.1f} plies a game, {}\n", result.games,
      result.wins, result.draws, result.losses, result.capped, result.mean_plies,
      FormatSeconds(result.seconds));
  if (result.games > 0) {
    std::cout << fmt::format("score of A {:.1f} % (95 %: {:.1f} to {:.1f} %)\n",
                             100 * estimate.score, 100 * estimate.score_low,
                             100 * estimate.score_high);
    std::cout << fmt::format(
        "Elo of A {} (95 %: {} to {}); A is the stronger one with likelihood {:.1f} %\n",
        FormatElo(estimate.elo), FormatElo(estimate.elo_low), FormatElo(estimate.elo_high),
        100 * estimate.superiority);
    PrintCourse(result);
  }
  if (result.sprt)
    std::cout << fmt::format("SPRT {}: log likelihood ratio {:.2f} (bounds -{:.2f} and {:.2f})\n",
                             play::ToString(result.sprt->decision), result.sprt->llr,
                             play::kSprtBound, play::kSprtBound);
  if (result.skipped_openings > 0)
    std::cout << fmt::format("openings skipped, won or lost already: {}\n",
                             result.skipped_openings);
  if (result.duplicates > 0)
    std::cout << fmt::format("duplicates {} (not counted)\n", result.duplicates);
}

// Each player's resolved configuration, with its weights.
void LogPlayer(const char* side, const play::PlayerSpec& spec) {
  if (spec.kind == "model") {
    const std::string budget = spec.seconds > 0 ? fmt::format("{} s a move", spec.seconds)
                                                : fmt::format("{} simulations", spec.simulations);
    spdlog::info("{}: {}, trained on {}, generation {}, {}, temperature {}, sha256 {}", side,
                 spec.weights_path, spec.variant, spec.generation, budget, spec.temperature,
                 spec.sha256);
  } else {
    spdlog::info("{}: {}", side, play::PlayerName(spec));
  }
}

// "A +12 =3 -5, 67.5 %, Elo +127 (+20 to +270)".
std::string RunningResult(const play::MatchProgress& progress) {
  std::string text =
      fmt::format("A +{} ={} -{}, {:.1f} %", progress.wins, progress.draws + progress.capped,
                  progress.losses, 100 * progress.score);
  if (progress.estimate)
    text +=
        fmt::format(", Elo {} ({} to {})", FormatElo(progress.estimate->elo),
                    FormatElo(progress.estimate->elo_low), FormatElo(progress.estimate->elo_high));
  if (progress.llr) text += fmt::format(", llr {:.2f}", *progress.llr);
  return text;
}

// A fault of a foreign engine is said as it happens.
void WarnAboutFault(const play::PlayedGame& game) {
  if (!game.fault) return;
  spdlog::warn("{} of {}: {}; {}", play::ToString(game.fault->kind), game.fault->of_a ? "A" : "B",
               game.fault->what, game.game_string);
}

std::unique_ptr<play::MatchRecord> OpenRecord(const Arguments& arguments, const play::PlayerSpec& a,
                                              const play::PlayerSpec& b,
                                              const play::MatchOptions& options) {
  if (arguments.resume.empty()) return nullptr;
  auto record = OrThrow(play::MatchRecord::Open(arguments.resume, a, b, options));
  if (record->torn_bytes() > 0)
    spdlog::warn("{}: its torn last line, {} bytes, was cut off", arguments.resume,
                 record->torn_bytes());
  if (record->games_found() > 0)
    spdlog::info("{}: goes on after {} games", arguments.resume, record->games_found());
  return record;
}

void WarnAboutMissing(const play::MatchResult& result, const play::MatchOptions& options) {
  if (!options.openings.empty() && result.skipped_openings > 0)
    spdlog::warn("{} openings are won or lost already and were skipped", result.skipped_openings);
  spdlog::warn("{} of {} games: {}; use {}", result.games, options.games,
               result.duplicates > 0 ? "the players repeat themselves" : "openings ran out",
               options.openings.empty() ? "longer random openings" : "more openings");
}

int RunMatch(const Arguments& arguments) {
  const play::PlayerSpec a = PlayerOrThrow(arguments.a, arguments.simulations, arguments.seconds);
  const play::PlayerSpec b = PlayerOrThrow(arguments.b, arguments.simulations, arguments.seconds);
  const env::Variant variant = VariantToPlay(arguments.variant, std::array{a, b});
  play::MatchOptions options = OptionsOf(arguments, variant);
  LogPlayer("A", a);
  LogPlayer("B", b);

  const std::unique_ptr<play::MatchRecord> record = OpenRecord(arguments, a, b, options);
  options.record = record.get();
  options.on_game = WarnAboutFault;
  const base::StopToken& stop = base::ProcessStop();
  play::MatchResult result;
  {
    ProgressLine line("games", false);
    const auto show = [&line](const play::MatchProgress& progress) {
      line.Show(progress.finished_games, progress.games, RunningResult(progress));
    };
    result =
        OrThrow(play::PlayMatch(a, b, MakeEvaluatorFactory(arguments.device), options, show, stop));
  }
  const bool decided = result.sprt && result.sprt->decision != play::SprtDecision::kRunning;
  if (result.games < options.games && !stop.requested() && !decided)
    WarnAboutMissing(result, options);
  if (arguments.print_games) {
    for (const play::PlayedGame& game : result.played) std::cerr << game.game_string << "\n";
  }
  if (arguments.json) {
    std::cout << play::MatchToJson(a, b, result) << "\n";
  } else {
    PrintResult(a, b, result);
  }
  return stop.requested() ? base::StopExitCode() : 0;
}

// How long nets think.
void AddStrength(CLI::App& app, Arguments& arguments) {
  auto* const simulations =
      app.add_option("--sims", arguments.simulations,
                     "Simulations a move of a net; a player's own ;sims=N or ;time=S overrides it; "
                     "mcts:N, ab:D and foreign engines have their own measure")
          ->capture_default_str()
          ->check(CLI::PositiveNumber);
  app.add_option("--time-per-move", arguments.seconds,
                 "Seconds of wall time a move of a net, instead of simulations, and of a foreign "
                 "engine whose text does not say; each thread then "
                 "thinks in one game at a time, and the games do not repeat with the seed. "
                 "Threads share the cores: give no more --threads than there are")
      ->check([](const std::string& text) {
        double seconds = 0;
        if (CLI::detail::lexical_cast(text, seconds) && seconds > 0 &&
            seconds <= play::kMaxSecondsPerMove)
          return std::string();
        return fmt::format("{} is not a number of seconds above 0, at most {}", text,
                           play::kMaxSecondsPerMove);
      })
      ->excludes(simulations);
}

}  // namespace

CommandBody AddMatch(CLI::App& app) {
  constexpr double kMaxTimeout = 86'400;
  const auto arguments = std::make_shared<Arguments>();
  app.add_option(
         "A", arguments->a,
         "Player: a weights file or run directory, or random, gen0, crowd, mcts:N, ab:D, or a "
         "foreign engine uhp:COMMAND (docs/matches.md)")
      ->required();
  app.add_option("B", arguments->b, "The other player")->required();
  app.add_option("--games", arguments->games,
                 "Games, an even number: half as many openings, each with both colours")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  AddStrength(app, *arguments);
  app.add_option(
         "--openings", arguments->openings,
         "random:PLIES: so many uniformly random plies first; or a FILE with one GameString "
         "a line (# begins a comment), at least half as many as games, taken in order; openings "
         "that are won or lost already are skipped")
      ->capture_default_str();
  app.add_option(
      "--sprt", arguments->sprt,
      "ELO0,ELO1: sequential test whether A is ELO0 (H0) or ELO1 (H1) better, with error "
      "rates of 5 %; ends the match when it is decided, after --games at the latest");
  app.add_option("--variant", arguments->variant,
                 "Base, Base+M, ..., Base+MLP; without it the net's own, else Base");
  app.add_option("--max-plies", arguments->max_plies,
                 "Games end as capped after so many plies, 0 = never")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--seed", arguments->seed, "Seed of all random numbers")->capture_default_str();
  app.add_option("--threads", arguments->threads, "Threads, 0 = all cores allowed")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--device", arguments->device, kDeviceHelp)->capture_default_str();
  app.add_option("--resume", arguments->resume,
                 "FILE that keeps every game, a JSON object a line; where it is there already, the "
                 "match goes on where it stopped");
  app.add_option("--timeout", arguments->engine_timeout,
                 "Seconds to wait for an answer of a foreign engine, for a best move on top of the "
                 "time that it was given; longer is a loss")
      ->capture_default_str()
      ->check(CLI::Range(0.001, kMaxTimeout));
  app.add_flag("--json", arguments->json, "Print one JSON object at the end");
  app.add_flag("--print-games", arguments->print_games,
               "Print the counted games as GameStrings on stderr");
  app.footer(
      "A player may carry keys: 'runs/first;sims=64;temperature=0.5' or "
      "'runs/first;time=0.5';\nkeys that change one part of the search: docs/search.md.\n"
      "Example: apiary match runs/first crowd --games 200 --sims 32\n"
      "Example: apiary match runs/new runs/old --sprt 0,20 --games 4000\n"
      "Example: apiary match runs/first 'uhp:nokamute uhp;depth=1;set.NumThreads=1' --resume "
      "games.jsonl");
  return [arguments] { return RunMatch(*arguments); };
}

}  // namespace apiary::app
