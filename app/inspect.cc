#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/run_summary.h"
#include "base/files.h"
#include "env/notation.h"
#include "nn/weights.h"
#include "play/drawing.h"
#include "train/game_file.h"
#include "train/game_store.h"
#include "train/imported_game.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

struct Arguments {
  std::string what;
  bool games = false;
  bool json = false;
};

void PrintJson(const ordered_json& json) { std::cout << json.dump() << "\n"; }

std::string Percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "no games";
}

template <typename T>
ordered_json NullOr(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

void PrintRun(const std::string& run, const RunSummary& summary) {
  constexpr double kMebi = 1024 * 1024;
  std::cout << fmt::format("run          {}\n", run)
            << fmt::format("generations  {}\n", summary.generations)
            << fmt::format("games        {} in {} files, {} of generation 0\n", summary.games,
                           summary.files, summary.gen0_games)
            << fmt::format("positions    {}\n", summary.positions)
            << fmt::format("stored       {:.1f} bytes a position\n", summary.bytes_per_position())
            << fmt::format("decisive     {} from generation 1 on, {} in generation 0\n",
                           Percent(summary.decisive()), Percent(summary.decisive_gen0()))
            << fmt::format("size         {:.1f} MiB, {:.1f} MiB of it games\n",
                           static_cast<double>(summary.run_bytes) / kMebi,
                           static_cast<double>(summary.game_bytes) / kMebi);
  const std::vector<double> windows = summary.decisive_windows();
  if (!windows.empty()) {
    std::cout << "decisive by 500 games:";
    for (const double share : windows) std::cout << fmt::format(" {:.0f} %", 100 * share);
    std::cout << "\n";
  }
}

void PrintGames(const std::vector<train::GameRecord>& games) {
  for (const train::GameRecord& game : games) {
    const env::Result agreed = train::AgreedResult(game);
    const std::string end = agreed == env::Result::kInProgress
                                ? fmt::format("{} {}", env::ToString(game.outcome.result),
                                              env::ToString(game.outcome.reason))
                                : fmt::format("{} agreed", env::ToString(agreed));
    std::cout << fmt::format("{}, generation {}: {}\n", end, game.first_generation,
                             train::GameStringOf(game));
  }
}

ordered_json GameStrings(const std::vector<train::GameRecord>& games) {
  ordered_json strings = ordered_json::array();
  for (const train::GameRecord& game : games) strings.push_back(train::GameStringOf(game));
  return strings;
}

// Of all files, the oldest first. A file that cannot be read was named by the summary.
std::vector<train::GameRecord> GamesOfRun(const std::string& run) {
  std::vector<train::GameRecord> all;
  for (const train::GameFileName& file : OrThrow(train::ListGames(run)).files) {
    auto games = train::ReadGameFile(file.path);
    if (!games) continue;
    for (train::GameRecord& game : *games) all.push_back(std::move(game));
  }
  return all;
}

int InspectRun(const Arguments& arguments) {
  if (!IsRun(arguments.what)) {
    std::error_code unreadable;
    const std::filesystem::directory_iterator folder(arguments.what, unreadable);
    if (unreadable)
      throw Error(fmt::format("{}: cannot be opened: {}", arguments.what, unreadable.message()));
    throw Error(
        fmt::format("{}: not a run directory: it has neither config.toml nor games/ nor weights/",
                    arguments.what));
  }
  const RunSummary summary = OrThrow(SummarizeRun(arguments.what));
  for (const std::string& error : summary.errors) std::cerr << "apiary: " << error << "\n";
  if (arguments.json) {
    ordered_json json = {{"run", arguments.what},
                         {"games", summary.games},
                         {"positions", summary.positions},
                         {"bytes_per_position", summary.bytes_per_position()},
                         {"decisive", NullOr(summary.decisive())},
                         {"decisive_gen0", NullOr(summary.decisive_gen0())},
                         {"decisive_windows", summary.decisive_windows()},
                         {"generations", summary.generations},
                         {"gen0_games", summary.gen0_games},
                         {"files", summary.files},
                         {"bad_files", summary.bad_files},
                         {"game_bytes", summary.game_bytes},
                         {"run_bytes", summary.run_bytes}};
    if (arguments.games) json["game_strings"] = GameStrings(GamesOfRun(arguments.what));
    PrintJson(json);
  } else {
    PrintRun(arguments.what, summary);
    if (arguments.games) PrintGames(GamesOfRun(arguments.what));
  }
  return summary.bad_files == 0 ? 0 : kFailure;
}

int InspectWeights(const Arguments& arguments) {
  const std::string bytes = OrThrow(base::ReadFile(arguments.what));
  const nn::TensorFile file = OrThrow(nn::ParseTensors(bytes, arguments.what, nn::kWeightsFormat));
  const nn::NetSpec spec = OrThrow(nn::ReadSpec(file, arguments.what));
  std::int64_t parameters = 0;
  for (const auto& [name, tensor] : file.tensors) {
    std::int64_t elements = 1;
    for (const std::int64_t size : tensor.shape) elements *= size;
    parameters += elements;
  }
  const std::string sha256 = base::Sha256Hex(bytes);
  if (arguments.json) {
    PrintJson({{"file", arguments.what},
               {"architecture", nn::kArchitecture},
               {"channels", spec.channels},
               {"blocks", spec.blocks},
               {"variant", spec.variant},
               {"encoder_version", spec.encoder_version},
               {"generation", spec.generation},
               {"parameters", parameters},
               {"bytes", bytes.size()},
               {"sha256", sha256}});
    return 0;
  }
  std::cout << fmt::format("weights      {}\n", arguments.what)
            << fmt::format("net          {}, {} channels x {} blocks, {} parameters\n",
                           nn::kArchitecture, spec.channels, spec.blocks, parameters)
            << fmt::format("variant      {}\n", spec.variant)
            << fmt::format("encoder      version {}\n", spec.encoder_version)
            << fmt::format("generation   {}\n", spec.generation)
            << fmt::format("size         {} bytes\n", bytes.size())
            << fmt::format("sha256       {}\n", sha256);
  for (const auto& [key, value] : file.metadata)
    std::cout << fmt::format("  {} = {}\n", key, value);
  return 0;
}

int InspectGameFile(const Arguments& arguments) {
  const std::vector<train::GameRecord> games = OrThrow(train::ReadGameFile(arguments.what));
  const auto bytes = std::filesystem::file_size(arguments.what);
  std::int64_t positions = 0;
  std::int64_t policies = 0;
  std::int64_t decisive = 0;
  for (const train::GameRecord& game : games) {
    positions += static_cast<std::int64_t>(game.moves.size());
    decisive += game.outcome.decisive();
    for (const train::PositionRecord& position : game.positions) policies += position.has_policy;
  }
  const double per_position =
      positions == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(positions);
  if (arguments.json) {
    ordered_json json = {{"file", arguments.what},
                         {"games", games.size()},
                         {"positions", positions},
                         {"policy_targets", policies},
                         {"decisive_games", decisive},
                         {"bytes", bytes},
                         {"bytes_per_position", per_position}};
    if (arguments.games) json["game_strings"] = GameStrings(games);
    PrintJson(json);
    return 0;
  }
  std::cout << fmt::format("game file    {}\n", arguments.what)
            << fmt::format("games        {}, {} decisive\n", games.size(), decisive)
            << fmt::format("positions    {}, {} with a policy target\n", positions, policies)
            << fmt::format("stored       {} bytes, {:.1f} a position\n", bytes, per_position);
  if (!arguments.games) return 0;
  PrintGames(games);
  return 0;
}

int InspectPosition(const Arguments& arguments) {
  env::Rules rules;
  rules.repetition = 0;
  auto parsed = env::ParseGameString(arguments.what, rules);
  if (!parsed)
    throw Error(fmt::format("'{}' is neither a file nor a directory nor a GameString: {}",
                            arguments.what, parsed.error()),
                kBadUsage);
  const env::Game& game = parsed->game;
  env::MoveList moves;
  game.LegalMoves(moves);
  std::vector<std::string> texts;
  for (const env::Move move : moves) texts.push_back(env::MoveToString(game.board(), move));
  if (arguments.json) {
    PrintJson({{"game", env::ToGameString(game)},
               {"ply", game.ply()},
               {"state", env::ToString(game.outcome().result)},
               {"legal_moves", texts.size()},
               {"moves", texts}});
    return 0;
  }
  std::cout << play::DrawBoard(game.board());
  for (const env::Color color : {env::Color::kWhite, env::Color::kBlack})
    std::cout << play::DescribeHand(game.board(), color) << "\n";
  std::cout << fmt::format("{}, {}\n{} legal moves:", env::ToString(game.outcome().result),
                           env::TurnString(game.board()), texts.size());
  for (const std::string& text : texts) std::cout << "  " << text;
  std::cout << "\n";
  return 0;
}

int RunInspect(const Arguments& arguments) {
  std::error_code error;
  const std::filesystem::path path = arguments.what;
  if (std::filesystem::is_directory(path, error)) return InspectRun(arguments);
  if (!std::filesystem::exists(path, error)) return InspectPosition(arguments);
  if (path.extension() == ".zst") return InspectGameFile(arguments);
  return InspectWeights(arguments);
}

}  // namespace

CommandBody AddInspect(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("WHAT", arguments->what,
                 "Run directory, weights file (.safetensors), game file (.games.zst) or GameString")
      ->required();
  app.add_flag("--games", arguments->games,
               "Print the games of a game file or a run as GameStrings");
  app.add_flag("--json", arguments->json, "Print one JSON object");
  return [arguments] { return RunInspect(*arguments); };
}

}  // namespace apiary::app
