// Where a side may place (rules.md, section 3). Internal to move generation.
#pragma once

#include "env/board.h"
#include "env/destinations.h"

namespace apiary::env {

// Adds the cells where `color` may place any piece that it has.
void AddPlacementCells(const Board& board, Color color, Destinations& cells);

}  // namespace apiary::env
