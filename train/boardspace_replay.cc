#include "train/boardspace_replay.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "train/foreign_game.h"

namespace apiary::train {
namespace {

constexpr int kTorus = 26;  // columns and rows

std::optional<env::Color> ParseColor(std::string_view text) {
  if (base::EqualNoCase(text, "w")) return env::Color::kWhite;
  if (base::EqualNoCase(text, "b")) return env::Color::kBlack;
  return std::nullopt;
}

// "wA1" of the new dialect, "A1" and "q" of the old one, which `color` is for.
base::Result<env::PieceId> ParseWrittenPiece(std::string_view text, env::Color color) {
  if (const auto named = env::ParsePiece(text); named) return named;
  const char* const side = color == env::Color::kWhite ? "w" : "b";
  if (const auto named = env::ParsePiece(fmt::format("{}{}", side, text)); named) return named;
  return base::Fail("unknown piece '{}'", Printable(text, 20));
}

}  // namespace

base::Result<void> BoardspaceReplay::Act(int player, std::string_view action) {
  const Words words = base::SplitWords(action);
  if (words.empty()) return {};
  const std::string verb = base::ToLower(words[0]);
  if (verb == "pick") return Pick(words);
  if (verb == "pickb") return PickFromBoard(player, words);
  if (verb == "dropb" || verb == "pdropb") return Drop(player, words);
  if (verb == "move" || verb == "pmove") return Move(words);
  if (verb == "movedone" || verb == "pmovedone") {
    if (auto moved = Move(words); !moved) return moved;
    return Done(player);
  }
  if (verb == "done") return Done(player);
  if (verb == "pass" || verb == "passdone") {
    pending_ = {Intent::kPass, {}, {}};
    return verb == "passdone" ? Done(player) : base::Result<void>();
  }
  if (verb == "drop" || verb == "undo" || verb == "reset") {  // back to the hand
    pending_ = {};
  } else if (verb == "resign") {
    pending_ = {Intent::kCourtesy, {}, {}};
    agreed_ =
        ColorOf(player) == env::Color::kWhite ? env::Result::kBlackWins : env::Result::kWhiteWins;
  } else if (verb == "offerdraw" || verb == "declinedraw" || verb == "acceptdraw") {
    pending_ = {Intent::kCourtesy, {}, {}};
    agreed_ = verb == "acceptdraw" ? env::Result::kDraw : env::Result::kInProgress;
  } else if (verb != "start" && verb != "edit" && verb != "playwhite" && verb != "playblack") {
    return base::Fail("unknown action");
  }
  return {};
}

// pick COLOUR SLOT PIECE: from the hand.
base::Result<void> BoardspaceReplay::Pick(const Words& words) {
  if (words.size() < 2) return base::Fail("no colour");
  picked_ = ParseColor(words[1]);
  if (!picked_) return base::Fail("unknown colour '{}'", Printable(words[1], 20));
  return {};
}

base::Result<BoardspaceReplay::Place> BoardspaceReplay::ParsePlace(std::string_view column,
                                                                   std::string_view row) {
  const char letter =
      column.size() == 1
          ? static_cast<char>(std::toupper(static_cast<unsigned char>(column.front())))
          : ' ';
  const auto number = base::ParseWhole(row, 0, 99);
  if (letter < 'A' || letter > 'Z' || !number)
    return base::Fail("unknown cell '{} {}'", Printable(column, 20), Printable(row, 20));
  return Place{letter - 'A', *number};
}

// pickb COLUMN ROW PIECE. In the old dialect only the cell tells the piece's colour.
base::Result<void> BoardspaceReplay::PickFromBoard(int player, const Words& words) {
  if (words.size() < 3) return base::Fail("no cell");
  const auto place = ParsePlace(words[1], words[2]);
  if (!place) return place.failure();
  if (pending_.intent == Intent::kMove && pending_.to == *place) {
    picked_ = pending_.piece.color();
    pending_ = {};
    return {};
  }
  picked_ = ColorOf(player);
  if (!game_) return {};
  for (const env::Cell cell : CellsOf(*place)) {
    const env::PieceId top = Position().board().top(cell);
    if (!top.valid()) continue;
    picked_ = top.color();
    break;
  }
  return {};
}

// dropb PIECE COLUMN ROW ATTACHMENT
base::Result<void> BoardspaceReplay::Drop(int player, const Words& words) {
  if (words.size() < 4) return base::Fail("no cell");
  const auto piece = ParseWrittenPiece(words[1], picked_.value_or(ColorOf(player)));
  if (!piece) return piece.failure();
  const auto place = ParsePlace(words[2], words[3]);
  if (!place) return place.failure();
  pending_ = {Intent::kMove, *piece, *place};
  return {};
}

// move COLOUR PIECE COLUMN ROW ATTACHMENT
base::Result<void> BoardspaceReplay::Move(const Words& words) {
  if (words.size() < 5) return base::Fail("no cell");
  const auto color = ParseColor(words[1]);
  if (!color) return base::Fail("unknown colour '{}'", Printable(words[1], 20));
  const auto piece = ParseWrittenPiece(words[2], *color);
  if (!piece) return piece.failure();
  const auto place = ParsePlace(words[3], words[4]);
  if (!place) return place.failure();
  pending_ = {Intent::kMove, *piece, *place};
  return {};
}

base::Result<void> BoardspaceReplay::Done(int player) {
  const Intent intent = std::exchange(pending_.intent, Intent::kNothing);
  picked_.reset();
  switch (intent) {
    case Intent::kMove:
      return PlayMove(player);
    case Intent::kPass:
      return PlayPass();
    case Intent::kNothing:
      // A bare `done` is how some clients write a pass.
      if (game_ && !over() && ColorOf(player) == Position().side_to_move() && MustPass(Position()))
        return PlayPass();
      return {};
    case Intent::kCourtesy:
      return {};
  }
  return {};
}

base::Result<void> BoardspaceReplay::PlayPass() {
  if (over()) return {};  // damaged games go on passing
  if (!game_ || !MustPass(Position())) {
    illegal_ = true;
    return base::Fail("passing is not legal: there are other moves");
  }
  agreed_ = env::Result::kInProgress;
  game_->Apply(env::Move::Pass());
  return {};
}

base::Result<void> BoardspaceReplay::PlayMove(int player) {
  if (!game_) {
    env::Rules rules = ReadingRules(variant_);
    rules.first_player = pending_.piece.color();
    game_.emplace(rules);
    first_ = pending_.to;
    white_player_ = rules.first_player == env::Color::kWhite ? player : 1 - player;
  }
  illegal_ = true;
  if (over()) return base::Fail("the game is over ({})", ToString(Position().outcome().result));
  agreed_ = env::Result::kInProgress;
  if (MustPass(Position())) game_->Apply(env::Move::Pass());
  const env::PieceId piece = game_->Rename(pending_.piece);
  if (!piece.valid())
    return base::Fail("{} is not in play in {}", env::ToString(pending_.piece),
                      env::ToString(variant_));
  env::MoveList legal;
  Position().LegalMoves(legal);
  for (const env::Cell cell : CellsOf(pending_.to)) {
    const env::Move move(piece, cell);
    if (!legal.Contains(move)) continue;
    game_->Apply(move);
    illegal_ = false;
    return {};
  }
  return base::Fail("{} to {} {}: not legal in this position, {}", env::ToString(pending_.piece),
                    static_cast<char>('A' + pending_.to.column), pending_.to.row,
                    env::TurnString(Position().board()));
}

std::array<env::Cell, 9> BoardspaceReplay::CellsOf(Place place) const {
  struct Candidate {
    int distance;
    env::Axial at;
  };
  std::array<Candidate, 9> candidates;
  std::size_t size = 0;
  for (const int columns : {0, -kTorus, kTorus}) {
    for (const int rows : {0, -kTorus, kTorus}) {
      const env::Axial at{place.column - first_.column + columns, -(place.row - first_.row + rows)};
      const int distance = std::max({std::abs(at.q), std::abs(at.r), std::abs(at.q + at.r)});
      candidates[size++] = {distance, at};
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::array<env::Cell, 9> cells;
  std::transform(candidates.begin(), candidates.end(), cells.begin(),
                 [](const Candidate& c) { return env::Cell::FromAxial(c.at); });
  return cells;
}

}  // namespace apiary::train
