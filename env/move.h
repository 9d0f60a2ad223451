// A move is (piece, destination) or pass, whichever way it can be made (rules.md, section 6).
// MoveList: inline room for 512 moves, no allocation. Plain values; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.h"
#include "base/contains.h"
#include "env/cell.h"
#include "env/piece.h"

namespace apiary::env {

// Bits: 14..10 piece, 9..0 destination cell; 0xFFFF = pass. This packing is written into game
// files.
class Move {
 public:
  constexpr Move() = default;  // pass
  constexpr Move(PieceId piece, Cell destination)
      : bits_(static_cast<std::uint16_t>(piece.index() << 10 | destination.index())) {}
  static constexpr Move Pass() { return Move(); }
  static constexpr Move FromBits(std::uint16_t bits) {
    Move move;
    move.bits_ = bits;
    return move;
  }

  constexpr std::uint16_t bits() const { return bits_; }
  constexpr bool is_pass() const { return bits_ == 0xFFFF; }
  // Precondition of both: !is_pass().
  constexpr PieceId piece() const { return PieceId::FromIndex(bits_ >> 10); }
  constexpr Cell destination() const { return Cell::FromIndex(bits_); }
  friend constexpr bool operator==(Move, Move) = default;

 private:
  std::uint16_t bits_ = 0xFFFF;
};
static_assert(sizeof(Move) == 2);

inline constexpr int kMaxMoves = 512;

class MoveList {
 public:
  static constexpr int kSlack = 64;

  void clear() { size_ = 0; }
  void push_back(Move move) {
    APIARY_CHECK(size_ < kMaxMoves, "more than {} legal moves", kMaxMoves);
    moves_[static_cast<std::size_t>(size_++)] = move;
  }
  // Takes in `count` moves that were written from end() on. Up to kSlack moves may be written past
  // the greatest size before this is called.
  void Grow(int count) {
    size_ += count;
    APIARY_CHECK(size_ <= kMaxMoves, "more than {} legal moves", kMaxMoves);
  }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](int i) const { return moves_[static_cast<std::size_t>(i)]; }
  Move& operator[](int i) { return moves_[static_cast<std::size_t>(i)]; }
  Move* begin() { return moves_.data(); }
  Move* end() { return moves_.data() + size_; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }
  operator std::span<const Move>() const {  // NOLINT(google-explicit-constructor)
    return {moves_.data(), static_cast<std::size_t>(size_)};
  }
  bool Contains(Move move) const { return base::Contains<Move>(*this, move); }

 private:
  int size_ = 0;
  std::array<Move, kMaxMoves + kSlack> moves_;
};

}  // namespace apiary::env
