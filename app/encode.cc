#include <fmt/ranges.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "base/stop.h"
#include "base/text.h"
#include "env/encoder.h"
#include "env/notation.h"
#include "nn/cpu_evaluator.h"
#include "nn/weights.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

struct Arguments {
  std::vector<std::string> games;
  std::string file;
  std::string model;
  env::Rules rules;
  int batch = 1;
  bool json = false;
};

// Positions on their way into one object: the block that the nets read, and its words.
class Encoding {
 public:
  void Add(const env::Game& game) {
    env::MoveList moves;
    game.LegalMoves(moves);
    env::Append(game, moves, env::Symmetry(), block_);
    games_.push_back(env::ToGameString(game));
    for (const env::Move move : moves) move_texts_.push_back(env::MoveToString(game.board(), move));
  }
  void Clear() {
    block_.Clear();
    games_.clear();
    move_texts_.clear();
  }
  int positions() const { return block_.positions(); }
  const env::Block& block() const { return block_; }

  ordered_json ToJson() const {
    return {{"encoder_version", env::kEncoderVersion},
            {"games", games_},
            {"row_features", Table(block_.row_features, env::kNumRowFeatures)},
            {"neighbors", block_.neighbors},
            {"position_features", Table(block_.position_features, env::kNumPositionFeatures)},
            {"queen_rows", block_.queen_rows},
            {"moves", MovePairs()},
            {"row_begin", block_.row_begin},
            {"move_begin", block_.move_begin},
            {"move_texts", move_texts_}};
  }

  std::string ToText() const {
    std::string text;
    for (std::size_t p = 0; p < games_.size(); ++p) AppendText(p, text);
    return text;
  }

 private:
  template <typename Values>
  static ordered_json Table(const Values& values, int width) {
    ordered_json rows = ordered_json::array();
    for (auto at = values.begin(); at != values.end(); at += width)
      rows.push_back(std::vector<int>(at, at + width));
    return rows;
  }
  std::vector<std::array<std::int32_t, 2>> MovePairs() const {
    std::vector<std::array<std::int32_t, 2>> pairs;
    for (const env::EncodedMove& move : block_.moves)
      pairs.push_back({move.source, move.destination});
    return pairs;
  }

  void AppendText(std::size_t p, std::string& text) const {
    text += fmt::format("{}\nrows:", games_[p]);
    for (const env::FeatureInfo& feature : env::kRowFeatures)
      text += fmt::format(" {}", feature.name);
    text += ", then the neighbours E NE NW W SW SE\n";
    const auto features = [](const auto& values, std::size_t row, int width) {
      const std::uint8_t* const begin = values.data() + row * static_cast<std::size_t>(width);
      return fmt::join(begin, begin + width, " ");
    };
    for (auto row = static_cast<std::size_t>(block_.row_begin[p]);
         row < static_cast<std::size_t>(block_.row_begin[p + 1]); ++row)
      text += fmt::format("{:>4}: {}, {}\n", row,
                          features(block_.row_features, row, env::kNumRowFeatures),
                          fmt::join(block_.neighbors[row], " "));
    text += "position:";
    for (std::size_t i = 0; i < env::kPositionFeatures.size(); ++i)
      text += fmt::format(" {}={}", env::kPositionFeatures[i].name,
                          block_.position_features[p * env::kPositionFeatures.size() + i]);
    text += fmt::format("\nqueens: own {}, enemy {}\nmoves (source -> destination):",
                        block_.queen_rows[p][0], block_.queen_rows[p][1]);
    for (auto m = static_cast<std::size_t>(block_.move_begin[p]);
         m < static_cast<std::size_t>(block_.move_begin[p + 1]); ++m)
      text += fmt::format(" {} ({} -> {});", move_texts_[m], block_.moves[m].source,
                          block_.moves[m].destination);
    text += "\n";
  }

  env::Block block_;
  std::vector<std::string> games_;
  std::vector<std::string> move_texts_;
};

// What a net says of them, as its exported forms do.
void AddOutputs(const nn::Evaluation& evaluation, ordered_json& json) {
  json["logits"] = evaluation.logits;
  ordered_json wdl = ordered_json::array();
  for (const nn::Wdl& value : evaluation.wdl) wdl.push_back({value.win, value.draw, value.loss});
  json["wdl"] = std::move(wdl);
  json["moves_left"] = evaluation.moves_left;
}

// Collects positions and prints them, `batch` an object.
class Printer {
 public:
  explicit Printer(const Arguments& arguments) : arguments_(arguments) {
    if (!arguments.model.empty())
      net_ = OrThrow(nn::MakeCpuEvaluator(WeightsOrThrow(arguments.model)));
  }
  void Add(const env::Game& game) {
    encoding_.Add(game);
    if (encoding_.positions() == arguments_.batch) Print();
  }
  void Print() {
    if (encoding_.positions() == 0) return;
    if (arguments_.json)
      PrintJson();
    else
      std::cout << encoding_.ToText();
    std::cout.flush();  // a program may wait for this line before it writes its next
    encoding_.Clear();
  }

 private:
  void PrintJson() {
    ordered_json json = encoding_.ToJson();
    if (net_ != nullptr) {
      net_->Evaluate(encoding_.block(), evaluation_);
      AddOutputs(evaluation_, json);
    }
    std::cout << json.dump() << "\n";
  }

  const Arguments& arguments_;
  Encoding encoding_;
  std::unique_ptr<nn::Evaluator> net_;  // null: none
  nn::Evaluation evaluation_;
};

void EncodeLines(std::istream& in, const std::string& source, const Arguments& arguments,
                 Printer& printer) {
  std::string line;
  for (int number = 1; std::getline(in, line) && !base::ProcessStop().requested(); ++number) {
    const std::string_view text = base::Trim(std::string_view(line).substr(0, line.find('#')));
    if (text.empty()) continue;
    auto parsed = env::ParseGameString(text, arguments.rules);
    if (!parsed) throw Error(fmt::format("{}: line {}: {}", source, number, parsed.error()));
    printer.Add(parsed->game);
  }
  if (in.bad()) throw Error(fmt::format("{}: cannot be read to its end", source));
}

int RunEncode(const Arguments& arguments) {
  if (arguments.games.empty() == arguments.file.empty())
    throw Error("give GameStrings, or a file of them by --file, not both", kBadUsage);
  if (!arguments.model.empty() && !arguments.json)
    throw Error("--model adds a net's outputs to the JSON: give --json as well", kBadUsage);
  if (arguments.rules.repetition == 1)
    throw Error("--repetition 1 would draw every game at once: expected 0 (off) or 2 and more",
                kBadUsage);
  Printer printer(arguments);
  for (const std::string& text : arguments.games)
    printer.Add(OrThrow(env::ParseGameString(text, arguments.rules), kBadUsage).game);
  if (arguments.file == "-") {
    EncodeLines(std::cin, "standard input", arguments, printer);
  } else if (!arguments.file.empty()) {
    std::ifstream in(arguments.file);
    if (!in) throw Error(fmt::format("{}: cannot open: {}", arguments.file, std::strerror(errno)));
    EncodeLines(in, arguments.file, arguments, printer);
  }
  printer.Print();
  return base::StopExitCode();
}

}  // namespace

CommandBody AddEncode(CLI::App& app) {
  constexpr int kMaxBatch = 4096;
  constexpr int kMaxRepetition = 100;
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("GAMESTRING", arguments->games, "GameStrings; a variant alone is its start");
  app.add_option("--file", arguments->file,
                 "Read GameStrings from a file instead, one a line, '#' begins a comment; - reads "
                 "standard input");
  app.add_option("--batch", arguments->batch, "Positions in one object")
      ->capture_default_str()
      ->check(CLI::Range(1, kMaxBatch));
  app.add_option("--repetition", arguments->rules.repetition,
                 "The occurrence of a position that draws, 0 = none does")
      ->capture_default_str()
      ->check(CLI::Range(0, kMaxRepetition));
  app.add_flag("--queen-first-turn", arguments->rules.queen_first_turn,
               "A player may open with the queen");
  app.add_flag("--json", arguments->json,
               "Print one JSON object a position (or batch), as the exported nets read it");
  app.add_option("--model", arguments->model,
                 "Weights file or run directory: add its outputs logits, wdl and moves_left to the "
                 "JSON");
  app.footer(
      "docs/encoding.md says what the numbers mean, docs/models.md how to feed them to nets.");
  return [arguments] { return RunEncode(*arguments); };
}

}  // namespace apiary::app
