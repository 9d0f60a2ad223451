#include "tests/env/rules_data.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <fstream>
#include <sstream>

#include "env/notation.h"

namespace apiary::env::testing {
namespace {

std::string Decompress(const std::string& bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) return "";
  std::string text(size, '\0');
  const std::size_t done = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  return ZSTD_isError(done) ? "" : text;
}

}  // namespace

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<Row> ReadTable(const std::string& name) {
  const std::string path = std::string(APIARY_TEST_DATA) + "/rules/" + name;
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  const std::string text = name.ends_with(".zst") ? Decompress(bytes.str()) : bytes.str();
  EXPECT_FALSE(text.empty()) << path;
  std::vector<Row> rows;
  for (const std::string& line : Split(text, '\n')) {
    if (!line.empty() && line[0] != '#') rows.push_back(Split(line, '\t'));
  }
  return rows;
}

Row FileRow(const std::string& name, const std::string& id) {
  for (Row& row : ReadTable(name)) {
    if (row[0] == id) return row;
  }
  ADD_FAILURE() << name << " has no row " << id;
  return Row(8);
}

Game Replay(std::string_view game_string) {
  Rules options;
  options.repetition = 0;
  base::Result<ParsedGame> parsed = ParseGameString(game_string, options);
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error()) << "\n" << game_string;
  return parsed.ok() ? std::move(parsed->game) : Game(options);
}

}  // namespace apiary::env::testing
