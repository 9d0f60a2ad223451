// Reading texts of other people's games in tests.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "env/notation.h"
#include "train/foreign_game.h"

namespace apiary::train {

inline std::vector<ForeignEntry> ReadAll(std::string_view text) {
  std::vector<ForeignEntry> entries;
  ReadForeignGames(text, [&](ForeignEntry entry) { entries.push_back(std::move(entry)); });
  return entries;
}

// The only entry, a game; fails the test if it is not.
inline ForeignGame OneGame(std::string_view text) {
  const std::vector<ForeignEntry> entries = ReadAll(text);
  EXPECT_EQ(entries.size(), 1U);
  if (entries.empty()) return {0, env::Game(), env::Result::kInProgress};
  if (const auto* const skipped = std::get_if<SkippedGame>(&entries[0])) {
    ADD_FAILURE() << "line " << skipped->line << ": " << skipped->why;
    return {0, env::Game(), env::Result::kInProgress};
  }
  return std::get<ForeignGame>(entries[0]);
}

// The only entry, a game that was not taken.
inline SkippedGame OneSkipped(std::string_view text) {
  const std::vector<ForeignEntry> entries = ReadAll(text);
  EXPECT_EQ(entries.size(), 1U);
  if (entries.size() != 1 || !std::holds_alternative<SkippedGame>(entries[0])) {
    ADD_FAILURE() << "not one skipped game: " << text;
    return {};
  }
  return std::get<SkippedGame>(entries[0]);
}

// "wS1;bS1 wS1-": the moves of its GameString.
inline std::string MovesOf(const env::Game& game) {
  std::string text = env::ToGameString(game);
  for (int field = 0; field < 3; ++field) {
    const std::size_t end = text.find(';');
    if (end == std::string::npos) return "";
    text = text.substr(end + 1);
  }
  return text;
}

inline std::string ReadTestFile(const std::string& name) {
  std::ifstream file(std::string(APIARY_TEST_DATA) + "/" + name, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(bytes.empty()) << name;
  return bytes;
}

inline const char* const kSgfSamples[] = {"sgf/old-passes.sgf", "sgf/new-throws.sgf",
                                          "sgf/new-resignation.sgf"};

}  // namespace apiary::train
