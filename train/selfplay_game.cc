#include "train/selfplay_game.h"

#include <algorithm>
#include <array>

#include "env/notation.h"

namespace apiary::train {
namespace {

void PlayRandomOpening(const env::Rules& rules, int plies, base::RandomStream& random,
                       env::Game& game) {
  env::MoveList moves;
  do {
    game.Restart(rules);
    for (int i = 0; i < plies && !game.outcome().over(); ++i) {
      game.LegalMoves(moves);
      game.Apply(moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))]);
    }
  } while (game.outcome().over());
}

// The same position under rules without the cap, in the memory of `uncapped`.
void RemoveCap(const env::Game& game, env::Game& uncapped) {
  env::Rules rules = game.rules();
  rules.max_plies = 0;
  uncapped.Restart(rules);
  for (const env::Move move : game.moves()) uncapped.Apply(move);
}

}  // namespace

SelfplayGame::SelfplayGame(const RunConfig& config, const base::RandomStream& random)
    : config_(&config), random_(random) {
  Restart(random);
}

void SelfplayGame::Restart(const base::RandomStream& random, GameRecord memory) {
  random_ = random;
  capped_ = false;
  record_ = GameRecord();
  record_.moves = std::move(memory.moves);
  record_.positions = std::move(memory.positions);
  record_.policies = std::move(memory.policies);
  record_.moves.clear();
  record_.positions.clear();
  record_.policies.clear();
  const env::Rules rules = config_->DrawRules(random_);
  const int plies = static_cast<int>(
      random_.Below(static_cast<std::uint32_t>(config_->selfplay.opening_plies) + 1));
  // Games seldom are longer, so the record seldom grows while searches run.
  constexpr std::size_t kPlies = 256, kMovesAPosition = 48;
  game_.Reserve(kPlies);
  uncapped_.Reserve(kPlies);
  record_.moves.reserve(kPlies);
  record_.positions.reserve(kPlies);
  record_.policies.reserve(kPlies * kMovesAPosition);
  PlayRandomOpening(rules, plies, random_, game_);
  record_.rules = game_.rules();
  record_.opening_plies = plies;
  record_.moves.insert(record_.moves.end(), game_.moves().begin(), game_.moves().end());
  record_.positions.resize(record_.moves.size());
}

void SelfplayGame::BeginSearch(mcts::Search& search, int generation, nn::EvaluationCache* cache) {
  mcts::SearchOptions options = config_->FullSearch();
  full_search_ = true;
  if (capped_) {
    options.root_noise = false;  // a value is wanted, not variety
  } else if (config_->selfplay.fast_simulations > 0) {
    full_search_ = random_.Uniform() < config_->selfplay.full_share;
    if (!full_search_) options.simulations = config_->selfplay.fast_simulations;
  }
  if (static_cast<int>(record_.moves.size()) == record_.opening_plies)
    record_.first_generation = generation;
  record_.last_generation = generation;
  search.Start(capped_ ? uncapped_ : game_, options, base::RandomStream(random_.Next()), cache);
}

bool SelfplayGame::FinishSearch(const mcts::SearchResult& result) {
  if (capped_) {
    record_.cap_wdl = result.root_wdl;
    return true;
  }
  PlayMove(result);
  if (!game_.outcome().over()) return false;
  record_.outcome = game_.outcome();
  if (record_.outcome.result != env::Result::kUnfinished) return true;
  capped_ = true;
  RemoveCap(game_, uncapped_);
  return false;
}

void SelfplayGame::PlayMove(const mcts::SearchResult& result) {
  PositionRecord position;
  position.has_value = true;
  position.root_wdl = result.root_wdl;
  position.solved = result.proven != mcts::Proven::kUnknown;
  if (full_search_) {
    std::array<float, env::kMaxMoves> improved;
    std::transform(result.moves.begin(), result.moves.end(), improved.begin(),
                   [](const mcts::RootMove& move) { return move.improved; });
    record_.AddPolicy({improved.data(), result.moves.size()}, position);
  }
  const env::Move move = ChooseMove(result);
  record_.positions.push_back(position);
  record_.moves.push_back(move);
  game_.Apply(move);
}

env::Move SelfplayGame::ChooseMove(const mcts::SearchResult& result) {
  const int plies_after_opening = game_.ply() - record_.opening_plies;
  if (result.proven != mcts::Proven::kUnknown ||
      plies_after_opening >= config_->selfplay.sample_plies)
    return result.best;
  double left = random_.Uniform();
  for (const mcts::RootMove& move : result.moves) {
    left -= move.improved;
    if (left < 0) return move.move;
  }
  return result.best;  // the rounding of the sum to 1 left nothing to draw from
}

GameRecord SelfplayGame::TakeRecord() { return std::move(record_); }

std::string SelfplayGame::GameString() const { return env::ToGameString(game_); }

}  // namespace apiary::train
