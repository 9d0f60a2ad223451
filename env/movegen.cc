#include "env/movegen.h"

#include <algorithm>
#include <bit>

#include "env/steps.h"

namespace apiary::env {
namespace {

constexpr int kQueenDeadlineTurns =
    3;  // turns that a colour may take before its queen must be on the board

PieceId Queen(Color color) { return PieceId::Of(color, PieceType::kQueen, 1); }

// Cells where `color` may place: rules.md, section 3.
CellSet PlacementCells(const Board& board, Color color) {
  CellSet cells;
  if (board.pieces_on_board() == 0) {
    cells.Add(kOrigin);
    return cells;
  }
  const bool touch_enemy = board.pieces_on_board() == 1;
  CellSet taken = board.occupied();
  board.occupied().ForEach([&](Cell cell) {
    const bool own = board.top(cell).color() == color;
    CellSet& around = own || touch_enemy ? cells : taken;
    for (int d = 0; d < kNumDirections; ++d) around.Add(Neighbor(cell, d));
  });
  cells -= taken;
  return cells;
}

void AddPlacements(const Board& board, Color color, MoveList& moves) {
  const int turns = board.turns_taken(color);
  const bool queen_in_hand = board.in_hand(Queen(color));
  const bool only_queen = queen_in_hand && turns >= kQueenDeadlineTurns;
  const bool no_queen = turns == 0 && !board.rules().queen_first_turn;
  const CellSet cells = PlacementCells(board, color);
  for (int t = 0; t < kNumPieceTypes; ++t) {
    const auto type = static_cast<PieceType>(t);
    const PieceId piece = board.next_in_hand(color, type);
    if (!piece.valid()) continue;
    if (type == PieceType::kQueen ? no_queen : only_queen) continue;
    cells.ForEach([&](Cell cell) { moves.push_back(Move(piece, cell)); });
  }
}

// The pillbug's ability (rules.md, section 5): at most the pillbug and the mosquito can use it.
struct Thrower {
  std::uint32_t targets = 0;  // pieces it may lift, by index
  CellSet destinations;
};
struct Throws {
  int count = 0;
  std::array<Thrower, 2> throwers;
  std::uint32_t targets = 0;  // of any thrower
};

bool TouchesPillbug(const Board& board, Cell cell) {
  for (unsigned mask = board.neighbor_mask(cell); mask != 0; mask &= mask - 1) {
    const Cell neighbor = Neighbor(cell, std::countr_zero(mask));
    if (board.top(neighbor).type() == PieceType::kPillbug) return true;
  }
  return false;
}

void AddThrower(const Board& board, PieceId piece, std::uint32_t movable, Throws& throws) {
  const Cell cell = board.cell(piece);
  if (!cell.valid() || board.height(cell) != 1 || (movable >> piece.index() & 1) == 0) return;
  if (piece.type() == PieceType::kMosquito && !TouchesPillbug(board, cell)) return;
  Thrower& thrower = throws.throwers[static_cast<std::size_t>(throws.count++)];
  for (int d = 0; d < kNumDirections; ++d) {
    if (!GateOpen(board, cell, d, 1)) continue;
    const Cell neighbor = Neighbor(cell, d);
    if (board.height(neighbor) == 0) thrower.destinations.Add(neighbor);
    if (board.height(neighbor) == 1) thrower.targets |= 1u << board.top(neighbor).index();
  }
  throws.targets |= thrower.targets;
}

// `mark`: the stunned piece, kNoPiece if none.
Throws FindThrows(const Board& board, Color color, PieceId mark, std::uint32_t pinned) {
  Throws throws;
  if (!board.rules().variant.pillbug) return throws;
  const std::uint32_t not_stunned = mark.valid() ? ~(1u << mark.index()) : ~0u;
  AddThrower(board, PieceId::Of(color, PieceType::kPillbug, 1), not_stunned, throws);
  AddThrower(board, PieceId::Of(color, PieceType::kMosquito, 1), not_stunned, throws);
  throws.targets &= not_stunned & ~pinned;
  return throws;
}

void AddMoves(const Board& board, Color color, PieceId mark, MoveList& moves) {
  const std::uint32_t pinned = PinnedPieces(board);
  const Throws throws = FindThrows(board, color, mark, pinned);
  Steps steps(board);
  board.occupied().ForEach([&](Cell from) {
    const PieceId piece = board.top(from);
    const std::uint32_t bit = 1u << piece.index();
    const bool walks = piece.color() == color && piece != mark && (pinned & bit) == 0;
    const bool thrown = (throws.targets & bit) != 0;
    if (!walks && !thrown) return;
    CellSet destinations;
    if (walks) {
      steps.Lift(from);
      steps.AddDestinations(piece.type(), destinations);
      steps.Drop();
    }
    for (int i = 0; thrown && i < throws.count; ++i) {
      const Thrower& thrower = throws.throwers[static_cast<std::size_t>(i)];
      if ((thrower.targets & bit) != 0) destinations |= thrower.destinations;
    }
    destinations.ForEach([&](Cell to) { moves.push_back(Move(piece, to)); });
  });
}

void GenerateWithMark(const Board& board, PieceId mark, MoveList& moves) {
  moves.clear();
  if (board.SurroundOutcome().over()) return;
  const Color color = board.side_to_move();
  AddPlacements(board, color, moves);
  if (!board.in_hand(Queen(color))) AddMoves(board, color, mark, moves);
  if (moves.empty()) moves.push_back(Move::Pass());
}

}  // namespace

void GenerateLegalMoves(const Board& board, MoveList& moves) {
  GenerateWithMark(board, board.moved_last(), moves);
}

bool MarkMatters(const Board& board, PieceId mark) {
  // Without a pillbug the mark lies on a piece of the side that is not to move, and nothing can
  // throw it.
  if (!mark.valid() || !board.rules().variant.pillbug) return false;
  MoveList with;
  MoveList without;
  GenerateWithMark(board, mark, with);
  GenerateWithMark(board, kNoPiece, without);
  return !std::equal(with.begin(), with.end(), without.begin(), without.end());
}

std::uint32_t CanonicalKey(const Board& board, Move move) {
  if (move.is_pass()) return ~0u;
  const Cell from = board.cell(move.piece());
  const int source =
      from.valid() ? kNumPieceTypes + from.index() : static_cast<int>(move.piece().type());
  return static_cast<std::uint32_t>(source * kNumCells + move.destination().index());
}

void SortCanonically(const Board& board, MoveList& moves) {
  std::sort(moves.begin(), moves.end(),
            [&](Move a, Move b) { return CanonicalKey(board, a) < CanonicalKey(board, b); });
}

namespace {

// Whether the queen of `color` is surrounded after the move.
bool SurroundedAfter(const Board& board, Color color, Move move) {
  const Cell from = board.cell(move.piece());
  const Cell to = move.destination();
  const bool moves_queen = move.piece() == Queen(color);
  const Cell queen = moves_queen ? to : board.cell(Queen(color));
  if (!queen.valid()) return false;
  int occupied = board.OccupiedNeighbors(queen);
  if (from.valid() && board.height(from) == 1 && Adjacent(from, queen)) --occupied;
  if (!moves_queen && board.height(to) == 0 && Adjacent(to, queen)) ++occupied;
  return occupied == kNumDirections;
}

}  // namespace

Result ResultAfter(const Board& board, Move move) {
  if (move.is_pass()) return board.SurroundOutcome().result;
  const bool white_lost = SurroundedAfter(board, Color::kWhite, move);
  const bool black_lost = SurroundedAfter(board, Color::kBlack, move);
  if (white_lost) return black_lost ? Result::kDraw : Result::kBlackWins;
  return black_lost ? Result::kWhiteWins : Result::kInProgress;
}

int FindWinInOne(const Board& board, const MoveList& moves) {
  const Color own = board.side_to_move();
  const Color enemy = Opponent(own);
  // Only the last free cell filled, or the enemy queen thrown into a hole, ends the game.
  const bool one_missing = board.QueenNeighbors(enemy) == kNumDirections - 1;
  if (!one_missing && !board.rules().variant.pillbug) return -1;
  for (int i = 0; i < moves.size(); ++i) {
    const Move move = moves[i];
    if (move.is_pass() || !(one_missing || move.piece() == Queen(enemy))) continue;
    if (SurroundedAfter(board, enemy, move) && !SurroundedAfter(board, own, move)) return i;
  }
  return -1;
}

std::uint64_t Perft(Board& board, int depth) {
  if (depth == 0) return 1;
  MoveList moves;
  GenerateLegalMoves(board, moves);
  if (depth == 1) return static_cast<std::uint64_t>(moves.size());
  std::uint64_t leaves = 0;
  for (const Move move : moves) {
    const Undo undo = board.Apply(move);
    leaves += Perft(board, depth - 1);
    board.Undo(undo);
  }
  return leaves;
}

}  // namespace apiary::env
