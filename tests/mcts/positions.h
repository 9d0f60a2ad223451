// Positions, evaluators and readings of trees for the tests of the search.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "env/game.h"
#include "mcts/search.h"
#include "mcts/tree.h"
#include "nn/fake_evaluator.h"

namespace apiary::mcts::testing {

// Replays a GameString under the default rules except for the repetition draw; fails the test if it
// does not parse.
env::Game Replay(std::string_view game_string, int repetition = 0, int max_plies = 0);

// The positions of one kind in tests/data/mcts/positions.tsv; fails the test if there are none.
std::vector<env::Game> StoredPositions(std::string_view kind);

// Positions of random games in which pieces are drawn to the enemy queen, so that decisive ones are
// common; one a game at most, the first after `min_ply` that `wanted` accepts. Deterministic in
// `seed`.
std::vector<env::Game> RandomPositions(const env::Rules& rules, std::size_t count,
                                       std::uint64_t seed, int min_ply,
                                       const std::function<bool(const env::Game&)>& wanted);

// What full-width search by nothing but Game::Apply proves within `depth` plies, for the side to
// move. A position that ended counts at depth 0.
Proven Solve(env::Game& game, int depth);
// The same, faster: the last ply is tried only where it can end the game. It adds one neighbour to
// a queen at most, unless the queen herself moves.
Proven SolveQuickly(env::Game& game, int depth);

// The same logits for a move wherever it is, the same value everywhere.
class ConstantEvaluator : public nn::Evaluator {
 public:
  ConstantEvaluator(std::vector<float> logits, nn::Wdl wdl)
      : logits_(std::move(logits)), wdl_(wdl) {}
  void Submit(const env::Block& block, nn::Evaluation& evaluation) override;
  void Wait(nn::Evaluation&) override {}
  std::string Describe() const override { return "constant"; }

 private:
  std::vector<float> logits_;  // of the position's moves in order, repeated
  nn::Wdl wdl_;
};

// Ends a search with waves of at most `max_simulations`.
SearchResult Finish(Search& search, nn::Evaluator& evaluator, int max_simulations);

// The whole tree, values bit by bit, as text.
std::string Dump(const Tree& tree);
// The root's moves that were visited or proven, one a line: move, visits, proven, q to three
// places.
std::string Summary(const env::Game& game, const SearchResult& result);

}  // namespace apiary::mcts::testing
