// One finished self-play game as it is stored: everything a learner needs to re-encode it, nothing
// it can recompute. Plain value; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "env/move.h"
#include "env/outcome.h"
#include "env/rules.h"
#include "nn/evaluator.h"

namespace apiary::train {

inline constexpr std::uint32_t kProbabilityUnit =
    65535;  // stored probabilities are in units of 1/65535

struct PositionRecord {
  bool has_policy = false;  // a full search: GameRecord::Policy is a training target; else empty
  bool has_value = false;   // root_wdl is set (a search was made, or a win in one is known)
  bool solved = false;      // root_wdl is proven exact; implies has_value
  nn::Wdl root_wdl;         // of the side to move here
  // Where its policy lies in GameRecord::policies.
  std::uint32_t policy_begin = 0;
  std::uint32_t policy_size = 0;
  friend bool operator==(const PositionRecord&, const PositionRecord&) = default;
};

struct GameRecord {
  env::Rules rules;
  int opening_plies = 0;     // the first plies were not chosen by the player: no targets there
  int first_generation = 0;  // weights at the first and last move; 0 = no net
  int last_generation = 0;
  std::vector<env::Move> moves;
  std::vector<PositionRecord> positions;  // [moves.size()], position before each move
  std::vector<std::uint16_t> policies;    // of all positions, one after the other
  env::Outcome outcome;                   // absolute; kUnfinished for a capped game
  // Capped games: one more full search on the final position, its side to move's view. Absent in
  // generation 0, which has no net to ask: the value of such a game is unknown.
  std::optional<nn::Wdl> cap_wdl;

  // [legal moves, canonical order]: improved policy in units of 1/65535, sums to 65535 exactly.
  std::span<const std::uint16_t> Policy(const PositionRecord& position) const {
    return std::span(policies).subspan(position.policy_begin, position.policy_size);
  }
  // Gives `position`, the next one that will be appended to positions, its policy, rounded as
  // below.
  void AddPolicy(std::span<const float> policy, PositionRecord& position);
  friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

// Rounds a distribution to sixteen bits with the sum exact (largest remainders, ties to the lower
// index). `units`: as many. Precondition: not empty, finite, not negative, sum 1 to within 1e-3.
void QuantizePolicy(std::span<const float> policy, std::span<std::uint16_t> units);

// The same for a WDL; loss = 65535 - win - draw.
struct StoredWdl {
  std::uint16_t win = 0;
  std::uint16_t draw = 0;
  friend bool operator==(const StoredWdl&, const StoredWdl&) = default;
};
StoredWdl QuantizeWdl(const nn::Wdl& wdl);
// Precondition: win + draw <= 65535. QuantizeWdl(RestoreWdl(x)) == x.
nn::Wdl RestoreWdl(const StoredWdl& stored);

}  // namespace apiary::train
