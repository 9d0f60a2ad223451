// One random game played with a foreign engine at our side: at every ply both name all legal moves
// and how the game stands. Lives on one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "env/game.h"
#include "play/uhp_client.h"

namespace apiary::play {

struct CrosscheckCounts {
  std::int64_t games = 0;
  std::int64_t positions = 0;  // whose move lists were compared
  std::int64_t moves = 0;      // ours, in those positions
  std::int64_t differences = 0;
  std::int64_t duplicates = 0;    // moves that the engine listed once more; no difference
  std::int64_t foreign_ends = 0;  // games that the engine drew by its own repetition rule

  CrosscheckCounts& operator+=(const CrosscheckCounts& other);
};

struct Difference {
  std::string what;                      // a sentence
  std::string game_string;               // ours, of the position
  std::vector<std::string> only_ours;    // moves, in our notation
  std::vector<std::string> only_theirs;  // "'MOVE': why we refuse it"
};

struct CrosscheckGame {
  CrosscheckCounts counts;  // games is 1
  std::optional<Difference> first;
};

struct CrosscheckPlay {
  env::Rules rules;     // repetition must be 0
  int max_plies = 300;  // the game is left there
  // Moves onto, along and off stacks, throws of enemy pieces and pieces that can do such things are
  // drawn more often; else uniformly.
  bool climb = false;
};

// A difference does not fail: the game goes on while both agree on a move and how the game stands.
// The failure says what became of the engine, and in which position.
base::Result<CrosscheckGame> PlayCrosscheckGame(UhpClient& engine, const CrosscheckPlay& play,
                                                base::RandomStream& random);

// How often a move is drawn in a game with `climb`, relative to others: >= 1.
std::uint32_t ClimbWeight(const env::Board& board, env::Move move);

}  // namespace apiary::play
