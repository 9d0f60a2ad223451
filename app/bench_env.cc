#include <iostream>
#include <nlohmann/json.hpp>

#include "app/bench.h"
#include "base/check.h"
#include "base/random.h"
#include "env/encoder.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

std::size_t BlockBytes(const env::Block& block) {
  return block.row_features.size() + block.neighbors.size() * sizeof(block.neighbors[0]) +
         block.position_features.size() + block.queen_rows.size() * sizeof(block.queen_rows[0]) +
         block.moves.size() * sizeof(block.moves[0]) +
         block.row_begin.size() * sizeof(block.row_begin[0]) +
         block.move_begin.size() * sizeof(block.move_begin[0]);
}

// Random games of a variant to their end, as lists of moves.
std::vector<std::vector<env::Move>> RandomGames(const env::Rules& rules, std::uint64_t seed) {
  constexpr int kGames = 100;
  base::RandomStream random(seed);
  std::vector<std::vector<env::Move>> games;
  env::MoveList moves;
  for (int i = 0; i < kGames; ++i) {
    env::Game game(rules);
    while (!game.outcome().over()) {
      game.LegalMoves(moves);
      game.Apply(moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))]);
    }
    games.emplace_back(game.moves().begin(), game.moves().end());
  }
  return games;
}

// Of one move of a random game, played and taken back.
double ApplyUndoNanoseconds(env::Rules rules, const BenchArguments& arguments) {
  rules.repetition = 3;
  rules.max_plies = 400;
  const auto games = RandomGames(rules, arguments.seed);
  std::size_t plies = 0;
  for (const auto& game : games) plies += game.size();
  std::vector<env::Undo> undos;
  const double seconds = MedianSeconds(ThreadSeconds, arguments.seconds, [&] {
    env::Board board(rules);
    for (const auto& game : games) {
      undos.clear();
      for (const env::Move move : game) undos.push_back(board.Apply(move));
      for (; !undos.empty(); undos.pop_back()) board.Undo(undos.back());
    }
  });
  return 1e9 * seconds / static_cast<double>(plies);
}

// Of the question whether one of the legal moves, given, wins at once.
double WinInOneNanoseconds(const std::vector<env::Board>& boards, double seconds) {
  std::vector<env::MoveList> moves(boards.size());
  for (std::size_t i = 0; i < boards.size(); ++i) env::GenerateLegalMoves(boards[i], moves[i]);
  int wins = 0;
  const double pass = MedianSeconds(ThreadSeconds, seconds, [&] {
    for (std::size_t i = 0; i < boards.size(); ++i)
      wins += env::FindWinInOne(boards[i], moves[i]) >= 0;
  });
  APIARY_CHECK(wins >= 0, "{} wins", wins);
  return 1e9 * pass / static_cast<double>(boards.size());
}

}  // namespace

int BenchMovegen(const BenchArguments& arguments) {
  for (const PositionSet& set : LoadPositions(arguments)) {
    const auto positions = static_cast<double>(set.games.size());
    std::vector<env::Board> boards;
    for (const env::Game& game : set.games) boards.push_back(game.board());
    std::uint64_t moves_made = 0;
    env::MoveList moves;
    const double seconds = MedianSeconds(ThreadSeconds, arguments.seconds, [&] {
      moves_made = 0;
      for (const env::Board& board : boards) {
        env::GenerateLegalMoves(board, moves);
        moves_made += static_cast<std::uint64_t>(moves.size());
      }
    });
    const double rate = positions / seconds;
    const double moves_rate = static_cast<double>(moves_made) / seconds;
    const double apply_undo = ApplyUndoNanoseconds(boards.front().rules(), arguments);
    const double win_in_one = WinInOneNanoseconds(boards, arguments.seconds);
    if (arguments.json) {
      std::cout << ordered_json{{"set", set.name},
                                {"positions", set.games.size()},
                                {"movegens_per_s", rate},
                                {"ns_per_movegen", 1e9 / rate},
                                {"moves_per_s", moves_rate},
                                {"apply_undo_ns", apply_undo},
                                {"win_in_one_ns", win_in_one}}
                       .dump()
                << std::endl;
    } else {
      std::cout << fmt::format(
          "movegen {:<9} {} positions: {:.3f} million/s, {:.0f} ns each, {:.1f} million moves/s; "
          "apply and undo {:.0f} ns, win in one {:.0f} ns\n",
          set.name, set.games.size(), rate / 1e6, 1e9 / rate, moves_rate / 1e6, apply_undo,
          win_in_one);
    }
  }
  return 0;
}

// Encoding beside move generation on the same positions: it must not cost more.
int BenchEncode(const BenchArguments& arguments) {
  constexpr int kBatch = 64;
  for (const PositionSet& set : LoadPositions(arguments)) {
    std::vector<env::MoveList> moves(set.games.size());
    for (std::size_t i = 0; i < moves.size(); ++i) set.games[i].LegalMoves(moves[i]);
    env::MoveList scratch;
    const double movegen_seconds = MedianSeconds(ThreadSeconds, arguments.seconds, [&] {
      for (const env::Game& game : set.games) env::GenerateLegalMoves(game.board(), scratch);
    });
    env::Block block;
    std::size_t bytes = 0;
    const double seconds = MedianSeconds(ThreadSeconds, arguments.seconds, [&] {
      bytes = 0;
      for (std::size_t i = 0; i < moves.size(); ++i) {
        if (block.positions() == kBatch) {
          bytes += BlockBytes(block);
          block.Clear();
        }
        env::Append(set.games[i], moves[i], env::Symmetry(), block);
      }
      bytes += BlockBytes(block);
      block.Clear();
    });
    const auto positions = static_cast<double>(set.games.size());
    const double bytes_per_position = static_cast<double>(bytes) / positions;
    if (arguments.json) {
      std::cout << ordered_json{{"set", set.name},
                                {"positions", set.games.size()},
                                {"ns_per_position", 1e9 * seconds / positions},
                                {"bytes_per_position", bytes_per_position},
                                {"ns_per_movegen", 1e9 * movegen_seconds / positions},
                                {"encode_per_movegen", seconds / movegen_seconds}}
                       .dump()
                << std::endl;
    } else {
      std::cout << fmt::format(
          "encode {:<9} {} positions: {:.0f} ns each, {:.0f} bytes each; a move generation {:.0f} "
          "ns, ratio {:.2f}\n",
          set.name, set.games.size(), 1e9 * seconds / positions, bytes_per_position,
          1e9 * movegen_seconds / positions, seconds / movegen_seconds);
    }
  }
  return 0;
}

}  // namespace apiary::app
