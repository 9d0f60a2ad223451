// Which openings are not worth playing because they are decided. Lives on one thread.
//
// Decided is an opening that is over, that a search of three plies solves (a win in one or two, or
// a loss whatever is played), or that both players value beyond +-kDecidedValue, on the same side.
// Nets, `ab` and `mcts` have a value, the others have none, and then only the search counts.
#pragma once

#include <functional>
#include <memory>

#include "play/alpha_beta.h"
#include "play/player.h"

namespace apiary::play {

// A value in [-1, 1] beyond which both players must be.
inline constexpr double kDecidedValue = 0.9;

class OpeningJudge {
 public:
  // Evaluators are made where both players have a value and one is a net.
  static base::Result<std::unique_ptr<OpeningJudge>> Make(const PlayerSpec& a, const PlayerSpec& b,
                                                          const nn::EvaluatorFactory& factory);

  // The same for the same opening, whatever was judged before.
  bool Decided(const env::Game& game);

 private:
  // Of the side to move. Precondition: the game is not over.
  using Value = std::function<double(const env::Game&)>;

  OpeningJudge() = default;
  // Empty: the player has none.
  static base::Result<Value> ValueOf(const PlayerSpec& spec, const nn::EvaluatorFactory& factory);
  bool Solved(const env::Game& game);

  AlphaBeta search_{std::size_t{1} << 20};
  Value a_, b_;
};

}  // namespace apiary::play
