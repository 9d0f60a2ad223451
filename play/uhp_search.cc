#include "play/uhp_search.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/process_memory.h"

namespace apiary::play {
namespace {

constexpr double kLeastSeconds = 1e-6;  // 0 would mean no limit to alpha-beta

}  // namespace

base::Result<void> UhpSearch::Check(const Resources& resources) {
  const std::uint64_t machine_mb = base::PhysicalBytes() >> 20;
  if (machine_mb == 0 || static_cast<std::uint64_t>(resources.memory_mb) <= machine_mb) return {};
  return base::Fail("{} MiB for the tree are more than the {} MiB of this machine",
                    resources.memory_mb, machine_mb);
}

UhpSearch::UhpSearch(EvaluatorSource source, std::uint64_t seed, const Resources& resources)
    : source_(std::move(source)), seed_(seed), resources_(resources) {
  SetResources(resources);
}

UhpSearch::~UhpSearch() = default;
UhpSearch::UhpSearch(UhpSearch&&) noexcept = default;
UhpSearch& UhpSearch::operator=(UhpSearch&&) noexcept = default;

void UhpSearch::SetResources(const Resources& resources) {
  constexpr int kTreeToCache = 16;
  if (search_ && resources == resources_) return;
  if (!has_net()) {
    resources_ = resources;
    return;
  }
  std::vector<std::unique_ptr<nn::Evaluator>> evaluators;
  for (int i = 0; i < resources.threads; ++i) evaluators.push_back(source_());
  const std::uint64_t tree_bytes = static_cast<std::uint64_t>(resources.memory_mb) << 20;
  search_ = std::make_unique<mcts::LongSearch>(
      std::move(evaluators), mcts::LongSearchOptions{.tree_bytes = tree_bytes,
                                                     .cache_bytes = tree_bytes / kTreeToCache,
                                                     .search = resources.search,
                                                     .keep_tree = resources.keep_tree});
  resources_ = resources;
}

void UhpSearch::SetSource(EvaluatorSource source) {
  UhpSearch changed(std::move(source), seed_, resources_);
  changed.searches_made_ = searches_made_;
  *this = std::move(changed);
}

void UhpSearch::Reseed(std::uint64_t seed) {
  seed_ = seed;
  searches_made_ = 0;
}

base::RandomStream UhpSearch::NextStream() { return base::RandomStream(seed_, {searches_made_++}); }

int UhpSearch::KnownPly(const env::Game& game) const {
  if (!last_ || game.rules() != last_->rules() || game.ply() < last_->ply()) return -1;
  const auto last = last_->moves();
  return std::equal(last.begin(), last.end(), game.moves().begin()) ? last_->ply() : -1;
}

env::Move UhpSearch::WithoutNet(const env::Game& game, const AlphaBetaLimits& limits,
                                const Interrupted& interrupted) {
  if (!alpha_beta_) alpha_beta_ = std::make_unique<AlphaBeta>();
  base::RandomStream random = NextStream();
  return alpha_beta_->Search(game, limits, random, interrupted).best;
}

env::Move UhpSearch::FewSimulations(const env::Game& game, int simulations, double temperature) {
  if (!evaluator_) evaluator_ = source_();
  const mcts::SearchResult result =
      mcts::RunSearch(game, PlaySearchOptions(simulations), NextStream(), *evaluator_);
  base::RandomStream random = NextStream();
  return PickMove(result, temperature, random);
}

env::Move UhpSearch::Long(const env::Game& game, const mcts::SearchLimits& limits,
                          double temperature, const Interrupted& interrupted) {
  last_ = game;
  const mcts::SearchResult& result = search_->Run(game, limits, interrupted);
  base::RandomStream random = NextStream();
  return PickMove(result, temperature, random);
}

env::Move UhpSearch::WithSimulations(const env::Game& game, int simulations, double temperature,
                                     const Interrupted& interrupted) {
  APIARY_CHECK(has_net(), "{} simulations without a net", simulations);
  if (PlaySearchOptions(simulations).root == mcts::RootRule::kGumbel)
    return FewSimulations(game, simulations, temperature);
  return Long(game, {.simulations = simulations}, temperature, interrupted);
}

env::Move UhpSearch::AtDepth(const env::Game& game, int depth, double temperature,
                             const Interrupted& interrupted) {
  if (has_net()) return WithSimulations(game, 32 << depth, temperature, interrupted);
  return WithoutNet(game, {.depth = std::max(1, depth)}, interrupted);
}

env::Move UhpSearch::InTime(const env::Game& game, double seconds, double temperature,
                            const Interrupted& interrupted) {
  if (!has_net())
    return WithoutNet(game, {.seconds = std::max(seconds, kLeastSeconds)}, interrupted);
  return Long(game, {.seconds = seconds}, temperature, interrupted);
}

UhpSearch::EvaluatorSource SourceOf(const nn::EvaluatorFactory& factory,
                                    const std::string& weights_path) {
  return [factory, weights_path] {
    auto evaluator = factory(weights_path);
    if (!evaluator) throw Error(evaluator.error());
    return std::move(*evaluator);
  };
}

}  // namespace apiary::play
