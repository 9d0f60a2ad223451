#include "base/xml.h"

#include <gtest/gtest.h>

namespace apiary::base {
namespace {

TEST(EscapeXml, LeavesTextAlone) {
  EXPECT_EQ(EscapeXml("gen-000012 (sims=32)"), "gen-000012 (sims=32)");
  EXPECT_EQ(EscapeXml("\u2212 \u00e9 \u4e2d \U0001F41D"), "\u2212 \u00e9 \u4e2d \U0001F41D");
  EXPECT_EQ(EscapeXml("a\n\tb\n"), "a\n\tb\n");
  EXPECT_EQ(EscapeXml(""), "");
}

TEST(EscapeXml, EscapesMarkup) {
  EXPECT_EQ(EscapeXml("<a \"b\"> & c"), "&lt;a &quot;b&quot;&gt; &amp; c");
}

TEST(EscapeXml, ReplacesWhatXmlDoesNotAllow) {
  EXPECT_EQ(EscapeXml(std::string_view("a\0b\r\x7f", 5)), "a?b??");
  EXPECT_EQ(EscapeXml("\xff\xfe"), "??");
  EXPECT_EQ(EscapeXml("x\xe2\x88"), "x??");          // cut
  EXPECT_EQ(EscapeXml("\xe2<\x92"), "?&lt;?");       // broken off by markup
  EXPECT_EQ(EscapeXml("\xc0\xaf"), "??");            // longer than it need be
  EXPECT_EQ(EscapeXml("\xe0\x80\xaf"), "???");       // likewise
  EXPECT_EQ(EscapeXml("\xed\xa0\x80"), "???");       // half a pair of UTF-16
  EXPECT_EQ(EscapeXml("\xef\xbf\xbf"), "???");       // U+FFFF
  EXPECT_EQ(EscapeXml("\xf4\x90\x80\x80"), "????");  // beyond the last character
}

}  // namespace
}  // namespace apiary::base
