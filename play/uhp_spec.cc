#include "play/uhp_spec.h"

#include "base/text.h"

namespace apiary::play {
namespace {

constexpr int kMaxDepth = 100;
constexpr int kMaxSeconds = 86'400;
constexpr std::string_view kOptionPrefix = "set.";

// What follows "bestmove " for one of the keys that say how long to think.
base::Result<std::string> ReadGo(std::string_view key, std::string_view value, UhpSpec& spec) {
  if (key == "depth") {
    const std::optional<int> depth = base::ParseWhole(value, 0, kMaxDepth);
    if (!depth) return base::Fail("depth={} is not a whole number from 0 to {}", value, kMaxDepth);
    return fmt::format("depth {}", *depth);
  }
  if (key == "time") {
    const std::optional<int> seconds = base::ParseWhole(value, 1, kMaxSeconds);
    if (!seconds)
      return base::Fail(
          "time={} is not a whole number of seconds from 1 to {} (the protocol has no shorter "
          "ones; go=TEXT sends an engine's own command)",
          value, kMaxSeconds);
    spec.seconds = *seconds;
    return TimeGo(*seconds);
  }
  if (base::Trim(value).empty()) return base::Fail("go= is empty");
  return std::string(value);
}

base::Result<void> ReadKey(std::string_view assignment, UhpSpec& spec) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    return base::Fail("'{}' is not key=value (a semicolon ends the command)", assignment);
  const std::string_view key = assignment.substr(0, equals);
  const std::string_view value = assignment.substr(equals + 1);
  if (key.starts_with(kOptionPrefix)) {
    const std::string_view name = key.substr(kOptionPrefix.size());
    if (name.empty() || base::Trim(value).empty())
      return base::Fail("'{}': expected set.NAME=VALUE", assignment);
    spec.options.emplace_back(name, value);
    return {};
  }
  if (key != "depth" && key != "time" && key != "go")
    return base::Fail("unknown key '{}'; known keys are depth, time, go and set.NAME", key);
  if (!spec.go.empty()) return base::Fail("{}={}: give one of depth, time and go", key, value);
  base::Result<std::string> go = ReadGo(key, value, spec);
  if (!go) return go.failure();
  spec.go = *std::move(go);
  return {};
}

}  // namespace

std::string TimeGo(int seconds) {
  return fmt::format("time {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

base::Result<UhpSpec> ParseUhpSpec(const std::string& text) {
  if (!text.starts_with(kUhpPrefix))
    return base::Fail("engine '{}': expected uhp:COMMAND, for instance 'uhp:nokamute uhp'", text);
  if (text.find_first_of("\r\n") != std::string::npos)
    return base::Fail("engine '{}': a line break is not possible here", text);
  UhpSpec spec;
  spec.text = text;
  std::string_view rest = std::string_view(text).substr(kUhpPrefix.size());
  std::size_t end = std::min(rest.find(';'), rest.size());
  auto words = SplitWords(rest.substr(0, end));
  if (!words) return base::Fail("engine '{}': {}", text, words.error());
  if (words->empty() || words->front().empty())
    return base::Fail("engine '{}': the command is empty", text);
  spec.words = *std::move(words);
  while (end < rest.size()) {
    rest.remove_prefix(end + 1);
    end = std::min(rest.find(';'), rest.size());
    if (auto read = ReadKey(rest.substr(0, end), spec); !read)
      return base::Fail("engine '{}': {}", text, read.error());
  }
  return spec;
}

base::Result<std::vector<std::string>> SplitWords(std::string_view text) {
  constexpr char kNone = 0;
  std::vector<std::string> words;
  bool in_word = false;
  char quote = kNone;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    const bool blank = c == ' ' || c == '\t';
    if (quote == kNone && blank) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == quote) {
      quote = kNone;
      continue;
    }
    if (quote == kNone && (c == '\'' || c == '"')) {
      quote = c;
      continue;
    }
    if (c == '\\' && quote != '\'') {
      const char next = i + 1 < text.size() ? text[i + 1] : kNone;
      if (next == kNone) return base::Fail("'{}' ends with a backslash", text);
      if (quote == kNone || next == '"' || next == '\\') c = text[++i];
    }
    words.back() += c;
  }
  if (quote != kNone) return base::Fail("'{}': the quote {} is not closed", text, quote);
  return words;
}

}  // namespace apiary::play
