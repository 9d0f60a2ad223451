#include "tests/env/oracle_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "env/notation.h"

namespace apiary::env::testing {
namespace {

Cell FromPoint(oracle::Point p) { return Cell::FromAxial({p.first, p.second}); }

PieceId FromPiece(const oracle::Piece& piece) { return ParsePiece(oracle::Name(piece)).value(); }

oracle::Piece ToPiece(PieceId piece) {
  const std::string name = ToString(piece);
  return {name[0], name[1], piece.number()};
}

void ExpectSameBoard(const Board& board, const oracle::Oracle& oracle) {
  std::size_t on_board = 0;
  for (const auto& [place, stack] : oracle.hive().stacks()) {
    const Cell cell = FromPoint(place);
    ASSERT_EQ(static_cast<std::size_t>(board.height(cell)), stack.size());
    PieceId piece = board.top(cell);
    for (auto expected = stack.rbegin(); expected != stack.rend(); ++expected, ++on_board) {
      ASSERT_EQ(piece, FromPiece(*expected));
      ASSERT_EQ(board.cell(piece), cell);
      ASSERT_EQ(board.covered(piece), expected != stack.rbegin());
      piece = board.beneath(piece);
    }
    ASSERT_FALSE(piece.valid());
  }
  ASSERT_EQ(static_cast<std::size_t>(board.pieces_on_board()), on_board);
  ASSERT_EQ(board.hash(), board.RecomputeHash());
}

std::uint32_t PinnedBits(const oracle::Oracle& oracle) {
  std::uint32_t bits = 0;
  for (const oracle::Piece& piece : oracle.Pinned()) bits |= 1u << FromPiece(piece).index();
  return bits;
}

void ExpectSameMoves(const Game& game, const oracle::Oracle& oracle) {
  MoveList moves;
  game.LegalMoves(moves);
  std::vector<std::uint16_t> expected;
  for (const oracle::Move& move : oracle.LegalMoves()) expected.push_back(FromOracle(move).bits());
  std::vector<std::uint16_t> actual;
  for (const Move move : moves) actual.push_back(move.bits());
  std::sort(expected.begin(), expected.end());
  std::sort(actual.begin(), actual.end());
  ASSERT_EQ(actual, expected) << ToGameString(game);
  for (int i = 1; i < moves.size(); ++i) {
    ASSERT_LT(CanonicalKey(game.board(), moves[i - 1]), CanonicalKey(game.board(), moves[i]))
        << ToGameString(game);
  }
}

// Draws the next move; `came_from` is where each piece was before its last move.
class MoveChooser {
 public:
  explicit MoveChooser(std::uint64_t seed) : random_(seed) {
    climb_share_ = random_.Uniform() * 0.5;
    throw_share_ = random_.Uniform() * 0.5;
    back_share_ = random_.Uniform() * 0.5;
  }

  oracle::Move Choose(const oracle::Oracle& oracle) {
    const std::set<oracle::Move> legal = oracle.LegalMoves();
    const std::vector<oracle::Move> all(legal.begin(), legal.end());
    std::vector<oracle::Move> wanted;
    const double draw = random_.Uniform();
    for (const oracle::Move& move : all) {
      if (Wanted(oracle, move, draw)) wanted.push_back(move);
    }
    const std::vector<oracle::Move>& from = wanted.empty() ? all : wanted;
    const oracle::Move move = from[random_.Below(static_cast<std::uint32_t>(from.size()))];
    if (const auto place = oracle.places().find(move.piece); place != oracle.places().end()) {
      came_from_[move.piece] = place->second;
    }
    return move;
  }

 private:
  bool Wanted(const oracle::Oracle& oracle, const oracle::Move& move, double draw) const {
    if (move.pass) return false;
    if (draw < climb_share_) return oracle.hive().Occupied(move.to);
    draw -= climb_share_;
    if (draw < throw_share_) return move.piece.color != oracle.side_to_move();
    draw -= throw_share_;
    const auto back = came_from_.find(move.piece);
    return draw < back_share_ && back != came_from_.end() && back->second == move.to;
  }

  base::RandomStream random_;
  double climb_share_ = 0;
  double throw_share_ = 0;
  double back_share_ = 0;
  std::map<oracle::Piece, oracle::Point> came_from_;
};

}  // namespace

Move FromOracle(const oracle::Move& move) {
  return move.pass ? Move::Pass() : Move(FromPiece(move.piece), FromPoint(move.to));
}

oracle::Move ToOracle(const Board& board, Move move, const oracle::Oracle& oracle) {
  if (move.is_pass()) return {.pass = true};
  oracle::Move written{false, ToPiece(move.piece()), {0, 0}};
  const PieceId top = board.top(move.destination());
  if (top.valid()) written.to = oracle.places().at(ToPiece(top));
  for (int d = 0; d < kNumDirections && !top.valid(); ++d) {
    const PieceId neighbor = board.top(Neighbor(move.destination(), d));
    if (!neighbor.valid()) continue;
    const oracle::Point place = oracle.places().at(ToPiece(neighbor));
    const Axial step = kAxialSteps[static_cast<std::size_t>((d + 3) % kNumDirections)];
    written.to = {place.first + step.q, place.second + step.r};
    break;
  }
  return written;
}

oracle::Options OracleOptions(const Rules& rules) {
  oracle::Options options;
  if (rules.variant.mosquito) options.expansions += 'M';
  if (rules.variant.ladybug) options.expansions += 'L';
  if (rules.variant.pillbug) options.expansions += 'P';
  options.first_player = rules.first_player == Color::kWhite ? 'w' : 'b';
  options.queen_first_turn = rules.queen_first_turn;
  options.count_occurrences = rules.repetition != 0;
  return options;
}

void ExpectSamePosition(const Game& game, const oracle::Oracle& oracle) {
  ASSERT_NO_FATAL_FAILURE(ExpectSameMoves(game, oracle));
  ASSERT_NO_FATAL_FAILURE(ExpectSameBoard(game.board(), oracle));
  ASSERT_EQ(ToString(game.board().SurroundOutcome().result), oracle.State()) << ToGameString(game);
  ASSERT_EQ(PinnedPieces(game.board()), PinnedBits(oracle)) << ToGameString(game);
  if (game.rules().repetition != 0) {
    ASSERT_EQ(game.occurrences(), oracle.occurrences()) << ToGameString(game);
  }
}

void PlayMatch(const Rules& rules, int plies, std::uint64_t seed, MatchCounts& counts) {
  Game game(rules);
  oracle::Oracle oracle(OracleOptions(rules));
  MoveChooser chooser(seed);
  ASSERT_NO_FATAL_FAILURE(ExpectSamePosition(game, oracle));
  for (int ply = 0; ply < plies && !game.outcome().over(); ++ply) {
    const oracle::Move move = chooser.Choose(oracle);
    if (!move.pass) {
      counts.climbs += oracle.hive().Occupied(move.to);
      counts.throws += move.piece.color != oracle.side_to_move();
      counts.highest =
          std::max(counts.highest, static_cast<int>(oracle.hive().Height(move.to)) + 1);
    }
    const Result expected = ResultAfter(game.board(), FromOracle(move));
    oracle.Play(move);
    game.Apply(FromOracle(move));
    ASSERT_EQ(ToString(expected), oracle.State()) << ToGameString(game);
    ASSERT_NO_FATAL_FAILURE(ExpectSamePosition(game, oracle));
    ++counts.plies;
    counts.repeated += game.occurrences() > 1;
  }
  counts.ended += oracle.State() != "InProgress";
}

}  // namespace apiary::env::testing
