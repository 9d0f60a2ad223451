// The pillbug's ability (rules.md, section 5). Internal to move generation.
#pragma once

#include <array>
#include <cstdint>

#include "env/board.h"
#include "env/destinations.h"
#include "env/pins.h"

namespace apiary::env {

// One piece that may throw.
struct Thrower {
  std::uint32_t targets = 0;  // pieces it may lift, by index
  Cell cell;
  unsigned destinations = 0;  // bits: directions of empty neighbours
};

// At most the pillbug and the mosquito of one side can throw.
struct Throws {
  std::uint32_t targets = 0;  // of any thrower
  int count = 0;
  std::array<Thrower, 2> throwers;

  // Adds where `piece` may be thrown to.
  void AddDestinations(PieceId piece, Destinations& destinations) const;
};

// All throws of `color`. `mark`: the stunned piece, kNoPiece if none.
Throws FindThrows(const Board& board, Color color, PieceId mark, const Pins& pins);

}  // namespace apiary::env
