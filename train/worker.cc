#include "train/worker.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "train/clock.h"
#include "train/cohort.h"
#include "train/gen0_games.h"
#include "train/heartbeat.h"
#include "train/run_watch.h"

namespace apiary::train {
namespace {

constexpr std::chrono::milliseconds kIdle{50};

class Worker {
 public:
  Worker(const WorkerOptions& options, const base::StopToken& stop, WorkerStats& stats)
      : options_(options),
        config_(options.config),
        stop_(stop),
        stats_(stats),
        watch_(options.run, config_, options.poll_s, options.thread_index == 0),
        writer_(options.run, options.name,
                {config_.store.positions_per_file, config_.store.seconds_per_file,
                 config_.io.full_timeout_s},
                &stop) {}

  void Run() {
    LookAround();
    while (!net_.evaluator && !Stopped() && MoreGames()) {
      PlayGen0();
      if (MoreGames()) WaitForWeights();
    }
    if (net_.evaluator) PlayCohorts();
  }

  void Seal() { writer_.Seal(); }

  void Heartbeat(const char* state) {
    const auto written = WriteWorkerHeartbeat(
        options_.run,
        {options_.name, state, stats_.generation, stats_.games, stats_.positions,
         stats_.simulations, stats_.evaluations, stats_.batches, stats_.solved_roots});
    // It is for display only: said once, and play goes on.
    if (!written && !std::exchange(heartbeat_failed_, true))
      spdlog::warn("no heartbeat: {}", written.error());
    next_heartbeat_s_ = MonotonicSeconds() + options_.heartbeat_s;
  }

 private:
  bool Stopped() const { return stop_.requested() || watch_.stop_file(); }

  // Looks at the run directory, swaps the net, writes the heartbeat: each when it is time.
  void LookAround() {
    if (watch_.Look()) {
      if (const auto weights = watch_.TakeNewWeights()) LoadNet(*weights);
      writer_.SealIfOld();
    }
    if (MonotonicSeconds() >= next_heartbeat_s_) Heartbeat(state_);
  }

  void LoadNet(const nn::LatestWeights& weights) {
    auto evaluator = options_.evaluators(weights.path);
    if (!evaluator) throw Error(evaluator.error());
    net_ = {std::shared_ptr<nn::Evaluator>(std::move(*evaluator)), weights.generation, nullptr};
    if (config_.selfplay.cache_mb > 0)
      net_.cache = std::make_shared<nn::EvaluationCache>(
          static_cast<std::uint64_t>(config_.selfplay.cache_mb) << 20);
    stats_.generation = weights.generation;
  }

  // --- Game numbers
  std::uint64_t NextNumber() const {
    return static_cast<std::uint64_t>(options_.thread_index) +
           static_cast<std::uint64_t>(options_.threads) * begun_;
  }
  bool MoreGames() const { return options_.max_games == 0 || NextNumber() < options_.max_games; }
  // Precondition: MoreGames().
  base::RandomStream NextStream() {
    const base::RandomStream stream(config_.seed, {options_.stream_key, NextNumber()});
    ++begun_;
    return stream;
  }

  void Keep(GameRecord game) {
    stats_.positions += game.moves.size();
    ++stats_.games;
    writer_.Append(std::move(game), net_.generation);
  }

  // --- Generation 0
  // Plays this thread's share, the numbers below gen0_games, or until the run has as many from
  // whomever.
  void PlayGen0() {
    state_ = "gen0";
    const auto wanted = static_cast<std::uint64_t>(config_.selfplay.gen0_games);
    PlayGen0While([&] { return NextNumber() < wanted; });
  }

  template <typename Condition>
  void PlayGen0While(const Condition& go_on) {
    bool enough = Gen0Missing() <= 0;
    while (!enough && go_on() && MoreGames() && !Stopped() && !net_.evaluator) {
      Keep(PlayGen0Game(config_, NextStream()));
      // A file was just sealed, by which others may know that there is enough: so may we.
      if (writer_.held_games() == 0) enough = Gen0Missing() <= 0;
      LookAround();
    }
    writer_.Seal();
  }

  std::int64_t Gen0Missing() const {
    return config_.selfplay.gen0_games - SealedGen0Games(options_.run) - writer_.held_games();
  }

  // Until there are weights. If another worker was to play more games of generation 0 and died,
  // plays them instead.
  void WaitForWeights() {
    const double patience_s = std::max(30.0, 3 * config_.store.seconds_per_file);
    std::int64_t missing = Gen0Missing();
    double changed_s = MonotonicSeconds();
    while (!net_.evaluator && !Stopped()) {
      state_ = "waiting";
      std::this_thread::sleep_for(kIdle);
      LookAround();
      if (missing <= 0 || MonotonicSeconds() - changed_s < patience_s) continue;
      const std::int64_t still_missing = Gen0Missing();
      if (still_missing == missing) PlayGen0While([] { return true; });
      missing = Gen0Missing();
      changed_s = MonotonicSeconds();
    }
  }

  // --- Self-play with a net
  CohortHooks Hooks() {
    CohortHooks hooks;
    hooks.new_game = [this](std::optional<SelfplayGame>& slot) {
      if (!MoreGames()) return false;
      if (slot) {
        slot->Restart(NextStream(), writer_.TakeSpare());
      } else {
        slot.emplace(config_, NextStream());
      }
      return true;
    };
    hooks.search_done = [this](const mcts::Search& search) {
      const mcts::SearchResult& result = search.result();
      stats_.tree_bytes = std::max<std::uint64_t>(stats_.tree_bytes, search.tree_bytes());
      stats_.simulations += static_cast<std::uint64_t>(result.simulations);
      stats_.evaluations += static_cast<std::uint64_t>(result.evaluations);
      stats_.remembered += static_cast<std::uint64_t>(result.remembered);
      stats_.solved_roots += result.proven != mcts::Proven::kUnknown;
      ++stats_.searches;
    };
    hooks.game_done = [this](GameRecord game) { Keep(std::move(game)); };
    hooks.block_submitted = [this] { ++stats_.batches; };
    return hooks;
  }

  void PlayCohorts() {
    const int games = std::max(2, config_.selfplay.games_per_thread);
    Cohort first(games / 2, Hooks());
    Cohort second(games - games / 2, Hooks());
    const std::array cohorts{&first, &second};
    state_ = "playing";
    while (!Stopped()) {
      for (Cohort* cohort : cohorts) {
        cohort->Wait();
        LookAround();
        PauseWhileAhead();
        if (Stopped()) return;
        cohort->Select(net_);
        stats_.evaluating_s = first.evaluator_seconds() + second.evaluator_seconds();
      }
      if (first.empty() && second.empty()) return;
    }
  }

  // Back-pressure: the games stay as they are until the learner catches up.
  void PauseWhileAhead() {
    if (!watch_.ahead()) return;
    writer_.Seal();  // the learner may be waiting for just these
    stats_.paused = true;
    state_ = "paused";
    const double before_s = stats_.paused_s;
    const double begin_s = MonotonicSeconds();
    while (watch_.ahead() && !Stopped()) {
      std::this_thread::sleep_for(kIdle);
      stats_.paused_s = before_s + MonotonicSeconds() - begin_s;
      LookAround();
    }
    stats_.paused = false;
    state_ = "playing";
  }

  const WorkerOptions& options_;
  const RunConfig& config_;
  const base::StopToken& stop_;
  WorkerStats& stats_;
  RunWatch watch_;
  GameWriter writer_;
  Net net_;
  std::uint64_t begun_ = 0;  // games
  const char* state_ = "waiting";
  double next_heartbeat_s_ = 0;
  bool heartbeat_failed_ = false;
};

}  // namespace

void RunWorker(const WorkerOptions& options, const base::StopToken& stop, WorkerStats& stats) {
  Worker worker(options, stop, stats);
  try {
    worker.Run();
  } catch (const Error& error) {
    // What was played is good, whatever failed; only a full disk has been waited for already.
    if (error.exit_code() != base::kDiskFullExitCode) {
      spdlog::error("worker {}: {}", options.name, error.what());
      worker.Seal();
    }
    throw;
  }
  worker.Seal();
  worker.Heartbeat("ended");
}

}  // namespace apiary::train
