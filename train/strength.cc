#include "train/strength.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "base/files.h"
#include "nn/weights.h"
#include "play/match.h"

namespace apiary::train {
namespace {

constexpr int kMatchMaxPlies = 400;

// `games`: of all the run's variants, which share them.
play::MatchOptions MatchFor(const RunConfig& config, env::Variant variant, int games, int threads) {
  const auto pairs_of_all = static_cast<int>(2 * config.Variants().size());
  play::MatchOptions options;
  options.rules = config.Rules(variant);
  options.rules.max_plies = kMatchMaxPlies;
  options.games = 2 * ((games + pairs_of_all - 1) / pairs_of_all);
  options.threads = threads;
  options.seed = config.seed;
  return options;
}

play::PlayerSpec ParseOrThrow(const std::string& text, int simulations) {
  auto spec = play::ParsePlayer(text, simulations);
  if (!spec) throw Error(spec.error());
  return *std::move(spec);
}

play::MatchResult PlayOrThrow(const play::PlayerSpec& a, const play::PlayerSpec& b,
                              const nn::EvaluatorFactory& evaluators,
                              const play::MatchOptions& options, const base::StopToken& stop) {
  auto result = play::PlayMatch(a, b, evaluators, options, nullptr, stop);
  if (!result) throw Error(result.error());
  return *std::move(result);
}

// A's mean score over the run's variants.
double MeanScore(const play::PlayerSpec& a, const std::string& b,
                 const nn::EvaluatorFactory& evaluators, const RunConfig& config,
                 const base::StopToken& stop) {
  const std::vector<env::Variant> variants = config.Variants();
  double sum = 0;
  for (const env::Variant variant : variants)
    sum += PlayOrThrow(a, ParseOrThrow(b, 0), evaluators,
                       MatchFor(config, variant, config.eval.games, 1), stop)
               .score();
  return sum / static_cast<double>(variants.size());
}

struct Opponent {
  std::string name;  // in the table
  std::string text;  // the player
};

FinalRow RowOf(const std::string& opponent, const play::MatchResult& result) {
  const play::Estimate estimate = play::EstimateMatch(result);
  return {opponent,         result.games,   result.wins,        result.draws,        result.losses,
          result.capped,    estimate.score, estimate.score_low, estimate.score_high, estimate.elo,
          result.mean_plies};
}

void WriteFinalJson(const std::string& run, const std::string& player,
                    const std::vector<FinalRow>& rows) {
  nlohmann::json json = {{"format", "apiary-final-1"}, {"player", player}};
  for (const FinalRow& row : rows)
    json["rows"].push_back({{"opponent", row.opponent},
                            {"games", row.games},
                            {"wins", row.wins},
                            {"draws", row.draws},
                            {"losses", row.losses},
                            {"capped", row.capped},
                            {"score", row.score},
                            {"score_low", row.score_low},
                            {"score_high", row.score_high},
                            {"plies", row.mean_plies}});
  const auto written = base::WriteDurably(run + "/final.json", json.dump(1) + "\n");
  if (!written) throw Error(written.error());
}

}  // namespace

StrengthMeter::StrengthMeter(std::string run, const RunConfig& config,
                             nn::EvaluatorFactory evaluators)
    : run_(std::move(run)), config_(config), evaluators_(std::move(evaluators)) {}

void StrengthMeter::Run(const base::StopToken& stop) {
  if (config_.eval.every == 0) return;
  int next = 1;
  while (!stop.requested()) {
    const int generation = nn::HighestGeneration(run_);
    if (generation >= next) {
      const std::string path = nn::WeightsPath(run_, generation);
      Measure(path, generation, stop);
      next = generation + config_.eval.every;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

void StrengthMeter::Measure(const std::string& weights, int generation,
                            const base::StopToken& stop) {
  const play::PlayerSpec player = ParseOrThrow(weights, config_.eval.simulations);
  Strength strength{generation, 0, 0};
  strength.against_random = MeanScore(player, "random", evaluators_, config_, stop);
  if (stop.requested()) return;
  strength.against_crowd = MeanScore(player, "crowd", evaluators_, config_, stop);
  if (stop.requested()) return;
  const std::lock_guard lock(mutex_);
  last_ = strength;
  untaken_.push_back(strength);
}

std::optional<Strength> StrengthMeter::Last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

std::vector<Strength> StrengthMeter::TakeNew() {
  const std::lock_guard lock(mutex_);
  return std::exchange(untaken_, {});
}

std::vector<FinalRow> PlayFinalTable(const std::string& run, const RunConfig& config, int threads,
                                     const nn::EvaluatorFactory& evaluators,
                                     const base::StopToken& stop) {
  const int generation = nn::HighestGeneration(run);
  if (generation == 0) throw Error(run + ": no weights were published, so there is no final table");
  const play::PlayerSpec player =
      ParseOrThrow(nn::WeightsPath(run, generation), config.eval.simulations);
  std::vector<Opponent> opponents = {{"random", "random"}, {"crowd", "crowd"}, {"gen0", "gen0"}};
  if (generation > 1) opponents.push_back({"generation 1", nn::WeightsPath(run, 1)});

  const std::vector<env::Variant> variants = config.Variants();
  std::vector<FinalRow> rows;
  for (const auto& [name, text] : opponents) {
    const play::PlayerSpec other = ParseOrThrow(text, config.eval.simulations);
    for (const env::Variant variant : variants) {
      const std::string opponent =
          variants.size() == 1 ? name : name + ", " + env::ToString(variant);
      const play::MatchOptions options =
          MatchFor(config, variant, config.eval.final_games, threads);
      spdlog::info("final table: generation {} against {}, {} games", generation, opponent,
                   options.games);
      const play::MatchResult result = PlayOrThrow(player, other, evaluators, options, stop);
      if (stop.requested()) return rows;
      rows.push_back(RowOf(opponent, result));
    }
  }
  WriteFinalJson(run, player.text, rows);
  return rows;
}

std::string FormatFinalTable(const std::string& player, const std::vector<FinalRow>& rows) {
  std::string text =
      fmt::format("{}\n{:<22} {:>6} {:>6} {:>6} {:>7} {:>7} {:>8}  {}\n", player, "against",
                  "games", "wins", "draws", "losses", "capped", "score", "95 % interval");
  for (const FinalRow& row : rows)
    text += fmt::format("{:<22} {:>6} {:>6} {:>6} {:>7} {:>7} {:>7.1f}%  {:.1f} .. {:.1f} %\n",
                        row.opponent, row.games, row.wins, row.draws, row.losses, row.capped,
                        100 * row.score, 100 * row.score_low, 100 * row.score_high);
  return text;
}

}  // namespace apiary::train
