#include <iostream>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/bench.h"
#include "base/allocation_count.h"
#include "base/random.h"
#include "env/batch_env.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

constexpr int kMaxPlies = 400;  // as in matches

// Environments in play, uniform over the legal moves; a finished game starts anew before the next
// step.
class RandomPlay {
 public:
  RandomPlay(env::Variant variant, int batch, std::uint64_t seed)
      : random_(seed), envs_(RulesOf(variant), batch), moves_(static_cast<std::size_t>(batch)) {}

  // One move in every environment.
  void Step() {
    for (int i = 0; i < envs_.size(); ++i) {
      if (envs_.game(i).outcome().over()) envs_.Reset(i);
      const env::MoveList& legal = envs_.legal_moves(i);
      moves_[static_cast<std::size_t>(i)] =
          legal[static_cast<int>(random_.Below(static_cast<std::uint32_t>(legal.size())))];
    }
    OrThrow(envs_.Step(moves_));
  }
  void Observe() { envs_.Observe(block_); }

 private:
  static env::Rules RulesOf(env::Variant variant) {
    env::Rules rules;
    rules.variant = variant;
    rules.max_plies = kMaxPlies;
    return rules;
  }

  base::RandomStream random_;
  env::BatchEnv envs_;
  std::vector<env::Move> moves_;
  env::Block block_;
};

struct BatchFigures {
  double steps_per_s = 0;
  double steps_per_s_observe = 0;
  double allocations_per_step = 0;
  double bytes_per_env = 0;
};

BatchFigures Measure(const BenchArguments& arguments, env::Variant variant) {
  constexpr int kRoundsEach = 50;  // steps of the whole batch between two looks at the clock
  const base::Allocations before = base::AllocationsOfThread();
  RandomPlay play(variant, arguments.envs, arguments.seed);
  BatchFigures figures;
  figures.bytes_per_env =
      static_cast<double>(base::AllocationsOfThread().bytes - before.bytes) / arguments.envs;
  // Games must be at all stages, and the observations' memory there.
  for (int i = 0; i < kMaxPlies; ++i) play.Step();
  play.Observe();

  std::int64_t steps = 0;
  std::int64_t allocations = 0;
  const auto rate = [&](bool observe) {
    const double seconds = MedianSeconds(ThreadSeconds, arguments.seconds, [&] {
      const std::int64_t at_start = base::AllocationsOfThread().count;
      for (int i = 0; i < kRoundsEach; ++i) {
        play.Step();
        if (observe) play.Observe();
      }
      allocations += base::AllocationsOfThread().count - at_start;
      steps += std::int64_t{kRoundsEach} * arguments.envs;
    });
    return kRoundsEach * arguments.envs / seconds;
  };
  figures.steps_per_s = rate(false);
  figures.steps_per_s_observe = rate(true);
  figures.allocations_per_step = static_cast<double>(allocations) / static_cast<double>(steps);
  return figures;
}

}  // namespace

int BenchBatchEnv(const BenchArguments& arguments) {
  std::vector<env::Variant> variants = {env::Variant::FromIndex(0), env::Variant::FromIndex(7)};
  if (!arguments.variant.empty())
    variants = {OrThrow(env::ParseVariant(arguments.variant), kBadUsage)};
  for (const env::Variant variant : variants) {
    const std::string name = env::ToString(variant);
    const BatchFigures figures = Measure(arguments, variant);
    if (arguments.json) {
      std::cout << ordered_json{{"set", name},
                                {"envs", arguments.envs},
                                {"steps_per_s", figures.steps_per_s},
                                {"steps_per_s_observe", figures.steps_per_s_observe},
                                {"allocations_per_step", figures.allocations_per_step},
                                {"bytes_per_env", figures.bytes_per_env}}
                       .dump()
                << std::endl;
    } else {
      std::cout << fmt::format(
          "env {:<9} {} at once: {:.3f} million steps/s, {:.3f} with observations, "
          "{:.3g} allocations a step, {:.0f} bytes each\n",
          name, arguments.envs, figures.steps_per_s / 1e6, figures.steps_per_s_observe / 1e6,
          figures.allocations_per_step, figures.bytes_per_env);
    }
  }
  return 0;
}

}  // namespace apiary::app
