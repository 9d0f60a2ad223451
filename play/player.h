// A player chooses moves in many games at once, so that a net evaluates them together. Lives on one
// thread.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "env/game.h"
#include "mcts/options.h"
#include "nn/evaluator.h"

namespace apiary::play {

class Player {
 public:
  virtual ~Player() = default;
  // Chooses a legal move in each game (none is over, any side to move). streams[i] belongs to game
  // i: all randomness of the choice comes from it, so results do not depend on how games are
  // batched.
  virtual void ChooseMoves(std::span<const env::Game* const> games,
                           std::span<base::RandomStream> streams, std::span<env::Move> moves) = 0;
  // For logs and tables: "random", "gen-000012.safetensors (sims=32)".
  virtual std::string name() const = 0;
};

// The fixed players but gen0 (mcts/gen0.h) as pure functions of the position; precondition: `moves`
// are its legal moves, not empty.
env::Move ChooseRandom(const env::MoveList& moves, base::RandomStream& random);
// crowd: a move that wins first, one that loses last, else the largest (occupied neighbours of the
// enemy queen minus own; a queen in hand counts 0), ties at random.
env::Move ChooseCrowd(const env::Board& board, const env::MoveList& moves,
                      base::RandomStream& random);

// A parsed player text: "NAME|PATH[;key=value]..." (design: Players).
struct PlayerSpec {
  std::string text;          // as given
  std::string kind;          // "random", "gen0", "crowd", "mcts", "ab" or "model"
  int playouts = 0;          // mcts only: a move
  int depth = 0;             // ab only: plies
  std::string weights_path;  // resolved, model only
  int simulations = 32;      // model only: own key, else the default given
  double seconds = 0;        // model only: > 0 = wall time a move, instead of simulations
  double temperature =
      0;  // model only: 0 = best move; else sampled from improved policy^(1/temperature)
  std::vector<std::pair<std::string, std::string>> search_keys;  // model only: play/search_keys.h
  bool keep_tree = true;  // model that thinks for a time only: it goes on in its tree
  std::string variant;    // model only: the variant it was trained on
  int generation = 0;     // model only
  std::string sha256;     // model only: of the whole weights file
};
// Reads names and keys, and of a model the file's metadata. Unknown keys and foreign files each
// give one sentence. Without keys of its own a model thinks for
// default_seconds if they are positive, else for default_simulations; the key `sims` or `time`
// overrides both.
base::Result<PlayerSpec> ParsePlayer(const std::string& text, int default_simulations,
                                     double default_seconds = 0);
inline constexpr double kMaxSecondsPerMove = 86'400;

// "random", "gen-000012.safetensors (sims=32)", "gen-000012.safetensors (time=0.5)".
std::string PlayerName(const PlayerSpec& spec);

// One player instance for one thread. `factory` is null in builds without LibTorch: a model is then
// a clear failure.
base::Result<std::unique_ptr<Player>> MakePlayer(const PlayerSpec& spec,
                                                 const nn::EvaluatorFactory& factory);

}  // namespace apiary::play
