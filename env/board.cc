#include "env/board.h"

#include "base/random.h"
#include "env/movegen.h"

namespace apiary::env {
namespace {

constexpr std::uint64_t kBlackToMoveKey = base::Mix64(0x626C61636BULL);

// The hash key of a piece of this type and colour lying at `height` (1 = on the ground) of `cell`.
constexpr std::uint64_t HashKey(PieceId piece, Cell cell, int height) {
  return base::Mix64(static_cast<std::uint64_t>(piece.kind()) << 16 |
                     static_cast<std::uint64_t>(height) << 12 |
                     static_cast<std::uint64_t>(cell.index()));
}

}  // namespace

Board::Board(const Rules& rules)
    : hash_(rules.first_player == Color::kBlack ? kBlackToMoveKey : 0),
      hand_(PiecesInVariant(rules.variant)),
      rules_(rules) {}

PieceId Board::next_in_hand(Color color, PieceType type) const {
  const PieceSet pieces = hand_ & PiecesOf(color, type);
  return pieces == 0 ? kNoPiece : PieceId::FromIndex(std::countr_zero(pieces));
}

std::uint64_t Board::RecomputeHash() const {
  std::uint64_t hash = side_to_move() == Color::kBlack ? kBlackToMoveKey : 0;
  for (int i = 0; i < kNumPieces; ++i) {
    const PieceId piece = PieceId::FromIndex(i);
    if (in_hand(piece)) continue;
    hash ^= HashKey(piece, cell(piece), level(piece));
  }
  return hash;
}

Outcome Board::SurroundOutcome() const {
  const bool white_lost = QueenNeighbors(Color::kWhite) == kNumDirections;
  const bool black_lost = QueenNeighbors(Color::kBlack) == kNumDirections;
  if (white_lost && black_lost) return {Result::kDraw, Reason::kBoth};
  if (white_lost) return {Result::kBlackWins, Reason::kSurround};
  if (black_lost) return {Result::kWhiteWins, Reason::kSurround};
  return {};
}

env::Undo Board::Apply(Move move) {
#ifndef NDEBUG
  MoveList legal;
  GenerateLegalMoves(*this, legal);
  APIARY_CHECK(legal.Contains(move), "illegal move {:#06x} at ply {}", move.bits(), ply_);
#endif
  env::Undo undo{move, kNoCell, moved_last_, hash_};
  moved_last_ = kNoPiece;
  if (!move.is_pass()) {
    const PieceId piece = move.piece();
    undo.from = cell(piece);
    if (undo.from.valid()) {
      hash_ ^= HashKey(piece, undo.from, height(undo.from));
      Lift(piece);
      moved_last_ = piece;
    } else {
      hand_ &= ~PieceBit(piece);
      ++on_board_;
    }
    Drop(piece, move.destination());
    hash_ ^= HashKey(piece, move.destination(), height(move.destination()));
  }
  ++ply_;
  hash_ ^= kBlackToMoveKey;
  return undo;
}

void Board::Undo(const env::Undo& undo) {
  --ply_;
  moved_last_ = undo.moved_last;
  hash_ = undo.hash;
  if (undo.move.is_pass()) return;
  const PieceId piece = undo.move.piece();
  Lift(piece);
  if (undo.from.valid()) {
    Drop(piece, undo.from);
  } else {
    cells_[Index(piece)] = kNoCell;
    hand_ |= PieceBit(piece);
    --on_board_;
  }
}

void Board::Drop(PieceId piece, Cell cell) {
  const PieceId below = top(cell);
  beneath_[Index(piece)] = below;
  if (below.valid()) {
    stacked_cells_ += height(cell) == 1;
    tops_[static_cast<std::size_t>(below.color())].Remove(cell);
  } else {
    FlipOccupied(cell, true);
  }
  tops_[static_cast<std::size_t>(piece.color())].Add(cell);
  stacks_[Index(cell)] =
      static_cast<std::uint8_t>((height(cell) + 1) << kHeightShift | piece.index());
  cells_[Index(piece)] = cell;
}

void Board::Lift(PieceId piece) {
  const Cell from = cell(piece);
  const PieceId below = beneath(piece);
  tops_[static_cast<std::size_t>(piece.color())].Remove(from);
  if (below.valid()) {
    stacked_cells_ -= height(from) == 2;
    tops_[static_cast<std::size_t>(below.color())].Add(from);
    stacks_[Index(from)] =
        static_cast<std::uint8_t>((height(from) - 1) << kHeightShift | below.index());
    beneath_[Index(piece)] = kNoPiece;
  } else {
    stacks_[Index(from)] = 0;
    FlipOccupied(from, false);
  }
}

void Board::FlipOccupied(Cell cell, bool occupied) {
  const int euler_term = kEulerTerm[neighbor_mask(cell)];
  const auto word = static_cast<std::size_t>(cell.index() / 64);
  if (occupied) {
    euler_ += euler_term;
    live_words_ |= 1u << word;
  } else {
    euler_ -= euler_term;
    if ((tops_[0].words()[word] | tops_[1].words()[word]) == 0) live_words_ &= ~(1u << word);
  }
  for (int d = 0; d < kNumDirections; ++d) {
    neighbor_masks_[Index(Neighbor(cell, d))] ^=
        static_cast<NeighborMask>(1 << (d + 3) % kNumDirections);
  }
}

}  // namespace apiary::env
