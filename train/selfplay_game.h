// One self-play game from its random opening to its record. It says which searches it needs and
// plays by their results; it runs none itself. Lives on one thread.
#pragma once

#include <string>

#include "base/random.h"
#include "env/game.h"
#include "mcts/search.h"
#include "train/game_record.h"
#include "train/run_config.h"

namespace apiary::train {

class SelfplayGame {
 public:
  // Draws the variant if the run has several and plays the opening: 0 to selfplay.opening_plies
  // uniformly random plies, drawn anew if they decide the game. All randomness of the game comes
  // from `random`. `config` must outlive the game.
  SelfplayGame(const RunConfig& config, const base::RandomStream& random);
  // Another game in this one's memory; `memory`: an old record's, for the new one.
  void Restart(const base::RandomStream& random, GameRecord memory = {});

  // Begins the next search this game needs, by the net of `generation`: of the position to move in,
  // or, once the length cap has stopped the game, of its final position. Precondition: no search
  // begun, game not complete. `cache`: as for mcts::Search::Start.
  void BeginSearch(mcts::Search& search, int generation, nn::EvaluationCache* cache);
  // Plays by the result of the search begun last; true: the game is complete.
  bool FinishSearch(const mcts::SearchResult& result);
  // Precondition: complete.
  GameRecord TakeRecord();

  std::string GameString() const;

 private:
  void PlayMove(const mcts::SearchResult& result);
  env::Move ChooseMove(const mcts::SearchResult& result);

  const RunConfig* config_;
  base::RandomStream random_;
  env::Game game_;
  bool capped_ = false;  // the cap has stopped the game
  env::Game uncapped_;   // if so, its final position under rules without the cap
  bool full_search_ = false;
  GameRecord record_;
};

}  // namespace apiary::train
