#include "play/board_svg.h"

#include <gmock/gmock.h>

#include "play/svg_page.h"
#include "tests/env/rules_data.h"
#include "tests/play/positions.h"
#include "tests/play/well_formed_xml.h"

namespace apiary::play {
namespace {

using ::testing::HasSubstr;

// Every legal move as a candidate.
std::vector<AnalysisLine> AllMoves(const env::Game& game) {
  env::MoveList moves;
  game.LegalMoves(moves);
  std::vector<AnalysisLine> lines;
  for (const env::Move move : moves) {
    AnalysisLine line;
    line.moves = {move};
    line.wdl = nn::Wdl{0.5F, 0.25F, 0.25F};
    line.share = 1.0 / moves.size();
    lines.push_back(line);
  }
  return lines;
}

TEST(SvgPage, TextIsEscaped) {
  SvgPage page;
  page.Text({0, 0}, "<script>", {});
  const XmlCheck xml(page.ToString({0, 0}, 10, 10, "a & b"));
  EXPECT_EQ(xml.error(), "");
}

TEST(SvgPage, ArrowsEndAtTheirTarget) {
  SvgPage page;
  page.Arrow({0, 0}, {100, 0}, 4, "#000000", 1);
  EXPECT_THAT(page.ToString({0, 0}, 10, 10, ""), HasSubstr("100.0,0.0"));
  SvgPage nothing;
  nothing.Arrow({5, 5}, {5, 5}, 4, "#000000", 1);
  EXPECT_EQ(XmlCheck(nothing.ToString({0, 0}, 10, 10, "")).Count("polygon"), 0);
}

TEST(BoardSvg, TheCheckItselfFindsFaults) {
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  EXPECT_EQ(XmlCheck(head + "<a b=\"c\"><d/>e</a>\n").error(), "");
  for (const char* bad : {"<a>", "<a></b>", "<a b=c/>", "<a b=\"c\" b=\"d\"/>", "<a>&x;</a>",
                          "<a>&</a>", "<a/><b/>", "<a b=\"<\"/>", ""})
    EXPECT_NE(XmlCheck(head + bad).error(), "") << bad;
}

TEST(BoardSvg, EveryHumanGameIsWellFormedAtItsEnd) {
  int pictures = 0;
  for (const env::testing::Row& row : env::testing::ReadTable("human-games.tsv")) {
    const env::Game game = GameOf(row[1]);
    env::Game before = game;
    before.Undo();
    for (const env::Game* const position : {&game, static_cast<const env::Game*>(&before)}) {
      const std::vector<AnalysisLine> lines = AllMoves(*position);
      const XmlCheck xml(DrawBoardSvg(*position, lines, {"one & two", "three"}));
      ASSERT_EQ(xml.error(), "") << row[1];
      EXPECT_EQ(xml.Count("svg"), 1);
      // A hexagon for every piece on the board at least.
      EXPECT_GE(xml.Count("polygon"), position->board().pieces_on_board()) << row[1];
      ++pictures;
    }
  }
  EXPECT_EQ(pictures, 180);
}

TEST(BoardSvg, ShowsPiecesStacksHandsAndCandidates) {
  const env::Game game = GameOf(
      "Base;InProgress;White[5];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wS2 -wQ;bB1 bQ/;wA1 -wS2;bB1 bQ");
  const std::vector<AnalysisLine> lines = AllMoves(game);
  const XmlCheck xml(DrawBoardSvg(game, std::span(lines).first(2), {"caption"}));
  ASSERT_EQ(xml.error(), "");
  for (const char* text : {"\nS1\n", "\nB1\n", "\non bQ\n", "White in hand", "Black in hand",
                           "caption", "\n0,0\n", "\n1,0\n", "\n1\n", "\n2\n"})
    EXPECT_THAT(xml.content(), HasSubstr(text));
  EXPECT_EQ(xml.Count("circle"), 4);  // two ranks, on the board and in the table
}

TEST(BoardSvg, TheEmptyBoardIsAPicture) {
  const env::Game game;
  const XmlCheck xml(DrawBoardSvg(game, AllMoves(game), {}));
  EXPECT_EQ(xml.error(), "");
  EXPECT_THAT(xml.content(), HasSubstr("0,0"));
}

}  // namespace
}  // namespace apiary::play
