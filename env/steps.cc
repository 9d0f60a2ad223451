#include "env/steps.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "env/neighbor_mask.h"
#include "env/rim_walk.h"

namespace apiary::env {
bool GateOpen(const Board& board, Cell from, int direction, int level) {
  if (board.stacks() < 2 && level > 0) return true;
  return std::min(board.height(Neighbor(from, Left(direction))),
                  board.height(Neighbor(from, Right(direction)))) <= level;
}

Steps::Steps(const Board& board) : board_(board), words_(WithNeighborWords(board.live_words())) {
  constexpr int kBlock = 64;  // two rows
  for (std::uint32_t blocks = words_; blocks != 0; blocks &= blocks - 1) {
    const auto begin = static_cast<std::size_t>(kBlock * std::countr_zero(blocks));
    std::memcpy(&masks_[begin], &board.neighbor_masks()[begin], kBlock);
  }
}

void Steps::FlipNeighborMasks() {
  for (int d = 0; d < kNumDirections; ++d) {
    masks_[static_cast<std::size_t>(Neighbor(from_, d).index())] ^=
        static_cast<NeighborMask>(1 << (d + 3) % kNumDirections);
  }
}

bool Steps::Open(Cell from, int direction, int level) const {
  if (board_.stacks() < 2) return true;
  return std::min(Height(Neighbor(from, Left(direction))),
                  Height(Neighbor(from, Right(direction)))) <= level;
}

namespace {

constexpr unsigned Bit(PieceType type) { return 1u << static_cast<int>(type); }

// Those that look at neighbours of other cells, where the lifted piece must not be seen.
constexpr unsigned kFarTypes =
    Bit(PieceType::kSpider) | Bit(PieceType::kAnt) | Bit(PieceType::kLadybug);
// An ant goes wherever they go.
constexpr unsigned kWithinAnt =
    Bit(PieceType::kQueen) | Bit(PieceType::kSpider) | Bit(PieceType::kPillbug);

}  // namespace

void Steps::AddDestinations(Cell from, Destinations& destinations) {
  const PieceType type = board_.top(from).type();
  from_ = from;
  level_ = board_.height(from) - 1;
  if (level_ > 0) return AddBeetle(destinations);
  unsigned types = type == PieceType::kMosquito ? TypesBeside(from) : Bit(type);
  const bool far = (types & kFarTypes) != 0;
  if (far) FlipNeighborMasks();
  if ((types & Bit(PieceType::kAnt)) != 0) {
    AddAnt(destinations);
    types &= ~(Bit(PieceType::kAnt) | kWithinAnt);
  }
  for (; types != 0; types &= types - 1)
    AddAs(static_cast<PieceType>(std::countr_zero(types)), destinations);
  if (far) FlipNeighborMasks();
}

unsigned Steps::TypesBeside(Cell cell) const {
  unsigned types = 0;
  ForEachDirection(Mask(cell), cell,
                   [&](Cell beside, int) { types |= Bit(board_.top(beside).type()); });
  return types & ~Bit(PieceType::kMosquito);
}

void Steps::AddAs(PieceType type, Destinations& destinations) const {
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
    case PieceType::kLadybug:
      return AddLadybug(destinations);
    case PieceType::kAnt:
    case PieceType::kMosquito:
      return;  // done before, and no moves of its own
  }
}

void Steps::AddSlides(Destinations& destinations) const {
  destinations.AddNeighbors(from_, kSlides[Mask(from_)]);
}

void Steps::AddBeetle(Destinations& destinations) const {
  const unsigned mask = Mask(from_);
  // Onto or off a stack; a step on the ground is a slide.
  unsigned climbs = level_ == 0 ? mask : kNumMasks - 1;
  const unsigned gated = board_.stacks() < 2 ? 0 : climbs;
  for (unsigned directions = gated; directions != 0; directions &= directions - 1) {
    const int d = std::countr_zero(directions);
    if (!Open(from_, d, std::max(level_, Height(Neighbor(from_, d))))) climbs &= ~(1u << d);
  }
  destinations.AddNeighbors(from_, climbs | (level_ == 0 ? kSlides[mask] : 0u));
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

void Steps::AddAnt(Destinations& destinations) const {
  AddReachableBySlides(masks_, words_, from_, destinations);
  destinations.Remove(from_);
}

void Steps::AddLadybug(Destinations& destinations) const {
  PieceSet crossed = 0;
  ForEachDirection(Mask(from_), from_, [&](Cell on, int direction) {
    if (!Open(from_, direction, Height(on))) return;
    ForEachDirection(Mask(on), on, [&](Cell across, int second) {
      const PieceSet bit = PieceBit(board_.top(across));
      if ((crossed & bit) != 0 || !Open(on, second, std::max(Height(on), Height(across)))) return;
      crossed |= bit;
      AddStepsDown(across, destinations);
    });
  });
  destinations.Remove(from_);
}

void Steps::AddStepsDown(Cell across, Destinations& destinations) const {
  unsigned down = ~unsigned{Mask(across)} & (kNumMasks - 1);
  if (board_.stacks() >= 2) {
    for (int d = 0; d < kNumDirections; ++d)
      if (!Open(across, d, Height(across))) down &= ~(1u << d);
  }
  destinations.AddNeighbors(across, down);
}

}  // namespace apiary::env
