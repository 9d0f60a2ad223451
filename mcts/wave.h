// A wave: what one call of Search::SelectWave chose and what its evaluation is needed for. The
// owner of several threads on one tree keeps one for each; it is between Select and Backup that a
// wave is open. Plain value; keeps its memory when used again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/canonical_key.h"
#include "env/encoder.h"
#include "mcts/tree.h"
#include "nn/evaluation_cache.h"
#include "nn/evaluator.h"

namespace apiary::mcts {

// The edges a simulation followed and what is to be backed up from its end.
struct Simulation {
  std::uint32_t path_begin = 0;  // into Wave::path_edges; empty: the root itself
  std::uint32_t path_end = 0;
  NodeId leaf;  // to be filled from the evaluation; invalid: nothing was sent to the evaluator
  Proven end = Proven::kUnknown;  // without proofs: how the game ended there, for its side to move
  // Of the leaf: where its evaluation is, in that of the block or among the remembered ones.
  bool remembered = false;
  std::int32_t position = -1;
  std::int32_t first_logit = -1;
  // With a cache, of a leaf in the block: what its evaluation is to be remembered by.
  env::PositionKey key;
  std::uint32_t rank_begin = 0;  // into Wave::ranks
  std::uint32_t rank_end = 0;
};

struct Wave {
  bool open = false;
  std::int32_t first = 0;  // its first position in the block
  std::vector<Simulation> simulations;
  std::vector<EdgeId> path_edges;
  nn::Evaluation remembered;         // of the leaves that the cache knew
  std::vector<std::uint16_t> ranks;  // of the moves of the others, one after the other

  void Clear() {
    simulations.clear();
    path_edges.clear();
    ranks.clear();
    remembered.logits.clear();
    remembered.wdl.clear();
    remembered.moves_left.clear();
  }
  std::span<const EdgeId> Path(const Simulation& simulation) const {
    return std::span(path_edges)
        .subspan(simulation.path_begin, simulation.path_end - simulation.path_begin);
  }
};

// Whether the cache knows the position of `simulation`, the last one of the block, by its key; it
// is then among the wave's remembered ones. Else Remember will tell it.
bool Recall(nn::EvaluationCache& cache, const env::PositionKey& key, const env::Block& block,
            Simulation& simulation, Wave& wave);
// Precondition: Recall did not know the position, and `evaluation` is that of its block.
void Remember(nn::EvaluationCache& cache, const Simulation& simulation, const Wave& wave,
              const nn::Evaluation& evaluation);

}  // namespace apiary::mcts
