#include "play/results_file.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

namespace apiary::play {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// How every line begins: the keys are written in a fixed order.
std::string LineStart() { return fmt::format(R"({{"format":"{}",)", kResultsFormat); }

ordered_json ToJson(const RatedPlayer& player) {
  ordered_json object = {{"player", player.text}};
  if (player.is_net()) {
    object["options"] = player.options;
    object["generation"] = player.generation;
    object["sha256"] = player.sha256;
  }
  return object;
}

// Reads fields of one object; the first that is missing or of another type is remembered.
class Fields {
 public:
  Fields(const json& object, std::string name) : object_(object), name_(std::move(name)) {}

  template <typename T>
  T Get(const char* key, const char* expected, bool (json::*is_type)() const noexcept) {
    const auto field = object_.is_object() ? object_.find(key) : object_.end();
    if (field != object_.end() && ((*field).*is_type)()) return field->template get<T>();
    Fail(key, expected);
    return T{};
  }
  std::string Text(const char* key) { return Get<std::string>(key, "a text", &json::is_string); }
  bool Truth(const char* key) { return Get<bool>(key, "true or false", &json::is_boolean); }
  double Number(const char* key) { return Get<double>(key, "a number", &json::is_number); }
  int Count(const char* key) {
    const auto value = Get<std::int64_t>(key, "a whole number", &json::is_number_integer);
    if (value >= 0 && value <= 1'000'000'000) return static_cast<int>(value);
    Fail(key, "a whole number from 0 to 1,000,000,000");
    return 0;
  }
  void Fail(const char* key, const char* expected) {
    if (error_.empty()) error_ = fmt::format("{}'{}' is not {}", name_, key, expected);
  }
  bool Has(const char* key) const { return object_.is_object() && object_.contains(key); }
  const std::string& error() const { return error_; }

 private:
  const json& object_;
  std::string name_;
  std::string error_;
};

RatedPlayer ReadPlayer(const json& line, const char* side, std::string& error) {
  RatedPlayer player;
  static const json kNothing;
  const auto found = line.find(side);
  Fields fields(found == line.end() ? kNothing : *found, fmt::format("of {}, ", side));
  player.text = fields.Text("player");
  if (fields.Has("sha256")) {
    player.sha256 = fields.Text("sha256");
    player.options = fields.Text("options");
    player.generation = fields.Count("generation");
    if (player.sha256.size() != 64) fields.Fail("sha256", "64 hexadecimal digits");
  }
  if (error.empty()) error = fields.error();
  return player;
}

RatedGame ReadGame(const json& object, std::size_t number, std::string& error) {
  RatedGame game;
  Fields fields(object, fmt::format("of game {}, ", number + 1));
  game.a_is_first = fields.Truth("a_first");
  game.points_a = fields.Number("points_a");
  game.reason = fields.Text("reason");
  game.plies = fields.Count("plies");
  game.game = fields.Text("game");
  if (game.points_a != 0 && game.points_a != 0.5 && game.points_a != 1)
    fields.Fail("points_a", "0, 0.5 or 1");
  if (error.empty()) error = fields.error();
  return game;
}

}  // namespace

RatedPlayer RatedPlayerOf(const PlayerSpec& spec) {
  RatedPlayer player{.text = spec.text, .options = "", .sha256 = "", .generation = 0};
  if (spec.kind != "model") return player;
  player.sha256 = spec.sha256;
  player.generation = spec.generation;
  const std::string file = std::filesystem::path(spec.weights_path).filename().string();
  const std::string name = PlayerName(spec);  // "FILE (sims=32)"
  player.options = name.starts_with(file + " ") ? name.substr(file.size() + 1) : name;
  return player;
}

std::string ToJsonLine(const PairRecord& record) {
  ordered_json line;
  line["format"] = kResultsFormat;
  line["a"] = ToJson(record.a);
  line["b"] = ToJson(record.b);
  line["variant"] = record.conditions.variant;
  line["max_plies"] = record.conditions.max_plies;
  line["opening_plies"] = record.conditions.opening_plies;
  line["seed"] = record.seed;
  line["asked"] = record.asked;
  line["seconds"] = record.seconds;
  line["games"] = ordered_json::array();
  for (const RatedGame& game : record.games)
    line["games"].push_back({{"a_first", game.a_is_first},
                             {"points_a", game.points_a},
                             {"reason", game.reason},
                             {"plies", game.plies},
                             {"game", game.game}});
  // A player's text may hold any bytes.
  return line.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

base::Result<PairRecord> ParsePairRecord(std::string_view text, const std::string& where) {
  const json line = json::parse(text, nullptr, false);
  if (!line.is_object() || !line.contains("format") || line["format"] != kResultsFormat)
    return base::Fail("{}: not a line of a results file (a JSON object with \"format\":\"{}\")",
                      where, kResultsFormat);
  PairRecord record;
  std::string error;
  record.a = ReadPlayer(line, "a", error);
  record.b = ReadPlayer(line, "b", error);
  Fields fields(line, "");
  record.conditions.variant = fields.Text("variant");
  record.conditions.max_plies = fields.Count("max_plies");
  record.conditions.opening_plies = fields.Count("opening_plies");
  record.seed = fields.Get<std::uint64_t>("seed", "a whole number", &json::is_number_unsigned);
  record.asked = fields.Count("asked");
  record.seconds = fields.Number("seconds");
  if (error.empty()) error = fields.error();
  const auto games = line.find("games");
  if (games == line.end() || !games->is_array()) {
    if (error.empty()) error = "'games' is not a list";
  } else {
    for (const json& game : *games)
      record.games.push_back(ReadGame(game, record.games.size(), error));
  }
  if (error.empty() && record.a.key() == record.b.key()) error = "'a' and 'b' are the same player";
  if (!error.empty()) return base::Fail("{}: {}", where, error);
  return record;
}

base::Result<ResultsHistory> ParseResults(std::string_view text, const std::string& path) {
  ResultsHistory history;
  int number = 0;
  while (history.whole_bytes < text.size()) {
    ++number;
    const std::string_view rest = text.substr(history.whole_bytes);
    const std::size_t end = rest.find('\n');
    const std::string where = fmt::format("{}: line {}", path, number);
    if (end == std::string_view::npos) {
      const std::string start = LineStart();
      if (!rest.starts_with(start) && !std::string_view(start).starts_with(rest))
        return base::Fail("{}: not a line of a results file (a JSON object with \"format\":\"{}\")",
                          where, kResultsFormat);
      break;
    }
    auto record = ParsePairRecord(rest.substr(0, end), where);
    if (!record) return record.failure();
    history.records.push_back(std::move(*record));
    history.whole_bytes += end + 1;
  }
  return history;
}

base::Result<ResultsFile> ResultsFile::Open(const std::string& path) {
  auto lines = base::LineFile::Open(path);
  if (!lines) return lines.failure();
  ResultsFile file(std::move(*lines));
  const auto text = file.lines_.Read();
  if (!text) return text.failure();
  auto history = ParseResults(*text, path);
  if (!history) return history.failure();
  file.records_ = std::move(history->records);
  if (auto kept = file.lines_.Keep(history->whole_bytes); !kept) return kept.failure();
  return file;
}

void ResultsFile::Append(const PairRecord& record) {
  lines_.Append(ToJsonLine(record) + "\n");
  lines_.Sync();
}

}  // namespace apiary::play
