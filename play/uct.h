// UCT (Kocsis and Szepesvari 2006) with uniform playouts: the fixed player `mcts:N`. No net, no
// knowledge but the rules. Lives on one thread; keeps its memory between searches, so that a
// playout allocates nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "env/game.h"

namespace apiary::play {

inline constexpr double kUctExploration = 1.4;  // c of UCB1, scores in [0, 1]
inline constexpr int kPlayoutPlies = 200;       // further plies; then the playout counts 1/2
inline constexpr int kMaxPlayouts = 1'000'000;  // 16 bytes a move of each position expanded

struct UctResult {
  env::Move best;    // the most visits, then the higher score, then the draw of `random`
  double value = 0;  // of the side to move in [0, 1]: the score of the best move
};

class Uct {
 public:
  // `playouts` of them, at least 1. A position's moves are first tried once each, in random order.
  // Repetition and the length cap are seen in the tree, where they count 1/2, not in playouts.
  // Precondition: the game is not over.
  UctResult Search(const env::Game& game, int playouts, base::RandomStream& random);

 private:
  // One move and the position after it. The moves of a position lie together.
  struct Node {
    std::uint32_t visits = 0;
    std::uint32_t half_points = 0;  // of who made the move: 2 a win, 1 a draw
    std::uint32_t first_child = 0;
    std::uint16_t children = 0;  // 0: not expanded
    env::Move move;
  };
  static_assert(sizeof(Node) == 16);

  void Expand(std::size_t node, const env::Game& game, base::RandomStream& random);
  std::size_t Select(const Node& parent) const;
  // Of White: 0, 1 or 2.
  std::uint32_t Playout(const env::Board& start, base::RandomStream& random);

  std::vector<Node> nodes_;  // the root comes first
  std::vector<std::size_t> path_;
  env::MoveList moves_;
};

}  // namespace apiary::play
