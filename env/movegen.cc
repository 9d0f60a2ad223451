#include "env/movegen.h"

#include <algorithm>
#include <array>
#include <bit>

#include "env/append_moves.h"
#include "env/destinations.h"
#include "env/expand_bits.h"
#include "env/pins.h"
#include "env/placement_cells.h"
#include "env/steps.h"
#include "env/throws.h"

namespace apiary::env {
namespace {

constexpr int kQueenDeadlineTurns =
    3;  // turns that a colour may take before its queen must be on the board

PieceId Queen(Color color) { return PieceId::Of(color, PieceType::kQueen, 1); }

// The pieces that `color` may place, one a type.
PieceSet Placeable(const Board& board, Color color) {
  const PieceSet queen = PieceBit(Queen(color));
  const int turns = board.turns_taken(color);
  PieceSet pieces = board.next_in_hand(color);
  if (turns == 0 && !board.rules().queen_first_turn) pieces &= ~queen;
  if (turns >= kQueenDeadlineTurns && (board.hand() & queen) != 0) pieces &= queen;
  return pieces;
}

// The cells of the pieces of one colour that may leave their place, in order. A list, made without
// branches that depend on the position: a processor guesses those wrong half of the time.
class MobileTops {
 public:
  MobileTops(const Board& board, Color color, PieceId mark, const Pins& pins) {
    const CellSet& tops = board.tops(color);
    std::uint16_t* end = cells_.data();
    for (std::uint32_t words = board.live_words(); words != 0; words &= words - 1) {
      const int word = std::countr_zero(words);
      end = ExpandBits(tops.words()[static_cast<std::size_t>(word)], 64 * word, end);
    }
    for (const std::uint16_t* cell = cells_.data(); cell != end; ++cell) {
      const Cell from = Cell::FromIndex(*cell);
      cells_[size_] = *cell;
      size_ += static_cast<std::size_t>((board.top(from) != mark) &
                                        ((board.height(from) > 1) | !pins.Pinned(from)));
    }
  }
  const std::uint16_t* begin() const { return cells_.data(); }
  const std::uint16_t* end() const { return cells_.data() + size_; }

 private:
  std::array<std::uint16_t, kNumPieces / 2 + 64> cells_;  // ExpandBits may write 64 more
  std::size_t size_ = 0;
};

template <typename Sink>
void AddMoves(const Board& board, Color color, PieceId mark, Destinations& destinations,
              Sink& sink) {
  const Pins pins(board);
  const Throws throws = FindThrows(board, color, mark, pins);
  Steps steps(board);
  if (throws.targets == 0) {
    for (const std::uint16_t index : MobileTops(board, color, mark, pins)) {
      const Cell from = Cell::FromIndex(index);
      steps.AddDestinations(from, destinations);
      sink.AddMoves(board.top(from), destinations);
    }
    return;
  }
  board.occupied().ForEach(board.live_words(), [&](Cell from) {
    const PieceId piece = board.top(from);
    const bool thrown = (throws.targets >> piece.index() & 1) != 0;
    const bool walks =
        piece.color() == color && piece != mark && (board.height(from) > 1 || !pins.Pinned(from));
    if (walks) steps.AddDestinations(from, destinations);
    if (thrown) throws.AddDestinations(piece, destinations);
    sink.AddMoves(piece, destinations);
  });
}

// Hands all moves except the pass to the sink, in canonical order.
template <typename Sink>
void Generate(const Board& board, PieceId mark, Sink& sink) {
  if (board.QueenNeighbors(Color::kWhite) == kNumDirections ||
      board.QueenNeighbors(Color::kBlack) == kNumDirections)
    return;
  const Color color = board.side_to_move();
  Destinations destinations;
  if (const PieceSet pieces = Placeable(board, color); pieces != 0) {
    AddPlacementCells(board, color, destinations);
    sink.AddPlacements(pieces, destinations);
  }
  if (!board.in_hand(Queen(color))) AddMoves(board, color, mark, destinations, sink);
}

// Writes moves into a list.
class MoveWriter {
 public:
  explicit MoveWriter(MoveList& moves) : moves_(moves) { moves_.clear(); }

  void AddPlacements(PieceSet pieces, Destinations& cells) {
    const int first = moves_.size();
    AddMoves(PieceId::FromIndex(std::countr_zero(pieces)), cells);
    const int count = moves_.size() - first;
    for (pieces &= pieces - 1; pieces != 0; pieces &= pieces - 1)
      AppendCopies(first, count, PieceId::FromIndex(std::countr_zero(pieces)), moves_);
  }
  void AddMoves(PieceId piece, Destinations& destinations) {
    destinations.DrainWords(
        [&](int word, std::uint64_t bits) { AppendMoves(bits, word, piece, moves_); });
  }

 private:
  MoveList& moves_;
};

// Counts moves without writing them.
class MoveCounter {
 public:
  int count() const { return count_; }
  void AddPlacements(PieceSet pieces, Destinations& cells) {
    count_ += cells.DrainSize() * std::popcount(pieces);
  }
  void AddMoves(PieceId, Destinations& destinations) { count_ += destinations.DrainSize(); }

 private:
  int count_ = 0;
};

}  // namespace

void GenerateLegalMoves(const Board& board, MoveList& moves) {
  board.Prefetch();
  MoveWriter writer(moves);
  Generate(board, board.moved_last(), writer);
  if (moves.empty() && !board.SurroundOutcome().over()) moves.push_back(Move::Pass());
}

int CountMovesWithMark(const Board& board, PieceId mark) {
  MoveCounter counter;
  Generate(board, mark, counter);
  return counter.count();
}

int CountLegalMoves(const Board& board) {
  const int count = CountMovesWithMark(board, board.moved_last());
  return count == 0 && !board.SurroundOutcome().over() ? 1 : count;
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
  if (depth == 1) return static_cast<std::uint64_t>(CountLegalMoves(board));
  MoveList moves;
  GenerateLegalMoves(board, moves);
  std::uint64_t leaves = 0;
  for (const Move move : moves) {
    const Undo undo = board.Apply(move);
    leaves += Perft(board, depth - 1);
    board.Undo(undo);
  }
  return leaves;
}

}  // namespace apiary::env
