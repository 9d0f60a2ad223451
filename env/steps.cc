#include "env/steps.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "env/neighbor_mask.h"
#include "env/rim_walk.h"

namespace apiary::env {
bool GateOpen(const Board& board, Cell from, int direction, int level) {
  return std::min(board.height(Neighbor(from, Left(direction))),
                  board.height(Neighbor(from, Right(direction)))) <= level;
}

Steps::Steps(const Board& board) : board_(board) {
  constexpr int kBlock = 64;  // two rows
  std::uint32_t blocks = WithNeighborWords(board.live_words());
  for (; blocks != 0; blocks &= blocks - 1) {
    const auto begin = static_cast<std::size_t>(kBlock * std::countr_zero(blocks));
    std::memcpy(&masks_[begin], &board.neighbor_masks()[begin], kBlock);
  }
}

void Steps::Lift(Cell from) {
  from_ = from;
  level_ = board_.height(from) - 1;
  if (level_ == 0) FlipNeighborMasks();
}

void Steps::Drop() {
  if (level_ == 0) FlipNeighborMasks();
  from_ = kNoCell;
}

void Steps::FlipNeighborMasks() {
  for (int d = 0; d < kNumDirections; ++d) {
    masks_[static_cast<std::size_t>(Neighbor(from_, d).index())] ^=
        static_cast<NeighborMask>(1 << (d + 3) % kNumDirections);
  }
}

bool Steps::Open(Cell from, int direction, int level) const {
  return std::min(Height(Neighbor(from, Left(direction))),
                  Height(Neighbor(from, Right(direction)))) <= level;
}

void Steps::AddDestinations(PieceType type, Destinations& destinations) const {
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

void Steps::AddSlides(Destinations& destinations) const {
  ForEachDirection(kSlides[Mask(from_)], from_, [&](Cell to, int) { destinations.Add(to); });
}

void Steps::AddBeetle(Destinations& destinations) const {
  for (int d = 0; d < kNumDirections; ++d) {
    const Cell to = Neighbor(from_, d);
    const int level = std::max(level_, Height(to));
    const bool open = level == 0 ? Has(kSlides[Mask(from_)], d) : Open(from_, d, level);
    if (open) destinations.Add(to);
  }
}

void Steps::AddGrasshopper(Destinations& destinations) const {
  ForEachDirection(Mask(from_), from_, [&](Cell to, int direction) {
    while (Has(Mask(to), direction)) to = Neighbor(to, direction);
    destinations.Add(Neighbor(to, direction));
  });
}

void Steps::AddSpider(Destinations& destinations) const {
  ForEachDirection(kSlides[Mask(from_)], from_, [&](Cell first, int) {
    ForEachDirection(kSlides[Mask(first)], first, [&](Cell second, int) {
      if (second == from_) return;
      ForEachDirection(kSlides[Mask(second)], second, [&](Cell third, int) {
        if (third != from_ && third != first) destinations.Add(third);
      });
    });
  });
}

// Precondition: `destinations` is empty, so that it can hold what was reached.
void Steps::AddAnt(Destinations& destinations) const {
  AddReachableBySlides(masks_, from_, destinations);
  destinations.Remove(from_);
}

void Steps::AddMosquito(Destinations& destinations) const {
  unsigned types = 0;
  ForEachDirection(Mask(from_), from_, [&](Cell cell, int) {
    types |= 1u << static_cast<int>(board_.top(cell).type());
  });
  const auto is = [](PieceType type) { return 1u << static_cast<int>(type); };
  types &= ~is(PieceType::kMosquito);
  if ((types & is(PieceType::kAnt)) != 0) {
    AddAnt(destinations);  // covers all other ways along the ground
    types &= ~(is(PieceType::kAnt) | is(PieceType::kQueen) | is(PieceType::kSpider) |
               is(PieceType::kPillbug));
  }
  for (; types != 0; types &= types - 1) {
    AddDestinations(static_cast<PieceType>(std::countr_zero(types)), destinations);
  }
}

void Steps::AddLadybug(Destinations& destinations) const {
  ForEachDirection(Mask(from_), from_, [&](Cell on, int direction) {
    if (Open(from_, direction, Height(on))) AddLadybugSecondStep(on, destinations);
  });
}

void Steps::AddLadybugSecondStep(Cell on, Destinations& destinations) const {
  ForEachDirection(Mask(on), on, [&](Cell across, int direction) {
    if (!Open(on, direction, std::max(Height(on), Height(across)))) return;
    ForEachDirection(~unsigned{Mask(across)} & 63u, across, [&](Cell down, int last) {
      if (down != from_ && Open(across, last, Height(across))) destinations.Add(down);
    });
  });
}

}  // namespace apiary::env
