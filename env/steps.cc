#include "env/steps.h"

#include <algorithm>
#include <bit>

namespace apiary::env {
namespace {

constexpr int Left(int direction) { return (direction + 1) % kNumDirections; }
constexpr int Right(int direction) { return (direction + 5) % kNumDirections; }
constexpr bool Has(unsigned mask, int direction) { return (mask >> direction & 1) != 0; }

// By neighbour mask: the directions of legal ground steps. The neighbour is empty and exactly one
// of the two cells beside the way is occupied: none loses contact, both close the gate.
constexpr std::array<std::uint8_t, 64> MakeSlideTable() {
  std::array<std::uint8_t, 64> table{};
  for (unsigned mask = 0; mask < 64; ++mask) {
    for (int d = 0; d < kNumDirections; ++d) {
      if (!Has(mask, d) && Has(mask, Left(d)) != Has(mask, Right(d))) {
        table[mask] = static_cast<std::uint8_t>(table[mask] | 1u << d);
      }
    }
  }
  return table;
}
constexpr std::array<std::uint8_t, 64> kSlides = MakeSlideTable();

// Calls function(neighbour, direction) for each direction in `directions`.
template <typename Function>
void ForEachDirection(unsigned directions, Cell cell, Function function) {
  for (; directions != 0; directions &= directions - 1) {
    const int direction = std::countr_zero(directions);
    function(Neighbor(cell, direction), direction);
  }
}

// Empty cells next to 28 pieces: each has at most six neighbours.
constexpr int kMaxRim = 6 * kNumPieces;

}  // namespace

bool GateOpen(const Board& board, Cell from, int direction, int level) {
  return std::min(board.height(Neighbor(from, Left(direction))),
                  board.height(Neighbor(from, Right(direction)))) <= level;
}

void Steps::Lift(Cell from) {
  from_ = from;
  level_ = board_.height(from) - 1;
  if (level_ == 0) ClearBitOfSource(true);
}

void Steps::Drop() {
  if (level_ == 0) ClearBitOfSource(false);
  from_ = kNoCell;
}

void Steps::ClearBitOfSource(bool clear) {
  for (int d = 0; d < kNumDirections; ++d) {
    const auto bit = static_cast<std::uint8_t>(1 << (d + 3) % kNumDirections);
    std::uint8_t& mask = masks_[static_cast<std::size_t>(Neighbor(from_, d).index())];
    mask = static_cast<std::uint8_t>(clear ? mask & ~bit : mask | bit);
  }
}

bool Steps::Open(Cell from, int direction, int level) const {
  return std::min(Height(Neighbor(from, Left(direction))),
                  Height(Neighbor(from, Right(direction)))) <= level;
}

void Steps::AddDestinations(PieceType type, CellSet& destinations) const {
  if (level_ > 0) return AddBeetle(destinations);
  switch (type) {
    case PieceType::kQueen:
    case PieceType::kPillbug:
      return AddSlides(destinations);
    case PieceType::kSpider:
      return AddSpider(destinations);
    case PieceType::kBeetle:
      return AddBeetle(destinations);
    case PieceType::kGrasshopper:
      return AddGrasshopper(destinations);
    case PieceType::kAnt:
      return AddAnt(destinations);
    case PieceType::kMosquito:
      return AddMosquito(destinations);
    case PieceType::kLadybug:
      return AddLadybug(destinations);
  }
}

void Steps::AddSlides(CellSet& destinations) const {
  ForEachDirection(kSlides[Mask(from_)], from_, [&](Cell to, int) { destinations.Add(to); });
}

void Steps::AddBeetle(CellSet& destinations) const {
  for (int d = 0; d < kNumDirections; ++d) {
    const Cell to = Neighbor(from_, d);
    const int level = std::max(level_, Height(to));
    const bool open = level == 0 ? Has(kSlides[Mask(from_)], d) : Open(from_, d, level);
    if (open) destinations.Add(to);
  }
}

void Steps::AddGrasshopper(CellSet& destinations) const {
  ForEachDirection(Mask(from_), from_, [&](Cell to, int direction) {
    while (Has(Mask(to), direction)) to = Neighbor(to, direction);
    destinations.Add(Neighbor(to, direction));
  });
}

void Steps::AddSpider(CellSet& destinations) const {
  ForEachDirection(kSlides[Mask(from_)], from_, [&](Cell first, int) {
    ForEachDirection(kSlides[Mask(first)], first, [&](Cell second, int) {
      if (second == from_) return;
      ForEachDirection(kSlides[Mask(second)], second, [&](Cell third, int) {
        if (third != from_ && third != first) destinations.Add(third);
      });
    });
  });
}

void Steps::AddAnt(CellSet& destinations) const {
  std::array<Cell, kMaxRim + 1> queue;
  int size = 0;
  CellSet reached;
  reached.Add(from_);
  queue[static_cast<std::size_t>(size++)] = from_;
  while (size > 0) {
    const Cell cell = queue[static_cast<std::size_t>(--size)];
    ForEachDirection(kSlides[Mask(cell)], cell, [&](Cell to, int) {
      if (reached.Contains(to)) return;
      reached.Add(to);
      queue[static_cast<std::size_t>(size++)] = to;
    });
  }
  reached.Remove(from_);
  destinations |= reached;
}

void Steps::AddMosquito(CellSet& destinations) const {
  unsigned types = 0;
  ForEachDirection(Mask(from_), from_, [&](Cell cell, int) {
    types |= 1u << static_cast<int>(board_.top(cell).type());
  });
  types &= ~(1u << static_cast<int>(PieceType::kMosquito));
  for (; types != 0; types &= types - 1) {
    AddDestinations(static_cast<PieceType>(std::countr_zero(types)), destinations);
  }
}

void Steps::AddLadybug(CellSet& destinations) const {
  ForEachDirection(Mask(from_), from_, [&](Cell on, int direction) {
    if (Open(from_, direction, Height(on))) AddLadybugSecondStep(on, destinations);
  });
}

void Steps::AddLadybugSecondStep(Cell on, CellSet& destinations) const {
  ForEachDirection(Mask(on), on, [&](Cell across, int direction) {
    if (!Open(on, direction, std::max(Height(on), Height(across)))) return;
    ForEachDirection(~unsigned{Mask(across)} & 63u, across, [&](Cell down, int last) {
      if (down != from_ && Open(across, last, Height(across))) destinations.Add(down);
    });
  });
}

}  // namespace apiary::env
