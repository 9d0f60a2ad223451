// How the UHP engine and timed players think: so many simulations, or a time. Without a net it
// plays by alpha-beta (play/alpha_beta.h). Lives on one thread, which a search of several threads
// has helpers for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/random.h"
#include "base/result.h"
#include "env/game.h"
#include "mcts/long_search.h"
#include "nn/evaluator.h"
#include "play/alpha_beta.h"
#include "play/model_player.h"

namespace apiary::play {

class UhpSearch {
 public:
  // Makes an evaluator, one for each thread of a search; throws apiary::Error. Null: no net.
  using EvaluatorSource = std::function<std::unique_ptr<nn::Evaluator>()>;
  // Whether a search is to end with what it knows; may be empty.
  using Interrupted = std::function<bool()>;
  struct Resources {
    int threads = 1;
    int memory_mb = 256;  // of the tree; a sixteenth of it for evaluations on top
    mcts::SearchOptions search = PlaySearchOptions(mcts::SearchLimits::kMostSimulations);
    bool keep_tree = true;
    friend bool operator==(const Resources&, const Resources&) = default;
  };

  // A sentence where the machine has less memory.
  static base::Result<void> Check(const Resources& resources);

  UhpSearch(EvaluatorSource source, std::uint64_t seed, const Resources& resources);
  ~UhpSearch();
  UhpSearch(UhpSearch&&) noexcept;
  UhpSearch& operator=(UhpSearch&&) noexcept;

  // The next searches draw from this seed.
  void Reseed(std::uint64_t seed);
  // A change forgets what was searched before.
  void SetResources(const Resources& resources);
  // Null: no net from here on. Throws what the source throws, and then nothing is changed.
  void SetSource(EvaluatorSource source);
  bool has_net() const { return source_ != nullptr; }
  // The ply of the position searched last if `game` goes on from there; -1: it does not, or nothing
  // was searched.
  int KnownPly(const env::Game& game) const;

  // Precondition of all: the game is not over. With few simulations (PlaySearchOptions) a search
  // begins anew; with more it goes on in the tree that it knows, whose visits count.
  env::Move WithSimulations(const env::Game& game, int simulations, double temperature,
                            const Interrupted& interrupted = {});
  // With a net 32 x 2^depth simulations, without one so many plies (at least 1).
  env::Move AtDepth(const env::Game& game, int depth, double temperature,
                    const Interrupted& interrupted = {});
  // Thinks for `seconds` of wall time, to the end of one evaluation; less only where the position
  // is solved or the search is interrupted.
  env::Move InTime(const env::Game& game, double seconds, double temperature,
                   const Interrupted& interrupted = {});

 private:
  base::RandomStream NextStream();
  env::Move WithoutNet(const env::Game& game, const AlphaBetaLimits& limits,
                       const Interrupted& interrupted);
  env::Move FewSimulations(const env::Game& game, int simulations, double temperature);
  env::Move Long(const env::Game& game, const mcts::SearchLimits& limits, double temperature,
                 const Interrupted& interrupted);

  EvaluatorSource source_;
  std::uint64_t seed_;
  std::uint64_t searches_made_ = 0;
  Resources resources_;
  std::unique_ptr<nn::Evaluator> evaluator_;  // of searches with few simulations, made by the first
  std::unique_ptr<mcts::LongSearch> search_;
  std::unique_ptr<AlphaBeta> alpha_beta_;  // made by the first search without a net
  std::optional<env::Game> last_;
};

// Evaluators of one weights file; a failure is thrown as apiary::Error.
UhpSearch::EvaluatorSource SourceOf(const nn::EvaluatorFactory& factory,
                                    const std::string& weights_path);

}  // namespace apiary::play
