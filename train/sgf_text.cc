#include "train/sgf_text.h"

#include <cctype>

namespace apiary::train {
namespace {

// Whether the value that begins here is an action of a player, which begins with its number.
bool IsAction(std::string_view name, const TextCursor& cursor) {
  return (name == "P0" || name == "P1") && !cursor.done() &&
         std::isdigit(static_cast<unsigned char>(cursor.peek())) != 0;
}

// Up to the closing bracket, which is taken; false if there is none.
bool ReadValue(TextCursor& cursor, SgfProperty& property) {
  const bool escapes = !IsAction(property.name, cursor);
  while (!cursor.done()) {
    char c = cursor.Next();
    if (c == ']') return true;
    if (c == '\\' && escapes) {
      if (cursor.done()) return false;
      c = cursor.Next();
    }
    property.value += c;
  }
  return false;
}

std::string ReadName(TextCursor& cursor) {
  std::string name;
  while (!cursor.done() && std::isalnum(static_cast<unsigned char>(cursor.peek())) != 0)
    name += cursor.Next();
  return name;
}

void Fail(SgfTree& tree, TextCursor& cursor, int line, std::string error) {
  tree.error = std::move(error);
  tree.error_line = line;
  const std::size_t next = cursor.text().find("\n(", cursor.at());
  cursor.SkipTo(next == std::string_view::npos ? cursor.text().size() : next);
}

// The values after a name.
bool ReadValues(TextCursor& cursor, const std::string& name, SgfTree& tree) {
  bool any = false;
  for (cursor.SkipBlanks(); !cursor.done() && cursor.peek() == '['; cursor.SkipBlanks()) {
    SgfProperty property{cursor.line(), name, ""};
    cursor.Next();
    if (!ReadValue(cursor, property)) {
      Fail(tree, cursor, property.line,
           fmt::format("the value of {} has no closing bracket", name));
      return false;
    }
    tree.properties.push_back(std::move(property));
    any = true;
  }
  if (!any) Fail(tree, cursor, cursor.line(), name + " has no value");
  return any;
}

}  // namespace

std::optional<SgfTree> NextSgfTree(TextCursor& cursor) {
  while (!cursor.done() && cursor.peek() != '(') cursor.Next();
  if (cursor.done()) return std::nullopt;
  SgfTree tree;
  tree.line = cursor.line();
  cursor.Next();
  for (;;) {
    cursor.SkipBlanks();
    if (cursor.done()) {
      Fail(tree, cursor, cursor.line(), "the file ends inside the game");
      return tree;
    }
    const char c = cursor.peek();
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      if (!ReadValues(cursor, ReadName(cursor).substr(0, 40), tree)) return tree;
    } else if (c == ')') {
      cursor.Next();
      return tree;
    } else if (c == ';') {
      cursor.Next();
    } else {
      Fail(tree, cursor, cursor.line(),
           c == '(' ? "variations are not read" : "neither a property nor the end of the game");
      return tree;
    }
  }
}

}  // namespace apiary::train
