#include "nn/model_export.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>

#include "base/files.h"
#include "base/random.h"
#include "nn/cpu_evaluator.h"

namespace apiary::nn {
namespace {

constexpr int kCheckedPositions = 48;
constexpr int kMostPlies = 81;
constexpr std::uint64_t kCheckSeed = 20;

env::Game RandomGame(int index) {
  base::RandomStream random(kCheckSeed, {static_cast<std::uint64_t>(index)});
  env::Rules rules;
  rules.variant = env::Variant::FromIndex(index % 8);
  env::Game game(rules);
  env::MoveList moves;
  const auto plies = static_cast<int>(random.Below(kMostPlies));
  while (game.ply() < plies && !game.outcome().over()) {
    game.LegalMoves(moves);
    game.Apply(moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))]);
  }
  return game;
}

// A finished game: its position has no moves.
env::Game FinishedGame() {
  constexpr int kLongGame = 20;  // draws or ends by its cap
  env::Rules rules;
  rules.max_plies = kLongGame;
  env::Game game(rules);
  env::MoveList moves;
  for (game.LegalMoves(moves); !moves.empty(); game.LegalMoves(moves)) game.Apply(moves[0]);
  return game;
}

double Difference(float expected, float actual) {
  const double difference =
      std::abs(double{actual} - double{expected}) / std::max(1.0, std::abs(double{expected}));
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

double Difference(std::span<const float> expected, std::span<const float> actual) {
  if (expected.size() != actual.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    largest = std::max(largest, Difference(expected[i], actual[i]));
  return largest;
}

std::span<const float> Values(const std::vector<Wdl>& wdl) {
  static_assert(sizeof(Wdl) == 3 * sizeof(float));
  return {reinterpret_cast<const float*>(wdl.data()), 3 * wdl.size()};
}

env::Block OnePosition(int index) {
  const env::Game game = RandomGame(index);
  env::Block block;
  env::MoveList moves;
  game.LegalMoves(moves);
  env::Append(game, moves, env::Symmetry(), block);
  return block;
}

// Evaluates the same positions with both nets, together and one by one.
double Compare(Evaluator& net, Evaluator& other) {
  double largest = 0;
  const auto compare = [&](const env::Block& block) {
    Evaluation expected, actual;
    net.Evaluate(block, expected);
    other.Evaluate(block, actual);
    largest = std::max(largest, LargestDifference(expected, actual));
  };
  compare(CheckPositions(kCheckedPositions));
  for (int i = 0; i < kCheckedPositions; ++i) compare(OnePosition(i));
  return largest;
}

// Removes a file unless it was renamed.
class Unchecked {
 public:
  explicit Unchecked(std::string path) : path_(std::move(path)) {}
  ~Unchecked() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Unchecked(const Unchecked&) = delete;
  Unchecked& operator=(const Unchecked&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

base::Result<double> CheckFile(const TensorFile& file, const NetSpec& spec,
                               const ExportFormat& format, const std::string& path) {
  try {
    auto reloaded = format.reload(path);
    if (!reloaded) return reloaded.failure();
    CpuEvaluator net(CpuNet(file, spec));
    return Compare(net, **reloaded);
  } catch (const Error& error) {
    return base::Fail("{}", error.what());
  }
}

}  // namespace

ExportFormat SafetensorsFormat() {
  const auto serialize = [](const TensorFile& file, const NetSpec&) -> base::Result<std::string> {
    return SerializeTensors(file);
  };
  return {kWeightsFormat, serialize,
          [](const std::string& path) { return MakeCpuEvaluator(path); }};
}

std::map<std::string, std::string> ExportMetadata(const TensorFile& file,
                                                  const std::string& format) {
  std::map<std::string, std::string> metadata = file.metadata;
  metadata["format"] = format;
  return metadata;
}

env::Block CheckPositions(int count) {
  env::Block block;
  for (int i = 0; i < count; ++i) env::AppendBlock(OnePosition(i), block);
  const env::Game finished = FinishedGame();
  for (int i = 0; i < 2; ++i) env::Append(finished, env::MoveList(), env::Symmetry(), block);
  return block;
}

double LargestDifference(const Evaluation& expected, const Evaluation& actual) {
  return std::max({Difference(expected.logits, actual.logits),
                   Difference(Values(expected.wdl), Values(actual.wdl)),
                   Difference(expected.moves_left, actual.moves_left)});
}

base::Result<ExportReport> ExportModel(const TensorFile& file, const NetSpec& spec,
                                       const ExportFormat& format, const std::string& path) {
  auto bytes = format.serialize(file, spec);
  if (!bytes) return base::Fail("{}: {}", path, bytes.error());
  const Unchecked unchecked(path + ".unchecked");
  if (auto written = base::WriteDurably(unchecked.path(), *bytes); !written)
    return written.failure();
  const auto difference = CheckFile(file, spec, format, unchecked.path());
  if (!difference)
    return base::Fail("{}: not exported: what was written cannot be used again: {}", path,
                      difference.error());
  if (!(*difference <= kExportTolerance))
    return base::Fail(
        "{}: not exported: what was written differs from the net by {:.3g}, more than {:g}; the "
        "file was removed",
        path, *difference, kExportTolerance);
  if (auto renamed = base::RenameDurably(unchecked.path(), path); !renamed)
    return renamed.failure();
  return ExportReport{bytes->size(), base::Sha256Hex(*bytes), kCheckedPositions, *difference};
}

}  // namespace apiary::nn
