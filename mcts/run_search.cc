#include "mcts/search.h"

namespace apiary::mcts {

SearchResult RunSearch(const env::Game& game, const SearchOptions& options,
                       const base::RandomStream& random, nn::Evaluator& evaluator,
                       nn::EvaluationCache* cache) {
  Search search;
  search.Start(game, options, random, cache);
  env::Block block;
  nn::Evaluation evaluation;
  while (!search.done()) {
    block.Clear();
    if (search.SelectWave(block) > 0) evaluator.Evaluate(block, evaluation);
    search.BackupWave(evaluation, 0);
  }
  return search.result();
}

}  // namespace apiary::mcts
