#include "mcts/wave.h"

namespace apiary::mcts {

bool Recall(nn::EvaluationCache& cache, const env::PositionKey& key, const env::Block& block,
            Simulation& simulation, Wave& wave) {
  const std::size_t begin = wave.ranks.size();
  const auto moves = std::span<const env::EncodedMove>(block.moves)
                         .subspan(static_cast<std::size_t>(simulation.first_logit));
  wave.ranks.resize(begin + moves.size());
  const std::span<std::uint16_t> ranks = std::span(wave.ranks).subspan(begin);
  env::RankMoves(moves, block.row_begin[block.row_begin.size() - 2], ranks);
  const auto position = static_cast<std::int32_t>(wave.remembered.wdl.size());
  const auto first_logit = static_cast<std::int32_t>(wave.remembered.logits.size());
  if (!cache.Find(key, ranks, wave.remembered)) {
    simulation.key = key;
    simulation.rank_begin = static_cast<std::uint32_t>(begin);
    simulation.rank_end = static_cast<std::uint32_t>(wave.ranks.size());
    return false;
  }
  wave.ranks.resize(begin);
  simulation.remembered = true;
  simulation.position = position;
  simulation.first_logit = first_logit;
  return true;
}

void Remember(nn::EvaluationCache& cache, const Simulation& simulation, const Wave& wave,
              const nn::Evaluation& evaluation) {
  const auto position = static_cast<std::size_t>(simulation.position);
  const std::size_t moves = simulation.rank_end - simulation.rank_begin;
  cache.Insert(simulation.key, std::span(wave.ranks).subspan(simulation.rank_begin, moves),
               evaluation.wdl[position], evaluation.moves_left[position],
               std::span(evaluation.logits)
                   .subspan(static_cast<std::size_t>(simulation.first_logit), moves));
}

}  // namespace apiary::mcts
