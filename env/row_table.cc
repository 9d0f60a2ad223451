#include "env/row_table.h"

#include <bit>
#include <cstring>

namespace apiary::env {

RowTable::RowTable(const Board& board, std::int32_t first_row) {
  std::array<int, kNumPieces> cells;
  int count = 0;
  board.occupied().ForEach(
      [&](Cell cell) { cells[static_cast<std::size_t>(count++)] = cell.index(); });
  if (count == 0) {
    ClearRows();
    Add(kMargin, first_row);
    return;
  }
  // The first piece is the one after the outer gap.
  constexpr int kLongestInnerStep = 32;
  int first = 0;
  for (int i = 1; i < count; ++i) {
    if (cells[static_cast<std::size_t>(i)] - cells[static_cast<std::size_t>(i - 1)] >
        kLongestInnerStep)
      first = i;
  }
  base_ = cells[static_cast<std::size_t>(first)] - kMargin;
  const int last = cells[static_cast<std::size_t>((first + count - 1) % count)];
  end_place_ = PlaceOf(Cell::FromIndex(last)) + kMargin + 1;
  ClearRows();
  for (int i = 0; i < count; ++i) {
    const int cell =
        cells[static_cast<std::size_t>(first + i < count ? first + i : first + i - count)];
    Add((cell - base_) & (kNumCells - 1), first_row + i);
  }
  occupied_ = count;
  AddBorder(first_row);
}

// All bits set is -1. Faster than std::fill_n, which GCC makes a `rep stos` of.
void RowTable::ClearRows() {
  std::memset(rows_.data(), 0xFF, static_cast<std::size_t>(end_place_) * sizeof(rows_[0]));
}

// The border as bits by place: what lies next to a piece and holds none.
void RowTable::AddBorder(std::int32_t first_row) {
  std::array<std::uint64_t, kWords + 1> pieces{};
  for (int i = 0; i < occupied_; ++i)
    pieces[static_cast<std::size_t>(place(i) >> 6)] |= std::uint64_t{1} << (place(i) & 63);
  const int words = (end_place_ + 63) / 64;
  std::uint64_t previous = 0;
  for (int i = 0; i < words; ++i) {
    const std::uint64_t here = pieces[static_cast<std::size_t>(i)];
    const std::uint64_t next = pieces[static_cast<std::size_t>(i) + 1];
    // SE and SW are 32 and 31 places on, NW and NE 32 and 31 back: pairs of places one apart.
    const std::uint64_t east = here << 1 | previous >> 63;
    const std::uint64_t west = here >> 1 | next << 63;
    const std::uint64_t from_above =
        (here | west) << 32 | (previous | previous >> 1 | here << 63) >> 32;
    const std::uint64_t from_below = (here | east) >> 32 | (next | next << 1 | here >> 63) << 32;
    for (std::uint64_t border = (east | west | from_above | from_below) & ~here; border != 0;
         border &= border - 1)
      Add(64 * i + std::countr_zero(border), first_row + size_);
    previous = here;
  }
}

}  // namespace apiary::env
