// Long searches as play and analysis make them: the same positions for the same time by one thread
// and by two, in turns.
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/bench_run.h"
#include "app/devices.h"
#include "base/stop.h"
#include "mcts/long_search.h"
#include "mcts/tree.h"
#include "play/uhp_search.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kPositions = 6;
constexpr double kMebibyte = 1 << 20;

// Sums and largest values over the positions of one number of threads.
struct Sums {
  int positions = 0;
  double seconds = 0;
  double simulations = 0, evaluations = 0, remembered = 0;
  double nodes = 0, bytes = 0;
  double overstep_s = 0;  // beyond the time given, the largest
  double keep_s = 0;      // to go on with the tree after the best move, the largest
};

std::vector<std::unique_ptr<nn::Evaluator>> Evaluators(const BenchArguments& arguments,
                                                       const BenchRun& run, int threads) {
  const auto source = play::SourceOf(MakeEvaluatorFactory(arguments.device), run.weights());
  std::vector<std::unique_ptr<nn::Evaluator>> evaluators;
  for (int i = 0; i < threads; ++i) evaluators.push_back(source());
  return evaluators;
}

void SearchOne(const env::Game& game, double seconds, mcts::LongSearch& search, Sums& sums) {
  search.Clear();
  const double begin = WallSeconds();
  const mcts::SearchResult result = search.Run(game, {.seconds = seconds});
  const double taken = WallSeconds() - begin;
  if (result.proven != mcts::Proven::kUnknown) return;  // ended early
  ++sums.positions;
  sums.seconds += taken;
  sums.simulations += result.simulations;
  sums.evaluations += result.evaluations;
  sums.remembered += result.remembered;
  sums.nodes += static_cast<double>(search.tree().node_count());
  sums.bytes += static_cast<double>(search.tree().used_bytes());
  sums.overstep_s = std::max(sums.overstep_s, taken - seconds);
  env::Game next = game;
  next.Apply(result.best);
  if (next.outcome().over()) return;
  const double kept = WallSeconds();
  search.Run(next, {.simulations = 0});
  sums.keep_s = std::max(sums.keep_s, WallSeconds() - kept);
}

ordered_json Report(const BenchArguments& arguments, const std::string& set, int threads,
                    const Sums& sums) {
  return {{"net", arguments.net},
          {"device", arguments.device},
          {"set", set},
          {"threads", threads},
          {"positions", sums.positions},
          {"sims_per_s", sums.simulations / sums.seconds},
          {"evals_per_s", sums.evaluations / sums.seconds},
          {"cache_hit_share", sums.remembered / (sums.remembered + sums.evaluations)},
          {"bytes_per_node", sums.bytes / sums.nodes},
          {"tree_mb", sums.bytes / sums.positions / kMebibyte},
          {"overstep_ms_max", 1e3 * sums.overstep_s},
          {"keep_ms_max", 1e3 * sums.keep_s}};
}

}  // namespace

int BenchSearch(const BenchArguments& arguments) {
  const BenchRun run(arguments);
  const mcts::LongSearchOptions options{.cache_bytes =
                                            arguments.no_cache ? 0 : std::uint64_t{64} << 20};
  mcts::LongSearch one(Evaluators(arguments, run, 1), options);
  mcts::LongSearch two(Evaluators(arguments, run, 2), options);
  for (const PositionSet& set : LoadPositions(arguments)) {
    Sums of_one, of_two;
    for (std::size_t i = 0; i < std::min(kPositions, set.games.size()); ++i) {
      if (base::ProcessStop().requested()) break;
      SearchOne(set.games[i], arguments.seconds, one, of_one);
      SearchOne(set.games[i], arguments.seconds, two, of_two);
    }
    for (const auto& [threads, sums] : {std::pair(1, of_one), std::pair(2, of_two)}) {
      if (sums.positions == 0) continue;
      const ordered_json report = Report(arguments, set.name, threads, sums);
      if (arguments.json) {
        std::cout << report.dump() << std::endl;
        continue;
      }
      std::cout << fmt::format(
          "search {} {}, {} threads: {:.0f} simulations/s, {:.0f} evaluations/s, {:.0f} % "
          "remembered, {:.0f} bytes a node, at most {:.1f} ms beyond its time, {:.1f} ms to go on "
          "after a move\n",
          arguments.net, set.name, threads, sums.simulations / sums.seconds,
          sums.evaluations / sums.seconds, 100 * report["cache_hit_share"].get<double>(),
          sums.bytes / sums.nodes, 1e3 * sums.overstep_s, 1e3 * sums.keep_s);
    }
  }
  return base::StopExitCode();
}

}  // namespace apiary::app
