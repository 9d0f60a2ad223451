// The games of one match thread: pairs in play together, moved on one ply a step by the thread's
// own two players. Internal to the match. Lives on one thread.
#pragma once

#include <memory>
#include <vector>

#include "play/match.h"
#include "play/opening_judge.h"

namespace apiary::play {

// One pair to play: its number, how often it was played before and found to be a repetition, and
// its index in options.openings, where there are any.
struct PairTask {
  int pair = 0;
  int attempt = 0;
  int opening = 0;
};

// The random opening of a pair: options.opening_plies uniform moves; redrawn while it is over, the
// side to move wins at once, or the judge finds it decided (null: no judge), which `skipped` counts
// where it is not null. Fails if there is no such opening in many draws.
base::Result<env::Game> DrawOpening(const MatchOptions& options, PairTask task,
                                    OpeningJudge* judge = nullptr, int* skipped = nullptr);

class MatchGames {
 public:
  // The options must outlive the object.
  MatchGames(const MatchOptions& options, std::unique_ptr<Player> a, std::unique_ptr<Player> b,
             std::unique_ptr<OpeningJudge> judge);

  int active() const { return static_cast<int>(games_.size()); }
  // Starts both games of a pair, from options.openings or a random opening.
  base::Result<void> Start(PairTask task);
  // Both players move in all games where it is their turn; games that ended are appended to
  // `finished`, with task.pair as opening. Games in which a player was stopped are dropped.
  void Step(std::vector<PlayedGame>& finished);

 private:
  struct ActiveGame {
    env::Game game;
    base::RandomStream stream_a;
    base::RandomStream stream_b;
    PlayedGame played;  // filled in as the game goes on
    bool stopped = false;

    bool a_to_move() const { return played.a_is_first == (game.ply() % 2 == 0); }
  };
  void MoveAll(bool a_moves, std::vector<PlayedGame>& finished);
  // What one player chose in one game.
  void TakeMove(bool a_moves, env::Move move, const Fault* fault, double seconds,
                ActiveGame& active);
  void TakeFinished(std::vector<PlayedGame>& finished);

  const MatchOptions& options_;
  std::unique_ptr<Player> a_, b_;
  std::unique_ptr<OpeningJudge> judge_;
  std::vector<ActiveGame> games_;
  // Gathered for one call of a player, [games to move].
  std::vector<std::size_t> index_;
  std::vector<const env::Game*> boards_;
  std::vector<base::RandomStream> streams_;
  std::vector<env::Move> moves_;
};

}  // namespace apiary::play
