#include "train/sgf_game.h"

#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "train/boardspace_replay.h"
#include "train/sgf_text.h"
#include "train/text_cursor.h"

namespace apiary::train {
namespace {

// What stands beside the actions of a game.
struct Header {
  std::array<std::string, 2> players;  // names of player 0 and 1
  std::string result;
  std::string type;  // of the game: "hive-plm 2 0 101"
  int type_line = 0;
  std::string number;  // of the game: Hive is 27
};

// The name in: id "NAME"
std::optional<std::string> PlayerName(std::string_view value) {
  if (!base::StartsWithNoCase(value, "id")) return std::nullopt;
  std::string_view name = base::Trim(value.substr(2));
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
    name = name.substr(1, name.size() - 2);
  return std::string(name);
}

bool IsPlayer(const SgfProperty& property) {
  return property.name == "P0" || property.name == "P1";
}

std::size_t PlayerOf(const SgfProperty& property) { return property.name == "P1" ? 1 : 0; }

// The action without its number; empty if the property is none.
std::string_view ActionOf(const SgfProperty& property) {
  if (!IsPlayer(property)) return {};
  std::string_view value = base::Trim(property.value);
  if (value.empty() || std::isdigit(static_cast<unsigned char>(value.front())) == 0) return {};
  while (!value.empty() && std::isdigit(static_cast<unsigned char>(value.front())) != 0)
    value.remove_prefix(1);
  return base::Trim(value);
}

Header ReadHeader(const SgfTree& tree) {
  Header header;
  header.type_line = tree.line;
  for (const SgfProperty& property : tree.properties) {
    if (property.name == "RE") header.result = property.value;
    if (property.name == "GM") header.number = base::Trim(property.value);
    if (property.name == "SU") {
      header.type = base::Trim(property.value);
      header.type_line = property.line;
    }
    if (!IsPlayer(property)) continue;
    if (auto name = PlayerName(property.value)) header.players[PlayerOf(property)] = *name;
  }
  return header;
}

// "hive", "Hive-PLM", "hive-plm 2 0 101"
base::Result<env::Variant> ParseType(std::string_view type) {
  const auto failure = [type] {
    return base::Fail("game type '{}': expected hive, or hive- and letters of p, l, m",
                      Printable(type, 40));
  };
  std::string word = base::ToLower(type);
  word = word.substr(0, word.find(' '));
  if (!word.starts_with("hive")) return failure();
  word = word.substr(4);
  env::Variant variant;
  if (word.empty()) return variant;
  if (word.front() != '-') return failure();
  for (const char letter : word.substr(1)) {
    if (letter != 'm' && letter != 'l' && letter != 'p') return failure();
    variant.mosquito |= letter == 'm';
    variant.ladybug |= letter == 'l';
    variant.pillbug |= letter == 'p';
  }
  return variant;
}

SkippedGame Skipped(int line, SkipReason reason, std::string why) {
  return {line, reason, std::move(why)};
}

// Plays all actions; the skipped game if one of them cannot be read or played.
std::optional<SkippedGame> PlayActions(const SgfTree& tree, BoardspaceReplay& replay) {
  for (const SgfProperty& property : tree.properties) {
    const std::string_view action = ActionOf(property);
    if (action.empty()) continue;
    const int plies = replay.game() ? replay.game()->game().ply() : 0;
    if (plies >= kMostForeignPlies)
      return Skipped(property.line, SkipReason::kNotSupported,
                     fmt::format("more than {} plies", kMostForeignPlies));
    if (const auto acted = replay.Act(static_cast<int>(PlayerOf(property)), action); !acted)
      return Skipped(
          property.line, replay.illegal() ? SkipReason::kIllegalMove : SkipReason::kBrokenText,
          fmt::format("move {}: '{}': {}", plies + 1, Printable(action, 60), acted.error()));
  }
  return std::nullopt;
}

ForeignEntry ReadTree(const SgfTree& tree) {
  constexpr std::string_view kHive = "27";
  if (!tree.error.empty())
    return Skipped(tree.error_line, SkipReason::kBrokenText, Printable(tree.error));
  const Header header = ReadHeader(tree);
  if (!header.number.empty() && header.number != kHive)
    return Skipped(tree.line, SkipReason::kNotSupported,
                   fmt::format("another game than Hive: GM[{}]", Printable(header.number, 20)));
  if (header.type.empty())
    return Skipped(tree.line, SkipReason::kBrokenText, "no game type: SU is missing");
  const auto variant = ParseType(header.type);
  if (!variant) return Skipped(header.type_line, SkipReason::kNotSupported, variant.error());
  BoardspaceReplay replay(*variant);
  if (auto skipped = PlayActions(tree, replay)) return *std::move(skipped);
  if (!replay.game()) return Skipped(tree.line, SkipReason::kNoResult, "no move was made");
  ForeignGame game{tree.line, replay.game()->game(), replay.agreed()};
  if (game.claimed == env::Result::kInProgress) {
    const std::size_t white = replay.ColorOf(0) == env::Color::kWhite ? 0 : 1;
    game.claimed = ResultOfText(header.result, header.players[white], header.players[1 - white]);
  }
  return game;
}

bool IsWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 || byte == '_';
}

// The name stands in the text as a word.
bool Names(std::string_view text, std::string_view name) {
  if (name.empty()) return false;
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !IsWordByte(text[at - 1])) && (end == text.size() || !IsWordByte(text[end])))
      return true;
  }
  return false;
}

}  // namespace

env::Result ResultOfText(std::string_view text, std::string_view white, std::string_view black) {
  const bool names_white = Names(text, white);
  const bool names_black = Names(text, black);
  if (names_white != names_black)
    return names_white ? env::Result::kWhiteWins : env::Result::kBlackWins;
  if (names_white) {
    // Both: a name may be a word of the sentence ("won"). The winner stands at its end.
    const std::string_view trimmed = base::Trim(text);
    const bool ends_white = trimmed.ends_with(white);
    const bool ends_black = trimmed.ends_with(black);
    if (ends_white == ends_black) return env::Result::kInProgress;
    return ends_white ? env::Result::kWhiteWins : env::Result::kBlackWins;
  }
  // In the languages that clients have: English, French, German, Spanish, Italian, Dutch.
  constexpr std::array<std::string_view, 7> kDraws = {"draw",   "nulle",  "remis", "unentschieden",
                                                      "tablas", "empate", "patta"};
  const std::string lower = base::ToLower(text);
  for (const std::string_view draw : kDraws)
    if (lower.find(draw) != std::string::npos) return env::Result::kDraw;
  return env::Result::kInProgress;
}

void ReadSgfGames(std::string_view text, const ForeignSink& sink) {
  TextCursor cursor(text);
  while (const auto tree = NextSgfTree(cursor)) sink(ReadTree(*tree));
}

}  // namespace apiary::train
