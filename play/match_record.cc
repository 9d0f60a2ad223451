#include "play/match_record.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "env/notation.h"

namespace apiary::play {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "apiary-match-1";

// What makes two matches the same, by name.
Json IdentityOf(const PlayerSpec& a, const PlayerSpec& b, const MatchOptions& options) {
  Json identity = {{"format", kFormat}, {"a", PlayerName(a)}, {"b", PlayerName(b)}};
  if (!a.sha256.empty()) identity["a_sha256"] = a.sha256;
  if (!b.sha256.empty()) identity["b_sha256"] = b.sha256;
  identity["variant"] = env::ToString(options.rules.variant);
  identity["first_player"] = options.rules.first_player == env::Color::kWhite ? "white" : "black";
  identity["queen_first_turn"] = options.rules.queen_first_turn;
  identity["repetition"] = options.rules.repetition;
  identity["max_plies"] = options.rules.max_plies;
  identity["openings"] = fmt::format("random:{}", options.opening_plies);
  if (!options.openings.empty()) {
    std::string text;
    for (const env::Game& game : options.openings) text += env::ToGameString(game) + "\n";
    identity["openings"] = "sha256:" + base::Sha256Hex(text);
  }
  identity["seed"] = options.seed;
  identity["sprt"] = nullptr;
  if (options.sprt) identity["sprt"] = {options.sprt->elo0, options.sprt->elo1};
  return identity;
}

// A field of the right type, else a default or a failure.
template <typename T>
T FieldOr(const Json& object, const char* name, T fallback) {
  const auto found = object.find(name);
  if (found == object.end()) return fallback;
  if constexpr (std::is_same_v<T, std::string>) {
    return found->is_string() ? found->template get<T>() : fallback;
  } else if constexpr (std::is_floating_point_v<T>) {
    return found->is_number() ? found->template get<T>() : fallback;
  } else {
    return found->is_number_integer() ? found->template get<T>() : fallback;
  }
}

}  // namespace

base::Result<std::unique_ptr<MatchRecord>> MatchRecord::Open(const std::string& path,
                                                             const PlayerSpec& a,
                                                             const PlayerSpec& b,
                                                             const MatchOptions& options) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return base::Fail("{}: cannot open it: {}", path, std::strerror(errno));
  std::unique_ptr<MatchRecord> record(new MatchRecord(path, file, options.rules));
  if (::flock(file, LOCK_EX | LOCK_NB) != 0)
    return base::Fail("{}: another match is writing to it", path);
  if (auto read = record->Read(IdentityOf(a, b, options).dump()); !read) return read.failure();
  return record;
}

MatchRecord::~MatchRecord() { ::close(file_); }

base::Result<void> MatchRecord::Read(const std::string& identity) {
  auto bytes = base::ReadFile(path_);
  if (!bytes) return bytes.failure();
  const std::size_t end = bytes->rfind('\n') == std::string::npos ? 0 : bytes->rfind('\n') + 1;
  torn_bytes_ = bytes->size() - end;
  std::size_t begin = 0;
  for (int number = 1; begin < end; ++number) {
    const std::size_t stop = bytes->find('\n', begin);
    const std::string line = bytes->substr(begin, stop - begin);
    begin = stop + 1;
    if (number == 1) {
      if (auto header = ReadHeader(line, identity); !header) return header.failure();
      continue;
    }
    auto game = ReadGame(line);
    if (!game) return base::Fail("{}: line {}: {}", path_, number, game.error());
    std::vector<PlayedGame>& pair = pairs_[{game->opening, game->attempt}];
    if (pair.size() == 2 || (pair.size() == 1 && pair[0].a_is_first == game->a_is_first))
      return base::Fail("{}: line {}: pair {} has this game already", path_, number, game->opening);
    pair.push_back(*std::move(game));
    ++games_found_;
  }
  // Only what is known to be ours is changed.
  if (torn_bytes_ > 0 && end == 0 && bytes->front() != '{')
    return base::Fail("{}: it is not the record of a match", path_);
  if (torn_bytes_ > 0 && ::ftruncate(file_, static_cast<off_t>(end)) != 0)
    return base::Fail("{}: cannot cut off its torn last line: {}", path_, std::strerror(errno));
  return end == 0 ? Append(identity + "\n") : base::Result<void>();
}

base::Result<void> MatchRecord::ReadHeader(const std::string& line,
                                           const std::string& identity) const {
  const Json theirs = Json::parse(line, nullptr, false);
  const Json ours = Json::parse(identity);
  if (!theirs.is_object() || FieldOr<std::string>(theirs, "format", "") != kFormat)
    return base::Fail("{}: line 1: it is not the record of a match ({} expected)", path_, kFormat);
  for (const Json* keys : {&ours, &theirs}) {
    for (const auto& [key, value] : keys->items()) {
      const Json there = theirs.value(key, Json());
      const Json here = ours.value(key, Json());
      if (there != here)
        return base::Fail("{}: it is the record of another match: {} is {} there and {} here",
                          path_, key, there.dump(), here.dump());
    }
  }
  return {};
}

std::string MatchRecord::ToLine(const PlayedGame& game) const {
  const bool a_is_white = game.a_is_first == (rules_.first_player == env::Color::kWhite);
  Json line = {{"pair", game.opening},
               {"attempt", game.attempt},
               {"white", a_is_white ? "a" : "b"},
               {"points_a", PointsOfA(game, rules_.first_player)},
               {"reason", ReasonOf(game)},
               {"plies", game.plies}};
  if (game.fault) {
    line["fault_of"] = game.fault->of_a ? "a" : "b";
    line["fault"] = game.fault->what;
  }
  if (game.skipped_openings > 0) line["skipped_openings"] = game.skipped_openings;
  line["moves_a"] = game.moves_a;
  line["moves_b"] = game.moves_b;
  line["seconds_a"] = game.seconds_a;
  line["seconds_b"] = game.seconds_b;
  line["game"] = game.game_string;
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

base::Result<PlayedGame> MatchRecord::ReadGame(const std::string& line) const {
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) return base::Fail("it is not a JSON object");
  PlayedGame game;
  game.opening = FieldOr(object, "pair", -1);
  game.attempt = FieldOr(object, "attempt", -1);
  const auto white = FieldOr<std::string>(object, "white", "");
  if (game.opening < 0 || game.attempt < 0 || (white != "a" && white != "b"))
    return base::Fail("expected pair and attempt, whole numbers, and white, \"a\" or \"b\"");
  game.a_is_first = (white == "a") == (rules_.first_player == env::Color::kWhite);
  game.game_string = FieldOr<std::string>(object, "game", "");
  auto parsed = env::ParseGameString(game.game_string, rules_);
  if (!parsed) return base::Fail("game: {}", parsed.error());
  game.plies = parsed->game.ply();
  game.outcome = parsed->game.outcome();
  const auto reason = FieldOr<std::string>(object, "reason", "");
  if (const auto kind = ParseFaultKind(reason)) {
    game.fault =
        PlayedGame::FaultOfPlayer{*kind, FieldOr<std::string>(object, "fault_of", "") == "a",
                                  FieldOr<std::string>(object, "fault", "")};
  }
  if (game.outcome.over() == game.fault.has_value() || reason != ReasonOf(game))
    return base::Fail("reason is \"{}\", but the game as written ends by \"{}\"", reason,
                      env::ToString(game.outcome.reason));
  game.skipped_openings = FieldOr(object, "skipped_openings", 0);
  game.moves_a = FieldOr(object, "moves_a", 0);
  game.moves_b = FieldOr(object, "moves_b", 0);
  game.seconds_a = FieldOr(object, "seconds_a", 0.0);
  game.seconds_b = FieldOr(object, "seconds_b", 0.0);
  return game;
}

bool MatchRecord::Find(int pair, int attempt, std::vector<PlayedGame>& games) const {
  const auto found = pairs_.find({pair, attempt});
  if (found == pairs_.end() || found->second.size() < 2) return false;
  games.insert(games.end(), found->second.begin(), found->second.end());
  return true;
}

void MatchRecord::Keep(std::span<const PlayedGame> games) {
  std::string lines;
  for (const PlayedGame& game : games) lines += ToLine(game);
  if (auto kept = Append(lines); !kept) throw Error(kept.error());
}

base::Result<void> MatchRecord::Append(const std::string& lines) const {
  std::string_view rest = lines;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return base::Fail("{}: cannot write: {}", path_, std::strerror(errno));
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace apiary::play
