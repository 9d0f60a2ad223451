#include "mcts/proven.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace apiary::mcts {

Proven Flip(Proven proven) {
  if (proven == Proven::kWin) return Proven::kLoss;
  if (proven == Proven::kLoss) return Proven::kWin;
  return proven;
}

nn::Wdl ExactWdl(Proven proven) {
  APIARY_CHECK(proven != Proven::kUnknown, "the exact value of an unproven position was asked for");
  return {.win = proven == Proven::kWin ? 1.0F : 0.0F,
          .draw = proven == Proven::kDraw ? 1.0F : 0.0F,
          .loss = proven == Proven::kLoss ? 1.0F : 0.0F};
}

Proven FromResult(env::Result result, env::Color side) {
  if (result == env::Result::kDraw) return Proven::kDraw;
  if (result != env::Result::kWhiteWins && result != env::Result::kBlackWins)
    return Proven::kUnknown;
  const env::Color winner =
      result == env::Result::kWhiteWins ? env::Color::kWhite : env::Color::kBlack;
  return winner == side ? Proven::kWin : Proven::kLoss;
}

namespace {

template <typename T, typename Get>
Proven BestOfMoves(std::span<const T> moves, Get get) {
  bool unknown = false;
  bool draw = false;
  for (const T& move : moves) {
    const Proven proven = get(move);
    if (proven == Proven::kWin) return Proven::kWin;
    unknown |= proven == Proven::kUnknown;
    draw |= proven == Proven::kDraw;
  }
  if (unknown) return Proven::kUnknown;
  return draw ? Proven::kDraw : Proven::kLoss;
}

}  // namespace

Proven BestOf(std::span<const Proven> moves) {
  return BestOfMoves(moves, [](Proven proven) { return proven; });
}
Proven BestOf(std::span<const Edge> edges) {
  return BestOfMoves(edges, [](const Edge& edge) { return edge.proven; });
}

Proven MarkImmediateEnds(const env::Board& board, std::span<const env::Move> moves,
                         std::span<Proven> proven) {
  const env::Color side = board.side_to_move();
  // A turn adds one piece next to a queen at most, unless the queen herself is thrown into a hole.
  const bool nearly_surrounded = std::max(board.QueenNeighbors(env::Color::kWhite),
                                          board.QueenNeighbors(env::Color::kBlack)) >= 5;
  if (!nearly_surrounded && !board.rules().variant.pillbug) {
    std::fill(proven.begin(), proven.end(), Proven::kUnknown);
    return Proven::kUnknown;
  }
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const bool queen_moves =
        !moves[i].is_pass() && moves[i].piece().type() == env::PieceType::kQueen;
    proven[i] = nearly_surrounded || queen_moves
                    ? FromResult(env::ResultAfter(board, moves[i]), side)
                    : Proven::kUnknown;
  }
  return BestOf(std::span<const Proven>(proven));
}

Proven PropagateProof(std::span<const EdgeId> path, Tree& tree) {
  for (std::size_t i = path.size() - 1; i > 0; --i) {
    Edge& into = tree.edge(path[i - 1]);
    const Proven proven = BestOf(std::as_const(tree).edges(into.child));
    if (proven == Proven::kUnknown) return Proven::kUnknown;
    into.proven = Flip(proven);
  }
  return BestOf(std::as_const(tree).edges(kRoot));
}

}  // namespace apiary::mcts
