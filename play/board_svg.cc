#include "play/board_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "env/notation.h"
#include "env/unwrapped_hive.h"
#include "play/svg_page.h"
#include "play/svg_table.h"

namespace apiary::play {
namespace {

constexpr double kRadius = 46;  // of a cell, centre to corner
constexpr double kMargin = 24;
const double kCellWidth = std::sqrt(3.0) * kRadius;
constexpr double kRowHeight = 1.5 * kRadius;
constexpr std::string_view kLastMove = "#f57c00";
constexpr std::string_view kCandidate = "#00897b";

struct Rectangle {
  Point low{1e9, 1e9};
  Point high{-1e9, -1e9};
  void Include(Point point, double around) {
    low = {std::min(low.x, point.x - around), std::min(low.y, point.y - around)};
    high = {std::max(high.x, point.x + around), std::max(high.y, point.y + around)};
  }
};

// The colours of a type's letters on white and on black pieces.
struct Ink {
  std::string_view on_white;
  std::string_view on_black;
};
constexpr std::array<Ink, env::kNumPieceTypes> kInks = {{{"#a86f00", "#ffd54f"},
                                                         {"#7a4a21", "#dfb083"},
                                                         {"#6a3d9a", "#cba6ff"},
                                                         {"#2e7d32", "#86dc8b"},
                                                         {"#1257a8", "#86bdff"},
                                                         {"#4f5963", "#cdd5dc"},
                                                         {"#b71c1c", "#ff938a"},
                                                         {"#00695c", "#6fdccd"}}};

std::string_view InkOf(env::PieceId piece) {
  const Ink& ink = kInks[static_cast<std::size_t>(piece.type())];
  return piece.color() == env::Color::kWhite ? ink.on_white : ink.on_black;
}
std::string_view FillOf(env::Color color) {
  return color == env::Color::kWhite ? "#f8f0dc" : "#2f3138";
}
std::string_view FaintInkOf(env::Color color) {
  return color == env::Color::kWhite ? "#83775c" : "#a4a8b4";
}

class Picture {
 public:
  Picture(const env::Game& game, std::span<const AnalysisLine> lines)
      : game_(game), hive_(game.board()), lines_(lines) {
    shift_ = NearOrigin(hive_[0].cell);
    for (int i = 0; i < hive_.size(); ++i) bounds_.Include(CenterOf(hive_[i].cell), kRadius);
  }

  void Draw() {
    for (int i = hive_.occupied(); i < hive_.size(); ++i) DrawEmpty(hive_[i]);
    if (hive_.occupied() == 0 && hive_.size() > 0) DrawEmpty(hive_[0]);
    DrawLastMoveSource();
    // Stacks rise over their neighbours.
    for (int height = 1; height <= kMostHeight; ++height)
      for (int i = 0; i < hive_.occupied(); ++i)
        if (board().height(hive_[i].cell) == height) DrawStack(hive_[i]);
    for (std::size_t i = lines_.size(); i > 0; --i) DrawArrow(lines_[i - 1]);
    DrawRanks();
  }

  SvgPage& page() { return page_; }
  const Rectangle& bounds() const { return bounds_; }

 private:
  static constexpr int kMostHeight = 7;

  const env::Board& board() const { return game_.board(); }

  // Coordinates of a cell of the wrapping grid as if it lay near the first piece of the game.
  static env::Axial NearOrigin(env::Cell cell) {
    constexpr int kSide = 32;
    constexpr int kHalf = kSide / 2;
    const int q = (cell.index() + kHalf) % kSide - kHalf;
    const int r = (cell.index() - q) / kSide;
    return {q, (r + kHalf) % kSide - kHalf};
  }

  env::Axial AxialOf(env::Cell cell) const {
    const int index = hive_.IndexOf(cell);
    if (index >= 0) return shift_ + hive_[index].at;
    // Further away: where the last move came from.
    for (int i = 0; i < hive_.occupied(); ++i)
      for (std::size_t d = 0; d < env::kAxialSteps.size(); ++d)
        if (env::Neighbor(hive_[i].cell, static_cast<int>(d)) == cell)
          return shift_ + hive_[i].at + env::kAxialSteps[d];
    return NearOrigin(cell);
  }
  Point CenterOf(env::Cell cell) const {
    const env::Axial at = AxialOf(cell);
    return {kCellWidth * (at.q + at.r / 2.0), kRowHeight * at.r};
  }
  // Where the top piece of a stack, or of a stack of so many pieces, is drawn.
  static Point Lifted(Point center, int level) {
    constexpr Point kStep{4, -6};
    return center + kStep * (level - 1);
  }
  Point TopOf(env::Cell cell) const {
    return Lifted(CenterOf(cell), std::max(1, board().height(cell)));
  }

  void DrawCoordinates(env::Cell cell, Point center, std::string_view color) {
    const env::Axial at = AxialOf(cell);
    page_.Text(center + Point{0, 0.66 * kRadius}, fmt::format("{},{}", at.q, at.r),
               {.size = 10, .color = color, .anchor = Anchor::kMiddle});
  }

  void DrawEmpty(const env::UnwrappedHive::Place& place) {
    const Point center = CenterOf(place.cell);
    page_.Hexagon(center, kRadius - 2, {.fill = "#fafafa", .stroke = "#e0e0e0"});
    DrawCoordinates(place.cell, center, "#9e9e9e");
  }

  void DrawStack(const env::UnwrappedHive::Place& place) {
    std::vector<env::PieceId> pieces;  // from the top down
    for (env::PieceId piece = board().top(place.cell); piece.valid();
         piece = board().beneath(piece))
      pieces.push_back(piece);
    const Point ground = CenterOf(place.cell);
    for (std::size_t i = pieces.size(); i > 1; --i)
      page_.Hexagon(Lifted(ground, static_cast<int>(pieces.size() - i) + 1), kRadius - 3,
                    {.fill = FillOf(pieces[i - 1].color()), .stroke = "#6d6d6d", .width = 1.5});
    const Point top = TopOf(place.cell);
    const env::Color color = pieces[0].color();
    const bool moved = IsLastDestination(place.cell);
    page_.Hexagon(top, kRadius - 3,
                  {.fill = FillOf(color),
                   .stroke = moved ? kLastMove : "#4a4a4a",
                   .width = moved ? 5.0 : 1.5});
    page_.Text(top + Point{0, -2}, env::ToString(pieces[0]).substr(1),
               {.size = 28, .color = InkOf(pieces[0]), .anchor = Anchor::kMiddle, .bold = true});
    if (pieces.size() > 1) {
      std::string beneath = fmt::format("on {}", env::ToString(pieces[1]));
      if (pieces.size() > 2) beneath += fmt::format(" +{}", pieces.size() - 2);
      page_.Text(top + Point{0, 0.42 * kRadius}, beneath,
                 {.size = 11, .color = FaintInkOf(color), .anchor = Anchor::kMiddle, .bold = true});
    }
    DrawCoordinates(place.cell, top, FaintInkOf(color));
  }

  bool IsLastDestination(env::Cell cell) const {
    return !game_.moves().empty() && !game_.moves().back().is_pass() &&
           game_.moves().back().destination() == cell;
  }

  void DrawLastMoveSource() {
    if (game_.moves().empty() || game_.moves().back().is_pass()) return;
    env::Game before = game_;
    before.Undo();
    const env::Cell source = before.board().cell(game_.moves().back().piece());
    if (!source.valid()) return;
    const Point center = CenterOf(source);
    bounds_.Include(center, kRadius);
    page_.Hexagon(center, kRadius - 5, {.stroke = kLastMove, .width = 3, .dashed = true});
  }

  void DrawArrow(const AnalysisLine& line) {
    const env::Move move = line.moves[0];
    if (move.is_pass()) return;
    constexpr double kThinnest = 2.5;
    constexpr double kWidest = 15;
    const double width = kThinnest + (kWidest - kThinnest) * line.share;
    const double opacity = 0.55 + 0.4 * line.share;
    const Point to = TopOf(move.destination());
    const env::Cell source = board().cell(move.piece());
    if (source.valid()) {
      const Point from = TopOf(source);
      const Point along = (to - from) * (1 / std::max(1.0, Length(to - from)));
      page_.Arrow(from + along * (0.45 * kRadius), to - along * (0.25 * kRadius), width, kCandidate,
                  opacity);
      return;
    }
    // From the hand: a piece that is not there yet.
    page_.Hexagon(to, kRadius - 5, {.stroke = kCandidate, .width = 2.5, .dashed = true});
    std::vector<std::string>& placed = placed_[move.destination()];
    placed.push_back(env::ToString(move.piece()).substr(1));
    const Point outside = to + Point{-0.7 * kRadius, -1.2 * kRadius};
    bounds_.Include(outside, 6);
    page_.Arrow(outside, to + Point{-0.1 * kRadius, -0.17 * kRadius}, width, kCandidate, opacity);
  }

  // The pieces that may be placed, and the rank of every candidate at its destination.
  void DrawRanks() {
    for (auto& [cell, pieces] : placed_) {
      std::reverse(pieces.begin(), pieces.end());
      std::string text = pieces[0];
      for (std::size_t i = 1; i < std::min<std::size_t>(3, pieces.size()); ++i)
        text += " " + pieces[i];
      if (pieces.size() > 3) text += "..";
      page_.Text(CenterOf(cell) + Point{0, 0.2 * kRadius}, text,
                 {.size = pieces.size() > 1 ? 14.0 : 18.0,
                  .color = kCandidate,
                  .anchor = Anchor::kMiddle,
                  .bold = true});
    }
    std::map<env::Cell, std::vector<std::size_t>> ranks;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!lines_[i].moves[0].is_pass()) ranks[lines_[i].moves[0].destination()].push_back(i + 1);
    constexpr double kApart = 20;
    for (const auto& [cell, here] : ranks) {
      for (std::size_t i = 0; i < here.size(); ++i) {
        const double left = kApart * static_cast<double>(here.size() - 1 - i);
        DrawRank(page_, TopOf(cell) + Point{0.5 * kRadius - left, -0.42 * kRadius}, here[i]);
      }
    }
  }

  const env::Game& game_;
  env::UnwrappedHive hive_;
  std::span<const AnalysisLine> lines_;
  env::Axial shift_;
  SvgPage page_;
  Rectangle bounds_;
  std::map<env::Cell, std::vector<std::string>> placed_;
};

// A row of the pieces in hand, of each type so many.
void DrawHand(const env::Board& board, env::Color color, Point place, SvgPage& page) {
  page.Text(place, color == env::Color::kWhite ? "White in hand" : "Black in hand",
            {.size = 13, .bold = true});
  constexpr double kToken = 15;
  Point at = place + Point{130, 0};
  for (int i = 0; i < env::kNumPieceTypes; ++i) {
    const auto type = static_cast<env::PieceType>(i);
    const int count = board.hand_count(color, type);
    if (count == 0) continue;
    const env::PieceId piece = board.next_in_hand(color, type);
    page.Hexagon(at, kToken, {.fill = FillOf(color), .stroke = "#4a4a4a"});
    page.Text(at, env::ToString(piece).substr(1, 1),
              {.size = 14, .color = InkOf(piece), .anchor = Anchor::kMiddle, .bold = true});
    if (count > 1) page.Text(at + Point{17, 5}, fmt::format("x{}", count), {.size = 12});
    at.x += count > 1 ? 58 : 40;
  }
}

}  // namespace

std::string DrawBoardSvg(const env::Game& game, std::span<const AnalysisLine> lines,
                         const std::vector<std::string>& captions) {
  constexpr double kHandHeight = 38;
  constexpr double kHandWidth = 520;
  Picture picture(game, lines);
  picture.Draw();
  SvgPage& page = picture.page();
  const Rectangle board = picture.bounds();
  double bottom = board.high.y + kMargin;
  for (const env::Color color : {env::Color::kWhite, env::Color::kBlack}) {
    DrawHand(game.board(), color, {board.low.x, bottom + kHandHeight / 2}, page);
    bottom += kHandHeight;
  }
  const double left = board.low.x + std::max(board.high.x - board.low.x, kHandWidth) + kMargin;
  const double table_bottom = DrawTable(game, lines, captions, {left, board.low.y}, page);
  const Point origin = board.low - Point{kMargin, kMargin};
  return page.ToString(origin, left + kTableWidth + kMargin - origin.x,
                       std::max(bottom, table_bottom) + kMargin - origin.y,
                       fmt::format("Hive, {}", env::TurnString(game.board())));
}

}  // namespace apiary::play
