// Where an ant can go: a walk around the hive, hand on it, without a search.
//
// A slide of a lifted piece has exactly one occupied cell beside the way, its pivot, on the left or
// on the right. The reverse of a slide with the pivot on the left has it on the right.
//
//      p  b        slide a -> b with pivot p on the left, to the first free cell clockwise from p;
//    .  a  .       at b the walk goes on clockwise from p to the next slide with a pivot on the
//    left
//                  (a closed gate is no slide and is passed over like an occupied cell)
//
// Each slide with a left pivot has one successor and one predecessor, so they form cycles. Cells of
// one cycle reach each other. A cell with several such slides, a junction, may join cycles.
#pragma once

#include <array>
#include <cstdint>

#include "env/cell.h"
#include "env/destinations.h"
#include "env/neighbor_mask.h"
#include "env/piece.h"

namespace apiary::env {

// Adds all cells that can be reached from `from` by slides to `reached`, `from` itself included.
// `masks`: neighbour masks by cell index, the piece on `from` lifted. `words`: bit i = cells 64 i
// to 64 i + 63 may be reached, at least those at and next to the hive. Precondition: `reached` is
// empty.
void AddReachableBySlides(const std::array<NeighborMask, kNumCells>& masks, std::uint32_t words,
                          Cell from, Destinations& reached);

}  // namespace apiary::env
