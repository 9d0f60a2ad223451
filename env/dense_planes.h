// A dense observation for other people's nets: [kNumDensePlanes, side, side] floats, axial (r, q)
// centred on the hive, from the side to move's view. side = 32 holds every position; a smaller crop
// may not. Any thread.
#pragma once

#include <span>

#include "base/result.h"
#include "env/game.h"

namespace apiary::env {

inline constexpr int kDenseSide = 32;
// Planes (own then enemy): top piece by type (2 x 8), height / 7, beneath by type (2 x 8), moved
// last, then constants: hand counts / 3 (2 x 8).
inline constexpr int kNumDensePlanes = 16 + 1 + 16 + 1 + 16;

// Fails, naming the extent, if the hive does not fit into side x side. `out` has kNumDensePlanes *
// side * side floats.
base::Result<void> EncodeDense(const Game& game, int side, std::span<float> out);

}  // namespace apiary::env
