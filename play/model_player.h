// The player with a net: one search a game, the leaves of all games evaluated together. Root noise
// is off. Lives on one thread; keeps its search trees' memory between calls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mcts/search.h"
#include "play/player.h"

namespace apiary::play {

// Search settings for play with so many simulations, as matches of docs/search.md chose them:
// Gumbel root with sequential halving below 400, PUCT throughout from there on.
mcts::SearchOptions PlaySearchOptions(int simulations);

// The move to play: the search's best at temperature 0 or in a solved root, else drawn from
// improved policy^(1/temperature).
env::Move PickMove(const mcts::SearchResult& result, double temperature,
                   base::RandomStream& random);

class ModelPlayer : public Player {
 public:
  ModelPlayer(std::unique_ptr<nn::Evaluator> evaluator, std::string name,
              const mcts::SearchOptions& options, double temperature);
  void ChooseMoves(std::span<const env::Game* const> games, std::span<base::RandomStream> streams,
                   std::span<env::Move> moves) override;
  std::string name() const override { return name_; }

 private:
  // One wave of every unfinished search among the first `count`; false once all are done.
  bool RunWave(std::size_t count);

  std::unique_ptr<nn::Evaluator> evaluator_;
  std::string name_;
  mcts::SearchOptions options_;
  double temperature_;
  std::vector<mcts::Search> searches_;
  std::vector<int> first_;  // of each search's open wave in the block; -1: none
  env::Block block_;
  nn::Evaluation evaluation_;
};

}  // namespace apiary::play
