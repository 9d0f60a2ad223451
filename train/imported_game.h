// Other people's games as records that a learner trains on. The policy target of a position is the
// move played, its value target the result; no search is recorded. Generation 0. Pure functions;
// any thread.
#pragma once

#include <string>

#include "env/game.h"
#include "train/game_record.h"

namespace apiary::train {

// `game`: legal moves without repetition draws and cap, at least one. Its outcome decides, else
// `claimed`: a win or a draw by agreement is a game that a cap of its own plies ended, with the
// result as its certain cap value; without either the cap value is missing, and the game teaches
// nothing. Of `run`, the repetition draw and the opening rule hold as far as the game keeps to
// them.
GameRecord RecordOfGame(const env::Game& game, env::Result claimed, const env::Rules& run);

// Whether a result is known.
bool HasResult(const GameRecord& record);

// What was agreed on in an imported game that the rules did not end; kInProgress in others.
env::Result AgreedResult(const GameRecord& record);

// The record as a GameString. The State of a game whose end was agreed is the agreed result.
std::string GameStringOf(const GameRecord& record);

}  // namespace apiary::train
