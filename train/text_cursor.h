// Walking through a text from outside with its line number. Plain values; any thread.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apiary::train {

inline bool IsBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

inline std::string_view TrimBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

inline std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

inline bool EqualNoCase(std::string_view a, std::string_view b) { return Lower(a) == Lower(b); }
inline bool StartsWithNoCase(std::string_view text, std::string_view begin) {
  return EqualNoCase(text.substr(0, begin.size()), begin);
}

// The words between blanks.
inline std::vector<std::string_view> SplitWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = TrimBlanks(text); !text.empty(); text = TrimBlanks(text)) {
    const auto end = std::find_if(text.begin(), text.end(), IsBlank);
    const auto size = static_cast<std::size_t>(end - text.begin());
    words.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return words;
}

// A whole number from 0 to `most`, nothing before or after it.
inline std::optional<int> ParseNumber(std::string_view text, int most) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0 || value > most) return std::nullopt;
  return value;
}

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}
  bool done() const { return at_ == text_.size(); }
  int line() const { return line_; }
  std::size_t at() const { return at_; }
  char peek() const { return text_[at_]; }  // precondition: !done()
  // Precondition: !done().
  char Next() {
    line_ += text_[at_] == '\n';
    return text_[at_++];
  }
  void SkipBlanks() {
    while (!done() && IsBlank(peek())) Next();
  }
  // Goes to a place further on, or to the end.
  void SkipTo(std::size_t place) {
    while (!done() && at_ < place) Next();
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace apiary::train
