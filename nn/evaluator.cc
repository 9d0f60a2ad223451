#include "nn/evaluator.h"

#include <spdlog/spdlog.h>

#include <cmath>
#include <string>

namespace apiary::nn {
namespace {

// The encoded position as text, for the log of a run that has just stopped.
std::string Dump(const env::Block& block, int position) {
  std::string text = fmt::format("position {} of {}; per position:", position, block.positions());
  for (int f = 0; f < env::kNumPositionFeatures; ++f)
    text += fmt::format(
        " {}={}", env::kPositionFeatures[static_cast<std::size_t>(f)].name,
        block
            .position_features[static_cast<std::size_t>(position * env::kNumPositionFeatures + f)]);
  for (int r = block.row_begin[static_cast<std::size_t>(position)];
       r < block.row_begin[static_cast<std::size_t>(position) + 1]; ++r) {
    text += fmt::format("\nrow {} neighbors", r);
    for (const std::int32_t n : block.neighbors[static_cast<std::size_t>(r)])
      text += fmt::format(" {}", n);
    text += " features";
    for (int f = 0; f < env::kNumRowFeatures; ++f)
      text += fmt::format(
          " {}", block.row_features[static_cast<std::size_t>(r * env::kNumRowFeatures + f)]);
  }
  text += "\nmoves (source>destination)";
  for (int m = block.move_begin[static_cast<std::size_t>(position)];
       m < block.move_begin[static_cast<std::size_t>(position) + 1]; ++m)
    text += fmt::format(" {}>{}", block.moves[static_cast<std::size_t>(m)].source,
                        block.moves[static_cast<std::size_t>(m)].destination);
  return text;
}

[[noreturn]] void Refuse(const env::Block& block, int position, const std::string& what,
                         float value) {
  spdlog::error("non-finite output of the net: {}", Dump(block, position));
  throw Error(fmt::format(
      "the net gave {} = {} for position {} of a block of {}; the position was written to the log",
      what, value, position, block.positions()));
}

}  // namespace

void Resize(const env::Block& block, Evaluation& evaluation) {
  const auto n = static_cast<std::size_t>(block.positions());
  evaluation.logits.resize(static_cast<std::size_t>(block.move_count()));
  evaluation.wdl.resize(n);
  evaluation.moves_left.resize(n);
}

void CheckFinite(const env::Block& block, const Evaluation& evaluation) {
  const std::size_t n = static_cast<std::size_t>(block.positions());
  APIARY_CHECK(
      evaluation.logits.size() == static_cast<std::size_t>(block.move_count()) &&
          evaluation.wdl.size() == n && evaluation.moves_left.size() == n,
      "evaluation of {} logits, {} values, {} lengths for a block of {} positions and {} moves",
      evaluation.logits.size(), evaluation.wdl.size(), evaluation.moves_left.size(), n,
      block.move_count());
  for (std::size_t i = 0; i < n; ++i) {
    const int position = static_cast<int>(i);
    for (int m = block.move_begin[i]; m < block.move_begin[i + 1]; ++m) {
      const float logit = evaluation.logits[static_cast<std::size_t>(m)];
      if (!std::isfinite(logit))
        Refuse(block, position, fmt::format("logit of move {}", m - block.move_begin[i]), logit);
    }
    const Wdl& wdl = evaluation.wdl[i];
    const float sum = wdl.win + wdl.draw + wdl.loss;
    if (!std::isfinite(sum)) Refuse(block, position, "win + draw + loss", sum);
    if (!std::isfinite(evaluation.moves_left[i]))
      Refuse(block, position, "moves left", evaluation.moves_left[i]);
  }
}

}  // namespace apiary::nn
