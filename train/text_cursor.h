// Walking through a text from outside with its line number. Plain values; any thread.
#pragma once

#include <string_view>

#include "base/text.h"

namespace apiary::train {

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
    while (!done() && base::IsBlank(peek())) Next();
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
