// Small readings of one line of text. Pure functions; any thread.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apiary::base {

inline std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

inline bool EqualNoCase(std::string_view a, std::string_view b) { return ToLower(a) == ToLower(b); }
inline bool StartsWithNoCase(std::string_view text, std::string_view begin) {
  return EqualNoCase(text.substr(0, begin.size()), begin);
}

inline constexpr std::string_view kBlanks = " \t\r\n\v\f";
inline bool IsBlank(char c) { return kBlanks.find(c) != std::string_view::npos; }

inline std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// The words between blanks.
inline std::vector<std::string_view> SplitWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = Trim(text); !text.empty(); text = Trim(text)) {
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

// Cuts the first word off `text`, which keeps the rest, trimmed.
inline std::string_view TakeWord(std::string_view& text) {
  text = Trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = Trim(text.substr(end));
  return word;
}

// A whole number from `low` to `high`, nothing before or after it.
inline std::optional<int> ParseWhole(std::string_view text, int low, int high) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < low || value > high) return std::nullopt;
  return value;
}

// The parts between semicolons, trimmed; empty ones are left out.
inline std::vector<std::string_view> SplitFields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(';'), line.size());
    if (const std::string_view field = Trim(line.substr(0, end)); !field.empty())
      fields.push_back(field);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return fields;
}

}  // namespace apiary::base
