// A strict reader of the part of XML that our pictures use. For tests.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace apiary::play {

// Checks nesting, attributes and escapes of a document; counts its elements by name.
class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : text_(text) { Read(); }

  // "" or what is wrong and where.
  const std::string& error() const { return error_; }
  int Count(std::string_view element) const {
    int count = 0;
    for (const std::string& name : elements_) count += name == element;
    return count;
  }
  // All text between tags, a line each.
  const std::string& content() const { return content_; }

 private:
  bool Fail(const std::string& what) {
    if (error_.empty()) error_ = what + " at byte " + std::to_string(at_);
    return false;
  }
  bool Take(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected)
      return Fail("expected '" + std::string(expected) + "'");
    at_ += expected.size();
    return true;
  }
  void SkipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  std::string Name() {
    std::string name;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-'))
      name += text_[at_++];
    if (name.empty()) Fail("expected a name");
    return name;
  }
  // Up to `end`, which stays; no bare '<' or '&', nothing but printable ASCII and line ends.
  std::string Characters(char end) {
    std::string characters;
    while (at_ < text_.size() && text_[at_] != end && error_.empty()) {
      const char c = text_[at_];
      if (c == '<' || (c < ' ' && c != '\n') || c > '~') Fail("a forbidden character");
      if (c == '&') {
        const std::size_t semicolon = text_.find(';', at_);
        static const std::set<std::string_view> kKnown = {"&amp;", "&lt;", "&gt;", "&quot;"};
        if (semicolon == std::string_view::npos ||
            !kKnown.contains(text_.substr(at_, semicolon + 1 - at_)))
          Fail("an unknown entity");
      }
      characters += c;
      ++at_;
    }
    return characters;
  }
  // After '<'; true if the element has content.
  bool OpenTag(std::string& name) {
    name = Name();
    std::set<std::string> attributes;
    for (SkipBlanks(); error_.empty() && at_ < text_.size(); SkipBlanks()) {
      if (text_[at_] == '/') {
        Take("/>");
        return false;
      }
      if (text_[at_] == '>') return Take(">");
      const std::string attribute = Name();
      if (!attributes.insert(attribute).second) Fail("attribute '" + attribute + "' twice");
      Take("=\"");
      Characters('"');
      Take("\"");
    }
    return Fail("a tag without an end");
  }
  void Read() {
    if (!Take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")) return;
    std::vector<std::string> open;
    do {
      if (!open.empty()) content_ += Characters('<') + "\n";
      if (!error_.empty() || !Take("<")) return;
      if (at_ < text_.size() && text_[at_] == '/') {
        ++at_;
        if (open.empty() || !Take(open.back()) || !Take(">")) return;
        open.pop_back();
      } else {
        std::string name;
        const bool has_content = OpenTag(name);
        elements_.push_back(name);
        if (has_content) open.push_back(name);
      }
    } while (!open.empty() && error_.empty());
    SkipBlanks();
    if (error_.empty() && at_ != text_.size()) Fail("something after the document");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
  std::vector<std::string> elements_;
  std::string content_;
};

}  // namespace apiary::play
