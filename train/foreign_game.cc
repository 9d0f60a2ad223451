#include "train/foreign_game.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "env/notation.h"
#include "train/pgn_game.h"
#include "train/sgf_game.h"

namespace apiary::train {
namespace {

std::string_view SkipMark(std::string_view text) {
  constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
  return text.starts_with(kUtf8Mark) ? text.substr(kUtf8Mark.size()) : text;
}

// The field of a line that is a GameString; empty if there is none.
std::string_view FindGameString(std::string_view line) {
  while (!line.empty()) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    const std::string_view field = base::Trim(line.substr(0, end));
    if (base::StartsWithNoCase(field, "base") && field.find(';') != std::string_view::npos)
      return field;
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return {};
}

env::Result ResultOfState(std::string_view state) {
  for (const env::Result result :
       {env::Result::kWhiteWins, env::Result::kBlackWins, env::Result::kDraw})
    if (base::EqualNoCase(state, env::ToString(result))) return result;
  return env::Result::kInProgress;
}

ForeignEntry ReadGameString(int line, std::string_view text) {
  if (std::count(text.begin(), text.end(), ';') > kMostForeignPlies)
    return SkippedGame{line, SkipReason::kNotSupported,
                       fmt::format("more than {} plies", kMostForeignPlies)};
  auto parsed = env::ParseGameString(text, ReadingRules({}));
  if (!parsed) {
    const bool in_moves = parsed.error().starts_with("move ");
    return SkippedGame{line, in_moves ? SkipReason::kIllegalMove : SkipReason::kBrokenText,
                       Printable(parsed.error())};
  }
  const env::Result claimed = ResultOfState(parsed->claimed_state);
  return ForeignGame{line, std::move(parsed->game), claimed};
}

}  // namespace

std::string_view ToString(ForeignFormat format) {
  switch (format) {
    case ForeignFormat::kSgf:
      return "SGF";
    case ForeignFormat::kPgn:
      return "PGN";
    case ForeignFormat::kGameStrings:
      return "GameStrings";
  }
  base::CheckFailed(__FILE__, __LINE__, "format", "not a format");
}

std::string_view ToString(SkipReason reason) {
  switch (reason) {
    case SkipReason::kBrokenText:
      return "broken text";
    case SkipReason::kIllegalMove:
      return "illegal move";
    case SkipReason::kNotSupported:
      return "not supported";
    case SkipReason::kOtherVariant:
      return "other variant";
    case SkipReason::kNoResult:
      return "no result";
    case SkipReason::kDuplicate:
      return "duplicate";
  }
  base::CheckFailed(__FILE__, __LINE__, "reason", "not a reason");
}

ForeignFormat DetectFormat(std::string_view text) {
  text = base::Trim(SkipMark(text));
  if (text.starts_with('(')) return ForeignFormat::kSgf;
  return text.starts_with('[') ? ForeignFormat::kPgn : ForeignFormat::kGameStrings;
}

void ReadForeignGames(std::string_view text, const ForeignSink& sink) {
  text = SkipMark(text);
  switch (DetectFormat(text)) {
    case ForeignFormat::kSgf:
      return ReadSgfGames(text, sink);
    case ForeignFormat::kPgn:
      return ReadPgnGames(text, sink);
    case ForeignFormat::kGameStrings:
      return ReadGameStrings(text, sink);
  }
}

void ReadGameStrings(std::string_view text, const ForeignSink& sink) {
  if (text.find('\0') != std::string_view::npos)
    return sink(SkippedGame{1, SkipReason::kBrokenText, "not a text: it has zero bytes"});
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = base::Trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::string_view game = FindGameString(line);
    if (game.empty()) {
      sink(SkippedGame{number, SkipReason::kBrokenText,
                       fmt::format("'{}': no GameString", Printable(line, 40))});
    } else {
      sink(ReadGameString(number, game));
    }
  }
}

env::Rules ReadingRules(env::Variant variant) {
  env::Rules rules;
  rules.variant = variant;
  rules.queen_first_turn = true;
  rules.repetition = 0;
  return rules;
}

bool MustPass(const env::Game& game) {
  env::MoveList moves;
  game.LegalMoves(moves);
  return moves.size() == 1 && moves[0].is_pass();
}

std::string Printable(std::string_view text, std::size_t most) {
  std::string printable(text.substr(0, most));
  for (char& c : printable)
    if (c < ' ' || c > '~') c = '?';
  return text.size() > most ? printable + "..." : printable;
}

}  // namespace apiary::train
