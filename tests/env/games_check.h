// Replays recorded games and compares every ply. Shared by the fast and the slow test.
#pragma once

#include <string>

#include "tests/env/rules_data.h"

namespace apiary::env::testing {

// Replays the game with the repetition draw off and compares the number of legal moves before each
// ply with `counts` (comma-separated; a last entry OVER says that the game has ended), the state,
// Apply/Undo, hash and notation.
void CheckGame(const std::string& game_string, const std::string& counts);

// Checks the games number first, first + step, ... of one variant's random games; returns how many.
int CheckRandomGames(const std::string& variant, std::size_t first, std::size_t step);

// The ply after which our own rule (rules.md, section 2.4) first sees the third occurrence; "-" if
// never.
std::string FirstThirdOccurrence(const Game& game);

}  // namespace apiary::env::testing
