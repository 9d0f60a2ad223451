#include <chrono>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/built_in_model.h"
#include "app/commands.h"
#include "app/devices.h"
#include "base/files.h"
#include "base/stop.h"
#include "base/text.h"
#include "env/notation.h"
#include "mcts/long_search.h"
#include "nn/weights.h"
#include "play/analysis.h"
#include "play/board_svg.h"
#include "play/drawing.h"
#include "play/uhp_search.h"

namespace apiary::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kDefaultSimulations = 1600;

struct Arguments {
  std::string game;
  std::string model;
  std::string device = "auto";
  std::string svg;
  int simulations = 0;  // 0: kDefaultSimulations, or no limit beside a time
  double seconds = 0;   // 0: no limit
  int threads = 1;
  int memory_mb = 256;
  int lines = 5;
  std::uint64_t seed = 1;
  bool json = false;
};

struct Model {
  std::string path;  // its name, of the one inside the program
  std::string name;
  std::string variant;
  play::UhpSearch::EvaluatorSource source;
};

// What a search found, ready to be shown.
struct Analysis {
  Model model;
  mcts::SearchResult result;
  std::vector<play::AnalysisLine> lines;
  double seconds = 0;
};

// The argument itself, the line of a file, or that of standard input.
std::string ReadGameText(const std::string& argument) {
  std::string text = argument;
  std::string source = "GAMESTRING";
  std::error_code error;
  if (argument == "-") {
    source = "standard input";
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else if (argument.find(';') == std::string::npos && fs::is_regular_file(argument, error)) {
    source = argument;
    text = OrThrow(base::ReadFile(argument));
  }
  const std::string_view line = base::Trim(text);
  if (line.empty()) throw Error(source + ": there is no GameString", kBadUsage);
  if (line.find('\n') != std::string_view::npos)
    throw Error(source + ": more than one line; expected one GameString", kBadUsage);
  return std::string(line);
}

env::Game ReadGame(const std::string& argument) {
  env::Rules rules;
  rules.repetition = 0;
  const std::string text = ReadGameText(argument);
  auto parsed = env::ParseGameString(text, rules);
  if (!parsed) {
    constexpr std::size_t kShown = 80;
    const std::string shown = text.size() > kShown ? text.substr(0, kShown) + "..." : text;
    throw Error(fmt::format("'{}' is no game: {}", shown, parsed.error()), kBadUsage);
  }
  return std::move(parsed->game);
}

Model NamedModel(const Arguments& arguments) {
  std::error_code error;
  if (!fs::exists(arguments.model, error))
    throw Error(arguments.model + ": there is no such model", kBadUsage);
  const std::string path = OrThrow(nn::ResolveWeights(arguments.model));
  const nn::TensorFile file = OrThrow(nn::ReadTensors(path, nn::kWeightsFormat));
  return {path, fs::path(path).stem().string(), OrThrow(nn::ReadSpec(file, path)).variant,
          play::SourceOf(MakeEvaluatorFactory(arguments.device), path)};
}

Model FindModel(const Arguments& arguments, env::Variant variant) {
  Model model;
  if (arguments.model.empty()) {
    BuiltInModel inside = LoadBuiltInModel();
    model = {inside.name, inside.name, inside.spec.variant, std::move(inside.source)};
  } else {
    model = NamedModel(arguments);
  }
  if (!env::IsOneOf(variant, model.variant))
    std::cerr << fmt::format("apiary: warning: {} was trained on {}, the game is one of {}\n",
                             model.path, model.variant, env::ToString(variant));
  return model;
}

Analysis Analyze(const Arguments& arguments, const env::Game& game) {
  using Clock = std::chrono::steady_clock;
  Analysis analysis;
  analysis.model = FindModel(arguments, game.rules().variant);
  play::UhpSearch::Resources resources;
  resources.memory_mb = arguments.memory_mb;
  OrThrow(play::UhpSearch::Check(resources), kBadUsage);
  std::vector<std::unique_ptr<nn::Evaluator>> evaluators;
  for (int i = 0; i < arguments.threads; ++i) evaluators.push_back(analysis.model.source());
  constexpr int kTreeToCache = 16;
  const std::uint64_t tree_bytes = static_cast<std::uint64_t>(arguments.memory_mb) << 20;
  mcts::LongSearch search(std::move(evaluators), {.tree_bytes = tree_bytes,
                                                  .cache_bytes = tree_bytes / kTreeToCache,
                                                  .search = resources.search});
  mcts::SearchLimits limits;
  if (arguments.seconds > 0) limits.seconds = arguments.seconds;
  if (arguments.simulations > 0) {
    limits.simulations = arguments.simulations;
  } else if (arguments.seconds <= 0) {
    limits.simulations = kDefaultSimulations;
  }
  const Clock::time_point begin = Clock::now();
  analysis.result = search.Run(game, limits, [] { return base::ProcessStop().requested(); });
  analysis.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  analysis.lines = play::BestLines(search.tree(), analysis.result, arguments.lines);
  return analysis;
}

std::string_view NameOf(env::Color color) {
  return color == env::Color::kWhite ? "White" : "Black";
}

std::string DescribeEnd(const env::Outcome& outcome) {
  if (outcome.result == env::Result::kDraw)
    return fmt::format("The game is over: a draw ({})", ToString(outcome.reason));
  return fmt::format("The game is over: {} wins ({})",
                     outcome.result == env::Result::kWhiteWins ? "White" : "Black",
                     ToString(outcome.reason));
}

std::string_view NameOf(mcts::Proven proven) {
  switch (proven) {
    case mcts::Proven::kUnknown:
      return "";
    case mcts::Proven::kWin:
      return "won";
    case mcts::Proven::kDraw:
      return "drawn";
    case mcts::Proven::kLoss:
      return "lost";
  }
  return "";
}

std::string DescribeWdl(const nn::Wdl& wdl) {
  return fmt::format("win {:.1f} %, draw {:.1f} %, loss {:.1f} %", 100 * wdl.win, 100 * wdl.draw,
                     100 * wdl.loss);
}

// What the search is and finds, in lines for both the terminal and the picture.
std::vector<std::string> Captions(const env::Game& game, const Analysis& analysis) {
  const mcts::SearchResult& result = analysis.result;
  std::string value =
      fmt::format("{} to move: {}", NameOf(game.side_to_move()), DescribeWdl(result.root_wdl));
  if (result.proven != mcts::Proven::kUnknown)
    value += fmt::format(" (proven {})", NameOf(result.proven));
  return {
      fmt::format("{}, {}", env::ToString(game.rules().variant), env::TurnString(game.board())),
      value,
      fmt::format("{}: {} simulations, {:.1f} s, about {:.0f} plies to the end",
                  analysis.model.name, result.simulations, analysis.seconds, result.moves_left)};
}

void PrintBoard(const env::Game& game) {
  std::cout << play::DrawBoard(game.board());
  for (const env::Color color : {env::Color::kWhite, env::Color::kBlack})
    std::cout << play::DescribeHand(game.board(), color) << "\n";
}

void PrintLines(const env::Game& game, const Analysis& analysis) {
  std::cout << fmt::format("{:>2}  {:<9} {:>6} {:>6} {:>6}  {:>8} {:>6} {:>6}  {:<6}{}\n", "",
                           "move", "win", "draw", "loss", "visits", "share", "prior", "", "line");
  for (std::size_t i = 0; i < analysis.lines.size(); ++i) {
    const play::AnalysisLine& line = analysis.lines[i];
    const std::vector<std::string> moves = play::LineToStrings(game, line.moves);
    std::string values = fmt::format("{:>6} {:>6} {:>6}", "-", "-", "-");
    if (line.wdl)
      values = fmt::format("{:>6.1f} {:>6.1f} {:>6.1f}", 100 * line.wdl->win, 100 * line.wdl->draw,
                           100 * line.wdl->loss);
    std::cout << fmt::format("{:>2}  {:<9} {}  {:>8} {:>6.1f} {:>6.1f}  {:<6}{}\n", i + 1, moves[0],
                             values, line.visits, 100 * line.share, 100 * line.prior,
                             NameOf(line.proven), fmt::join(moves.begin() + 1, moves.end(), "; "));
  }
}

ordered_json WdlJson(const std::optional<nn::Wdl>& wdl) {
  if (!wdl) return nullptr;
  return {{"win", wdl->win}, {"draw", wdl->draw}, {"loss", wdl->loss}};
}

ordered_json ProvenJson(mcts::Proven proven) {
  if (proven == mcts::Proven::kUnknown) return nullptr;
  return NameOf(proven);
}

ordered_json GameJson(const env::Game& game) {
  return {{"game", env::ToGameString(game)},
          {"ply", game.ply()},
          {"state", env::ToString(game.outcome().result)},
          {"turn", env::TurnString(game.board())}};
}

ordered_json AnalysisJson(const env::Game& game, const Analysis& analysis) {
  ordered_json json = GameJson(game);
  json["model"] = analysis.model.path;
  json["simulations"] = analysis.result.simulations;
  json["evaluations"] = analysis.result.evaluations;
  json["seconds"] = analysis.seconds;
  json["wdl"] = WdlJson(analysis.result.root_wdl);
  json["proven"] = ProvenJson(analysis.result.proven);
  json["moves_left"] = analysis.result.moves_left;
  json["lines"] = ordered_json::array();
  for (const play::AnalysisLine& line : analysis.lines) {
    const std::vector<std::string> moves = play::LineToStrings(game, line.moves);
    json["lines"].push_back({{"move", moves[0]},
                             {"wdl", WdlJson(line.wdl)},
                             {"proven", ProvenJson(line.proven)},
                             {"visits", line.visits},
                             {"share", line.share},
                             {"prior", line.prior},
                             {"line", moves}});
  }
  return json;
}

void WriteSvg(const std::string& path, const std::string& svg) {
  if (!path.empty()) OrThrow(base::WriteDurably(path, svg));
}

int ShowFinished(const Arguments& arguments, const env::Game& game) {
  const std::string end = DescribeEnd(game.outcome());
  WriteSvg(arguments.svg, play::DrawBoardSvg(game, {}, {env::ToString(game.rules().variant), end}));
  if (arguments.json) {
    ordered_json json = GameJson(game);
    json["lines"] = ordered_json::array();
    std::cout << json.dump() << "\n";
    return 0;
  }
  PrintBoard(game);
  std::cout << end << "\n";
  return 0;
}

int RunAnalyze(const Arguments& arguments) {
  const env::Game game = ReadGame(arguments.game);
  if (game.outcome().over()) return ShowFinished(arguments, game);
  const Analysis analysis = Analyze(arguments, game);
  const std::vector<std::string> captions = Captions(game, analysis);
  WriteSvg(arguments.svg, play::DrawBoardSvg(game, analysis.lines, captions));
  if (arguments.json) {
    std::cout << AnalysisJson(game, analysis).dump() << "\n";
    return base::StopExitCode();
  }
  PrintBoard(game);
  for (const std::string& caption : captions) std::cout << caption << "\n";
  PrintLines(game, analysis);
  return base::StopExitCode();
}

}  // namespace

CommandBody AddAnalyze(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("GAMESTRING", arguments->game,
                 "The position: a GameString, a file of one, or - for standard input")
      ->required();
  app.add_option(
      "--model", arguments->model,
      "Weights file or run directory; without it the net that ships with the program, on the CPU");
  app.add_option(
         "--sims", arguments->simulations,
         fmt::format("Simulations; without it {}, or no limit beside a time", kDefaultSimulations))
      ->check(CLI::Range(1, mcts::SearchLimits::kMostSimulations));
  // A comparison lets no NaN through.
  app.add_option("--time", arguments->seconds, "Seconds to think")
      ->check([](const std::string& text) {
        double seconds = 0;
        const bool number = CLI::detail::lexical_cast(text, seconds);
        return number && seconds >= 0.001 && seconds <= 1e6
                   ? std::string()
                   : fmt::format("'{}': expected 0.001 to 1000000 seconds", text);
      });
  app.add_option("--lines", arguments->lines, "So many of the best moves are shown")
      ->capture_default_str()
      ->check(CLI::Range(1, 50));
  app.add_option("--svg", arguments->svg, "Write a picture of the position to this file");
  app.add_option("--threads", arguments->threads, "Threads that search one tree")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  app.add_option("--memory", arguments->memory_mb, "MiB that the tree may take")
      ->capture_default_str()
      ->check(CLI::Range(16, 65'536));
  app.add_option("--seed", arguments->seed,
                 "Accepted as everywhere; this search draws no random numbers: with one thread and "
                 "--sims its result is always the same")
      ->capture_default_str();
  app.add_option("--device", arguments->device, kDeviceHelp)->capture_default_str();
  app.add_flag("--json", arguments->json, "Print one JSON object");
  app.footer(
      "Win, draw and loss are of the side to move. Repetition does not draw here, as in the "
      "protocol of GameStrings.");
  return [arguments] { return RunAnalyze(*arguments); };
}

}  // namespace apiary::app
