// Games given as GameStrings, for the tests of play/.
#pragma once

#include <string_view>

#include "base/random.h"
#include "env/movegen.h"
#include "env/notation.h"

namespace apiary::play {

// The game with repetition off and no cap. Precondition: a valid GameString.
inline env::Game GameOf(std::string_view game_string) {
  env::Rules rules;
  rules.repetition = 0;
  auto parsed = env::ParseGameString(game_string, rules);
  APIARY_CHECK(parsed.ok(), "{}: {}", game_string, parsed.error());
  return std::move(parsed->game);
}

// The first position of some random games where the side to move can win at once.
inline env::Game FindWinnable(std::uint64_t seed) {
  base::RandomStream random(seed);
  env::MoveList moves;
  for (;;) {
    env::Game game;
    while (!game.outcome().over() && game.ply() < 300) {
      game.LegalMoves(moves);
      if (env::FindWinInOne(game.board(), moves) >= 0) return game;
      game.Apply(moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))]);
    }
  }
}

// wQ wS1 bS1 bQ in a row, White to move.
inline constexpr std::string_view kRow = "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-";
// Black to move; bA1 /bG1 would surround Black's own queen (one move before the end of a game of
// the test data).
inline constexpr std::string_view kBeforeSuicide =
    "Base;InProgress;Black[6];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;wA1 "
    "wQ\\;bA1 bG2/;"
    "wA1 bG2\\";

}  // namespace apiary::play
