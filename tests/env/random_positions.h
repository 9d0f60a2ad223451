// Positions for tests of what sees many of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "env/encoder.h"
#include "env/game.h"

namespace apiary::env {

// The position after `plies` uniformly random moves (fewer if the game ends before).
Game RandomGame(const Rules& rules, int plies, std::uint64_t seed);
// `count` positions of all eight variants, 0 to 80 plies deep.
std::vector<Game> RandomPositions(int count, std::uint64_t seed);
// The block of these positions with their legal moves.
Block BlockOf(const std::vector<Game>& games, Symmetry symmetry = {});
// A position from its GameString's moves: "wS1;bG1 wS1-".
Game PositionOf(std::string_view game_type, std::string_view moves);
// All 28 pieces in one line along a direction of {E, NE, NW}, White at the near end.
Game LineOf28(Direction direction);

}  // namespace apiary::env
