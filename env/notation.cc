#include "env/notation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <vector>

namespace apiary::env {
namespace {

constexpr std::string_view kTypeLetters = "QSBGAMLP";  // by PieceType

// How a destination is written beside the piece that lies in direction d of it, in the order of
// preference.
struct Side {
  Direction reference;  // from the destination to the piece
  char symbol;
  bool before;  // the symbol is written before the piece's name
};
constexpr std::array<Side, 6> kSides = {
    Side{Direction::kW, '-', false},  Side{Direction::kNW, '\\', false},
    Side{Direction::kNE, '/', true},  Side{Direction::kE, '-', true},
    Side{Direction::kSE, '\\', true}, Side{Direction::kSW, '/', false}};

bool IsSymbol(char c) { return c == '-' || c == '/' || c == '\\'; }

std::string_view Trim(std::string_view text) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

bool EqualNoCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// A move as written, before it is looked up on a board.
struct WrittenMove {
  bool pass = false;
  PieceId piece;
  bool has_destination = false;
  PieceId reference;
  int direction = -1;  // from the reference to the destination; -1: onto it
};

int DirectionFromReference(char symbol, bool before) {
  for (const Side& side : kSides) {
    if (side.symbol == symbol && side.before == before)
      return (static_cast<int>(side.reference) + 3) % 6;
  }
  base::CheckFailed(__FILE__, __LINE__, "symbol", "not a direction");
}

base::Result<WrittenMove> ReadMove(std::string_view text) {
  text = Trim(text);
  WrittenMove move;
  if (text.empty()) return base::Fail("the move is empty");
  if (EqualNoCase(text, "pass")) {
    move.pass = true;
    return move;
  }
  const std::size_t gap = text.find_first_of(" \t");
  const base::Result<PieceId> piece = ParsePiece(text.substr(0, gap));
  if (!piece) return base::Fail("'{}': {}", text, piece.error());
  move.piece = *piece;
  if (gap == std::string_view::npos) return move;
  std::string_view destination = Trim(text.substr(gap));
  move.has_destination = true;
  const bool before = IsSymbol(destination.front());
  const bool after = destination.size() > 1 && IsSymbol(destination.back());
  if (before && after)
    return base::Fail("'{}': a direction stands before and after the piece", text);
  if (before || after) {
    move.direction =
        DirectionFromReference(before ? destination.front() : destination.back(), before);
    destination = before ? destination.substr(1) : destination.substr(0, destination.size() - 1);
  }
  const base::Result<PieceId> reference = ParsePiece(destination);
  if (!reference) return base::Fail("'{}': {}", text, reference.error());
  move.reference = *reference;
  return move;
}

// Why a written move that is not in the list of legal moves cannot be played.
std::string WhyNotLegal(const Game& game, Move move, const MoveList& legal) {
  const Board& board = game.board();
  const bool must_pass = legal.size() == 1 && legal[0].is_pass();
  if (move.is_pass()) return "passing is not legal: there are other moves";
  if (must_pass) return "only 'pass' is legal";
  const PieceId piece = move.piece();
  if (board.in_hand(piece)) {
    if (piece.color() != board.side_to_move()) {
      return fmt::format("not legal: it is {}'s turn",
                         board.side_to_move() == Color::kWhite ? "White" : "Black");
    }
    const PieceId next = board.next_in_hand(piece.color(), piece.type());
    if (next != piece)
      return fmt::format("not legal: {} leaves the hand before {}", ToString(next),
                         ToString(piece));
  }
  return "not legal in this position";
}

// Looks a written move up; `text` is for messages. Pieces are named as on the board.
base::Result<Move> Resolve(const Game& game, const WrittenMove& written, std::string_view text) {
  if (game.outcome().over()) {
    return base::Fail("'{}': the game is over ({} by {})", text, ToString(game.outcome().result),
                      ToString(game.outcome().reason));
  }
  const Board& board = game.board();
  Move move = Move::Pass();
  if (!written.pass) {
    if (written.piece.number() > CountInVariant(written.piece.type(), board.rules().variant)) {
      return base::Fail("'{}': {} is not in play in {}", text, ToString(written.piece),
                        ToString(board.rules().variant));
    }
    Cell destination = kOrigin;
    if (written.has_destination) {
      if (board.in_hand(written.reference)) {
        return base::Fail("'{}': {} is not on the board", text, ToString(written.reference));
      }
      destination = board.cell(written.reference);
      if (written.direction >= 0) destination = Neighbor(destination, written.direction);
    } else if (board.pieces_on_board() > 0) {
      return base::Fail("'{}': the destination is missing", text);
    }
    move = Move(written.piece, destination);
  }
  MoveList legal;
  game.LegalMoves(legal);
  if (!legal.Contains(move)) return base::Fail("'{}': {}", text, WhyNotLegal(game, move, legal));
  return move;
}

std::string_view ColorName(Color color) { return color == Color::kWhite ? "White" : "Black"; }

std::vector<std::string_view> SplitFields(std::string_view text) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t end = text.find(';');
    fields.push_back(Trim(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (fields.size() > 1 && fields.back().empty()) fields.pop_back();  // a closing semicolon
  return fields;
}

bool IsState(std::string_view text) {
  constexpr std::array<std::string_view, 5> kStates = {"NotStarted", "InProgress", "Draw",
                                                       "WhiteWins", "BlackWins"};
  return std::any_of(kStates.begin(), kStates.end(),
                     [&](std::string_view s) { return EqualNoCase(s, text); });
}

// "White[3]", any case: whose turn it is; empty if it is not such a text.
std::optional<Color> ReadTurn(std::string_view text) {
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    const std::string_view name = ColorName(color);
    if (text.size() < name.size() + 3 || !EqualNoCase(text.substr(0, name.size()), name)) continue;
    const std::string_view rest = text.substr(name.size());
    if (rest.front() != '[' || rest.back() != ']') continue;
    const std::string_view digits = rest.substr(1, rest.size() - 2);
    if (std::all_of(digits.begin(), digits.end(),
                    [](unsigned char c) { return std::isdigit(c) != 0; }))
      return color;
  }
  return std::nullopt;
}

base::Result<void> PlayWritten(std::span<const std::string_view> texts, WrittenGame& written) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (const base::Result<void> played = written.Play(texts[i]); !played)
      return base::Fail("move {}: {}", i + 1, played.error());
  }
  return {};
}

}  // namespace

std::string ToString(PieceId piece) {
  std::string text = piece.color() == Color::kWhite ? "w" : "b";
  const auto type = static_cast<std::size_t>(piece.type());
  text += kTypeLetters[type];
  if (kPiecesOfType[type] > 1) text += static_cast<char>('0' + piece.number());
  return text;
}

base::Result<PieceId> ParsePiece(std::string_view text) {
  const auto failure = [text] { return base::Fail("unknown piece '{}'", text); };
  if (text.size() < 2 || text.size() > 3) return failure();
  const int side = std::tolower(static_cast<unsigned char>(text[0]));
  const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(text[1])));
  const std::size_t type = kTypeLetters.find(letter);
  if ((side != 'w' && side != 'b') || type == std::string_view::npos) return failure();
  const int count = kPiecesOfType[type];
  if (text.size() == 2 && count > 1) return failure();
  const int number = text.size() == 2 ? 1 : text[2] - '0';
  if (number < 1 || number > count) return failure();
  return PieceId::Of(side == 'w' ? Color::kWhite : Color::kBlack, static_cast<PieceType>(type),
                     number);
}

std::string MoveToString(const Board& board, Move move) {
  if (move.is_pass()) return "pass";
  const PieceId piece = move.piece();
  const std::string name = ToString(piece);
  if (board.pieces_on_board() == 0) return name;
  const Cell from = board.cell(piece);
  const auto top_with_mover_lifted = [&](Cell cell) {
    return cell == from ? board.beneath(piece) : board.top(cell);
  };
  if (const PieceId top = top_with_mover_lifted(move.destination()); top.valid())
    return name + ' ' + ToString(top);
  for (const Side& side : kSides) {
    const PieceId reference = top_with_mover_lifted(Neighbor(move.destination(), side.reference));
    if (!reference.valid()) continue;
    return side.before ? name + ' ' + side.symbol + ToString(reference)
                       : name + ' ' + ToString(reference) + side.symbol;
  }
  base::CheckFailed(__FILE__, __LINE__, "reference",
                    fmt::format("{} moves away from the hive", name));
}

base::Result<Move> ParseMove(const Game& game, std::string_view text) {
  const base::Result<WrittenMove> written = ReadMove(text);
  if (!written) return written.failure();
  return Resolve(game, *written, Trim(text));
}

std::string TurnString(const Board& board) {
  return fmt::format("{}[{}]", ColorName(board.side_to_move()), 1 + board.ply() / 2);
}

std::string ToGameString(const Game& game) {
  const Result result = game.outcome().result;
  std::string text = ToString(game.rules().variant);
  text += ';';
  // The grammar has no word for a game that the length cap stopped: it is not drawn, so it could go
  // on.
  text += game.ply() == 0 ? "NotStarted"
                          : ToString(result == Result::kUnfinished ? Result::kInProgress : result);
  text += ';';
  text += TurnString(game.board());
  Board board(game.rules());
  for (const Move move : game.moves()) {
    text += ';';
    text += MoveToString(board, move);
    board.Apply(move);
  }
  return text;
}

base::Result<ParsedGame> ParseGameString(std::string_view text, const Rules& options) {
  const std::vector<std::string_view> fields = SplitFields(text);
  const base::Result<Variant> variant = ParseVariant(fields[0]);
  if (!variant) return variant.failure();
  Rules rules = options;
  rules.variant = *variant;
  if (fields.size() == 1) return ParsedGame{Game(rules), "NotStarted"};
  if (!IsState(fields[1])) {
    return base::Fail(
        "unknown state '{}': expected NotStarted, InProgress, Draw, WhiteWins or BlackWins",
        fields[1]);
  }
  if (fields.size() == 2) return base::Fail("the turn is missing after '{}'", fields[1]);
  const std::optional<Color> turn = ReadTurn(fields[2]);
  if (!turn) return base::Fail("unknown turn '{}': expected White[n] or Black[n]", fields[2]);
  const std::span<const std::string_view> moves = std::span(fields).subspan(3);
  if (moves.empty()) {
    rules.first_player = *turn;
  } else if (const base::Result<WrittenMove> first = ReadMove(moves[0]); first && !first->pass) {
    rules.first_player = first->piece.color();
  }
  WrittenGame written(rules);
  if (const base::Result<void> played = PlayWritten(moves, written); !played)
    return played.failure();
  return ParsedGame{std::move(written).game(), std::string(fields[1])};
}

PieceId WrittenGame::Rename(PieceId written) {
  PieceId& known = Known(written);
  if (!known.valid()) known = game_.board().next_in_hand(written.color(), written.type());
  return known;
}

base::Result<void> WrittenGame::Play(std::string_view text) {
  base::Result<WrittenMove> written = ReadMove(text);
  if (!written) return written.failure();
  if (!written->pass) {
    // A piece that the variant lacks keeps its name: Resolve says so.
    if (const PieceId piece = Rename(written->piece); piece.valid()) {
      written->piece = piece;
      if (written->has_destination) {
        const PieceId reference = Known(written->reference);
        if (!reference.valid())
          return base::Fail("'{}': {} is not on the board", text, ToString(written->reference));
        written->reference = reference;
      }
    }
  }
  const base::Result<Move> move = Resolve(game_, *written, text);
  if (!move) return move.failure();
  game_.Apply(*move);
  return {};
}

}  // namespace apiary::env
