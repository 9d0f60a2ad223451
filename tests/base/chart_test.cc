#include "base/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <regex>

namespace apiary::base {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ChartPanel Panel() {
  return {.title = "Strength",
          .x_title = "generation",
          .y_title = "Elo",
          .series = {{"net", {{1, 100, 50, 150}, {2, 300, 250, 350}, {4, 500, 500, 500}}}},
          .references = {{"random", 0}, {"crowd", 220}}};
}

std::size_t Count(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), expression), {}));
}

TEST(ChartTest, TicksAreRoundNumbers) {
  EXPECT_THAT(LinearTicks(0, 10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(LinearTicks(-130, 260, 4), ElementsAre(-100, 0, 100, 200));
  EXPECT_THAT(LinearTicks(0.03, 0.17, 3),
              ElementsAre(DoubleEq(0.05), DoubleEq(0.1), DoubleEq(0.15)));
  EXPECT_THAT(LogTicks(1, 1000, 4), ElementsAre(1, 10, 100, 1000));
  EXPECT_THAT(LogTicks(1, 50, 8), ElementsAre(1, 2, 5, 10, 20, 50));
  EXPECT_THAT(LogTicks(10, 20, 5), ElementsAre(10, 12, 14, 16, 18, 20));
}

TEST(ChartTest, ShowsPointsBarsReferencesAndTitles) {
  const std::string svg = DrawChart({Panel(), Panel()});
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
  EXPECT_EQ(Count(svg, "<circle "), 6U);
  EXPECT_EQ(Count(svg, "<polyline "), 2U);
  EXPECT_EQ(Count(svg, "stroke-dasharray"), 4U);  // references
  EXPECT_EQ(Count(svg, "stroke-opacity"), 12U);   // two bars of three lines a panel
  for (const char* text : {">Strength<", ">generation<", ">Elo<", ">random<", ">crowd<",
                           "<title>net: 1, 100 (50 to 150)</title>", "<title>net: 4, 500</title>"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(ChartTest, PositionsAreThoseOfTheAxes) {
  // Between ticks at 100 and 300 lies the point at 200, in the middle.
  ChartPanel panel = Panel();
  panel.series = {{"net", {{1, 100, kNan, kNan}, {2, 200, kNan, kNan}, {3, 300, kNan, kNan}}}};
  panel.references.clear();
  const std::string svg = DrawChart({panel});
  std::vector<double> x, y;
  const std::regex circle(R"re(<circle cx="([0-9.]+)" cy="([0-9.]+)")re");
  for (std::sregex_iterator at(svg.begin(), svg.end(), circle), end; at != end; ++at) {
    x.push_back(std::stod((*at)[1]));
    y.push_back(std::stod((*at)[2]));
  }
  ASSERT_EQ(x.size(), 3U);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.11);
  EXPECT_GT(x[1], x[0] + 50);
  EXPECT_NEAR(y[0] - y[1], y[1] - y[2], 0.11);
  EXPECT_GT(y[0], y[1] + 50);  // up is more
}

TEST(ChartTest, LogAxisIsEvenInFactors) {
  ChartPanel panel = Panel();
  panel.log_x = true;
  panel.series = {{"net", {{0, 7, 7, 7}, {1, 1, 1, 1}, {10, 2, 2, 2}, {100, 3, 3, 3}}}};
  const std::string svg = DrawChart({panel});
  std::vector<double> x;
  const std::regex circle(R"re(<circle cx="([0-9.]+)")re");
  for (std::sregex_iterator at(svg.begin(), svg.end(), circle), end; at != end; ++at)
    x.push_back(std::stod((*at)[1]));
  ASSERT_EQ(x.size(), 3U);  // not the one at 0
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.11);
}

TEST(ChartTest, EscapesTextAndLeavesOutWhatIsNotFinite) {
  ChartPanel panel = Panel();
  panel.title = "a < b & \"c\"\x01";
  panel.series.push_back({"second", {{kNan, 1, 1, 1}, {1, kNan, 1, 1}, {1, 1, -1e300, 1e300}}});
  panel.references.push_back({"lost", std::numeric_limits<double>::infinity()});
  const std::string svg = DrawChart({panel});
  EXPECT_THAT(svg, HasSubstr(">a &lt; b &amp; &quot;c&quot;?<"));
  EXPECT_THAT(svg, HasSubstr(">second<"));  // a legend from two series on
  EXPECT_EQ(Count(svg, "<circle "), 4U);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_THAT(svg, Not(HasSubstr(">lost<")));
}

TEST(ChartTest, NoPointsOneAndEqualOnes) {
  ChartPanel panel = Panel();
  panel.series.clear();
  EXPECT_THAT(DrawChart({panel}), HasSubstr("no points"));
  panel.references.clear();
  EXPECT_THAT(DrawChart({panel}), HasSubstr("no points"));
  panel.series = {{"net", {{5, 3, 3, 3}}}};
  EXPECT_EQ(Count(DrawChart({panel}), "<circle "), 1U);
  panel.series = {{"net", {{5, 3, 3, 3}, {5, 3, 3, 3}}}};
  EXPECT_EQ(Count(DrawChart({panel}), "<circle "), 2U);
  EXPECT_THAT(DrawChart({}), HasSubstr("</svg>"));
}

TEST(ChartTest, NamesOfCloseReferencesDoNotOverlap) {
  ChartPanel panel = Panel();
  panel.references = {{"r-a", 100}, {"r-b", 100.5}, {"r-c", 101}, {"r-d", 99.5}};
  const std::string svg = DrawChart({panel});
  std::vector<double> y;
  const std::regex name(R"re(y="([0-9.]+)" text-anchor="start" fill="#444">r-)re");
  for (std::sregex_iterator at(svg.begin(), svg.end(), name), end; at != end; ++at)
    y.push_back(std::stod((*at)[1]));
  ASSERT_EQ(y.size(), 4U);
  for (std::size_t i = 1; i < y.size(); ++i) EXPECT_GE(y[i] - y[i - 1], 13.9);
}

}  // namespace
}  // namespace apiary::base
