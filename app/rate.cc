#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <unordered_set>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/devices.h"
#include "app/progress_line.h"
#include "app/rating_report.h"
#include "app/run_generations.h"
#include "base/files.h"
#include "base/stop.h"
#include "nn/weights.h"
#include "play/pair_games.h"

namespace apiary::app {
namespace {

struct Arguments {
  std::vector<std::string> players;
  std::string run;
  std::string generations = "10";
  std::vector<std::string> ladder = {"random", "crowd", "mcts:1000", "ab:1",
                                     "ab:2",   "ab:3",  "ab:4"};
  int neighbours = 2;
  std::string results;
  std::string anchor = "random";
  bool anchor_given = false;
  std::string variant;
  std::string device = "auto";
  std::string csv, svg;
  int simulations = 32;
  int games_per_pair = 40;
  int opening_plies = 4;
  int max_plies = 400;
  int threads = 0;
  std::uint64_t seed = 1;
  bool json = false;
};

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// Who plays whom.
struct Tournament {
  std::vector<play::PlayerSpec> specs;
  std::vector<play::RatedPlayer> players;  // of the specs, in their order
  Pairs pairs;

  // The number of the player, which is added if it is new.
  std::size_t Add(play::PlayerSpec spec) {
    play::RatedPlayer player = play::RatedPlayerOf(spec);
    for (std::size_t i = 0; i < players.size(); ++i) {
      if (players[i].key() == player.key()) return i;
    }
    specs.push_back(std::move(spec));
    players.push_back(std::move(player));
    return players.size() - 1;
  }
};

Tournament RoundRobin(const Arguments& arguments) {
  Tournament tournament;
  for (const std::string& text : arguments.players) {
    const std::size_t before = tournament.players.size();
    if (tournament.Add(PlayerOrThrow(text, arguments.simulations)) < before)
      throw Error(fmt::format("player '{}' is given twice", text), kBadUsage);
  }
  for (std::size_t a = 0; a < tournament.players.size(); ++a) {
    for (std::size_t b = a + 1; b < tournament.players.size(); ++b)
      tournament.pairs.emplace_back(a, b);
  }
  return tournament;
}

// The ladder, each against each, then each generation against the ladder and against
// the next `neighbours` generations.
Tournament RunTournament(const Arguments& arguments) {
  const std::vector<int> present = nn::PresentGenerations(arguments.run);
  if (present.empty())
    throw Error(fmt::format("{}: no run with published weights (weights/gen-....safetensors)",
                            arguments.run),
                std::filesystem::exists(arguments.run) ? kFailure : kBadUsage);
  const std::vector<int> chosen =
      OrThrow(ChooseGenerations(present, arguments.generations), kBadUsage);
  Tournament tournament;
  std::vector<std::size_t> ladder;
  for (const std::string& text : arguments.ladder) {
    if (text == "none" && arguments.ladder.size() == 1) break;
    const std::size_t player = tournament.Add(PlayerOrThrow(text, arguments.simulations));
    for (const std::size_t other : ladder) tournament.pairs.emplace_back(other, player);
    ladder.push_back(player);
  }
  std::vector<std::size_t> numbers;
  for (const int generation : chosen) {
    const std::string path = nn::WeightsPath(arguments.run, generation);
    play::PlayerSpec spec = PlayerOrThrow(path, arguments.simulations);
    spec.text = GenerationText(generation);  // under any path
    numbers.push_back(tournament.Add(std::move(spec)));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (const std::size_t opponent : ladder) tournament.pairs.emplace_back(opponent, numbers[i]);
    const std::size_t end =
        std::min(numbers.size(), i + 1 + static_cast<std::size_t>(arguments.neighbours));
    for (std::size_t j = i + 1; j < end; ++j) tournament.pairs.emplace_back(numbers[i], numbers[j]);
  }
  // A ladder that holds a generation of the run, or one player twice.
  std::erase_if(tournament.pairs, [](const auto& pair) { return pair.first == pair.second; });
  std::unordered_set<std::size_t> seen;
  std::erase_if(tournament.pairs, [&](const auto& pair) {
    const auto [low, high] = std::minmax(pair.first, pair.second);
    return !seen.insert(low * tournament.players.size() + high).second;
  });
  return tournament;
}

play::MatchOptions OptionsOf(const Arguments& arguments, const Tournament& tournament) {
  play::MatchOptions options;
  options.rules.variant = VariantToPlay(arguments.variant, tournament.specs);
  options.rules.max_plies = arguments.max_plies;
  options.opening_plies = arguments.opening_plies;
  options.games = arguments.games_per_pair;
  options.threads = ThreadsOrAll(arguments.threads);
  options.seed = arguments.seed;
  return options;
}

// Plays what the records lack, adds it to them and to the file.
void PlayMissing(const Arguments& arguments, const Tournament& tournament,
                 const play::MatchOptions& options, const play::RatingConditions& conditions,
                 std::vector<play::PairRecord>& records, play::ResultsFile* file) {
  const std::vector<play::PairToPlay> missing = play::MissingPairs(
      tournament.players, tournament.pairs, arguments.games_per_pair, records, conditions);
  spdlog::info("{} players, {} pairs, {} of them to be played", tournament.players.size(),
               tournament.pairs.size(), missing.size());
  const std::vector<std::string> labels = LabelsOf(tournament.players);
  int short_pairs = 0;
  ProgressLine line("games", false);
  const auto done = [&](const play::PairRecord& record) {
    if (file != nullptr) file->Append(record);
    short_pairs += static_cast<int>(record.games.size()) < record.asked;
    records.push_back(record);
  };
  const auto show = [&](const play::PairsProgress& progress) {
    line.Show(progress.finished_games, progress.games,
              fmt::format("{} scores {:.0f} % against {}", labels[progress.a], 100 * progress.score,
                          labels[progress.b]));
  };
  OrThrow(play::PlayPairs(tournament.specs, missing, MakeEvaluatorFactory(arguments.device),
                          options, done, show, base::ProcessStop()));
  if (short_pairs > 0)
    spdlog::warn(
        "{} pairs have fewer games than asked for: the players repeat themselves; use more "
        "--opening-plies",
        short_pairs);
}

void SayWhatIsLeftOut(const std::vector<play::PairRecord>& records,
                      const play::RatingConditions& conditions) {
  const auto others = std::count_if(records.begin(), records.end(), [&](const auto& record) {
    return record.conditions != conditions;
  });
  if (others > 0)
    spdlog::info("{} results of other conditions (variant, openings, length cap) are left out",
                 others);
}

std::size_t AnchorOf(const Arguments& arguments, const RatingReport& report) {
  const std::optional<std::size_t> anchor = FindPlayer(report, arguments.anchor);
  if (!anchor && arguments.anchor_given)
    throw Error(fmt::format("--anchor {}: there is no such player", arguments.anchor), kBadUsage);
  return anchor.value_or(0);
}

void WriteReport(const Arguments& arguments, const RatingReport& report) {
  const std::vector<std::string> caveats = play::Caveats(report.table, report.labels);
  if (arguments.json) {
    std::cout << RatingsAsJson(report);
    for (const std::string& caveat : caveats) spdlog::warn("{}", caveat);
  } else {
    std::cout << RatingsAsText(report);
    for (const std::string& caveat : caveats) std::cout << "note: " << caveat << "\n";
  }
  std::cout.flush();
  if (!arguments.csv.empty()) OrThrow(base::WriteDurably(arguments.csv, RatingsAsCsv(report)));
  if (!arguments.svg.empty())
    OrThrow(base::WriteDurably(arguments.svg,
                               RatingsAsSvg(report, fmt::format("Strength of {}", arguments.run))));
}

// Before hours of games: what would fail after them.
void CheckArguments(const Arguments& arguments) {
  const bool asks_players = !arguments.players.empty();
  if (asks_players && !arguments.run.empty())
    throw Error("give players or --run DIR, not both (other players of a run: --ladder)",
                kBadUsage);
  if (!asks_players && arguments.run.empty() && arguments.results.empty())
    throw Error("give players, or --run DIR, or --results FILE to rate what it holds", kBadUsage);
  if (arguments.games_per_pair % 2 != 0)
    throw Error(fmt::format("--games-per-pair {}: the number must be even, each opening is played "
                            "with both colours",
                            arguments.games_per_pair),
                kBadUsage);
  if (!arguments.svg.empty() && arguments.run.empty())
    throw Error("--svg draws strength over generations: it needs --run DIR", kBadUsage);
  for (const std::string& path : {arguments.csv, arguments.svg}) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
      throw Error(fmt::format("{}: there is no folder {}", path, folder.string()), kBadUsage);
  }
}

std::string ResultsPath(const Arguments& arguments) {
  if (!arguments.results.empty() || arguments.run.empty()) return arguments.results;
  return arguments.run + "/ratings.jsonl";
}

int RunRate(const Arguments& arguments) {
  CheckArguments(arguments);
  const Tournament tournament =
      arguments.run.empty() ? RoundRobin(arguments) : RunTournament(arguments);
  const play::MatchOptions options = OptionsOf(arguments, tournament);
  play::RatingConditions conditions = {env::ToString(options.rules.variant),
                                       options.rules.max_plies, options.opening_plies};
  const std::string path = ResultsPath(arguments);
  if (tournament.players.empty() && !std::filesystem::exists(path))
    throw Error(fmt::format("--results {}: there is no such file", path), kBadUsage);
  std::optional<play::ResultsFile> file;
  std::vector<play::PairRecord> records;
  if (!path.empty()) {
    file.emplace(OrThrow(play::ResultsFile::Open(path)));
    records = file->records();
  }
  if (tournament.players.empty() && !records.empty()) conditions = records.back().conditions;
  RatingReport report;
  SayWhatIsLeftOut(records, conditions);
  report.players = AllPlayers(tournament.players, records, conditions);
  report.labels = LabelsOf(report.players);
  const std::size_t anchor = AnchorOf(arguments, report);
  if (!tournament.players.empty())
    PlayMissing(arguments, tournament, options, conditions, records, file ? &*file : nullptr);
  report.table = play::Rate(report.players.size(),
                            play::CountResults(report.players, records, conditions), anchor);
  if (!arguments.run.empty()) report.cpu_hours = CpuHoursByGeneration(arguments.run);
  WriteReport(arguments, report);
  if (!base::ProcessStop().requested()) return 0;
  if (file) spdlog::info("stopped; the finished pairs are in {}, the same command goes on", path);
  return base::StopExitCode();
}

void AddRunOptions(CLI::App& app, Arguments& arguments) {
  app.add_option("--run", arguments.run,
                 "Rate the generations of this run, against each other and the ladder");
  app.add_option("--generations", arguments.generations,
                 "Of a run: all; or at most so many, spread from first to last; or a list of "
                 "numbers, 1,10,20")
      ->capture_default_str();
  app.add_option("--neighbours", arguments.neighbours,
                 "Of a run: each generation plays so many that follow it")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--ladder", arguments.ladder,
                 "Of a run: players that every generation meets, with commas; none")
      ->delimiter(',')
      ->capture_default_str();
}

void AddGameOptions(CLI::App& app, Arguments& arguments) {
  app.add_option("--games-per-pair", arguments.games_per_pair,
                 "Games of each pair, an even number: each opening with both colours")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--sims", arguments.simulations,
                 "Simulations a move of a net; a player's own ;sims=N or ;time=S overrides it")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--opening-plies", arguments.opening_plies, "So many uniformly random plies first")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--variant", arguments.variant,
                 "Base, Base+M, ..., Base+MLP; without it the nets' own, else Base");
  app.add_option("--max-plies", arguments.max_plies,
                 "Games end as capped after so many plies and count half, 0 = never")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--seed", arguments.seed, "Seed of all random numbers")->capture_default_str();
  app.add_option("--threads", arguments.threads, "Threads, 0 = all cores allowed")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--device", arguments.device, kDeviceHelp)->capture_default_str();
}

}  // namespace

CommandBody AddRate(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("PLAYER", arguments->players,
                 "Players, each against each: weights files or run directories, random, gen0, "
                 "crowd, ...; none with --results: its games are rated");
  AddRunOptions(app, *arguments);
  app.add_option("--results", arguments->results,
                 "File that keeps all games; only pairs that it lacks are played. Of a run "
                 "RUN/ratings.jsonl unless given");
  auto* const anchor =
      app.add_option("--anchor", arguments->anchor, "The player whose rating is 0, else the first")
          ->capture_default_str();
  AddGameOptions(app, *arguments);
  app.add_flag("--json", arguments->json, "Print one JSON object a player instead of a table");
  app.add_option("--csv", arguments->csv, "Write the table to this file as well");
  app.add_option("--svg", arguments->svg,
                 "Of a run: draw strength over generations and CPU hours into this file");
  app.footer(
      "What the numbers mean: docs/ratings.md. Ctrl-C keeps the pairs that are finished.\n"
      "Example: apiary rate random crowd gen0 runs/first --games-per-pair 100\n"
      "Example: apiary rate --run runs/first --generations 12 --svg strength.svg");
  return [arguments, anchor] {
    arguments->anchor_given = anchor->count() > 0;
    return RunRate(*arguments);
  };
}

}  // namespace apiary::app
