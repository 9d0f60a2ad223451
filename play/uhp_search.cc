#include "play/uhp_search.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "play/model_player.h"

namespace apiary::play {
namespace {

double NowSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

UhpSearch::UhpSearch(std::unique_ptr<nn::Evaluator> evaluator, std::uint64_t seed)
    : evaluator_(std::move(evaluator)), seed_(seed) {}

void UhpSearch::Reseed(std::uint64_t seed) {
  seed_ = seed;
  searches_made_ = 0;
}

base::RandomStream UhpSearch::NextStream() { return base::RandomStream(seed_, {searches_made_++}); }

env::Move UhpSearch::WithoutNet(const env::Game& game) {
  env::MoveList moves;
  game.LegalMoves(moves);
  base::RandomStream random = NextStream();
  return ChooseCrowd(game.board(), moves, random);
}

env::Move UhpSearch::WithSimulations(const env::Game& game, int simulations, double temperature) {
  if (!has_net()) return WithoutNet(game);
  const mcts::SearchResult* result =
      Run(game, simulations, std::numeric_limits<double>::infinity());
  base::RandomStream random = NextStream();
  return PickMove(*result, temperature, random);
}

env::Move UhpSearch::InTime(const env::Game& game, double seconds, double temperature) {
  if (!has_net()) return WithoutNet(game);
  constexpr int kFirst = 8;
  constexpr double kMost = 1 << 24;
  constexpr double kSafety = 0.8;  // share of the time left that a search may be expected to take
  const double start = NowSeconds();
  const double deadline = start + seconds;
  base::RandomStream random = NextStream();
  // The smallest search has no deadline: there is always a move.
  const mcts::SearchResult* result = Run(game, 1, std::numeric_limits<double>::infinity());
  env::Move best = PickMove(*result, temperature, random);
  for (double simulations = kFirst, begin = NowSeconds();
       result->proven == mcts::Proven::kUnknown;) {
    result = Run(game, static_cast<int>(simulations), deadline);
    if (result == nullptr) break;
    best = PickMove(*result, temperature, random);
    const double now = NowSeconds();
    const double per_second = simulations / std::max(now - begin, 1e-6);
    // Four times as many, or what fits; a search that is not much bigger than the last one is not
    // worth its time.
    const double fits = kSafety * (deadline - now) * per_second;
    const double next = std::min(fits > 16 * simulations ? 4 * simulations : fits, kMost);
    if (next < 1.5 * simulations) break;
    simulations = next;
    begin = now;
  }
  return best;
}

const mcts::SearchResult* UhpSearch::Run(const env::Game& game, int simulations,
                                         double deadline_s) {
  search_.Start(game, PlaySearchOptions(simulations), NextStream());
  while (!search_.done()) {
    if (NowSeconds() > deadline_s) return nullptr;
    block_.Clear();
    search_.SelectWave(block_);
    if (block_.positions() > 0) evaluator_->Evaluate(block_, evaluation_);
    search_.BackupWave(evaluation_, 0);
  }
  return &search_.result();
}

}  // namespace apiary::play
