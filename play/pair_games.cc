#include "play/pair_games.h"

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <unordered_map>

#include "base/files.h"

namespace apiary::play {
namespace {

using KeyPair = std::pair<std::string, std::string>;

KeyPair SortedKeys(const RatedPlayer& a, const RatedPlayer& b) {
  return std::minmax({a.key(), b.key()});
}

std::uint64_t SeedOf(std::uint64_t seed, const RatedPlayer& a, const RatedPlayer& b,
                     std::size_t games_before) {
  const auto [low, high] = SortedKeys(a, b);
  const std::string digest =
      base::Sha256Hex(fmt::format("{}\n{}\n{}\n{}", seed, games_before, low, high));
  return std::stoull(digest.substr(0, 16), nullptr, 16);
}

// The pair's games without openings of which a game is known.
PairRecord RecordOf(const PlayerSpec& a, const PlayerSpec& b, const PairToPlay& pair,
                    const MatchOptions& options, const MatchResult& result) {
  PairRecord record;
  record.a = RatedPlayerOf(a);
  record.b = RatedPlayerOf(b);
  record.conditions = {env::ToString(options.rules.variant), options.rules.max_plies,
                       options.opening_plies};
  record.seed = options.seed;
  record.asked = options.games;
  record.seconds = result.seconds;
  const std::set<std::string> known(pair.known.begin(), pair.known.end());
  const auto key = [&record](const PlayedGame& game) {
    return GameKey(game.a_is_first ? record.a.key() : record.b.key(), game.game_string);
  };
  std::set<int> repeated;
  for (const PlayedGame& game : result.played) {
    if (known.contains(key(game))) repeated.insert(game.opening);
  }
  for (const PlayedGame& game : result.played) {
    if (repeated.contains(game.opening)) continue;
    record.games.push_back({game.a_is_first, PointsOfA(game, result.first_player),
                            std::string(env::ToString(game.outcome.reason)), game.plies,
                            game.game_string});
  }
  return record;
}

// Several threads take pairs in their order and play one match each.
class PairRunner {
 public:
  PairRunner(std::span<const PlayerSpec> players, std::span<const PairToPlay> pairs,
             const nn::EvaluatorFactory& factory, const MatchOptions& match,
             const std::function<void(const PairRecord&)>& done,
             const std::function<void(const PairsProgress&)>& progress, const base::StopToken& stop)
      : players_(players),
        pairs_(pairs),
        factory_(factory),
        match_(match),
        done_(done),
        progress_(progress),
        stop_(stop),
        finished_(pairs.size(), 0) {
    for (const PairToPlay& pair : pairs) games_ += pair.games;
  }

  base::Result<void> Run() {
    // A match keeps at most one thread an opening busy.
    const int openings = std::max(1, pairs_.front().games / 2);
    const int together =
        std::clamp((match_.threads + openings - 1) / openings, 1, static_cast<int>(pairs_.size()));
    const int threads = std::max(1, match_.threads / together);
    {
      std::vector<std::jthread> pool;
      for (int i = 0; i < together; ++i)
        pool.emplace_back([this, threads] { ThreadMain(threads); });
    }
    if (exception_) std::rethrow_exception(exception_);
    if (failure_) return *failure_;
    return {};
  }

 private:
  void ThreadMain(int threads) {
    try {
      while (const std::optional<std::size_t> pair = Next()) {
        if (auto played = PlayOne(*pair, threads); !played) {
          const std::lock_guard lock(mutex_);
          if (!failure_) failure_ = played.failure();
        }
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!exception_) exception_ = std::current_exception();
    }
  }

  std::optional<std::size_t> Next() {
    const std::lock_guard lock(mutex_);
    if (stop_.requested() || failure_ || exception_ || next_ == pairs_.size()) return std::nullopt;
    return next_++;
  }

  base::Result<void> PlayOne(std::size_t number, int threads) {
    const PairToPlay& pair = pairs_[number];
    const PlayerSpec& a = players_[pair.a];
    const PlayerSpec& b = players_[pair.b];
    MatchOptions options = match_;
    options.games = pair.games;
    options.threads = threads;
    options.seed = SeedOf(match_.seed, RatedPlayerOf(a), RatedPlayerOf(b), pair.known.size());
    const auto report = [&](const MatchProgress& match) {
      const std::lock_guard lock(mutex_);
      Show(number, match.finished_games, match.score);
    };
    auto result = PlayMatch(a, b, factory_, options, report, stop_);
    if (!result) return result.failure();
    if (stop_.requested()) return {};
    const std::lock_guard lock(mutex_);
    done_(RecordOf(a, b, pair, options, *result));
    Show(number, pair.games, result->score());
    return {};
  }

  // With the mutex held.
  void Show(std::size_t number, int finished, double score) {
    finished_[number] = finished;
    if (!progress_) return;
    int all = 0;
    for (const int games : finished_) all += games;
    progress_({all, games_, pairs_[number].a, pairs_[number].b, score});
  }

  std::span<const PlayerSpec> players_;
  std::span<const PairToPlay> pairs_;
  const nn::EvaluatorFactory& factory_;
  const MatchOptions& match_;
  const std::function<void(const PairRecord&)>& done_;
  const std::function<void(const PairsProgress&)>& progress_;
  const base::StopToken& stop_;
  int games_ = 0;

  std::mutex mutex_;  // guards what follows
  std::size_t next_ = 0;
  std::vector<int> finished_;  // games of each pair
  std::optional<base::Failure> failure_;
  std::exception_ptr exception_;
};

}  // namespace

std::string GameKey(const std::string& first_key, const std::string& game) {
  return first_key + "|" + game;
}

std::vector<PairToPlay> MissingPairs(std::span<const RatedPlayer> players,
                                     std::span<const std::pair<std::size_t, std::size_t>> wanted,
                                     int games, std::span<const PairRecord> records,
                                     const RatingConditions& conditions) {
  std::map<KeyPair, PairToPlay> played;  // `games`: asked for so far
  for (const PairRecord& record : records) {
    if (record.conditions != conditions) continue;
    PairToPlay& pair = played[SortedKeys(record.a, record.b)];
    pair.games += record.asked;
    for (const RatedGame& game : record.games)
      pair.known.push_back(GameKey(game.a_is_first ? record.a.key() : record.b.key(), game.game));
  }
  std::vector<PairToPlay> missing;
  for (const auto& [a, b] : wanted) {
    PairToPlay pair = played[SortedKeys(players[a], players[b])];
    pair.a = a;
    pair.b = b;
    pair.games = games - pair.games;
    pair.games += pair.games % 2;
    if (pair.games > 0) missing.push_back(std::move(pair));
  }
  return missing;
}

base::Result<void> PlayPairs(std::span<const PlayerSpec> players, std::span<const PairToPlay> pairs,
                             const nn::EvaluatorFactory& factory, const MatchOptions& match,
                             const std::function<void(const PairRecord&)>& done,
                             const std::function<void(const PairsProgress&)>& progress,
                             const base::StopToken& stop) {
  if (pairs.empty()) return {};
  return PairRunner(players, pairs, factory, match, done, progress, stop).Run();
}

std::vector<OrderedResults> CountResults(std::span<const RatedPlayer> players,
                                         std::span<const PairRecord> records,
                                         const RatingConditions& conditions) {
  std::unordered_map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < players.size(); ++i) numbers.emplace(players[i].key(), i);
  std::map<std::pair<std::size_t, std::size_t>, OrderedResults> counts;
  for (const PairRecord& record : records) {
    const auto a = numbers.find(record.a.key());
    const auto b = numbers.find(record.b.key());
    if (record.conditions != conditions || a == numbers.end() || b == numbers.end()) continue;
    for (const RatedGame& game : record.games) {
      const std::size_t first = game.a_is_first ? a->second : b->second;
      const std::size_t second = game.a_is_first ? b->second : a->second;
      OrderedResults& count =
          counts.try_emplace({first, second}, OrderedResults{first, second}).first->second;
      const double points = game.a_is_first ? game.points_a : 1 - game.points_a;
      ++(points == 1 ? count.wins : points == 0 ? count.losses : count.draws);
    }
  }
  std::vector<OrderedResults> results;
  for (const auto& [pair, count] : counts) results.push_back(count);
  return results;
}

}  // namespace apiary::play
