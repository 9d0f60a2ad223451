// Alpha-beta search (negamax, principal variation search, iterative deepening, transposition table)
// over the hand-written evaluation: the player `ab:D` and a UHP engine without a net. The score of
// a finished depth is that of plain minimax to that depth: entries of the table count for exactly
// their own depth, and nothing is pruned by guess. Lives on one thread; allocates when it is made
// and once a search, for the root's moves.
//
// Below the root a game ends by surrounded queens only. A move of the root that makes a position of
// the game again, where the rules know repetition, or that meets the length cap is worth 0.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "env/game.h"
#include "play/transposition_table.h"

namespace apiary::play {

inline constexpr int kMaxAlphaBetaDepth = 32;
// A win is worth this less the plies until the end, a loss the negative of it.
inline constexpr int kWinScore = 30'000;
// Whether a score tells of a forced win or loss.
constexpr bool IsProven(int score) {
  constexpr int kLeast = kWinScore - 1000;
  return score >= kLeast || score <= -kLeast;
}

struct AlphaBetaLimits {
  int depth = kMaxAlphaBetaDepth;  // plies, 1 .. kMaxAlphaBetaDepth
  double seconds = 0;              // of wall time; 0: no limit
};

struct AlphaBetaResult {
  env::Move best;
  int score = 0;            // of the side to move: Evaluate's unit, or a win or loss (IsProven)
  int depth = 0;            // that was searched to its end
  std::uint64_t nodes = 0;  // positions visited
};

class AlphaBeta {
 public:
  // Whether a search is to end with what it knows; may be empty.
  using Stop = std::function<bool()>;
  static constexpr std::size_t kDefaultTableBytes = std::size_t{16} << 20;

  explicit AlphaBeta(std::size_t table_bytes = kDefaultTableBytes);

  // The best move and its score, deepening until a limit is met, the position is solved or `stop`
  // says so; depth 1 is always finished. Among moves of equal value the one of the depth before
  // stays, else the order decides that `random` draws. Same game, depth and stream: same result,
  // whatever was searched before. Precondition: the game is not over.
  AlphaBetaResult Search(const env::Game& game, const AlphaBetaLimits& limits,
                         base::RandomStream& random, const Stop& stop = {});

 private:
  using Clock = std::chrono::steady_clock;
  using Bound = TranspositionTable::Bound;
  struct RootMove {
    env::Move move;
    bool settled = false;  // it ends the game or repeats a position
    int score = 0;         // of such a move
  };
  // What one ply of the line being searched needs.
  struct Frame {
    env::MoveList moves;
    std::array<int, env::kMaxMoves> order;  // [moves]: the larger the sooner
    std::array<env::Move, 2> killers;       // that caused cutoffs at this ply
  };

  void Begin(const env::Game& game, const AlphaBetaLimits& limits, base::RandomStream& random);
  // Searches all root moves; false: stopped on the way.
  bool SearchRoot(int depth, AlphaBetaResult& result);
  // The score of the position on the board_, of its side to move, `ply` plies below the root;
  // within [alpha, beta] exact, else a bound. Precondition: the game is not over there.
  int Visit(int depth, int ply, int alpha, int beta);
  // The score of a move for the side that makes it.
  int ScoreOf(env::Move move, int depth, int ply, int alpha, int beta, bool first);
  // Cut off by the table: the score; also finds the move to try first.
  bool Known(std::uint64_t key, int depth, int ply, int alpha, int beta, int& score,
             env::Move& first) const;
  void Order(Frame& frame, env::Move first) const;
  // The move to be tried as number i, brought to that place.
  static env::Move Pick(Frame& frame, int i);
  void Reward(Frame& frame, env::Move move, int depth);
  bool Stopped();

  TranspositionTable table_;
  std::vector<Frame> frames_;  // by ply
  // [piece, destination]: how often and how deep a move caused cutoffs.
  std::array<std::array<int, env::kNumCells>, env::kNumPieces> history_{};
  env::Board board_;
  std::vector<RootMove> root_;  // in the order of search
  std::uint64_t nodes_ = 0;
  std::uint64_t next_check_ = 0;
  Clock::time_point deadline_;
  const Stop* stop_ = nullptr;
  bool stopped_ = false;
};

}  // namespace apiary::play
