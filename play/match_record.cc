#include "play/match_record.h"

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
  auto file = base::LineFile::Open(path);
  if (!file) return file.failure();
  std::unique_ptr<MatchRecord> record(new MatchRecord(std::move(*file), options.rules));
  if (auto read = record->Read(IdentityOf(a, b, options).dump()); !read) return read.failure();
  return record;
}

base::Result<void> MatchRecord::Read(const std::string& identity) {
  const auto text = file_.Read();
  if (!text) return text.failure();
  const std::size_t end = text->rfind('\n') + 1;  // 0 if there is none
  // Only what is known to be ours is changed.
  if (end == 0 && !text->empty() && text->front() != '{')
    return base::Fail("{}: it is not the record of a match", file_.path());
  const auto kept = ReadLines(std::string_view(*text).substr(0, end), identity);
  if (!kept) return kept.failure();
  torn_bytes_ = text->size() - *kept;
  if (auto cut = file_.Keep(*kept); !cut) return cut;
  if (*kept == 0) file_.Append(identity + "\n");
  return {};
}

base::Result<std::size_t> MatchRecord::ReadLines(std::string_view lines,
                                                 const std::string& identity) {
  const auto fail = [this](int line, const std::string& why) {
    return base::Fail("{}: line {}: {}", file_.path(), line, why);
  };
  std::size_t half = 0;  // where a pair begins of which the other game is to follow; 0: none
  std::size_t begin = 0;
  for (int number = 1; begin < lines.size(); ++number) {
    const std::size_t stop = lines.find('\n', begin);
    const std::string_view line = lines.substr(begin, stop - begin);
    const std::size_t start = std::exchange(begin, stop + 1);
    if (number == 1) {
      if (auto header = ReadHeader(line, identity); !header) return header.failure();
      continue;
    }
    auto game = ReadGame(line);
    if (!game) return fail(number, game.error());
    const std::pair key{game->opening, game->attempt};
    std::vector<PlayedGame>& pair = pairs_[key];
    if (pair.size() == (half == 0 ? 0U : 1U)) {
      if (half > 0 && pair[0].a_is_first == game->a_is_first)
        return fail(number, fmt::format("pair {} has this game already", game->opening));
      half = half == 0 ? start : 0;
      pair.push_back(*std::move(game));
      continue;
    }
    return fail(number, half == 0 ? fmt::format("pair {} is there already", game->opening)
                                  : "the other game of the pair before is missing");
  }
  if (half > 0) std::erase_if(pairs_, [](const auto& entry) { return entry.second.size() < 2; });
  games_found_ = 2 * static_cast<int>(pairs_.size());
  return half > 0 ? half : lines.size();
}

base::Result<void> MatchRecord::ReadHeader(std::string_view line,
                                           const std::string& identity) const {
  const Json theirs = Json::parse(line, nullptr, false);
  const Json ours = Json::parse(identity);
  if (!theirs.is_object() || FieldOr<std::string>(theirs, "format", "") != kFormat)
    return base::Fail("{}: line 1: it is not the record of a match ({} expected)", file_.path(),
                      kFormat);
  for (const Json* keys : {&ours, &theirs}) {
    for (const auto& [key, value] : keys->items()) {
      const Json there = theirs.value(key, Json());
      const Json here = ours.value(key, Json());
      if (there != here)
        return base::Fail("{}: it is the record of another match: {} is {} there and {} here",
                          file_.path(), key, there.dump(), here.dump());
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

base::Result<PlayedGame> MatchRecord::ReadGame(std::string_view line) const {
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
  if (found == pairs_.end()) return false;
  games.insert(games.end(), found->second.begin(), found->second.end());
  return true;
}

void MatchRecord::Keep(std::span<const PlayedGame> games) {
  std::string lines;
  for (const PlayedGame& game : games) lines += ToLine(game);
  file_.Append(lines);
}

}  // namespace apiary::play
