// docs/encoding.md is true: its tables are those of the code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "env/encoder.h"

namespace apiary::env {
namespace {

std::string Section(const std::string& text, const std::string& heading) {
  const std::size_t begin = text.find("\n" + heading + "\n");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find("\n## ", begin + 4) - begin);
}

// Rows of the section's table: "| `name` | 0..16 | meaning |".
std::vector<std::string> TableRows(const std::string& section) {
  std::vector<std::string> rows;
  for (std::size_t at = section.find("\n| `"); at != std::string::npos;
       at = section.find("\n| `", at + 1))
    rows.push_back(section.substr(at + 1, section.find('\n', at + 1) - at - 1));
  return rows;
}

template <std::size_t kCount>
void ExpectTable(const std::string& text, const std::string& heading,
                 const std::array<FeatureInfo, kCount>& features) {
  const std::vector<std::string> rows = TableRows(Section(text, heading));
  ASSERT_EQ(rows.size(), kCount) << heading;
  for (std::size_t i = 0; i < kCount; ++i)
    EXPECT_EQ(rows[i], fmt::format("| `{}` | 0..{} | {} |", features[i].name, features[i].range - 1,
                                   features[i].meaning));
}

TEST(EncoderDoc, TablesAreThoseOfTheCode) {
  const auto text = base::ReadFile(APIARY_SOURCE_DIR "/docs/encoding.md");
  ASSERT_TRUE(text.ok()) << text.error();
  EXPECT_NE(text->find(fmt::format("Encoder version {}.", kEncoderVersion)), std::string::npos);
  ExpectTable(*text, "## Row features", kRowFeatures);
  ExpectTable(*text, "## Position features", kPositionFeatures);
}

}  // namespace
}  // namespace apiary::env
