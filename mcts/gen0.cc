#include "mcts/gen0.h"

#include <array>

namespace apiary::mcts {
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

}  // namespace

bool Gen0Policy(const env::Board& board, const env::MoveList& moves, std::span<float> policy) {
  const bool win = env::FindWinInOne(board, moves) >= 0;
  const env::Result won = board.side_to_move() == env::Color::kWhite ? env::Result::kWhiteWins
                                                                     : env::Result::kBlackWins;
  float total = 0;
  for (int i = 0; i < moves.size(); ++i) {
    float& weight = policy[static_cast<std::size_t>(i)];
    if (win) {
      weight = env::ResultAfter(board, moves[i]) == won ? 1.0F : 0.0F;
    } else {
      const auto neighbors = static_cast<float>(NeighborsAfterLifting(board, moves[i]));
      weight = neighbors * neighbors;
    }
    total += weight;
  }
  for (float& weight : policy)
    weight = total > 0 ? weight / total : 1.0F / static_cast<float>(moves.size());
  return win;
}

Gen0Choice ChooseGen0(const env::Board& board, const env::MoveList& moves,
                      base::RandomStream& random) {
  std::array<float, env::kMaxMoves> buffer;
  const std::span<float> policy(buffer.data(), static_cast<std::size_t>(moves.size()));
  const bool win = Gen0Policy(board, moves, policy);
  double ticket = random.Uniform();
  int last = 0;  // rounding may leave a little of the ticket: it belongs to the last possible move
  for (int i = 0; i < moves.size(); ++i) {
    const float probability = policy[static_cast<std::size_t>(i)];
    if (probability == 0) continue;
    last = i;
    if ((ticket -= probability) < 0) break;
  }
  return {moves[last], win};
}

}  // namespace apiary::mcts
