#include "env/movegen.h"

#include <algorithm>
#include <bit>

#include "env/destinations.h"
#include "env/pins.h"
#include "env/steps.h"

namespace apiary::env {
namespace {

constexpr int kQueenDeadlineTurns =
    3;  // turns that a colour may take before its queen must be on the board

constexpr int kMaxPlacementCells = kNumDirections * kPiecesPerSide;

PieceId Queen(Color color) { return PieceId::Of(color, PieceType::kQueen, 1); }

// Cells where `color` may place: rules.md, section 3.
CellSet PlacementCells(const Board& board, Color color) {
  const CellSet& own = board.tops(color);
  const CellSet& enemy = board.tops(Opponent(color));
  if (board.pieces_on_board() == 0) {
    CellSet origin;
    origin.Add(kOrigin);
    return origin;
  }
  if (board.pieces_on_board() == 1) return enemy.Neighbors();
  return own.Neighbors() - (own | enemy | enemy.Neighbors());
}

void AddPlacements(const Board& board, Color color, MoveList& moves) {
  if (board.pieces_on_board(color) == PiecesInVariant(board.rules().variant)) return;
  const int turns = board.turns_taken(color);
  const bool queen_in_hand = board.in_hand(Queen(color));
  const bool only_queen = queen_in_hand && turns >= kQueenDeadlineTurns;
  const bool no_queen = turns == 0 && !board.rules().queen_first_turn;
  std::array<Cell, kMaxPlacementCells> cells;
  int count = 0;
  PlacementCells(board, color).ForEach([&](Cell cell) {
    cells[static_cast<std::size_t>(count++)] = cell;
  });
  for (int t = 0; t < kNumPieceTypes; ++t) {
    const auto type = static_cast<PieceType>(t);
    const PieceId piece = board.next_in_hand(color, type);
    if (!piece.valid()) continue;
    if (type == PieceType::kQueen ? no_queen : only_queen) continue;
    Move* out = moves.Extend(count);
    for (int i = 0; i < count; ++i) out[i] = Move(piece, cells[static_cast<std::size_t>(i)]);
  }
}

// The pillbug's ability (rules.md, section 5): at most the pillbug and the mosquito can use it.
struct Thrower {
  std::uint32_t targets = 0;  // pieces it may lift, by index
  std::array<Cell, kNumDirections> destinations;
  int count = 0;  // destinations
};
struct Throws {
  std::uint32_t targets = 0;  // of any thrower
  int count = 0;
  std::array<Thrower, 2> throwers;

  void AddDestinations(PieceId piece, Destinations& destinations) const {
    for (int i = 0; i < count; ++i) {
      const Thrower& thrower = throwers[static_cast<std::size_t>(i)];
      if ((thrower.targets >> piece.index() & 1) == 0) continue;
      for (int c = 0; c < thrower.count; ++c)
        destinations.Add(thrower.destinations[static_cast<std::size_t>(c)]);
    }
  }
};

bool TouchesPillbug(const Board& board, Cell cell) {
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    const PieceId pillbug = PieceId::Of(color, PieceType::kPillbug, 1);
    if (board.in_hand(pillbug) || board.covered(pillbug)) continue;
    if (Adjacent(board.cell(pillbug), cell)) return true;
  }
  return false;
}

void AddThrower(const Board& board, PieceId piece, PieceId mark, const Pins& pins, Throws& throws) {
  const Cell cell = board.cell(piece);
  if (piece == mark || !cell.valid() || board.height(cell) != 1) return;
  if (piece.type() == PieceType::kMosquito && !TouchesPillbug(board, cell)) return;
  Thrower& thrower = throws.throwers[static_cast<std::size_t>(throws.count++)];
  for (int d = 0; d < kNumDirections; ++d) {
    const Cell neighbor = Neighbor(cell, d);
    const int height = board.height(neighbor);
    if (height > 1 || !GateOpen(board, cell, d, 1)) continue;
    if (height == 0) {
      thrower.destinations[static_cast<std::size_t>(thrower.count++)] = neighbor;
    } else if (const PieceId target = board.top(neighbor);
               target != mark && !pins.Pinned(neighbor)) {
      thrower.targets |= 1u << target.index();
    }
  }
  if (thrower.count > 0) throws.targets |= thrower.targets;
}

// `mark`: the stunned piece, kNoPiece if none.
Throws FindThrows(const Board& board, Color color, PieceId mark, const Pins& pins) {
  Throws throws;
  if (!board.rules().variant.pillbug) return throws;
  AddThrower(board, PieceId::Of(color, PieceType::kPillbug, 1), mark, pins, throws);
  AddThrower(board, PieceId::Of(color, PieceType::kMosquito, 1), mark, pins, throws);
  return throws;
}

void AddMoves(const Board& board, Color color, PieceId mark, MoveList& moves) {
  const Pins pins(board);
  const Throws throws = FindThrows(board, color, mark, pins);
  Steps steps(board);
  Destinations destinations;
  const auto add = [&](Cell from, bool walks, bool thrown) {
    const PieceId piece = board.top(from);
    if (walks) {
      steps.Lift(from);
      steps.AddDestinations(piece.type(), destinations);
      steps.Drop();
    }
    if (thrown) throws.AddDestinations(piece, destinations);
    destinations.Drain([&](Cell to) { moves.push_back(Move(piece, to)); });
  };
  const CellSet sources = throws.targets == 0 ? board.tops(color) : board.occupied();
  sources.ForEach([&](Cell from) {
    const PieceId piece = board.top(from);
    const bool thrown = (throws.targets >> piece.index() & 1) != 0;
    const bool walks =
        piece.color() == color && piece != mark && (board.height(from) > 1 || !pins.Pinned(from));
    if (walks || thrown) add(from, walks, thrown);
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
