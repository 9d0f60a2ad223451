// Training targets of a finished game, as pure functions. Any thread; allocates the result.
#pragma once

#include <vector>

#include "nn/evaluator.h"
#include "train/game_record.h"

namespace apiary::train {

// The side to move at `ply` of a game.
env::Color SideToMove(const env::Rules& rules, int ply);

// The certain WDL of an ended game for `side`. Precondition: decisive or draw.
nn::Wdl OutcomeWdl(env::Result result, env::Color side);

// [record.moves.size()]: the value target of the position before each move, side to move's view.
// From the end backwards
//   target(t) = exact root WDL                                          where the root was solved,
//   else target(t) = Flip(lambda target(t+1) + (1 - lambda) search WDL(t+1)) with the search term
//   only where one was made.
// lambda = 1 is the plain result. A capped game starts from its bootstrapped cap_wdl, never from a
// draw.
std::vector<nn::Wdl> ValueTargets(const GameRecord& record, double lambda);

// Remaining plies at `ply`; negative (masked) in a capped game.
float MovesLeftTarget(const GameRecord& record, int ply);

}  // namespace apiary::train
