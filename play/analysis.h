// What a finished search tells a person: its best moves, each with the line it expects. Pure
// functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/game.h"
#include "mcts/search.h"
#include "mcts/tree.h"
#include "nn/evaluator.h"

namespace apiary::play {

// A move of the position that was searched. Values are of its side to move.
struct AnalysisLine {
  std::vector<env::Move> moves;  // the move and what is expected to follow
  std::optional<nn::Wdl> wdl;    // exact if proven; none if the search has not been there
  mcts::Proven proven = mcts::Proven::kUnknown;
  std::uint32_t visits = 0;
  double share = 0;  // of the visits of all moves, [0, 1]
  float prior = 0;   // of the net, [0, 1]
};

// The best `count` moves, the one to play first, then those proven to win, then by visits and
// prior; those proven to lose last. A line ends where the search ends, at the end of the game or
// after `most_plies`. `tree` and `result` are of one search, of few enough simulations to have a
// root with an edge a move.
std::vector<AnalysisLine> BestLines(const mcts::Tree& tree, const mcts::SearchResult& result,
                                    int count, int most_plies = 12);

// The moves of a line in UHP notation. Precondition: they are legal, one after the other.
std::vector<std::string> LineToStrings(const env::Game& game, const std::vector<env::Move>& moves);

}  // namespace apiary::play
