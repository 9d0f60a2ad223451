// A foreign engine as a player: a process for each of its games in play, started, watched, timed
// and started anew after a crash. The engine's moves are read by our rules; what it says about the
// end of the game is reported, never believed. Lives on one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "play/player.h"
#include "play/uhp_client.h"

namespace apiary::play {

class UhpPlayer : public Player {
 public:
  // Starts one process. Precondition: spec.go is not empty.
  static base::Result<std::unique_ptr<Player>> Make(const UhpSpec& spec,
                                                    const EngineLimits& limits);

  // Games are asked for one after another. A process that has played the moves of a game goes on
  // with the others of it; where none has, one starts a new game. Throws apiary::Error if a process
  // that is needed cannot be started in several attempts.
  void ChooseMoves(std::span<const env::Game* const> games, std::span<base::RandomStream> streams,
                   std::span<env::Move> moves) override;
  std::span<const Fault> faults() const override { return faults_; }
  base::Result<void> CheckRules(const env::Rules& rules) const override;
  // As the engine calls itself, and what it is asked for: "Name 1.0 (depth 3)".
  std::string name() const override;

 private:
  // A process and the game that it knows.
  struct Session {
    std::unique_ptr<UhpClient> client;  // null: to be started
    std::optional<env::Game> game;      // null: to be begun
    std::uint64_t last_used = 0;
  };
  // Either a move or a fault, or both.
  struct Choice {
    std::optional<env::Move> move;
    std::optional<Fault> fault;
  };

  UhpPlayer(const UhpSpec& spec, const EngineLimits& limits, std::unique_ptr<UhpClient> client);
  // That which knows most of the game's moves, else the one not used for longest.
  Session& SessionOf(const env::Game& game, std::size_t games);
  Choice Choose(Session& session, const env::Game& game);
  // Brings the process to the position of `game`.
  std::optional<Fault> Follow(Session& session, const env::Game& game);
  // Plays one move there and looks at how the engine says that the game stands.
  std::optional<Fault> Play(Session& session, env::Move move);
  std::optional<Fault> BeginGame(Session& session, const env::Rules& rules);
  // Sends a command whose answer is a GameString.
  std::optional<Fault> AskState(Session& session, const std::string& command);
  void StartIfNeeded(Session& session);
  // The fault of a process that does not answer, which is given up.
  Fault GiveUp(Session& session, const std::string& what);
  Fault Broken(Session& session, FaultKind kind, const std::string& what);

  UhpSpec spec_;
  EngineLimits limits_;
  std::string engine_name_;
  std::vector<Session> sessions_;
  std::uint64_t uses_ = 0;
  std::vector<Fault> faults_;
};

}  // namespace apiary::play
