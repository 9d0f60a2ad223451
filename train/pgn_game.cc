#include "train/pgn_game.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "env/notation.h"
#include "train/text_cursor.h"

namespace apiary::train {
namespace {

struct Token {
  int line = 0;
  std::string text;
};

struct PgnGame {
  int line = 0;
  std::map<std::string, Token> tags;  // by name in lower case
  std::vector<Token> tokens;          // of the moves, without numbers
  std::string error;
  int error_line = 0;
};

struct ResultWord {
  std::string_view word;
  env::Result result;
};
constexpr std::array<ResultWord, 8> kResultWords = {{{"1-0", env::Result::kWhiteWins},
                                                     {"0-1", env::Result::kBlackWins},
                                                     {"1/2-1/2", env::Result::kDraw},
                                                     {"*", env::Result::kInProgress},
                                                     {"WhiteWins", env::Result::kWhiteWins},
                                                     {"BlackWins", env::Result::kBlackWins},
                                                     {"Draw", env::Result::kDraw},
                                                     {"InProgress", env::Result::kInProgress}}};

std::optional<env::Result> ParseResult(std::string_view text) {
  for (const ResultWord& known : kResultWords)
    if (base::EqualNoCase(text, known.word)) return known.result;
  return std::nullopt;
}

class PgnReader {
 public:
  explicit PgnReader(std::string_view text) : cursor_(text) {}

  // nullopt at the end of the file. After an error the next game begins at the next tag at the
  // beginning of a line that follows a line without one.
  std::optional<PgnGame> Next() {
    cursor_.SkipBlanks();
    if (cursor_.done()) return std::nullopt;
    PgnGame game;
    game.line = cursor_.line();
    for (; !cursor_.done() && cursor_.peek() == '['; cursor_.SkipBlanks())
      if (!ReadTag(game)) return game;
    ReadMoves(game);
    return game;
  }

 private:
  void Fail(PgnGame& game, int line, std::string error) {
    game.error = std::move(error);
    game.error_line = line;
    const std::size_t next = cursor_.text().find("\n\n[", cursor_.at());
    cursor_.SkipTo(next == std::string_view::npos ? cursor_.text().size() : next);
  }

  // [NAME "VALUE"], on one line
  bool ReadTag(PgnGame& game) {
    const int line = cursor_.line();
    std::string tag;
    cursor_.Next();
    while (!cursor_.done() && cursor_.peek() != '\n') tag += cursor_.Next();
    const std::size_t open = tag.find('"');
    const std::size_t close = tag.rfind('"');
    if (open == std::string::npos || close == open ||
        base::Trim(std::string_view(tag).substr(close + 1)) != "]") {
      Fail(game, line, "a tag that is not [Name \"value\"]");
      return false;
    }
    const std::string_view name = base::Trim(std::string_view(tag).substr(0, open));
    game.tags[base::ToLower(name)] = {line, tag.substr(open + 1, close - open - 1)};
    return true;
  }

  bool SkipComment(PgnGame& game) {
    const int line = cursor_.line();
    while (!cursor_.done())
      if (cursor_.Next() == '}') return true;
    Fail(game, line, "the comment has no closing brace");
    return false;
  }

  bool SkipVariation(PgnGame& game) {
    const int line = cursor_.line();
    int depth = 0;
    while (!cursor_.done()) {
      const char c = cursor_.Next();
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0) return true;
    }
    Fail(game, line, "the variation has no closing parenthesis");
    return false;
  }

  void SkipLine() {
    while (!cursor_.done() && cursor_.peek() != '\n') cursor_.Next();
  }

  void ReadMoves(PgnGame& game) {
    for (cursor_.SkipBlanks(); !cursor_.done(); cursor_.SkipBlanks()) {
      switch (cursor_.peek()) {
        case '[':
          return;
        case '{':
          if (!SkipComment(game)) return;
          break;
        case '(':
          if (!SkipVariation(game)) return;
          break;
        case ';':
        case '%':
          SkipLine();
          break;
        default:
          ReadToken(game);
      }
    }
  }

  void ReadToken(PgnGame& game) {
    Token token{cursor_.line(), ""};
    while (!cursor_.done() && !base::IsBlank(cursor_.peek()) && cursor_.peek() != '{' &&
           cursor_.peek() != '(')
      token.text += cursor_.Next();
    token.text = WithoutNumber(token.text);
    if (!token.text.empty() && token.text != "." && token.text.front() != '$')
      game.tokens.push_back(std::move(token));
  }

  // "12.wA1" -> "wA1", "12." and "3..." -> ""
  static std::string WithoutNumber(const std::string& text) {
    const std::size_t digits = text.find_first_not_of("0123456789");
    if (digits == std::string::npos) return "";
    if (digits == 0 || text[digits] != '.') return text;
    const std::size_t rest = text.find_first_not_of('.', digits);
    return rest == std::string::npos ? "" : text.substr(rest);
  }

  TextCursor cursor_;
};

// Plays the moves of one game.
class PgnReplay {
 public:
  PgnReplay(const PgnGame& pgn, env::Variant variant) : pgn_(pgn), variant_(variant) {}

  ForeignEntry Play() {
    if (auto claimed = ReadClaims(); !claimed)
      return SkippedGame{line_, SkipReason::kNoResult, Printable(claimed.error())};
    if (tokens_ == 0) return SkippedGame{pgn_.line, SkipReason::kNoResult, "no move was made"};
    env::Rules rules = ReadingRules(variant_);
    if (const auto first = env::ParsePiece(pgn_.tokens[0].text); first)
      rules.first_player = first->color();
    env::WrittenGame game(rules);
    for (std::size_t at = 0; at < tokens_;) {
      line_ = pgn_.tokens[at].line;
      if (game.game().ply() >= kMostForeignPlies)
        return SkippedGame{line_, SkipReason::kNotSupported,
                           fmt::format("more than {} plies", kMostForeignPlies)};
      const std::string text = TakeMove(game.game(), at);
      if (!base::EqualNoCase(text, "pass") && MustPass(game.game())) game.Apply(env::Move::Pass());
      const int ply = game.game().ply();
      if (const auto played = game.Play(text); !played)
        return SkippedGame{line_, SkipReason::kIllegalMove,
                           Printable(fmt::format("move {}: {}", ply + 1, played.error()))};
    }
    return ForeignGame{pgn_.line, std::move(game).game(), claimed_};
  }

 private:
  // The Result tag and the word after the moves, which is no move.
  base::Result<void> ReadClaims() {
    tokens_ = pgn_.tokens.size();
    if (const auto tag = pgn_.tags.find("result"); tag != pgn_.tags.end()) {
      line_ = tag->second.line;
      claimed_ = ParseResult(tag->second.text).value_or(env::Result::kInProgress);
    }
    if (tokens_ == 0) return {};
    const Token& last = pgn_.tokens.back();
    const auto result = ParseResult(last.text);
    if (!result) return {};
    --tokens_;
    if (*result == env::Result::kInProgress) return {};
    if (claimed_ != env::Result::kInProgress && claimed_ != *result) {
      line_ = last.line;
      return base::Fail("the tag says {}, the end of the moves {}", ToString(claimed_),
                        ToString(*result));
    }
    claimed_ = *result;
    return {};
  }

  // A move is a pass, the first piece alone, or a piece and its destination.
  std::string TakeMove(const env::Game& game, std::size_t& at) const {
    std::string text = pgn_.tokens[at++].text;
    if (base::EqualNoCase(text, "pass") || game.ply() == 0 || at == tokens_) return text;
    return text + " " + pgn_.tokens[at++].text;
  }

  const PgnGame& pgn_;
  env::Variant variant_;
  std::size_t tokens_ = 0;
  env::Result claimed_ = env::Result::kInProgress;
  int line_ = 0;
};

ForeignEntry ReadGame(const PgnGame& game) {
  if (!game.error.empty())
    return SkippedGame{game.error_line, SkipReason::kBrokenText, Printable(game.error)};
  const auto type = game.tags.find("gametype");
  if (type == game.tags.end())
    return SkippedGame{game.line, SkipReason::kBrokenText, "the tag GameType is missing"};
  const auto variant = env::ParseVariant(type->second.text);
  if (!variant)
    return SkippedGame{type->second.line, SkipReason::kNotSupported, Printable(variant.error())};
  return PgnReplay(game, *variant).Play();
}

}  // namespace

void ReadPgnGames(std::string_view text, const ForeignSink& sink) {
  PgnReader reader(text);
  while (const auto game = reader.Next()) sink(ReadGame(*game));
}

}  // namespace apiary::train
