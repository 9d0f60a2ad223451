#include <array>

#include "play/player.h"

namespace apiary::play {
namespace {

// Occupied neighbours of the destination with the mover lifted; a pass has none.
int NeighborsAfterLifting(const env::Board& board, env::Move move) {
  if (move.is_pass()) return 0;
  int neighbors = board.OccupiedNeighbors(move.destination());
  const env::Cell source = board.cell(move.piece());
  // A piece that leaves the ground empties its cell; on a stack the one beneath stays.
  const bool empties_source = source.valid() && board.height(source) == 1;
  if (empties_source && env::Adjacent(source, move.destination())) --neighbors;
  return neighbors;
}

env::Result WinOf(env::Color color) {
  return color == env::Color::kWhite ? env::Result::kWhiteWins : env::Result::kBlackWins;
}

// crowd's order of preference: wins above everything, losses below everything, else the difference of queen neighbours.
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

Gen0Choice ChooseGen0(const env::Board& board, const env::MoveList& moves, base::RandomStream& random) {
  if (const int win = env::FindWinInOne(board, moves); win >= 0) return {moves[win], true};
  std::array<std::uint32_t, env::kMaxMoves> weights;
  std::uint32_t total = 0;
  for (int i = 0; i < moves.size(); ++i) {
    const auto neighbors = static_cast<std::uint32_t>(NeighborsAfterLifting(board, moves[i]));
    weights[static_cast<std::size_t>(i)] = neighbors * neighbors;
    total += neighbors * neighbors;
  }
  if (total == 0) return {ChooseRandom(moves, random), false};
  std::uint32_t ticket = random.Below(total);
  int i = 0;
  while (ticket >= weights[static_cast<std::size_t>(i)]) ticket -= weights[static_cast<std::size_t>(i++)];
  return {moves[i], false};
}

env::Move ChooseCrowd(const env::Board& board, const env::MoveList& moves, base::RandomStream& random) {
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
    } else if (score == best_score && random.Below(++ties) == 0) {  // reservoir sampling among the best
      best = move;
    }
  }
  return best;
}

}  // namespace apiary::play
