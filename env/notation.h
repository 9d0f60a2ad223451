// UHP notation (rules.md, section 9), both ways. Writing is strict, reading lenient; text from
// outside gives a Result, never a crash. Allocates strings. Any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "env/game.h"

namespace apiary::env {

std::string ToString(PieceId piece);                      // "wQ", "bA2"
base::Result<PieceId> ParsePiece(std::string_view text);  // any case, "wM1"

// Strict text of a legal move in this position.
std::string MoveToString(const Board& board, Move move);
// Lenient reading of one move; it must be legal as written (a placement out of number order is not:
// only ParseGameString renumbers). The failure names the text and why: unknown piece, no such
// reference, not legal.
base::Result<Move> ParseMove(const Game& game, std::string_view text);

std::string TurnString(const Board& board);  // "White[3]"
// A game that the length cap stopped is written as InProgress.
std::string ToGameString(const Game& game);  // "Base;InProgress;White[3];wS1;bS1 -wS1;..."

struct ParsedGame {
  Game game;
  std::string claimed_state;  // the State field as written
};
// Reads a GameString or a GameTypeString alone. `options`: everything but the variant. State and
// Turn are recomputed; pieces out of number order are renumbered. The first piece's colour (without
// moves: the Turn field, without a Turn: options.first_player) says who began. Moves after the end
// of the game, options included, are an error.
base::Result<ParsedGame> ParseGameString(std::string_view text, const Rules& options);

// A whole game that is being read from a text, move by move. Pieces that the text places out of
// number order are renumbered: a piece placed for the first time becomes the next one of its type
// in hand.
class WrittenGame {
 public:
  explicit WrittenGame(const Rules& rules) : game_(rules) {}

  // Reads a move leniently and plays it. The failure names the text and why; the game is then of no
  // more use.
  base::Result<void> Play(std::string_view text);
  // Plays a legal move.
  void Apply(Move move) { game_.Apply(move); }
  // The piece of the board that the text calls `written`, from its first move on; invalid if there
  // is no such piece left in hand.
  PieceId Rename(PieceId written);
  const Game& game() const& { return game_; }
  Game&& game() && { return std::move(game_); }

 private:
  PieceId& Known(PieceId written) { return known_[static_cast<std::size_t>(written.index())]; }

  Game game_;
  std::array<PieceId, kNumPieces> known_{};  // by written name
};

}  // namespace apiary::env
