#include "play/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "env/notation.h"
#include "env/unwrapped_hive.h"

namespace apiary::play {
namespace {

// Four lines a row of the hive: upper edges, name, stack, and the next row's upper edges are this
// one's lower ones.
class Canvas {
 public:
  void Put(int x, int y, std::string_view text) {
    std::string& line = lines_[y];
    const auto begin = static_cast<std::size_t>(x);
    if (line.size() < begin + text.size()) line.resize(begin + text.size(), ' ');
    line.replace(begin, text.size(), text);
  }
  std::string ToString() const {
    std::string text;
    for (const auto& [y, line] : lines_) text += line + "\n";
    return text;
  }

 private:
  std::map<int, std::string> lines_;
};

constexpr int kCellWidth = 4;
constexpr int kRowHeight = 3;

void DrawCell(const env::Board& board, const env::UnwrappedHive::Place& placed, int x, int y,
              Canvas& canvas) {
  const env::PieceId top = board.top(placed.cell);
  const int height = board.height(placed.cell);
  const std::string stack = height > 1 ? fmt::format("x{}", height) : "";
  const std::string_view mark = top == board.moved_last() ? "*" : "";
  canvas.Put(x + 1, y, "/");
  canvas.Put(x + 3, y, "\\");
  canvas.Put(x, y + 1, fmt::format("|{:<3}|", env::ToString(top)));
  canvas.Put(x, y + 2, fmt::format("|{:<2}{:1}|", stack, mark));
  canvas.Put(x + 1, y + 3, "\\");
  canvas.Put(x + 3, y + 3, "/");
}

std::string DescribeStack(const env::Board& board, env::Cell cell) {
  std::string text = env::ToString(board.top(cell));
  for (env::PieceId piece = board.beneath(board.top(cell)); piece.valid();
       piece = board.beneath(piece))
    text += fmt::format(" on {}", env::ToString(piece));
  return text;
}

}  // namespace

std::string DrawBoard(const env::Board& board) {
  if (board.pieces_on_board() == 0) return "(empty board)\n";
  const env::UnwrappedHive hive(board);
  const auto column = [](const env::UnwrappedHive::Place& placed) {
    return kCellWidth * placed.at.q + kCellWidth / 2 * placed.at.r;
  };
  int left = column(hive[0]);
  int upper = hive[0].at.r;
  for (int i = 1; i < hive.occupied(); ++i) {
    left = std::min(left, column(hive[i]));
    upper = std::min(upper, hive[i].at.r);
  }
  Canvas canvas;
  std::string stacks;
  for (int i = 0; i < hive.occupied(); ++i) {
    const env::UnwrappedHive::Place& placed = hive[i];
    DrawCell(board, placed, column(placed) - left, kRowHeight * (placed.at.r - upper), canvas);
    if (board.height(placed.cell) > 1) stacks += DescribeStack(board, placed.cell) + "\n";
  }
  return canvas.ToString() + stacks;
}

std::string DescribeHand(const env::Board& board, env::Color color) {
  std::string text = color == env::Color::kWhite ? "White in hand:" : "Black in hand:";
  bool any = false;
  for (int i = 0; i < env::kNumPieceTypes; ++i) {
    const auto type = static_cast<env::PieceType>(i);
    const int total = env::CountInVariant(type, board.rules().variant);
    for (int number = 1; number <= total; ++number) {
      const env::PieceId piece = env::PieceId::Of(color, type, number);
      if (!board.in_hand(piece)) continue;
      text += fmt::format(" {}", env::ToString(piece));
      any = true;
    }
  }
  return any ? text : text + " nothing";
}

}  // namespace apiary::play
