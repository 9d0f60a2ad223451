#include "train/learner_loop.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/process_memory.h"
#include "nn/weights.h"
#include "train/game_file.h"
#include "train/heartbeat.h"

namespace apiary::train {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kListingInterval = std::chrono::milliseconds(500);
constexpr auto kHeartbeatInterval = std::chrono::seconds(1);
constexpr auto kWarningInterval = std::chrono::minutes(1);
constexpr auto kIdle = std::chrono::milliseconds(20);

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double ProcessCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

WindowOptions WindowFor(const RunConfig& config) {
  WindowOptions options;
  options.min_positions = config.learn.window_min;
  options.power = config.learn.window_power;
  options.max_positions = config.learn.window_max;
  options.max_bytes = std::int64_t{config.learn.window_mb} << 20;
  options.max_uses = config.learn.max_uses;
  options.value_lambda = config.learn.value_lambda;
  return options;
}

nn::NetSpec SpecFor(const RunConfig& config) {
  nn::NetSpec spec;
  spec.channels = config.net.channels;
  spec.blocks = config.net.blocks;
  spec.variant = config.rules.variant;
  spec.encoder_version = env::kEncoderVersion;
  return spec;
}

double EntropyOf(const nn::Wdl& wdl) {
  const auto term = [](double p) { return p > 0 ? -p * std::log(p) : 0.0; };
  return term(wdl.win) + term(wdl.draw) + term(wdl.loss);
}

void AddTo(nn::Wdl& sum, const nn::Wdl& wdl) {
  sum.win += wdl.win;
  sum.draw += wdl.draw;
  sum.loss += wdl.loss;
}

void AddTo(StepLosses& sum, const StepLosses& step) {
  sum.policy += step.policy;
  sum.policy_entropy += step.policy_entropy;
  sum.value += step.value;
  sum.moves_left += step.moves_left;
  sum.gradient_norm += step.gradient_norm;
  AddTo(sum.mean_target, step.mean_target);
  AddTo(sum.mean_predicted, step.mean_predicted);
}

}  // namespace

double BudgetShare(const RunConfig& config, double elapsed_s, double cpu_s, int generation) {
  double share = 0;
  if (config.budget.minutes > 0) share = std::max(share, elapsed_s / (60 * config.budget.minutes));
  if (config.budget.cpu_hours > 0)
    share = std::max(share, cpu_s / (3600 * config.budget.cpu_hours));
  if (config.budget.generations > 0)
    share = std::max(share, static_cast<double>(generation) / config.budget.generations);
  return share;
}

LearnerLoop::LearnerLoop(std::string run, const RunConfig& config, LearnerFence fence,
                         StrengthMeter* meter)
    : run_(std::move(run)),
      config_(config),
      fence_(std::move(fence)),
      meter_(meter),
      learner_(config, SpecFor(config), config.seed),
      window_(WindowFor(config)),
      random_(config.seed, {0x6C6561726EULL}),
      started_(Clock::now()),
      cpu_started_s_(ProcessCpuSeconds()) {}

base::Result<std::unique_ptr<LearnerLoop>> LearnerLoop::Open(const std::string& run,
                                                             const RunConfig& config,
                                                             StrengthMeter* meter) {
  auto fence = LearnerFence::Claim(run);
  if (!fence) return fence.failure();
  std::unique_ptr<LearnerLoop> loop(new LearnerLoop(run, config, *std::move(fence), meter));
  auto checkpoint = ReadCheckpoint(run);
  if (!checkpoint) return checkpoint.failure();
  if (checkpoint->has_value()) {
    if (auto restored = loop->Restore(**checkpoint); !restored) return restored.failure();
  }
  if (auto settled = loop->SettleGeneration(); !settled) return settled.failure();
  RemoveTemporaries(run);
  RemoveStaleTemporaries(run);
  auto metrics = base::MetricsFile::Open(run + "/metrics.jsonl");
  if (!metrics) return metrics.failure();
  loop->metrics_ = std::make_unique<base::MetricsFile>(*std::move(metrics));
  auto events = base::EventFile::Create(run + "/tb");
  if (!events) return events.failure();
  loop->events_ = std::make_unique<base::EventFile>(*std::move(events));
  loop->positions_at_publish_ = loop->window_.seen();
  loop->elapsed_at_publish_ = loop->ElapsedSeconds();
  loop->UpdateSnapshot("starting");
  return loop;
}

// Numbers go on above the highest file present: a generation is never overwritten. A kill between
// the checkpoint and the weights file leaves a number that nobody has seen, which is used again;
// one between the weights file and LATEST is made good here.
base::Result<void> LearnerLoop::SettleGeneration() {
  const auto latest = nn::ReadLatest(run_);
  if (!latest) return latest.failure();
  const int highest = nn::HighestGeneration(run_);
  if (state_.generation == highest + 1) state_.generation = highest;
  state_.generation = std::max(state_.generation, highest);
  const int named = latest->has_value() ? (*latest)->generation : 0;
  if (highest <= named) return {};
  if (auto pointed = nn::PointLatestAt(run_, highest, DiskFull()); !pointed)
    return pointed.failure();
  return {};
}

base::Result<void> LearnerLoop::Restore(const Checkpoint& checkpoint) {
  if (auto restored = learner_.Restore(checkpoint.tensors, run_ + "/ckpt"); !restored)
    return restored;
  state_ = checkpoint.state;
  random_ = base::RandomStream::FromState(state_.random);
  decisive_ = DecisiveWatch(state_.last_outcomes, state_.decisive_peak);
  known_.insert(state_.consumed.begin(), state_.consumed.end());

  const auto listing = ListGames(run_);
  if (!listing) return listing.failure();
  std::map<std::string, const GameFileName*> present;
  for (const GameFileName& file : listing->files) present[file.key] = &file;
  const LearnerState restored_state = state_;
  const DecisiveWatch restored_decisive = decisive_;
  window_.set_seen(state_.positions_seen);  // else the window would hold no more than a young run's
  for (const auto& entry : checkpoint.window) {
    known_.insert(entry.key);
    const auto found = present.find(entry.key);
    if (found != present.end()) ReadFile(*found->second, entry.uses);
  }
  // Those games were counted before the checkpoint.
  state_ = restored_state;
  decisive_ = restored_decisive;
  game_stats_.Clear();
  window_.set_seen(state_.positions_seen);
  return {};
}

void LearnerLoop::ReadFile(const GameFileName& file, const std::vector<std::uint8_t>& uses) {
  known_.insert(file.key);
  auto games = ReadGameFile(file.path);
  if (!games) {
    // Gone between listing and reading: removed by retention, nothing to keep.
    if (!std::filesystem::exists(file.path)) return;
    Quarantine(run_, file, games.error());
    return;
  }
  for (const GameRecord& game : *games) {
    ++state_.games_seen;
    game_stats_.Add(game);
    decisive_.Add(game);
    if (game.first_generation == 0) state_.gen0_positions += TrainablePositions(game);
  }
  window_.Add(file.key, *std::move(games), uses);
  state_.positions_seen = window_.seen();
}

void LearnerLoop::ReadNewGames() {
  if (Clock::now() - last_listing_ < kListingInterval) return;
  last_listing_ = Clock::now();
  const auto listing = ListGames(run_);
  if (!listing) throw Error(listing.error());
  for (const GameFileName& file : listing->files)
    if (!known_.contains(file.key)) ReadFile(file, {});
}

std::int64_t LearnerLoop::AllowedSamples() const {
  const std::int64_t self_play = state_.positions_seen - state_.gen0_positions;
  return self_play * config_.learn.uses + state_.gen0_positions * config_.learn.gen0_uses;
}

std::string LearnerLoop::WhyNotTraining() const {
  if (state_.positions_seen < config_.learn.min_positions)
    return fmt::format("have {} positions, need {}", state_.positions_seen,
                       config_.learn.min_positions);
  if (window_.available() < config_.learn.batch ||
      state_.samples + config_.learn.batch > AllowedSamples())
    return fmt::format("waiting for games: {} positions were used {:.1f} times",
                       state_.positions_seen,
                       static_cast<double>(state_.samples) /
                           static_cast<double>(std::max<std::int64_t>(1, state_.positions_seen)));
  return "";
}

void LearnerLoop::TrainStep() {
  const auto begin = Clock::now();
  FillBatch(window_, config_.learn.batch, static_cast<float>(config_.learn.draw_weight), random_,
            batch_);
  const StepLosses losses =
      learner_.Step(batch_, LearningRate(config_, std::min(1.0, Progress()), state_.step));
  ++state_.step;
  state_.samples += config_.learn.batch;
  AddTo(sums_.losses, losses);
  ++sums_.steps;
  const double seconds = SecondsSince(begin);
  sums_.seconds += seconds;
  training_s_ += seconds;
}

bool LearnerLoop::FirstNetIsDue() const {
  return state_.generation == 0 && state_.games_seen >= config_.selfplay.gen0_games;
}

bool LearnerLoop::Run(const base::StopToken& stop) {
  stop_ = &stop;
  while (!stop.requested() && Progress() < 1) {
    ReadNewGames();
    const std::string waiting = WhyNotTraining();
    if (waiting.empty()) {
      TrainStep();
      if (sums_.steps >= config_.learn.publish_steps) Publish();
    } else if (FirstNetIsDue()) {
      spdlog::info("generation 0 is used up after {} steps: publishing generation 1", state_.step);
      Publish();
    } else {
      std::this_thread::sleep_for(kIdle);
    }
    WriteHeartbeat(waiting.empty());
    UpdateSnapshot(waiting);
  }
  const bool spent = Progress() >= 1;
  if (spent && sums_.steps > 0)
    Publish();
  else
    SaveCheckpoint();  // without a new step, too: the time counts against the budget
  UpdateSnapshot("");
  return spent;
}

base::DiskFullPolicy LearnerLoop::DiskFull() const {
  return base::DiskFullPolicy(config_.io.full_timeout_s, stop_);
}

void LearnerLoop::CheckFence() const {
  if (const auto owned = fence_.Check(); !owned) throw Error(owned.error());
}

void LearnerLoop::SaveCheckpoint() {
  CheckFence();
  state_.random = random_.state();
  state_.last_outcomes = decisive_.outcomes();
  state_.decisive_peak = decisive_.peak();
  Checkpoint checkpoint;
  checkpoint.window = window_.Uses();
  std::set<std::string> left = known_;
  for (const auto& entry : checkpoint.window) left.erase(entry.key);
  state_.consumed.assign(left.begin(), left.end());
  checkpoint.state = state_;
  checkpoint.state.wall_s = ElapsedSeconds();
  checkpoint.state.cpu_s = CpuSeconds();
  checkpoint.tensors = learner_.State();
  WriteCheckpoint(run_, checkpoint, DiskFull());
}

void LearnerLoop::Publish() {
  // A predecessor that was fenced just now may have published one more.
  state_.generation = std::max(state_.generation, nn::HighestGeneration(run_)) + 1;
  SaveCheckpoint();
  CheckFence();  // a wait for disk space may have been long
  const auto published =
      nn::PublishWeights(run_, state_.generation, learner_.Weights(state_.generation), DiskFull());
  if (!published) throw Error(published.error());
  WriteMetrics();
  RemoveOldFiles();
  sums_ = Sums();
  game_stats_.Clear();
  positions_at_publish_ = window_.seen();
  elapsed_at_publish_ = ElapsedSeconds();
}

void LearnerLoop::WriteMetrics() {
  std::map<std::string, double> metrics;
  const double steps = std::max(1, sums_.steps);
  const double elapsed = ElapsedSeconds();
  StepLosses& losses = sums_.losses;
  const auto scale = static_cast<float>(1 / steps);
  const nn::Wdl base_rate{losses.mean_target.win * scale, losses.mean_target.draw * scale,
                          losses.mean_target.loss * scale};
  metrics["time"] = static_cast<double>(std::time(nullptr));
  metrics["elapsed_s"] = elapsed;
  metrics["cpu_s"] = CpuSeconds();
  metrics["step"] = static_cast<double>(state_.step);
  metrics["generation"] = state_.generation;
  metrics["games"] = static_cast<double>(state_.games_seen);
  metrics["positions"] = static_cast<double>(state_.positions_seen);
  metrics["samples"] = static_cast<double>(state_.samples);
  metrics["uses"] = Snapshot().uses;
  metrics["window_positions"] = static_cast<double>(window_.positions());
  metrics["selfplay_positions_per_s"] =
      static_cast<double>(window_.seen() - positions_at_publish_) /
      std::max(1e-3, elapsed - elapsed_at_publish_);
  metrics["learn_positions_per_s"] = steps * config_.learn.batch / std::max(1e-3, sums_.seconds);
  metrics["learning_rate"] = LearningRate(config_, std::min(1.0, Progress()), state_.step);
  metrics["policy_loss"] = losses.policy / steps;
  metrics["policy_kl"] = (losses.policy - losses.policy_entropy) / steps;
  metrics["value_loss"] = losses.value / steps;
  metrics["value_loss_of_base_rate"] = EntropyOf(base_rate);
  metrics["draw_target"] = base_rate.draw;
  metrics["draw_predicted"] = losses.mean_predicted.draw / steps;
  metrics["value_bias"] =
      (losses.mean_predicted.value_stm() - losses.mean_target.value_stm()) / steps;
  metrics["moves_left_loss"] = losses.moves_left / steps;
  metrics["gradient_norm"] = losses.gradient_norm / steps;
  metrics["decisive_500"] = decisive_.share();
  metrics["rss_bytes"] = static_cast<double>(base::ResidentBytes());
  game_stats_.Report(metrics);
  if (meter_ != nullptr) {
    for (const Strength& strength : meter_->TakeNew()) {
      metrics["strength_generation"] = strength.generation;
      metrics["strength_random"] = strength.against_random;
      metrics["strength_crowd"] = strength.against_crowd;
    }
  }
  const auto appended = metrics_->Append(metrics);
  if (!appended) spdlog::warn("metrics: {}", appended.error());
  for (const auto& [name, value] : metrics)
    events_->Scalar(name, state_.step, metrics["time"], value);
  events_->Flush();
  const std::string alarm = decisive_.Alarm();
  if (alarm.empty() != alarm_rings_) return;  // only the change is news
  alarm_rings_ = !alarm.empty();
  if (alarm_rings_)
    spdlog::warn("ALARM: {}", alarm);
  else
    spdlog::info("the alarm is over: {:.0f} % of the last games were decisive",
                 100 * decisive_.share());
}

void LearnerLoop::RemoveOldFiles() {
  std::set<std::string> removable = known_;
  for (const auto& entry : window_.Uses()) removable.erase(entry.key);
  const auto keep_bytes = static_cast<std::uint64_t>(config_.store.keep_gb * 1e9);
  for (const std::string& key : RemoveOldGames(run_, keep_bytes, removable)) known_.erase(key);
  nn::RemoveOldWeights(run_, keep_bytes / 10);
}

void LearnerLoop::WriteHeartbeat(bool training) {
  if (Clock::now() - last_heartbeat_ < kHeartbeatInterval) return;
  last_heartbeat_ = Clock::now();
  CheckFence();  // an idle learner must notice its successor as well
  LearnerHeartbeat heartbeat;
  heartbeat.generation = state_.generation;
  heartbeat.positions_seen = state_.positions_seen;
  // Positions that the samples drawn so far have used up.
  const std::int64_t gen0_budget = state_.gen0_positions * config_.learn.gen0_uses;
  const std::int64_t used =
      std::max<std::int64_t>(0, state_.samples - gen0_budget) / config_.learn.uses;
  // Whatever the sums say, a learner that waits for games needs them: some of what it was to use
  // may have left the window.
  heartbeat.positions_needed = training ? state_.gen0_positions + used : state_.positions_seen;
  heartbeat.step = state_.step;
  const auto written = WriteLearnerHeartbeat(run_, heartbeat);
  if (!written && Clock::now() >= next_heartbeat_warning_) {
    spdlog::warn("heartbeat: {}", written.error());
    next_heartbeat_warning_ = Clock::now() + kWarningInterval;
  }
}

void LearnerLoop::UpdateSnapshot(const std::string& waiting) {
  LearnerSnapshot snapshot;
  snapshot.generation = state_.generation;
  snapshot.step = state_.step;
  snapshot.games = state_.games_seen;
  snapshot.positions = state_.positions_seen;
  const std::int64_t self_play =
      std::max<std::int64_t>(1, state_.positions_seen - state_.gen0_positions);
  const std::int64_t gen0_budget = state_.gen0_positions * config_.learn.gen0_uses;
  snapshot.uses = static_cast<double>(std::max<std::int64_t>(0, state_.samples - gen0_budget)) /
                  static_cast<double>(self_play);
  snapshot.decisive = decisive_.share();
  const double steps = std::max(1, sums_.steps);
  snapshot.policy_loss = sums_.losses.policy / steps;
  snapshot.value_loss = sums_.losses.value / steps;
  snapshot.learn_positions_per_s = steps * config_.learn.batch / std::max(1e-3, sums_.seconds);
  snapshot.progress = Progress();
  snapshot.elapsed_s = ElapsedSeconds();
  snapshot.training_s = training_s_;
  snapshot.waiting = waiting;
  snapshot.alarm = decisive_.Alarm();
  const std::lock_guard lock(mutex_);
  if (sums_.steps == 0) {  // just published: keep showing the last known losses
    snapshot.policy_loss = snapshot_.policy_loss;
    snapshot.value_loss = snapshot_.value_loss;
    snapshot.learn_positions_per_s = snapshot_.learn_positions_per_s;
  }
  snapshot_ = snapshot;
}

LearnerSnapshot LearnerLoop::Snapshot() const {
  const std::lock_guard lock(mutex_);
  return snapshot_;
}

double LearnerLoop::Progress() const {
  return BudgetShare(config_, ElapsedSeconds(), CpuSeconds(), state_.generation);
}

double LearnerLoop::ElapsedSeconds() const { return state_.wall_s + SecondsSince(started_); }

double LearnerLoop::CpuSeconds() const {
  return state_.cpu_s + ProcessCpuSeconds() - cpu_started_s_;
}

}  // namespace apiary::train
