#include "env/rim_walk.h"

namespace apiary::env {
namespace {

constexpr std::uint8_t SlidesWithPivot(unsigned mask, bool left) {
  unsigned slides = 0;
  for (int d = 0; d < kNumDirections; ++d) {
    if (Has(internal::SlidesOf(mask), d) && Has(mask, left ? Left(d) : Right(d))) slides |= 1u << d;
  }
  return static_cast<std::uint8_t>(slides);
}

struct Slide {
  std::int16_t step;  // difference of cell indices
  std::uint8_t direction;
  std::uint8_t reverse;  // the opposite direction
};

// [mask][direction of the slide that led to the cell]: the next slide of a walk. With the pivot on
// the left (at direction + 2) the first one clockwise from there, else the first anticlockwise.
using NextTable = std::array<std::array<Slide, 8>, kNumMasks>;
constexpr NextTable MakeNextTable(bool left) {
  NextTable table{};
  for (unsigned mask = 0; mask < kNumMasks; ++mask) {
    for (int arrival = 0; arrival < kNumDirections; ++arrival) {
      int d = left ? Left(arrival) : Right(arrival);
      for (int turns = 0; turns < kNumDirections; ++turns) {
        if (Has(SlidesWithPivot(mask, left), d)) break;
        d = left ? Right(d) : Left(d);
      }
      table[mask][static_cast<std::size_t>(arrival)] = {
          static_cast<std::int16_t>(kCellSteps[static_cast<std::size_t>(d)]),
          static_cast<std::uint8_t>(d), static_cast<std::uint8_t>((d + 3) % kNumDirections)};
    }
  }
  return table;
}

constexpr auto kLeftPivot = internal::MakeMaskTable<std::uint8_t>(
    [](unsigned mask) { return SlidesWithPivot(mask, true); });
constexpr auto kIsJunction = internal::MakeMaskTable<bool>(
    [](unsigned mask) { return std::popcount(SlidesWithPivot(mask, true)) > 1; });
constexpr NextTable kForward = MakeNextTable(true);
constexpr NextTable kBackward = MakeNextTable(false);

constexpr std::size_t kMaxRim = 6 * kNumPieces;

class RimWalk {
 public:
  RimWalk(const std::array<NeighborMask, kNumCells>& masks, Destinations& reached)
      : masks_(masks), reached_(reached) {}

  void Run(Cell from) {
    Visit(from);
    AddJunction(from);
    while (count_ > 0) {
      const Cell cell = Cell::FromIndex(junctions_[--count_]);
      ForEachDirection(kLeftPivot[Mask(cell)], cell, [&](Cell to, int direction) {
        if (!reached_.Contains(to)) WalkCycle(cell, direction);
      });
    }
  }

 private:
  NeighborMask Mask(Cell cell) const { return masks_[static_cast<std::size_t>(cell.index())]; }
  static Cell After(Cell cell, Slide slide) { return Cell::FromIndex(cell.index() + slide.step); }
  void Visit(Cell cell) { reached_.AddTouched(cell); }
  void AddJunction(Cell cell) { junctions_[count_++] = static_cast<std::uint16_t>(cell.index()); }
  void Visit(Cell cell, NeighborMask mask) {
    if (kIsJunction[mask] && !reached_.Contains(cell)) AddJunction(cell);
    Visit(cell);
  }

  // Two walkers leave `start`, one forward by the slide in `direction`, one backward, until they
  // have the whole cycle between them: two chains of loads run at once.
  void WalkCycle(Cell start, int direction) {
    Cell ahead = start, behind = start;
    Slide next = {static_cast<std::int16_t>(kCellSteps[static_cast<std::size_t>(direction)]),
                  static_cast<std::uint8_t>(direction), 0};
    // As if the backward walker had come by the slide that the forward walker leaves by.
    Slide back = {0, static_cast<std::uint8_t>(Left(Left(direction))), next.direction};
    do {
      ahead = After(ahead, next);
      const NeighborMask mask_ahead = Mask(ahead);
      Visit(ahead, mask_ahead);
      next = kForward[mask_ahead][next.direction];
      if (ahead == behind && next.direction == back.reverse) return;
      const NeighborMask mask_behind = Mask(behind);
      Visit(behind, mask_behind);
      back = kBackward[mask_behind][back.direction];
      behind = After(behind, back);
    } while (ahead != behind || next.direction != back.reverse);
  }

  const std::array<NeighborMask, kNumCells>& masks_;
  Destinations& reached_;
  std::array<std::uint16_t, kMaxRim> junctions_;  // cell indices
  std::size_t count_ = 0;
};

}  // namespace

void AddReachableBySlides(const std::array<NeighborMask, kNumCells>& masks, std::uint32_t words,
                          Cell from, Destinations& reached) {
  reached.Touch(words);
  RimWalk(masks, reached).Run(from);
}

}  // namespace apiary::env
