#include "play/player.h"

namespace apiary::play {
namespace {

env::Result WinOf(env::Color color) {
  return color == env::Color::kWhite ? env::Result::kWhiteWins : env::Result::kBlackWins;
}

// crowd's order of preference: wins above everything, losses below everything, else the difference
// of queen neighbours.
int CrowdScore(env::Board& board, env::Move move) {
  constexpr int kDecided = 100;
  const env::Color own = board.side_to_move();
  const env::Color enemy = env::Opponent(own);
  const env::Undo undo = board.Apply(move);
  const env::Result result = board.SurroundOutcome().result;
  int score = board.QueenNeighbors(enemy) - board.QueenNeighbors(own);
  if (result == WinOf(own)) score = kDecided;
  if (result == WinOf(enemy)) score = -kDecided;
  board.Undo(undo);
  return score;
}

}  // namespace

env::Move ChooseRandom(const env::MoveList& moves, base::RandomStream& random) {
  return moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))];
}

env::Move ChooseCrowd(const env::Board& board, const env::MoveList& moves,
                      base::RandomStream& random) {
  env::Board after = board;
  env::Move best = moves[0];
  int best_score = 0;
  std::uint32_t ties = 0;
  for (const env::Move move : moves) {
    const int score = CrowdScore(after, move);
    if (ties == 0 || score > best_score) {
      best = move;
      best_score = score;
      ties = 1;
    } else if (score == best_score &&
               random.Below(++ties) == 0) {  // reservoir sampling among the best
      best = move;
    }
  }
  return best;
}

}  // namespace apiary::play
