#include "tests/env/games_check.h"

#include <gtest/gtest.h>

#include "env/movegen.h"
#include "env/notation.h"

namespace apiary::env::testing {
namespace {

// Takes every move back and compares the boards on the way, then the text there and back.
void CheckUndoAndNotation(const Game& game, const std::vector<Board>& boards) {
  Game undone = game;
  for (std::size_t ply = boards.size(); ply-- > 0;) {
    undone.Undo();
    ASSERT_EQ(undone.board(), boards[ply]) << "ply " << ply;
  }
  const std::string text = ToGameString(game);
  const Game again = Replay(text);
  EXPECT_TRUE(std::equal(game.moves().begin(), game.moves().end(), again.moves().begin(),
                         again.moves().end()));
  EXPECT_EQ(ToGameString(again), text);
}

}  // namespace

void CheckGame(const std::string& game_string, const std::string& counts) {
  SCOPED_TRACE(game_string);
  const Game parsed = Replay(game_string);
  std::vector<std::string> expected = Split(counts, ',');
  const bool says_over = expected.back() == "OVER";
  if (says_over) expected.pop_back();
  Game game(parsed.rules());
  std::vector<Board> boards;
  for (std::size_t ply = 0; ply < expected.size(); ++ply) {
    MoveList moves;
    game.LegalMoves(moves);
    ASSERT_EQ(moves.size(), std::stoi(expected[ply])) << "ply " << ply;
    ASSERT_EQ(game.board().hash(), game.board().RecomputeHash()) << "ply " << ply;
    if (ply == parsed.moves().size()) break;
    boards.push_back(game.board());
    game.Apply(parsed.moves()[ply]);
  }
  ASSERT_EQ(game.moves().size(), parsed.moves().size());
  EXPECT_TRUE(!says_over || game.outcome().over());
  const std::vector<std::string> fields = Split(game_string, ';');
  EXPECT_EQ(ToString(game.outcome().result), fields[1]);
  EXPECT_EQ(TurnString(game.board()), fields[2]);
  CheckUndoAndNotation(game, boards);
}

int CheckRandomGames(const std::string& variant, std::size_t first, std::size_t step) {
  const std::vector<Row> rows = ReadTable("random-games-" + variant + ".tsv.zst");
  int checked = 0;
  for (std::size_t i = first; i < rows.size(); i += step) {
    CheckGame(rows[i][0], rows[i][1]);
    ++checked;
  }
  return checked;
}

std::string FirstThirdOccurrence(const Game& game) {
  Rules rules = game.rules();
  rules.repetition = 3;
  Game replay(rules);
  for (const Move move : game.moves()) {
    replay.Apply(move);
    if (replay.outcome().reason == Reason::kRepetition) return std::to_string(replay.ply());
    if (replay.outcome().over()) break;
  }
  return "-";
}

}  // namespace apiary::env::testing
