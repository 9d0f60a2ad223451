// Other people's games as texts: SGF files of boardspace, PGN-like files and GameStrings (rules.md,
// sections 9 and 10). Every move is replayed by our rules; what cannot be read is told with its
// line. Text from outside never crashes. Pure functions; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "env/game.h"

namespace apiary::train {

enum class ForeignFormat { kSgf, kPgn, kGameStrings };
std::string_view ToString(ForeignFormat format);  // "SGF", "PGN", "GameStrings"

// Why a game is not taken.
enum class SkipReason {
  kBrokenText,
  kIllegalMove,
  kNotSupported,  // another game, a piece or a variation that we do not read
  kOtherVariant,
  kNoResult,
  kDuplicate,
};
inline constexpr int kNumSkipReasons = 6;
std::string_view ToString(SkipReason reason);  // "broken text", "illegal move", ...

// A game whose moves are legal.
struct ForeignGame {
  int line = 0;    // where it begins, from 1
  env::Game game;  // by ReadingRules
  // What the text says of its end: a resignation, an agreed draw, a result. kInProgress: nothing.
  env::Result claimed = env::Result::kInProgress;
};
struct SkippedGame {
  int line = 0;  // of what is wrong, from 1
  SkipReason reason = SkipReason::kBrokenText;
  std::string why;  // printable, one line
};
using ForeignEntry = std::variant<ForeignGame, SkippedGame>;
using ForeignSink = std::function<void(ForeignEntry)>;

// By the first characters that are not blank: '(' an SGF file, '[' a PGN, else GameStrings.
ForeignFormat DetectFormat(std::string_view text);
// Hands every game of the text to `sink`, in order.
void ReadForeignGames(std::string_view text, const ForeignSink& sink);

// One GameString a line, alone or as a field between tabs. What follows a '#' and blank lines are
// left out.
void ReadGameStrings(std::string_view text, const ForeignSink& sink);

// The rules that games are read by: all that players may have agreed on is allowed. No repetition
// draw, no cap; a player may open with the queen.
env::Rules ReadingRules(env::Variant variant);
// Games of more plies are not supported; the longest of people have some hundreds.
inline constexpr int kMostForeignPlies = 5000;
// Passing is the only legal move. Texts may leave such a pass out.
bool MustPass(const env::Game& game);
// A text from outside for a message: cut to `most` bytes, what is not printable ASCII replaced.
std::string Printable(std::string_view text, std::size_t most = 200);

}  // namespace apiary::train
