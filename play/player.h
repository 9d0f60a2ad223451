// A player chooses moves in many games at once, so that a net evaluates them together. Lives on one
// thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/stop.h"
#include "env/game.h"
#include "mcts/options.h"
#include "nn/evaluator.h"
#include "play/uhp_spec.h"

namespace apiary::play {

// Why a game cannot go on although our rules let it: only foreign engines bring that about.
enum class FaultKind : std::uint8_t {
  kCrash,        // the process ended or closed its output
  kTimeout,      // no answer in time
  kIllegalMove,  // its move is none that our rules know
  kProtocol,     // it refuses a legal move or answers nonsense
  kForeignEnd,   // it says that the game is over
  kStopped,      // nothing is wrong: the stop token was set while it thought
};
std::string_view ToString(FaultKind kind);  // "crash", "timeout", "illegal_move", ...
std::optional<FaultKind> ParseFaultKind(std::string_view text);

struct Fault {
  std::size_t game = 0;  // index in the call of ChooseMoves
  FaultKind kind = FaultKind::kCrash;
  bool moved = false;  // a legal move was chosen before
  std::string what;    // a sentence that names the engine
};

class Player {
 public:
  virtual ~Player() = default;
  // Chooses a legal move in each game (none is over, any side to move). streams[i] belongs to game
  // i: all randomness of the choice comes from it, so results do not depend on how games are
  // batched.
  virtual void ChooseMoves(std::span<const env::Game* const> games,
                           std::span<base::RandomStream> streams, std::span<env::Move> moves) = 0;
  // Of the last call of ChooseMoves, by game: a game with a fault has no move unless the fault says
  // so.
  virtual std::span<const Fault> faults() const { return {}; }
  // Whether it can play under these rules; the failure says what it lacks.
  virtual base::Result<void> CheckRules(const env::Rules&) const { return {}; }
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
  std::string text;               // as given
  std::string kind;               // "random", "gen0", "crowd", "mcts", "ab", "uhp" or "model"
  int playouts = 0;               // mcts only: a move
  int depth = 0;                  // ab only: plies
  std::optional<UhpSpec> engine;  // uhp only; its `go` is never empty
  std::string weights_path;       // resolved, model only
  int simulations = 32;           // model only: own key, else the default given
  double seconds = 0;             // model only: > 0 = wall time a move, instead of simulations
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
// overrides both. A foreign engine without a key that says how long to think gets default_seconds,
// which must then be whole, else one second.
base::Result<PlayerSpec> ParsePlayer(const std::string& text, int default_simulations,
                                     double default_seconds = 0);
inline constexpr double kMaxSecondsPerMove = 86'400;

// "random", "gen-000012.safetensors (sims=32)", "gen-000012.safetensors (time=0.5)".
std::string PlayerName(const PlayerSpec& spec);

// How foreign engines are watched.
struct EngineLimits {
  // For an answer; for a best move on top of the time that it was given.
  std::chrono::milliseconds timeout{30'000};
  // Ends the waiting; must outlive the player. Null: nothing does.
  const base::StopToken* stop = nullptr;
};

// One player instance for one thread. `factory` is null in builds without LibTorch: a model is then
// a clear failure. A foreign engine is started; the failure says why it cannot be used.
base::Result<std::unique_ptr<Player>> MakePlayer(const PlayerSpec& spec,
                                                 const nn::EvaluatorFactory& factory,
                                                 const EngineLimits& limits = {});

}  // namespace apiary::play
