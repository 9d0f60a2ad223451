#include "train/run_watch.h"

#include <spdlog/spdlog.h>

#include <filesystem>

#include "base/files.h"
#include "train/clock.h"
#include "train/game_store.h"
#include "train/heartbeat.h"

namespace apiary::train {
namespace {

constexpr double kLearnerSilentS = 600;
constexpr std::int64_t kLeadWithoutLearner = 5;  // times learn.max_lead
constexpr double kSayEveryS = 60;

GameListing ListOrThrow(const std::string& run) {
  auto listing = ListGames(run);
  if (!listing) throw Error(listing.error());
  return std::move(*listing);
}

std::int64_t PositionsSealedAfter(const std::string& run, double time_s) {
  std::int64_t positions = 0;
  for (const GameFileName& file : ListOrThrow(run).files)
    if (static_cast<double>(file.modified_ns) * 1e-9 > time_s) positions += file.positions;
  return positions;
}

}  // namespace

std::int64_t SealedGen0Games(const std::string& run) {
  std::int64_t games = 0;
  for (const GameFileName& file : ListOrThrow(run).files)
    if (file.generation == 0) games += file.games;
  return games;
}

RunWatch::RunWatch(std::string run, const RunConfig& config, double poll_s, bool aloud)
    : run_(std::move(run)), max_lead_(config.learn.max_lead), poll_s_(poll_s), aloud_(aloud) {}

bool RunWatch::Look() {
  const double now_s = MonotonicSeconds();
  if (now_s < next_look_s_) return false;
  next_look_s_ = now_s + poll_s_;
  std::error_code ignored;
  stop_file_ = std::filesystem::exists(run_ + "/STOP", ignored);
  LookAtLatest();
  LookAtLearner();
  return true;
}

void RunWatch::LookAtLatest() {
  // Only a changed LATEST is worth the sha256 of a whole weights file.
  const auto text = base::ReadFile(run_ + "/weights/LATEST");
  if (!text || *text == latest_text_) return;
  auto latest = nn::ReadLatest(run_);
  if (!latest) throw Error(latest.error());
  latest_text_ = *text;
  if (latest->has_value()) new_weights_ = std::move(**latest);
}

void RunWatch::LookAtLearner() {
  const auto learner = ReadLearnerHeartbeat(run_);
  if (!learner) {
    Say(spdlog::level::warn, learner.error());
    return;  // the last answer stands until the file is whole again
  }
  const bool alive = learner->has_value() && UnixTime() - (*learner)->time_s < kLearnerSilentS;
  if (alive) {
    const std::int64_t lead = (*learner)->positions_seen - (*learner)->positions_needed;
    ahead_ = lead > max_lead_;
    if (ahead_)
      Say(spdlog::level::info,
          fmt::format("paused: {} positions ahead of the learner (learn.max_lead = {})", lead,
                      max_lead_));
    return;
  }
  const double last_word_s = learner->has_value() ? (*learner)->time_s : 0;
  const std::int64_t unread = PositionsSealedAfter(run_, last_word_s);
  ahead_ = unread > kLeadWithoutLearner * max_lead_;
  if (ahead_)
    Say(spdlog::level::warn, fmt::format("paused: {} positions lie unread and the learner gives no "
                                         "sign (5 x learn.max_lead = {})",
                                         unread, kLeadWithoutLearner * max_lead_));
}

void RunWatch::Say(spdlog::level::level_enum level, const std::string& sentence) {
  const double now_s = MonotonicSeconds();
  if (!aloud_ || now_s < next_word_s_) return;
  next_word_s_ = now_s + kSayEveryS;
  spdlog::log(level, "{}", sentence);
}

std::optional<nn::LatestWeights> RunWatch::TakeNewWeights() {
  return std::exchange(new_weights_, std::nullopt);
}

}  // namespace apiary::train
