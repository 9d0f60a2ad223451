#include "env/row_table.h"

#include <bit>
#include <cstring>
#include <utility>

#include "env/expand_bits.h"

namespace apiary::env {
namespace {

constexpr int kWords = CellSet::kWords;

// The occupied cells of a word of the ring and of those before and after it.
struct Occupied {
  std::uint64_t before, here, after;

  // Cells next to an occupied one. The steps are +-1 (E, W) and, for each cell joined to its
  // neighbour, +-32:
  //
  //     NW NE       row - 1:  cells joined to their E neighbour, up
  //    W  c  E
  //     SW SE       row + 1:  cells joined to their W neighbour, down
  std::uint64_t Neighbors() const {
    const std::uint64_t east = here << 1 | before >> 63;
    const std::uint64_t west = here >> 1 | after << 63;
    const std::uint64_t from_above =
        (here | west) << 32 | (before | before >> 1 | here << 63) >> 32;
    const std::uint64_t from_below = (here | east) >> 32 | (after | after << 1 | here >> 63) << 32;
    return east | west | from_above | from_below;
  }
};

}  // namespace

RowTable::RowTable(const Board& board, Symmetry symmetry, std::int32_t first_row) {
  const std::uint32_t live = board.live_words();
  if (live == 0) {
    places_[0] = 0;
    size_ = 1;
    NumberPlaces(first_row);
    return;
  }
  // The hive's words follow each other on the ring. Its first row of cells may have a border in the
  // word before, its last one in the word after.
  const std::uint32_t begins = live & ~(live << 1 | live >> (kWords - 1));
  int first = begins == 0 ? 0 : std::countr_zero(begins);
  int words = std::popcount(live);
  const auto occupied = [&](int i) {
    const auto word = static_cast<std::size_t>(i & (kWords - 1));
    return board.tops(Color::kWhite).words()[word] | board.tops(Color::kBlack).words()[word];
  };
  if (occupied(first + words - 1) >> 32 != 0) ++words;
  if (static_cast<std::uint32_t>(occupied(first)) != 0) {
    --first;
    ++words;
  }
  base_ = 64 * first;
  end_place_ = 64 * words;
  std::array<std::uint64_t, kWords + 2> pieces;  // words first - 1 .. first + words
  for (int i = 0; i < words + 2; ++i) pieces[static_cast<std::size_t>(i)] = occupied(first - 1 + i);
  std::uint16_t* out = places_.data();
  for (int i = 0; i < words; ++i)
    out = ExpandBits(pieces[static_cast<std::size_t>(i) + 1], 64 * i, out);
  occupied_ = static_cast<int>(out - places_.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(words); ++i) {
    const Occupied near = {pieces[i], pieces[i + 1], pieces[i + 2]};
    out = ExpandBits(near.Neighbors() & ~near.here, 64 * static_cast<int>(i), out);
  }
  size_ = static_cast<int>(out - places_.data());
  if (symmetry != Symmetry()) OrderThrough(symmetry);
  NumberPlaces(first_row);
}

// Cells get numbers 32 r + q again by where the symmetry takes them, and these are put in order as
// members of a set.
void RowTable::OrderThrough(Symmetry symmetry) {
  // Counted from a column that has no row, the columns of a row of cells do not wrap.
  std::uint32_t columns = 0;
  for (int i = 0; i < size_; ++i) columns |= 1U << place(i) % 32;
  const int free_column = std::countr_one(columns);
  const Axial q_step = symmetry.Map({1, 0}), r_step = symmetry.Map({0, 1});
  std::array<Axial, kMaxRows> turned;
  Axial least = {kNumCells, kNumCells};
  for (int i = 0; i < size_; ++i) {
    const int number = place(i) + 32 - free_column;
    const int q = number % 32, r = number / 32;
    Axial& at = turned[static_cast<std::size_t>(i)];
    at = {q * q_step.q + r * r_step.q, q * q_step.r + r * r_step.r};
    least = {std::min(least.q, at.q), std::min(least.r, at.r)};
  }
  std::array<std::uint16_t, kNumCells + kSlack> numbers;
  std::array<std::uint16_t, kNumCells> place_of;  // by number
  std::uint16_t* out = places_.data();
  for (const auto& [begin, end] : {std::pair{0, occupied_}, std::pair{occupied_, size_}}) {
    std::array<std::uint64_t, kWords> members{};
    for (int i = begin; i < end; ++i) {
      const Axial at = turned[static_cast<std::size_t>(i)];
      const auto number = static_cast<std::size_t>(32 * (at.r - least.r) + at.q - least.q);
      members[number / 64] |= std::uint64_t{1} << number % 64;
      place_of[number] = places_[static_cast<std::size_t>(i)];
    }
    std::uint16_t* last = numbers.data();
    for (int word = 0; word < kWords; ++word)
      last = ExpandBits(members[static_cast<std::size_t>(word)], 64 * word, last);
    for (const std::uint16_t* number = numbers.data(); number != last; ++number)
      *out++ = place_of[*number];
  }
}

void RowTable::NumberPlaces(std::int32_t first_row) {
  // All bits set is -1. Faster than std::fill_n, which GCC makes a `rep stos` of.
  std::memset(rows_.data(), 0xFF,
              static_cast<std::size_t>(kMargin + end_place_ + kMargin) * sizeof(rows_[0]));
  for (int i = 0; i < size_; ++i)
    rows_[static_cast<std::size_t>(kMargin + place(i))] = first_row + i;
}

}  // namespace apiary::env
