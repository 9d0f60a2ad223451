// Openings of a match as a text file. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "env/game.h"

namespace apiary::play {

// Reads one GameString a line; what follows a '#' and blank lines are left out. The order is kept.
// Each opening must be a game of these rules (variant, first player); decided ones are kept: the
// match skips them (play/opening_judge.h). `source` names the text in failures, which say the line.
base::Result<std::vector<env::Game>> ParseOpenings(std::string_view text, const std::string& source,
                                                   const env::Rules& rules);

// The game is over, or the side to move wins at once.
bool IsDecided(const env::Game& game);

}  // namespace apiary::play
