#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "base/files.h"
#include "base/text.h"
#include "nn/weights.h"
#include "play/alpha_beta.h"
#include "play/player.h"
#include "play/search_keys.h"
#include "play/uct.h"

namespace apiary::play {
namespace {

constexpr int kMaxSimulations = 1'000'000;
constexpr double kMaxTemperature = 10;
constexpr std::string_view kUctPrefix = "mcts:";
constexpr std::string_view kAlphaBetaPrefix = "ab:";

std::vector<std::string> SplitKeys(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(';'); end != std::string::npos; end = text.find(';', begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

template <typename T>
bool ParseNumber(std::string_view text, T& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

// The number after "mcts:" or "ab:".
base::Result<void> ReadSize(std::string_view digits, std::string_view of_what, int most,
                            const PlayerSpec& spec, int& value) {
  const std::optional<int> number = base::ParseWhole(digits, 1, most);
  if (!number)
    return base::Fail("player '{}': '{}' is not a whole number of {} from 1 to {}", spec.text,
                      digits, of_what, most);
  value = *number;
  return {};
}

// What the part before the keys names.
base::Result<void> ReadKind(const std::string& name, PlayerSpec& spec) {
  const std::string_view text = name;
  if (text.starts_with(kUctPrefix)) {
    spec.kind = "mcts";
    return ReadSize(text.substr(kUctPrefix.size()), "playouts", kMaxPlayouts, spec, spec.playouts);
  }
  if (text.starts_with(kAlphaBetaPrefix)) {
    spec.kind = "ab";
    return ReadSize(text.substr(kAlphaBetaPrefix.size()), "plies", kMaxAlphaBetaDepth, spec,
                    spec.depth);
  }
  spec.kind = name == "random" || name == "gen0" || name == "crowd" ? name : "model";
  return {};
}

base::Result<void> ReadKey(const std::string& assignment, PlayerSpec& spec) {
  const std::size_t equals = assignment.find('=');
  const std::string key = assignment.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : assignment.substr(equals + 1);
  if (spec.kind != "model")
    return base::Fail("player '{}': '{}' takes no keys, but '{}' was given", spec.text, spec.kind,
                      assignment);
  if (key == "sims") {
    if (!ParseNumber(value, spec.simulations) || spec.simulations < 1 ||
        spec.simulations > kMaxSimulations)
      return base::Fail("player '{}': sims={} is not a whole number from 1 to {}", spec.text, value,
                        kMaxSimulations);
    spec.seconds = 0;
    return {};
  }
  if (key == "time") {
    if (!ParseNumber(value, spec.seconds) ||
        !(spec.seconds > 0 && spec.seconds <= kMaxSecondsPerMove))
      return base::Fail("player '{}': time={} is not a number of seconds above 0, at most {}",
                        spec.text, value, kMaxSecondsPerMove);
    return {};
  }
  if (key == "temperature") {
    if (!ParseNumber(value, spec.temperature) ||
        !(spec.temperature >= 0 && spec.temperature <= kMaxTemperature))
      return base::Fail("player '{}': temperature={} is not a number from 0 to {}", spec.text,
                        value, kMaxTemperature);
    return {};
  }
  if (key == "reuse") {
    if (value != "on" && value != "off")
      return base::Fail("player '{}': reuse={} is not on or off", spec.text, value);
    spec.keep_tree = value == "on";
    return {};
  }
  if (IsSearchKey(key)) {
    mcts::SearchOptions ignored;
    if (auto set = SetSearchKey(key, value, ignored); !set)
      return base::Fail("player '{}': {}", spec.text, set.error());
    spec.search_keys.emplace_back(key, value);
    return {};
  }
  return base::Fail(
      "player '{}': unknown key '{}'; known keys are sims, time, temperature, reuse, {}", spec.text,
      key, SearchKeyNames());
}

// Resolves a weights file or run directory and reads what the net is, so that a foreign file is
// refused before anything starts.
base::Result<void> ReadModel(const std::string& path, PlayerSpec& spec) {
  auto resolved = nn::ResolveWeights(path);
  if (!resolved) return resolved.failure();
  spec.weights_path = *resolved;
  auto bytes = base::ReadFile(spec.weights_path);
  if (!bytes) return bytes.failure();
  auto file = nn::ParseTensors(*bytes, spec.weights_path, nn::kWeightsFormat);
  if (!file) return file.failure();
  auto net = nn::ReadSpec(*file, spec.weights_path);
  if (!net) return net.failure();
  spec.variant = net->variant;
  spec.generation = net->generation;
  spec.sha256 = base::Sha256Hex(*bytes);
  return {};
}

// A foreign engine: how long it thinks is its own keys', else the default time's, else a second.
base::Result<PlayerSpec> ParseEngine(PlayerSpec spec) {
  auto engine = ParseUhpSpec(spec.text);
  if (!engine) return engine.failure();
  if (engine->go.empty()) {
    const double seconds = spec.seconds > 0 ? spec.seconds : 1;
    if (seconds != std::floor(seconds))
      return base::Fail(
          "engine '{}': {} s a move cannot be said in the protocol, which has whole seconds; give "
          "it ;time=S, ;depth=N or ;go=TEXT",
          spec.text, seconds);
    engine->seconds = static_cast<int>(seconds);
    engine->go = TimeGo(engine->seconds);
  }
  spec.kind = "uhp";
  spec.seconds = 0;
  spec.engine = *std::move(engine);
  return spec;
}

}  // namespace

base::Result<PlayerSpec> ParsePlayer(const std::string& text, int default_simulations,
                                     double default_seconds) {
  PlayerSpec spec;
  spec.text = text;
  spec.simulations = default_simulations;
  spec.seconds = default_seconds;
  const std::vector<std::string> parts = SplitKeys(text);
  const std::string& name = parts[0];
  if (name.empty()) return base::Fail("player '{}': the name is empty", text);
  if (name.starts_with(kUhpPrefix)) return ParseEngine(std::move(spec));
  if (auto kind = ReadKind(name, spec); !kind) return kind.failure();
  if (spec.kind != "model") spec.seconds = 0;
  const auto has_key = [&parts](std::string_view key) {
    return std::any_of(parts.begin() + 1, parts.end(),
                       [key](const std::string& part) { return part.starts_with(key); });
  };
  if (spec.kind == "model" && has_key("sims=") && has_key("time="))
    return base::Fail("player '{}': give sims or time, not both", text);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (auto read = ReadKey(parts[i], spec); !read) return read.failure();
  }
  if (spec.kind == "model") {
    std::error_code error;
    if (!std::filesystem::exists(name, error))
      return base::Fail(
          "player '{}': '{}' is neither a weights file nor a run directory nor one of random, "
          "gen0, crowd, mcts:N, ab:D, uhp:COMMAND",
          text, name);
    if (auto read = ReadModel(name, spec); !read)
      return base::Fail("player '{}': {}", text, read.error());
  }
  return spec;
}

std::string PlayerName(const PlayerSpec& spec) {
  if (spec.kind == "mcts") return fmt::format("mcts:{}", spec.playouts);
  if (spec.kind == "ab") return fmt::format("ab:{}", spec.depth);
  if (spec.engine) return fmt::format("{} (bestmove {})", spec.text, spec.engine->go);
  if (spec.kind != "model") return spec.kind;
  std::string name = std::filesystem::path(spec.weights_path).filename().string();
  name += spec.seconds > 0 ? fmt::format(" (time={}", spec.seconds)
                           : fmt::format(" (sims={}", spec.simulations);
  if (spec.temperature > 0) name += fmt::format(", temperature={}", spec.temperature);
  if (!spec.keep_tree) name += ", reuse=off";
  for (const auto& [key, value] : spec.search_keys) name += fmt::format(", {}={}", key, value);
  return name + ")";
}

}  // namespace apiary::play
