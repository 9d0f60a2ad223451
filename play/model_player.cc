#include "play/model_player.h"

#include <cmath>

namespace apiary::play {

mcts::SearchOptions PlaySearchOptions(int simulations) {
  constexpr int kPuctFrom = 400;
  mcts::SearchOptions options;
  options.simulations = simulations;
  options.root_noise = false;
  options.c_puct = 0.8;
  if (simulations < kPuctFrom) return options;
  options.root = mcts::RootRule::kPuct;
  options.interior = mcts::InteriorRule::kPuct;
  return options;
}

env::Move PickMove(const mcts::SearchResult& result, double temperature,
                   base::RandomStream& random) {
  if (temperature <= 0 || result.proven != mcts::Proven::kUnknown) return result.best;
  // Relative to the largest, so that a small temperature does not underflow to nothing.
  double largest = 0;
  for (const mcts::RootMove& move : result.moves)
    largest = std::max(largest, double{move.improved});
  std::vector<double> weights;
  double total = 0;
  for (const mcts::RootMove& move : result.moves) {
    weights.push_back(std::pow(move.improved / largest, 1 / temperature));
    total += weights.back();
  }
  double ticket = random.Uniform() * total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ticket -= weights[i];
    if (ticket < 0) return result.moves[i].move;
  }
  return result.best;  // rounding left a crumb of the ticket
}

ModelPlayer::ModelPlayer(std::unique_ptr<nn::Evaluator> evaluator, std::string name,
                         const mcts::SearchOptions& options, double temperature)
    : evaluator_(std::move(evaluator)),
      name_(std::move(name)),
      options_(options),
      temperature_(temperature) {}

void ModelPlayer::ChooseMoves(std::span<const env::Game* const> games,
                              std::span<base::RandomStream> streams, std::span<env::Move> moves) {
  if (searches_.size() < games.size()) searches_.resize(games.size());
  first_.assign(games.size(), -1);
  for (std::size_t i = 0; i < games.size(); ++i)
    searches_[i].Start(*games[i], options_, streams[i]);
  while (RunWave(games.size())) {
  }
  for (std::size_t i = 0; i < games.size(); ++i)
    moves[i] = PickMove(searches_[i].result(), temperature_, streams[i]);
}

bool ModelPlayer::RunWave(std::size_t count) {
  block_.Clear();
  bool open = false;
  for (std::size_t i = 0; i < count; ++i) {
    first_[i] = -1;
    if (searches_[i].done()) continue;
    first_[i] = block_.positions();
    searches_[i].SelectWave(block_);
    open = true;
  }
  if (block_.positions() > 0) evaluator_->Evaluate(block_, evaluation_);
  for (std::size_t i = 0; i < count; ++i) {
    if (first_[i] >= 0) searches_[i].BackupWave(evaluation_, first_[i]);
  }
  return open;
}

}  // namespace apiary::play
