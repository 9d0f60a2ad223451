#include "tests/train/sample_games.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/random.h"
#include "env/game.h"
#include "env/notation.h"

namespace apiary::train {
namespace {

PositionRecord SamplePosition(int legal_moves, base::RandomStream& random, GameRecord& record) {
  PositionRecord position;
  position.has_value = true;
  position.root_wdl = RestoreWdl({static_cast<std::uint16_t>(random.Below(30000)),
                                  static_cast<std::uint16_t>(random.Below(30000))});
  position.solved = random.Below(8) == 0;
  if (random.Below(4) == 0) return position;
  std::vector<float> policy;
  float sum = 0;
  for (int i = 0; i < legal_moves; ++i) {
    policy.push_back(static_cast<float>(std::pow(random.Uniform(), 8)) + 1e-6f);
    sum += policy.back();
  }
  for (float& p : policy) p /= sum;
  record.AddPolicy(policy, position);
  return position;
}

}  // namespace

GameRecord SampleGame(const env::Rules& rules, int opening_plies, std::uint64_t seed) {
  base::RandomStream random(seed);
  env::Game game(rules);
  GameRecord record;
  record.rules = rules;
  record.opening_plies = opening_plies;
  record.first_generation = 3;
  record.last_generation = 4;
  env::MoveList moves;
  while (!game.outcome().over()) {
    game.LegalMoves(moves);
    const bool opening = game.ply() < opening_plies;
    record.positions.push_back(opening ? PositionRecord{}
                                       : SamplePosition(moves.size(), random, record));
    record.moves.push_back(
        moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))]);
    game.Apply(record.moves.back());
  }
  record.outcome = game.outcome();
  if (record.outcome.result == env::Result::kUnfinished)
    record.cap_wdl = RestoreWdl({20000, 10000});
  return record;
}

TestDirectory::TestDirectory() {
  std::string pattern = testing::TempDir() + "/apiary_XXXXXX";
  path_ = ::mkdtemp(pattern.data());
}

TestDirectory::~TestDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace apiary::train
