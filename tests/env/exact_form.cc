#include "tests/env/exact_form.h"

#include <algorithm>

#include "env/movegen.h"
#include "env/unwrapped_hive.h"

namespace apiary::env::testing {
namespace {

// Turns taken with the queen in hand, up to the third; 9 once it is placed, 8 if it may come now.
std::uint32_t Turns(const Board& board, Color color) {
  if (board.hand_count(color, PieceType::kQueen) == 0) return 9;
  const int turns = board.turns_taken(color);
  if (turns == 0 && board.rules().queen_first_turn) return 8;
  return static_cast<std::uint32_t>(std::min(turns, 3));
}

std::vector<std::uint32_t> Shape(const Board& board, const UnwrappedHive& hive, Symmetry symmetry,
                                 PieceId mark) {
  std::vector<Axial> places;
  int least_q = 0, least_r = 0;
  for (int i = 0; i < hive.occupied(); ++i) {
    const Axial at = symmetry.Map(hive[i].at);
    least_q = i == 0 ? at.q : std::min(least_q, at.q);
    least_r = i == 0 ? at.r : std::min(least_r, at.r);
    places.push_back(at);
  }
  std::vector<std::uint32_t> shape;
  for (int i = 0; i < hive.occupied(); ++i) {
    const Axial at = places[static_cast<std::size_t>(i)];
    const auto column = static_cast<std::uint32_t>(at.q - least_q);
    const auto row = static_cast<std::uint32_t>(at.r - least_r);
    int height = board.height(hive[i].cell);
    for (PieceId piece = board.top(hive[i].cell); piece.valid(); piece = board.beneath(piece)) {
      const auto type = static_cast<std::uint32_t>(piece.type());
      const auto color = static_cast<std::uint32_t>(piece.color());
      shape.push_back(row << 20 | column << 12 | static_cast<std::uint32_t>(height--) << 8 |
                      type << 4 | color << 1 | (piece == mark ? 1u : 0u));
    }
  }
  std::sort(shape.begin(), shape.end());
  return shape;
}

}  // namespace

std::vector<std::uint32_t> ExactShape(const Board& board, Symmetry symmetry, PieceId mark) {
  return Shape(board, UnwrappedHive(board), symmetry, mark);
}

std::vector<std::uint32_t> ExactForm(const Board& board) {
  const PieceId mark = MarkMatters(board, board.moved_last()) ? board.moved_last() : kNoPiece;
  const UnwrappedHive hive(board);
  std::vector<std::uint32_t> least = Shape(board, hive, Symmetry(), mark);
  for (int i = 1; i < kNumSymmetries; ++i)
    least = std::min(least, Shape(board, hive, Symmetry::FromIndex(i), mark));
  std::vector<std::uint32_t> form = {static_cast<std::uint32_t>(board.side_to_move()),
                                     Turns(board, Color::kWhite), Turns(board, Color::kBlack)};
  for (const Color color : {Color::kWhite, Color::kBlack})
    for (int type = 0; type < kNumPieceTypes; ++type)
      form.push_back(
          static_cast<std::uint32_t>(board.hand_count(color, static_cast<PieceType>(type))));
  form.insert(form.end(), least.begin(), least.end());
  return form;
}

}  // namespace apiary::env::testing
