// The hand-written evaluation of `ab` and of the UHP engine without a net: what a position is worth
// by its looks, no search. A yardstick: its values are fixed, and a change of any of them is a new
// kEvaluationVersion. Pure functions, no allocation; any thread.
//
//   queen      what fills her neighbours, more with each one; more yet while the enemy stands on
//              her
//   mobility   each piece that may leave its cell: on top of its stack, not pinned by the one-hive
//              rule, and with a free way to slide if its type slides
//   hand       each piece in hand, about six tenths of what it is worth once it is free
//   way        the steps from each beetle on the board to the enemy queen, whose last liberties are
//              often out of reach for all other pieces
//
// A piece that is pinned, shut in or covered is worth nothing, so that pins need no term of their
// own.
#pragma once

#include <array>

#include "env/board.h"

namespace apiary::play {

inline constexpr int kEvaluationVersion = 1;

// Taken off for so many occupied neighbours of the own queen, 0..6; six end the game. A queen in
// hand has none.
inline constexpr std::array<int, 7> kQueenNeighborCost = {0, 20, 45, 85, 140, 220, 300};
// Taken off while an enemy piece lies on the own queen.
inline constexpr int kQueenCoveredCost = 60;
// By env::PieceType: queen, spider, beetle, grasshopper, ant, mosquito, ladybug, pillbug.
inline constexpr std::array<int, env::kNumPieceTypes> kFreeValue = {12, 6, 12, 8, 14, 12, 12, 10};
inline constexpr std::array<int, env::kNumPieceTypes> kHandValue = {0, 4, 7, 5, 8, 7, 7, 6};

// Taken off for each cell between a beetle on the board, covered ones too, and the enemy queen on
// the board: 0 for a beetle next to her or on her.
inline constexpr int kBeetleWayCost = 3;

// What the position is worth to `color`, whoever moves: the own terms minus the enemy's, so that
// Evaluate(board, white) == -Evaluate(board, black). Within +-kMaxEvaluation. Precondition: no
// queen is surrounded.
int Evaluate(const env::Board& board, env::Color color);
inline constexpr int kMaxEvaluation = 1000;

}  // namespace apiary::play
