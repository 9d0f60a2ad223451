// Board: one position of Hive without its history: stacks on a 32 x 32 wrapping grid, hands, the
// piece moved last, an incremental hash. Trivially copyable, no allocation; plain value, any
// thread. Apply/Undo change it; legal moves come from env/movegen.h, the end by repetition or cap
// from env/game.h.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "env/cell.h"
#include "env/cell_set.h"
#include "env/move.h"
#include "env/neighbor_mask.h"
#include "env/outcome.h"
#include "env/piece.h"
#include "env/rules.h"

namespace apiary::env {

// What Undo needs to take a move back.
struct Undo {
  Move move;
  Cell from;           // kNoCell: placement or pass
  PieceId moved_last;  // before the move
  std::uint64_t hash;  // before the move
};

// Aligned so that two rows of the grid are one cache line.
class alignas(64) Board {
 public:
  explicit Board(const Rules& rules = {});

  const Rules& rules() const { return rules_; }
  // first_player moves at even plies.
  Color side_to_move() const {
    return ply_ % 2 == 0 ? rules_.first_player : Opponent(rules_.first_player);
  }
  int ply() const { return ply_; }

  // The piece moved last turn (by its owner or thrown), kNoPiece after a placement or pass:
  // stunned.
  PieceId moved_last() const { return moved_last_; }

  // 0 = empty .. 7.
  int height(Cell cell) const { return stacks_[Index(cell)] >> kHeightShift; }
  // kNoPiece if empty.
  PieceId top(Cell cell) const {
    const std::uint8_t stack = stacks_[Index(cell)];
    return stack == 0 ? kNoPiece : PieceId::FromIndex(stack & kPieceMask);
  }
  // Cells with two pieces or more. With fewer than two of them no gate above the ground is closed:
  // both shared neighbours would have to be stacks (rules.md, section 4).
  int stacks() const { return stacked_cells_; }
  // The piece right below, kNoPiece on the ground or in hand.
  PieceId beneath(PieceId piece) const { return beneath_[Index(piece)]; }
  // Its place in its stack, 1 = on the ground. Precondition: on the board.
  int level(PieceId piece) const {
    int level = 1;
    for (PieceId below = beneath(piece); below.valid(); below = beneath(below)) ++level;
    return level;
  }
  // kNoCell: in hand (or not in play).
  Cell cell(PieceId piece) const { return cells_[Index(piece)]; }
  bool in_hand(PieceId piece) const { return !cell(piece).valid(); }
  // On the board and not on top of its stack.
  bool covered(PieceId piece) const { return !in_hand(piece) && top(cell(piece)) != piece; }
  // In hand, 0 if the variant lacks the type.
  int hand_count(Color color, PieceType type) const {
    return std::popcount(hand_ & PiecesOf(color, type));
  }
  // The lowest-numbered piece of a type in hand; kNoPiece if none.
  PieceId next_in_hand(Color color, PieceType type) const;
  // Pieces in hand, of both sides.
  PieceSet hand() const { return hand_; }
  // Those of them that may be placed next as far as their number goes: the lowest of each type.
  // Pieces of one type leave the hand in order, so it is the one whose predecessor is not there.
  PieceSet next_in_hand(Color color) const {
    return hand_ & PiecesOf(color) & (kFirstPieces | ~(hand_ << 1));
  }
  // Of both sides.
  int pieces_on_board() const { return on_board_; }
  // Turns the colour has taken (placements, moves and passes).
  int turns_taken(Color color) const { return (ply_ + (color == rules_.first_player ? 1 : 0)) / 2; }

  // Cells whose top piece is of `color`.
  const CellSet& tops(Color color) const { return tops_[static_cast<std::size_t>(color)]; }
  // Cells with a piece.
  CellSet occupied() const { return tops_[0] | tops_[1]; }
  // Bit i: one of the cells 64 i .. 64 i + 63, two rows of the grid, has a piece.
  std::uint32_t live_words() const { return live_words_; }
  // Connected regions of empty cells that the hive encloses.
  int holes() const { return pieces_on_board() == 0 ? 0 : 1 - euler_; }
  // Bit d: the neighbour in direction d is occupied. By cell index, for every cell of the grid.
  const std::array<std::uint8_t, kNumCells>& neighbor_masks() const { return neighbor_masks_; }
  std::uint8_t neighbor_mask(Cell cell) const { return neighbor_masks_[Index(cell)]; }
  // Asks for what move generation will read; many boards do not fit into the caches.
  void Prefetch() const {
    for (std::uint32_t words = live_words_; words != 0; words &= words - 1) {
      const std::size_t first = std::size_t{64} * static_cast<unsigned>(std::countr_zero(words));
      __builtin_prefetch(&stacks_[first]);
      __builtin_prefetch(&neighbor_masks_[first]);
    }
  }
  // Occupied neighbours of a cell, 0..6.
  int OccupiedNeighbors(Cell cell) const { return std::popcount(neighbor_mask(cell)); }
  // Occupied neighbours of the queen of `color`; 0 while it is in hand.
  int QueenNeighbors(Color color) const {
    const Cell queen = cell(PieceId::Of(color, PieceType::kQueen, 1));
    return queen.valid() ? OccupiedNeighbors(queen) : 0;
  }

  // 64-bit hash of: type and colour at each cell and height, and the side to move. Pieces of one
  // type and colour are interchangeable; the mark of the piece moved last, hands and plies are not
  // in it (hands follow).
  std::uint64_t hash() const { return hash_; }
  std::uint64_t RecomputeHash() const;

  // End of the game by surrounded queens only.
  Outcome SurroundOutcome() const;

  // Plays a legal move. Precondition: legal in this position (checked in debug builds only).
  env::Undo Apply(Move move);
  // Takes back the last move. Precondition: `undo` is what Apply returned for it.
  void Undo(const env::Undo& undo);

  friend bool operator==(const Board&, const Board&) = default;

 private:
  static constexpr int kHeightShift = 5;
  static constexpr std::uint8_t kPieceMask = 31;

  static constexpr std::size_t Index(Cell cell) { return static_cast<std::size_t>(cell.index()); }
  static constexpr std::size_t Index(PieceId piece) {
    return static_cast<std::size_t>(piece.index());
  }
  // Puts a piece on top of a cell / takes it off; the hash is Apply's and Undo's business.
  void Drop(PieceId piece, Cell cell);
  void Lift(PieceId piece);
  // Tells the neighbours of a cell that it is now occupied, or empty.
  void FlipOccupied(Cell cell, bool occupied);

  std::array<std::uint8_t, kNumCells> stacks_{};  // height << 5 | index of the top piece; 0 = empty
  std::array<std::uint8_t, kNumCells> neighbor_masks_{};
  std::array<CellSet, 2> tops_{};
  std::uint64_t hash_ = 0;
  std::array<Cell, kNumPieces> cells_{};
  std::array<PieceId, kNumPieces> beneath_{};
  PieceSet hand_;
  Rules rules_;
  int ply_ = 0;
  int on_board_ = 0;
  int stacked_cells_ = 0;
  std::uint32_t live_words_ = 0;
  int euler_ = 0;  // Euler characteristic of the occupied cells: one part minus holes
  PieceId moved_last_;
};
static_assert(std::is_trivially_copyable_v<Board>);

}  // namespace apiary::env
