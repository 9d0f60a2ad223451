// Game: a board with its history, so that repetition and the length cap are seen. Allocates only
// when its history grows past what Reserve gave it. Lives on one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/board.h"
#include "env/movegen.h"

namespace apiary::env {

class Game {
 public:
  explicit Game(const Rules& rules = {});

  const Rules& rules() const { return board_.rules(); }
  const Board& board() const { return board_; }
  int ply() const { return board_.ply(); }
  Color side_to_move() const { return board_.side_to_move(); }
  const Outcome& outcome() const { return outcome_; }
  // The moves played so far.
  std::span<const Move> moves() const { return moves_; }
  // How often the position on the board has occurred so far, this time included: >= 1. Always 1
  // where repetition is off (rules.repetition == 0), which saves the look-back. A position is what
  // rules.md, section 2.4 says: the board, the side to move, and the mark of the piece moved last
  // if it matters.
  int occurrences() const { return history_.empty() ? 1 : history_.back().occurrences; }

  // Legal moves in canonical order (env/movegen.h); empty once the game is over.
  void LegalMoves(MoveList& moves) const;

  // Precondition: !outcome().over() and the move is legal.
  void Apply(Move move);
  // Takes the last move back. Precondition: a move was played on this object.
  void Undo();
  // Back to the empty board, with other rules if they are given. Keeps the memory.
  void Restart() { Restart(rules()); }
  void Restart(const Rules& rules);
  void Reserve(int plies);

 private:
  // What one move led to.
  struct Entry {
    env::Undo undo;
    Cell mark;  // the cell of the piece that it moved; kNoCell: placement or pass
    std::int32_t reversible_plies;  // since the last placement or the start, this move included if
                                    // it is none
    std::int32_t occurrences;
  };

  // Of the position on the board, which `entry` led to; it is not in the history yet.
  int CountOccurrences(const Entry& entry) const;
  // Whether two marks on the arrangement now on the board make the same position of it: they are
  // one mark, or neither changes the legal moves.
  bool SameMark(Cell a, Cell b) const;

  Board board_;
  Outcome outcome_;
  std::vector<Entry> history_;
  // The low bits of the hash after each move, which is all that the look-back reads of most games.
  std::vector<std::uint16_t> tags_;
  std::vector<Move> moves_;
};

}  // namespace apiary::env
