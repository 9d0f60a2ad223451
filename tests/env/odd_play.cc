#include "tests/env/odd_play.h"

#include <limits>

namespace apiary::env::testing {

OddPlay::OddPlay(std::uint64_t seed) : random_(seed) {
  climb_ = random_.Below(2) * random_.Uniform() * 6;
  thin_ = random_.Below(2) * random_.Uniform() * 3;
  ability_ = random_.Below(2) * random_.Uniform() * 3;
}

Move OddPlay::Choose(const Game& game) {
  MoveList moves;
  game.LegalMoves(moves);
  // The largest score with Gumbel noise is a draw with odds of e^score.
  Move best = moves[0];
  double best_score = std::numeric_limits<double>::lowest();
  for (const Move move : moves) {
    const double end = ResultAfter(game.board(), move) == Result::kInProgress ? 0 : -1000;
    const double score = Score(game.board(), move) + random_.Gumbel() + end;
    if (score > best_score) {
      best = move;
      best_score = score;
    }
  }
  return best;
}

double OddPlay::Score(const Board& board, Move move) const {
  if (move.is_pass()) return 0;
  const PieceId piece = move.piece();
  const Cell from = board.cell(piece);
  const Cell to = move.destination();
  const bool climbs = board.height(to) > 0;
  const bool leaves_neighbor = from.valid() && board.height(from) == 1 && Adjacent(from, to);
  double score = climb_ * board.height(to);
  if (!climbs) score -= thin_ * (board.OccupiedNeighbors(to) - leaves_neighbor);
  // A stack that is taller than where the piece goes would shrink.
  if (from.valid() && board.height(from) > 1) score -= climb_ * (board.height(from) - 1);
  const bool acts = piece.type() == PieceType::kPillbug || piece.type() == PieceType::kMosquito;
  if (acts) score += ability_;
  if (!from.valid() && piece.type() == PieceType::kBeetle) score += climb_;
  if (piece.color() != board.side_to_move()) score += 2 * ability_;
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    const Cell pillbug = board.cell(PieceId::Of(color, PieceType::kPillbug, 1));
    if (pillbug.valid() && Adjacent(pillbug, to)) score += ability_ / 2;
    // Queens with room let a game go on.
    const Cell queen = board.cell(PieceId::Of(color, PieceType::kQueen, 1));
    if (queen.valid() && !climbs && Adjacent(queen, to)) score -= 1;
  }
  return score;
}

}  // namespace apiary::env::testing
