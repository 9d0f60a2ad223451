// The player with a net that thinks for a time instead of a number of simulations. Lives on one
// thread.
#pragma once

#include <memory>
#include <string>

#include "play/player.h"
#include "play/uhp_search.h"

namespace apiary::play {

// Thinks `seconds` of wall time in each game, one game after another: a search that shared its
// evaluations with other games would also share its clock with them. Moves depend on the speed of
// the machine, so a seed does not repeat them.
class TimedPlayer : public Player {
 public:
  TimedPlayer(std::unique_ptr<nn::Evaluator> evaluator, std::string name, double seconds,
              double temperature);
  void ChooseMoves(std::span<const env::Game* const> games, std::span<base::RandomStream> streams,
                   std::span<env::Move> moves) override;
  std::string name() const override { return name_; }

 private:
  UhpSearch search_;
  std::string name_;
  double seconds_;
  double temperature_;
};

}  // namespace apiary::play
