#include "play/svg_table.h"

#include <fmt/format.h>

namespace apiary::play {
namespace {

constexpr double kRowHeight = 62;
constexpr double kLineHeight = 20;

std::string Describe(const AnalysisLine& line) {
  std::string text;
  if (line.proven == mcts::Proven::kWin) {
    text = "won";
  } else if (line.proven == mcts::Proven::kLoss) {
    text = "lost";
  } else if (line.proven == mcts::Proven::kDraw) {
    text = "drawn";
  } else if (line.wdl) {
    text = fmt::format("win {:.0f}, draw {:.0f}, loss {:.0f} %", 100 * line.wdl->win,
                       100 * line.wdl->draw, 100 * line.wdl->loss);
  } else {
    text = "not visited";
  }
  return text;
}

void DrawBar(const nn::Wdl& wdl, Point corner, double width, SvgPage& page) {
  constexpr double kHeight = 12;
  const double win = width * static_cast<double>(wdl.win);
  const double draw = width * static_cast<double>(wdl.draw);
  page.Rectangle(corner, width, kHeight, {.fill = "#e57373"});
  page.Rectangle(corner, win + draw, kHeight, {.fill = "#bdbdbd"});
  page.Rectangle(corner, win, kHeight, {.fill = "#66bb6a"});
  page.Rectangle(corner, width, kHeight, {.stroke = "#757575"});
}

// As many of the moves as fit.
std::string Continuation(const std::vector<std::string>& moves) {
  constexpr std::size_t kFits = 62;
  std::string text;
  for (std::size_t i = 1; i < moves.size(); ++i) {
    if (text.size() + moves[i].size() + 6 > kFits) return text + " ...";
    text += (i > 1 ? ", " : "") + moves[i];
  }
  return text;
}

void DrawRow(const env::Game& game, const AnalysisLine& line, std::size_t rank, Point corner,
             SvgPage& page) {
  const std::vector<std::string> moves = LineToStrings(game, line.moves);
  const double first = corner.y + 14;
  DrawRank(page, {corner.x + 11, first}, rank);
  page.Text({corner.x + 30, first}, moves[0], {.size = 16, .bold = true});
  page.Text({corner.x + kTableWidth, first},
            fmt::format("{} visits, {:.0f} %, prior {:.0f} %", line.visits, 100 * line.share,
                        100 * static_cast<double>(line.prior)),
            {.size = 13, .color = "#555555", .anchor = Anchor::kEnd});
  constexpr double kBar = 190;
  if (line.wdl) DrawBar(*line.wdl, {corner.x + 30, first + 13}, kBar, page);
  page.Text({corner.x + 30 + kBar + 12, first + 19}, Describe(line), {.size = 13});
  page.Text({corner.x + 30, first + 37}, Continuation(moves), {.size = 11, .color = "#757575"});
}

}  // namespace

void DrawRank(SvgPage& page, Point center, std::size_t rank) {
  page.Circle(center, 10, {.fill = "#00695c", .stroke = "#ffffff", .width = 1.5});
  page.Text(center, fmt::format("{}", rank),
            {.size = rank < 10 ? 13.0 : 11.0,
             .color = "#ffffff",
             .anchor = Anchor::kMiddle,
             .bold = true});
}

double DrawTable(const env::Game& game, std::span<const AnalysisLine> lines,
                 const std::vector<std::string>& captions, Point corner, SvgPage& page) {
  double y = corner.y;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    page.Text({corner.x, y + kLineHeight / 2}, captions[i],
              {.size = i == 0 ? 17.0 : 13.0, .bold = i == 0});
    y += i == 0 ? kLineHeight + 4 : kLineHeight;
  }
  y += 12;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    DrawRow(game, lines[i], i + 1, {corner.x, y}, page);
    y += kRowHeight;
  }
  return y;
}

}  // namespace apiary::play
