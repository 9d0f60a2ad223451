#include "env/encoder.h"

#include <algorithm>
#include <bit>

#include "env/movegen.h"
#include "env/unwrapped_hive.h"

namespace apiary::env {
namespace {

int PieceCode(PieceId piece, Color own) {
  if (!piece.valid()) return 0;
  return 1 + static_cast<int>(piece.type()) + (piece.color() == own ? 0 : kNumPieceTypes);
}

PieceId Queen(Color color) { return PieceId::Of(color, PieceType::kQueen, 1); }

// What is the same for all rows of a position.
struct PositionView {
  const Board& board;
  Color own;
  std::uint32_t pinned;
  std::array<bool, 2> on_board;  // own, enemy: has a piece on the board
};

PositionView View(const Board& board) {
  PositionView view{board, board.side_to_move(), PinnedPieces(board), {false, false}};
  for (int i = 0; i < kNumPieces; ++i) {
    const PieceId piece = PieceId::FromIndex(i);
    if (!board.in_hand(piece)) view.on_board[piece.color() == view.own ? 0 : 1] = true;
  }
  return view;
}

// Features of the stack itself.
void EncodeStack(const PositionView& view, PieceId top, int height, std::uint8_t* out) {
  const PieceId below = view.board.beneath(top);
  out[0] = static_cast<std::uint8_t>(PieceCode(top, view.own));
  out[1] = static_cast<std::uint8_t>(height);
  out[2] = static_cast<std::uint8_t>(PieceCode(below, view.own));
  for (PieceId piece = below; piece.valid(); piece = view.board.beneath(piece)) {
    const bool own = piece.color() == view.own;
    if (piece.type() == PieceType::kQueen) out[3] = own ? 1 : 2;
    ++out[own ? 4 : 5];
  }
  out[6] = top == view.board.moved_last();
  out[7] = height == 1 && (view.pinned >> top.index() & 1) != 0;
}

void EncodeRow(const PositionView& view, Cell cell, std::uint8_t* out) {
  const Board& board = view.board;
  std::fill_n(out, kNumRowFeatures, std::uint8_t{0});
  const int height = board.height(cell);
  if (height > 0) EncodeStack(view, board.top(cell), height, out);
  std::array<bool, 2> touches = {false, false};  // own, enemy tops
  for (int d = 0; d < kNumDirections; ++d) {
    const Cell next = Neighbor(cell, d);
    const PieceId top = board.top(next);
    if (!top.valid()) continue;
    ++out[9];
    touches[top.color() == view.own ? 0 : 1] = true;
    if (next == board.cell(Queen(view.own))) out[10] |= 1;
    if (next == board.cell(Queen(Opponent(view.own)))) out[10] |= 2;
  }
  if (height > 0) return;
  // A side's first piece may touch the enemy: there is nothing else to touch.
  for (std::size_t side = 0; side < 2; ++side)
    if (!view.on_board[side] || (touches[side] && !touches[1 - side]))
      out[8] = static_cast<std::uint8_t>(out[8] | 1 << side);
}

void EncodePosition(const Game& game, std::uint8_t* out) {
  const Board& board = game.board();
  const Rules& rules = game.rules();
  const Color own = board.side_to_move();
  int at = 0;
  const auto put = [&](int value) { out[at++] = static_cast<std::uint8_t>(value); };
  for (const Color color : {own, Opponent(own)})
    for (int type = 0; type < kNumPieceTypes; ++type)
      put(board.hand_count(color, static_cast<PieceType>(type)));
  put(board.QueenNeighbors(own));
  put(board.QueenNeighbors(Opponent(own)));
  put(std::min(board.turns_taken(own), 4));
  put(std::min(static_cast<int>(std::bit_width(static_cast<unsigned>(board.ply()) + 1)) - 1, 7));
  put(rules.repetition > 0 ? std::min(game.occurrences() - 1, 2) : 0);
  put(rules.repetition > 0);
  put(rules.variant.mosquito);
  put(rules.variant.ladybug);
  put(rules.variant.pillbug);
  put(rules.queen_first_turn);
  APIARY_CHECK(at == kNumPositionFeatures, "{} position features", at);
}

EncodedMove EncodeMove(const Board& board, const UnwrappedHive& hive, Move move,
                       std::int32_t first_row) {
  if (move.is_pass()) return {kPassSource, first_row};
  const auto row = [&](Cell cell) {
    const int index = hive.IndexOf(cell);
    APIARY_CHECK(index >= 0, "move {:#x} names cell {}, which is no row", move.bits(),
                 cell.index());
    return first_row + index;
  };
  // The first piece of all may go anywhere by the rules; the encoding has one empty cell for it.
  const std::int32_t destination = hive.occupied() == 0 ? first_row : row(move.destination());
  const Cell source = board.cell(move.piece());
  return {source.valid() ? row(source) : -1 - static_cast<std::int32_t>(move.piece().type()),
          destination};
}

void AppendRows(const PositionView& view, const UnwrappedHive& hive, Symmetry symmetry,
                Block& block) {
  const std::int32_t first_row = block.rows();
  const Symmetry inverse = symmetry.Inverse();
  const std::size_t features = block.row_features.size();
  block.row_features.resize(features + static_cast<std::size_t>(hive.size() * kNumRowFeatures));
  for (int i = 0; i < hive.size(); ++i) {
    EncodeRow(view, hive[i].cell,
              &block.row_features[features + static_cast<std::size_t>(i * kNumRowFeatures)]);
    std::array<std::int32_t, 6> slots;
    for (int slot = 0; slot < kNumDirections; ++slot) {
      const int index = hive.IndexOf(Neighbor(hive[i].cell, inverse.Map(slot)));
      slots[static_cast<std::size_t>(slot)] = index < 0 ? -1 : first_row + index;
    }
    block.neighbors.push_back(slots);
  }
}

}  // namespace

void Block::Clear() {
  row_features.clear();
  neighbors.clear();
  position_features.clear();
  queen_rows.clear();
  moves.clear();
  row_begin.assign(1, 0);
  move_begin.assign(1, 0);
}

void Block::Reserve(int positions) {
  const std::size_t n = static_cast<std::size_t>(positions);
  row_features.reserve(n * kReservedRows * kNumRowFeatures);
  neighbors.reserve(n * kReservedRows);
  position_features.reserve(n * kNumPositionFeatures);
  queen_rows.reserve(n);
  moves.reserve(n * kReservedMoves);
  row_begin.reserve(n + 1);
  move_begin.reserve(n + 1);
}

void Append(const Game& game, const MoveList& moves, Symmetry symmetry, Block& block) {
  const Board& board = game.board();
  const UnwrappedHive hive(board);
  const PositionView view = View(board);
  const std::int32_t first_row = block.rows();
  AppendRows(view, hive, symmetry, block);

  const std::size_t at = block.position_features.size();
  block.position_features.resize(at + kNumPositionFeatures);
  EncodePosition(game, &block.position_features[at]);

  std::array<std::int32_t, 2> queens = {-1, -1};
  for (std::size_t side = 0; side < 2; ++side) {
    const Cell cell = board.cell(Queen(side == 0 ? view.own : Opponent(view.own)));
    if (cell.valid()) queens[side] = first_row + hive.IndexOf(cell);
  }
  block.queen_rows.push_back(queens);

  for (const Move move : moves) block.moves.push_back(EncodeMove(board, hive, move, first_row));
  block.row_begin.push_back(first_row + hive.size());
  block.move_begin.push_back(block.move_begin.back() + moves.size());
}

}  // namespace apiary::env
