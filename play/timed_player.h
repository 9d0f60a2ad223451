// The player with a net that thinks for a time instead of a number of simulations. Lives on one
// thread.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "play/player.h"
#include "play/uhp_search.h"

namespace apiary::play {

// Thinks `seconds` of wall time in each game, one game after another: a search that shared its
// evaluations with other games would also share its clock with them. Of two games in play, those of
// one opening, each has a search of its own, which goes on in its tree. Moves depend on the speed
// of the machine, so a seed does not repeat them.
class TimedPlayer : public Player {
 public:
  TimedPlayer(UhpSearch::EvaluatorSource source, std::string name, double seconds,
              double temperature, const UhpSearch::Resources& resources);
  void ChooseMoves(std::span<const env::Game* const> games, std::span<base::RandomStream> streams,
                   std::span<env::Move> moves) override;
  std::string name() const override { return name_; }

 private:
  // The search that knows the game, else the one not used for longest.
  UhpSearch& SearchOf(const env::Game& game);

  std::array<UhpSearch, 2> searches_;
  std::size_t last_used_ = 0;
  std::string name_;
  double seconds_;
  double temperature_;
};

}  // namespace apiary::play
