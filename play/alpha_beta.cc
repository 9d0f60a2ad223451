#include "play/alpha_beta.h"

#include <algorithm>
#include <utility>

#include "env/cell_set.h"
#include "env/movegen.h"
#include "play/evaluation.h"

namespace apiary::play {
namespace {

constexpr int kInfinity = kWinScore + 1;
constexpr std::uint64_t kNodesBetweenChecks = 1024;

// Everything of a position that its future depends on: what the board's hash leaves out is the mark
// of the piece moved last, which only pillbugs care about, and how many turns a side without its
// queen has left to place it.
std::uint64_t KeyOf(const env::Board& board) {
  constexpr std::uint64_t kMark = 1 << 16;
  constexpr std::uint64_t kTurns = 1 << 17;
  constexpr int kFreeTurns = 4;
  std::uint64_t key = board.hash();
  if (board.rules().variant.pillbug && board.moved_last().valid())
    key ^= base::Mix64(kMark + static_cast<std::uint64_t>(board.cell(board.moved_last()).index()));
  std::uint64_t turns = 0;
  for (const env::Color color : {env::Color::kWhite, env::Color::kBlack}) {
    const bool waits = board.hand_count(color, env::PieceType::kQueen) > 0;
    const int taken = waits ? std::min(board.turns_taken(color), kFreeTurns - 1) : kFreeTurns;
    turns = 8 * turns + static_cast<std::uint64_t>(taken);
  }
  return key ^ base::Mix64(kTurns + turns);
}

// Wins and losses are counted from the root in the search, from the position in the table.
int ToTable(int score, int ply) {
  return IsProven(score) ? score + (score > 0 ? ply : -ply) : score;
}
int FromTable(int score, int ply) {
  return IsProven(score) ? score - (score > 0 ? ply : -ply) : score;
}

// Of a finished game, to the side that moved last; `plies` from the root.
int EndScore(env::Result result, env::Color mover, int plies) {
  if (result != env::Result::kWhiteWins && result != env::Result::kBlackWins) return 0;
  const bool won = (result == env::Result::kWhiteWins) == (mover == env::Color::kWhite);
  return won ? kWinScore - plies : -(kWinScore - plies);
}

env::CellSet NeighborsOfQueen(const env::Board& board, env::Color color) {
  env::CellSet cells;
  const env::Cell queen = board.cell(env::PieceId::Of(color, env::PieceType::kQueen, 1));
  if (!queen.valid()) return cells;
  for (int d = 0; d < env::kNumDirections; ++d) cells.Add(env::Neighbor(queen, d));
  return cells;
}

}  // namespace

AlphaBeta::AlphaBeta(std::size_t table_bytes)
    : table_(table_bytes), frames_(kMaxAlphaBetaDepth + 1) {}

void AlphaBeta::Begin(const env::Game& game, const AlphaBetaLimits& limits,
                      base::RandomStream& random) {
  APIARY_CHECK(!game.outcome().over(), "a search after the end of the game");
  APIARY_CHECK(limits.depth >= 1 && limits.depth <= kMaxAlphaBetaDepth, "depth {}", limits.depth);
  table_.NewEpoch();
  for (auto& cells : history_) cells.fill(0);
  for (Frame& frame : frames_) frame.killers.fill(env::Move::Pass());
  board_ = game.board();
  nodes_ = 0;
  next_check_ = kNodesBetweenChecks;
  stopped_ = false;
  deadline_ = limits.seconds > 0 ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                      std::chrono::duration<double>(limits.seconds))
                                 : Clock::time_point::max();
  root_.clear();
  env::MoveList& moves = frames_[0].moves;
  game.LegalMoves(moves);
  env::Game after = game;
  for (const env::Move move : moves) {
    after.Apply(move);
    const env::Outcome outcome = after.outcome();
    const bool settled = outcome.over() || after.occurrences() > 1;
    root_.push_back({move, settled, EndScore(outcome.result, game.side_to_move(), 1)});
    after.Undo();
  }
  for (std::size_t i = root_.size(); i > 1; --i)
    std::swap(root_[i - 1], root_[random.Below(static_cast<std::uint32_t>(i))]);
}

AlphaBetaResult AlphaBeta::Search(const env::Game& game, const AlphaBetaLimits& limits,
                                  base::RandomStream& random, const Stop& stop) {
  stop_ = &stop;
  Begin(game, limits, random);
  AlphaBetaResult result;
  for (int depth = 1; depth <= limits.depth; ++depth) {
    if (!SearchRoot(depth, result)) break;
    result.depth = depth;
    if (IsProven(result.score)) break;
  }
  result.nodes = nodes_;
  stop_ = nullptr;
  return result;
}

bool AlphaBeta::SearchRoot(int depth, AlphaBetaResult& result) {
  int best = -kInfinity;
  std::size_t best_index = 0;
  for (std::size_t i = 0; i < root_.size(); ++i) {
    const RootMove& root = root_[i];
    const int score =
        root.settled ? root.score : ScoreOf(root.move, depth, 0, best, kInfinity, i == 0);
    if (stopped_) return false;
    if (score <= best) continue;
    best = score;
    best_index = i;
    // The first move is the best of the depth before, so that what comes after it is an
    // improvement even if this depth does not come to its end.
    result.best = root.move;
    result.score = score;
  }
  std::rotate(root_.begin(), root_.begin() + static_cast<std::ptrdiff_t>(best_index),
              root_.begin() + static_cast<std::ptrdiff_t>(best_index) + 1);
  return true;
}

int AlphaBeta::ScoreOf(env::Move move, int depth, int ply, int alpha, int beta, bool first) {
  const env::Color mover = board_.side_to_move();
  const env::Undo undo = board_.Apply(move);
  const env::Outcome outcome = board_.SurroundOutcome();
  int score = 0;
  if (outcome.over()) {
    ++nodes_;
    score = EndScore(outcome.result, mover, ply + 1);
  } else if (first || depth == 1) {
    score = -Visit(depth - 1, ply + 1, -beta, -alpha);
  } else {
    score = -Visit(depth - 1, ply + 1, -alpha - 1, -alpha);
    if (score > alpha && score < beta) score = -Visit(depth - 1, ply + 1, -beta, -alpha);
  }
  board_.Undo(undo);
  return score;
}

int AlphaBeta::Visit(int depth, int ply, int alpha, int beta) {
  ++nodes_;
  if (depth == 0) return Evaluate(board_, board_.side_to_move());
  if (Stopped()) return 0;
  const std::uint64_t key = KeyOf(board_);
  env::Move first = env::Move::Pass();
  if (int score = 0; Known(key, depth, ply, alpha, beta, score, first)) return score;
  Frame& frame = frames_[static_cast<std::size_t>(ply)];
  env::GenerateLegalMoves(board_, frame.moves);
  if (env::FindWinInOne(board_, frame.moves) >= 0) return kWinScore - (ply + 1);
  Order(frame, first);
  int best = -kInfinity;
  env::Move best_move = frame.moves[0];
  int floor = alpha;
  for (int i = 0; i < frame.moves.size() && best < beta; ++i) {
    const env::Move move = Pick(frame, i);
    const int score = ScoreOf(move, depth, ply, floor, beta, i == 0);
    if (stopped_) return 0;
    if (score <= best) continue;
    best = score;
    best_move = move;
    floor = std::max(floor, best);
  }
  if (best >= beta) Reward(frame, best_move, depth);
  const Bound bound = best >= beta    ? Bound::kAtLeast
                      : best <= alpha ? Bound::kAtMost
                                      : Bound::kExact;
  table_.Store(key, depth, ToTable(best, ply), bound, best_move);
  return best;
}

bool AlphaBeta::Known(std::uint64_t key, int depth, int ply, int alpha, int beta, int& score,
                      env::Move& first) const {
  const TranspositionTable::Entry* const entry = table_.Find(key);
  if (entry == nullptr) return false;
  first = entry->move;
  if (entry->depth != depth) return false;
  score = FromTable(entry->score, ply);
  switch (entry->bound) {
    case Bound::kExact:
      return true;
    case Bound::kAtLeast:
      return score >= beta;
    case Bound::kAtMost:
      return score <= alpha;
  }
  return false;
}

void AlphaBeta::Order(Frame& frame, env::Move first) const {
  constexpr int kFirst = 1 << 30;
  constexpr int kFillEnemy = 1 << 24;
  constexpr int kFillOwn = 1 << 23;
  constexpr int kKiller = 1 << 22;
  const env::Color own = board_.side_to_move();
  const env::CellSet at_enemy = NeighborsOfQueen(board_, env::Opponent(own));
  const env::CellSet at_own = NeighborsOfQueen(board_, own);
  for (int i = 0; i < frame.moves.size(); ++i) {
    const env::Move move = frame.moves[i];
    int& order = frame.order[static_cast<std::size_t>(i)];
    order = move == first ? kFirst : 0;
    if (move.is_pass()) continue;
    const env::Cell to = move.destination();
    const env::Cell from = board_.cell(move.piece());
    const bool fills = board_.height(to) == 0;
    const bool empties = from.valid() && board_.height(from) == 1;
    if (fills && at_enemy.Contains(to)) order += kFillEnemy;
    if (empties && at_enemy.Contains(from)) order -= kFillEnemy;
    if (fills && at_own.Contains(to)) order -= kFillOwn;
    if (empties && at_own.Contains(from)) order += kFillOwn;
    if (move == frame.killers[0] || move == frame.killers[1]) order += kKiller;
    order += std::min(history_[static_cast<std::size_t>(move.piece().index())]
                              [static_cast<std::size_t>(to.index())],
                      kKiller - 1);
  }
}

env::Move AlphaBeta::Pick(Frame& frame, int i) {
  int* const order = frame.order.data();
  const auto best =
      static_cast<int>(std::max_element(order + i, order + frame.moves.size()) - order);
  std::swap(order[i], order[best]);
  std::swap(frame.moves[i], frame.moves[best]);
  return frame.moves[i];
}

void AlphaBeta::Reward(Frame& frame, env::Move move, int depth) {
  if (move.is_pass()) return;
  history_[static_cast<std::size_t>(move.piece().index())]
          [static_cast<std::size_t>(move.destination().index())] += depth * depth;
  if (move == frame.killers[0]) return;
  frame.killers[1] = frame.killers[0];
  frame.killers[0] = move;
}

bool AlphaBeta::Stopped() {
  // What is interrupted on its first depth would have no move to show.
  if (stopped_ || nodes_ < next_check_) return stopped_;
  next_check_ = nodes_ + kNodesBetweenChecks;
  stopped_ = (stop_ != nullptr && *stop_ && (*stop_)()) || Clock::now() >= deadline_;
  return stopped_;
}

}  // namespace apiary::play
