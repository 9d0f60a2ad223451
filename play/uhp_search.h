// How the UHP engine and timed players think: so many simulations, or as many as fit into a time.
// Without a net it plays `crowd`. Lives on one thread.
#pragma once

#include <memory>

#include "base/random.h"
#include "env/game.h"
#include "mcts/search.h"
#include "nn/evaluator.h"

namespace apiary::play {

class UhpSearch {
 public:
  // evaluator: may be null.
  UhpSearch(std::unique_ptr<nn::Evaluator> evaluator, std::uint64_t seed);

  // The next searches draw from this seed.
  void Reseed(std::uint64_t seed);
  bool has_net() const { return evaluator_ != nullptr; }
  // Precondition of both: the game is not over.
  env::Move WithSimulations(const env::Game& game, int simulations, double temperature);
  // Never later than `seconds` after the call, as far as one evaluation and the machine allow:
  // searches of growing size, the last one to end in time decides.
  env::Move InTime(const env::Game& game, double seconds, double temperature);

 private:
  base::RandomStream NextStream();
  env::Move WithoutNet(const env::Game& game);
  // Null if the deadline, in seconds of a steady clock, passed before the search was done.
  const mcts::SearchResult* Run(const env::Game& game, int simulations, double deadline_s);

  std::unique_ptr<nn::Evaluator> evaluator_;
  std::uint64_t seed_;
  std::uint64_t searches_made_ = 0;
  mcts::Search search_;
  env::Block block_;
  nn::Evaluation evaluation_;
};

}  // namespace apiary::play
