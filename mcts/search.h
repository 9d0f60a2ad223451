// One game's tree search. It never calls an evaluator: the owner asks for a wave of leaves, has
// them evaluated (together with those of other games) and hands the results back, so batching is
// across games and there is no virtual loss.
//
//   search.Start(game, options, rng);
//   while (!search.done()) {
//     const int leaves = search.SelectWave(block);        // appends that many positions
//     evaluator.Evaluate(block, evaluation);
//     search.BackupWave(evaluation, first_position);      // its positions are consecutive there
//   }
//   search.result();
//
// A wave holds one leaf a surviving root move of the halving round; leaves that are already decided
// (end of the game, win in one, repetition) need no evaluation, so a wave may be empty although the
// search is not done. A position at the length cap is evaluated like any other and never expanded.
// With a cache of evaluations, positions are evaluated in their canonical orientation, and those it
// holds are not sent to the evaluator.
// Lives on one thread; allocates only while its arena grows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "env/encoder.h"
#include "env/game.h"
#include "mcts/options.h"
#include "nn/evaluation_cache.h"
#include "nn/evaluator.h"

namespace apiary::mcts {

class Tree;
struct Wave;

// What is proven about a position, from its side to move's view.
enum class Proven : std::uint8_t { kUnknown = 0, kWin = 1, kDraw = 2, kLoss = 3 };

struct RootMove {
  env::Move move;
  float prior = 0;  // softmax of the logits over the legal moves
  std::uint32_t visits = 0;
  float q = 0;  // value_stm(draw_value) of the root's side to move after this move; 0 if unvisited
  Proven proven = Proven::kUnknown;  // of the root's side to move when playing this move
  float improved = 0;  // improved policy: completed-Q softmax; uniform over the best proven moves
                       // of a solved root
};

struct SearchResult {
  env::Move best;               // the move to play
  std::vector<RootMove> moves;  // [legal moves], canonical order; sum of improved = 1
  nn::Wdl root_wdl;             // the root's side to move: search average; exact if solved
  float moves_left = 0;  // of the root position, from the net; plies to the end if a win in one
  Proven proven = Proven::kUnknown;  // of the root
  int simulations = 0;               // made
  int evaluations = 0;               // positions sent to the evaluator
  int remembered = 0;                // positions found in the cache instead
};

class Search {
 public:
  Search();
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  // Begins a search of `game`, which must not be over. The game is copied; the stream is the
  // search's own from here on. `cache`: none, or evaluations of the net that will be asked, used on
  // this thread until the search is done.
  void Start(const env::Game& game, const SearchOptions& options, const base::RandomStream& random,
             nn::EvaluationCache* cache = nullptr);
  // The same for a game that may go on from the one searched last: a PUCT search keeps what it
  // knows of the position, and its visits count as simulations made. False if that is nothing. The
  // evaluator must be the same one. Precondition: no wave open, or an evaluation failed.
  bool Continue(const env::Game& game, const SearchOptions& options,
                const base::RandomStream& random, nn::EvaluationCache* cache = nullptr);
  bool done() const;
  // Appends the next wave's leaves to `block` and returns their number, possibly 0. Precondition:
  // !done(), no wave open.
  int SelectWave(env::Block& block);
  // The same with at most `max_simulations` (>= 1). Of a halving round the tree grows exactly the
  // same, in smaller waves; a PUCT search counts those on their way as visits without a value (Liu
  // et al. 2020), so its larger waves choose a little worse.
  int SelectWave(env::Block& block, int max_simulations);
  // The same into a wave of the caller's. A PUCT search may have several open at a time; one that
  // is not open after the call has nothing to follow until another is backed up. The first one, of
  // the root, is alone.
  int SelectWave(Wave& wave, env::Block& block, int max_simulations);
  // `first`: index of the wave's first position in the block that SelectWave appended to, and that
  // was evaluated. Precondition: a wave is open. Call it for empty waves too. Non-finite priors or
  // values are our bug and abort.
  void BackupWave(const nn::Evaluation& evaluation, int first);
  // The same for a wave of the caller's.
  void BackupWave(Wave& wave, const nn::Evaluation& evaluation);
  // Ends the search with what it knows, for searches limited by time. Precondition: done() or the
  // root is evaluated; no wave open.
  void Finish();
  // Precondition: done().
  const SearchResult& result() const;
  // Memory the tree holds, used or not: at most SearchOptions::max_tree_bytes of the largest search
  // so far (or what the root's edges need, 16 KiB at most).
  std::uint64_t tree_bytes() const;
  // For tests and tools (mcts/tree.h); valid until the next call of a changing function.
  const Tree& tree() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs one search to its end with an evaluator; for single games, tests and tools.
SearchResult RunSearch(const env::Game& game, const SearchOptions& options,
                       const base::RandomStream& random, nn::Evaluator& evaluator,
                       nn::EvaluationCache* cache = nullptr);

}  // namespace apiary::mcts
