// Plays random games on the environment and on the oracle side by side and compares them at every
// ply.
#pragma once

#include <cstdint>

#include "env/game.h"
#include "tests/env/oracle.h"

namespace apiary::env::testing {

// The oracle's move as ours: cells wrapped, pieces by name.
Move FromOracle(const oracle::Move& move);
// The other way: a cell is found beside a piece, whose place the oracle knows.
oracle::Move ToOracle(const Board& board, Move move, const oracle::Oracle& oracle);
oracle::Options OracleOptions(const Rules& rules);
// Compares moves (as sets, without duplicates, in canonical order), state, pins, board and, where
// rules.repetition is on, occurrences.
void ExpectSamePosition(const Game& game, const oracle::Oracle& oracle);

struct MatchCounts {
  int plies = 0;
  int climbs = 0;    // moves onto another piece that were played
  int throws = 0;    // enemy pieces moved
  int repeated = 0;  // positions seen before
  int ended = 0;     // games that a surrounded queen ended
  int highest = 0;   // stack
};
// One game of at most `plies`; climbs, throws, and steps back to where a piece came from are drawn
// more often than others, with shares that the seed chooses.
void PlayMatch(const Rules& rules, int plies, std::uint64_t seed, MatchCounts& counts);

}  // namespace apiary::env::testing
