#include "tests/process/tiny_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/metrics.h"
#include "nn/weights.h"
#include "tests/app/program.h"
#include "train/checkpoint.h"
#include "train/game_file.h"
#include "train/game_store.h"
#include "train/run_config.h"

namespace apiary::process {
namespace {

namespace fs = std::filesystem;

std::string Sha256Of(const std::string& path) {
  const auto bytes = base::ReadFile(path);
  EXPECT_TRUE(bytes.ok()) << bytes.error();
  return bytes.ok() ? base::Sha256Hex(*bytes) : "";
}

void ReadWeights(const std::string& run, RunState& state) {
  state.generation = nn::HighestGeneration(run);
  for (int generation = 1; generation <= state.generation; ++generation) {
    const std::string path = nn::WeightsPath(run, generation);
    const auto file = nn::ReadTensors(path, nn::kWeightsFormat);
    EXPECT_TRUE(file.ok()) << file.error();
    state.weights[fs::path(path).filename()] = Sha256Of(path);
  }
  const auto latest = nn::ReadLatest(run, 0);
  EXPECT_TRUE(latest.ok()) << latest.error();
  // A kill may come between a weights file and LATEST.
  if (latest.ok() && latest->has_value()) {
    EXPECT_LE((*latest)->generation, state.generation);
    EXPECT_GE((*latest)->generation, state.generation - 1);
  }
}

struct FileCounts {
  std::int64_t games = 0;
  std::int64_t trainable = 0;
};

std::vector<std::uint16_t> MovesOf(const train::GameRecord& game) {
  std::vector<std::uint16_t> moves;
  for (const env::Move move : game.moves) moves.push_back(move.bits());
  return moves;
}

std::map<std::string, FileCounts> ReadGames(const std::string& run, RunState& state) {
  std::map<std::string, FileCounts> counts;
  std::set<std::vector<std::uint16_t>> played;
  const auto listing = train::ListGames(run);
  EXPECT_TRUE(listing.ok()) << listing.error();
  EXPECT_EQ(listing->foreign, 0);
  for (const train::GameFileName& file : listing->files) {
    const auto games = train::ReadGameFile(file.path);
    EXPECT_TRUE(games.ok()) << games.error();
    if (!games.ok()) continue;
    state.games[file.key] = Sha256Of(file.path);
    FileCounts& count = counts[file.key];
    for (const train::GameRecord& game : *games) {
      ++count.games;
      count.trainable += train::TrainablePositions(game);
      if (game.first_generation > 0) ++state.selfplay_games;
      EXPECT_TRUE(played.insert(MovesOf(game)).second) << file.path << ": a game was played twice";
    }
  }
  return counts;
}

void ReadLearner(const std::string& run, const std::map<std::string, FileCounts>& files,
                 RunState& state) {
  const auto config = train::LoadConfig(run + "/config.toml", {});
  ASSERT_TRUE(config.ok()) << config.error();
  const auto read = train::ReadCheckpoint(run);
  ASSERT_TRUE(read.ok()) << read.error();
  if (!read->has_value()) return;
  const train::Checkpoint& checkpoint = **read;
  state.step = checkpoint.state.step;
  state.samples = checkpoint.state.samples;
  state.games_seen = checkpoint.state.games_seen;
  state.wall_s = checkpoint.state.wall_s;

  std::int64_t uses = 0;
  std::multiset<std::string> keys(checkpoint.state.consumed.begin(),
                                  checkpoint.state.consumed.end());
  for (const auto& entry : checkpoint.window) {
    keys.insert(entry.key);
    for (const std::uint8_t used : entry.uses) {
      EXPECT_LE(used, config->learn.max_uses) << entry.key;
      uses += used;
    }
  }
  EXPECT_TRUE(checkpoint.state.consumed.empty());  // the window of these runs holds everything
  EXPECT_EQ(uses, state.samples);
  FileCounts sum;
  for (const std::string& key : keys) {
    EXPECT_EQ(keys.count(key), 1U) << key;
    const auto found = files.find(key);
    ASSERT_NE(found, files.end()) << key << ": read, and lost since";
    sum.games += found->second.games;
    sum.trainable += found->second.trainable;
  }
  EXPECT_EQ(sum.games, state.games_seen);
  EXPECT_EQ(sum.trainable, checkpoint.state.positions_seen);
}

void ReadMetrics(const std::string& run) {
  if (!fs::exists(run + "/metrics.jsonl")) return;
  const auto metrics = base::ReadMetrics(run + "/metrics.jsonl");
  ASSERT_TRUE(metrics.ok()) << metrics.error();
  double generation = 0;
  double step = -1;
  for (const auto& line : metrics->lines) {
    EXPECT_GT(line.at("generation"), generation);
    EXPECT_GE(line.at("step"), step);
    generation = line.at("generation");
    step = line.at("step");
  }
}

// All of `before` is in `after`, unchanged.
void ExpectKept(const std::map<std::string, std::string>& before,
                const std::map<std::string, std::string>& after) {
  for (const auto& [name, sha256] : before) {
    const auto found = after.find(name);
    ASSERT_NE(found, after.end()) << name << " is lost";
    EXPECT_EQ(found->second, sha256) << name << " was changed";
  }
}

}  // namespace

std::vector<std::string> TinyRun(const std::string& command, const std::string& run,
                                 const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {command, "--run",     run, "--config",
                                        "smoke", "--threads", "1"};
  for (const char* setting :
       {"net.channels=8", "net.blocks=1", "rules.max_plies=40", "selfplay.simulations=4",
        "selfplay.games_per_thread=4", "selfplay.gen0_games=60", "learn.batch=32",
        "learn.min_positions=300", "learn.publish_steps=2", "learn.window_min=1000000",
        "store.positions_per_file=200", "store.seconds_per_file=0.2", "eval.every=0",
        "eval.final_games=0", "budget.minutes=0", "io.full_timeout_s=0"}) {
    arguments.emplace_back("--set");
    arguments.emplace_back(setting);
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

void TrainTinyRun(const std::string& run, int generations) {
  const app::ProgramResult result =
      app::RunProgram(TinyRun("train", run, {"--generations", std::to_string(generations)}));
  ASSERT_EQ(result.code, 0) << result.err;
}

RunState ReadIntactRun(const std::string& run) {
  RunState state;
  ReadWeights(run, state);
  ReadLearner(run, ReadGames(run, state), state);
  ReadMetrics(run);
  return state;
}

void ExpectGrown(const RunState& before, const RunState& after) {
  ExpectKept(before.weights, after.weights);
  ExpectKept(before.games, after.games);
  EXPECT_GE(after.generation, before.generation);
  EXPECT_GE(after.step, before.step);
  EXPECT_GE(after.samples, before.samples);
  EXPECT_GE(after.games_seen, before.games_seen);
  EXPECT_GE(after.wall_s, before.wall_s);
}

}  // namespace apiary::process
