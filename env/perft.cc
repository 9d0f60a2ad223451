#include "env/perft.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "env/movegen.h"
#include "env/perft_table.h"

namespace apiary::env {
namespace {

// A subtree: the moves that lead to it from the root.
struct Subtree {
  int root_move;  // index of its first move among the root's
  std::vector<Move> path;
};

class LeafCount {
 public:
  LeafCount(const Board& board, int depth, const PerftOptions& options)
      : board_(board), depth_(depth), options_(options), table_(options.hash_bytes) {
    GenerateLegalMoves(board, root_moves_);
    leaves_.resize(static_cast<std::size_t>(root_moves_.size()));
    waiting_.resize(leaves_.size());
    Split();
  }

  std::uint64_t Run() {
    std::vector<std::jthread> threads;
    for (int i = 1; i < options_.threads; ++i) threads.emplace_back([this] { Work(); });
    Work();
    threads.clear();           // joins
    if (!Stopped()) Report();  // moves that end the game have no subtrees
    std::uint64_t sum = 0;
    for (const std::uint64_t leaves : leaves_) sum += leaves;
    return sum;
  }

 private:
  // Makes at least this many subtrees a thread if the depth allows, so that the last ones to be
  // finished are small.
  static constexpr std::size_t kSubtreesEach = 64;

  void Split() {
    for (int i = 0; i < root_moves_.size(); ++i) subtrees_.push_back({i, {root_moves_[i]}});
    const std::size_t enough = kSubtreesEach * static_cast<std::size_t>(options_.threads);
    for (int plies = 1; plies < depth_ - 2 && subtrees_.size() < enough; ++plies) {
      std::vector<Subtree> deeper;
      for (const Subtree& subtree : subtrees_) {
        Board board = board_;
        for (const Move move : subtree.path) board.Apply(move);
        MoveList moves;
        GenerateLegalMoves(board, moves);
        for (const Move move : moves) {
          deeper.push_back(subtree);
          deeper.back().path.push_back(move);
        }
      }
      subtrees_ = std::move(deeper);
    }
    for (const Subtree& subtree : subtrees_)
      ++waiting_[static_cast<std::size_t>(subtree.root_move)];
  }

  bool Stopped() const { return options_.stop && options_.stop(); }

  void Work() {
    for (;;) {
      const std::size_t next = next_.fetch_add(1, std::memory_order_relaxed);
      if (next >= subtrees_.size()) return;
      Board board = board_;
      for (const Move move : subtrees_[next].path) board.Apply(move);
      const std::uint64_t leaves =
          Count(board, depth_ - static_cast<int>(subtrees_[next].path.size()));
      if (Stopped()) return;
      Finish(subtrees_[next].root_move, leaves);
    }
  }

  void Finish(int root_move, std::uint64_t leaves) {
    const std::lock_guard lock(mutex_);
    leaves_[static_cast<std::size_t>(root_move)] += leaves;
    --waiting_[static_cast<std::size_t>(root_move)];
    Report();
  }

  void Report() {
    for (; reported_ < root_moves_.size() && waiting_[static_cast<std::size_t>(reported_)] == 0;
         ++reported_) {
      if (options_.on_root_move)
        options_.on_root_move(root_moves_[reported_], leaves_[static_cast<std::size_t>(reported_)]);
    }
  }

  std::uint64_t Count(Board& board, int depth) {
    constexpr int kQuick = 3;  // a fraction of a second's work
    constexpr int kNotWorthALookUp = 1;
    if (depth <= kNotWorthALookUp || (!table_.enabled() && depth <= kQuick))
      return Perft(board, depth);
    if (depth > kQuick && Stopped()) return 0;
    PerftTable::Key key;
    if (table_.enabled()) {
      key = PerftTable::KeyOf(board, depth);
      if (const auto known = table_.Find(key)) return *known;
    }
    MoveList moves;
    GenerateLegalMoves(board, moves);
    std::uint64_t leaves = 0;
    for (const Move move : moves) {
      const Undo undo = board.Apply(move);
      leaves += Count(board, depth - 1);
      board.Undo(undo);
    }
    // Cut short below, it is no count.
    if (table_.enabled() && !(depth > kQuick && Stopped())) table_.Store(key, depth, leaves);
    return leaves;
  }

  const Board& board_;
  const int depth_;
  const PerftOptions& options_;
  PerftTable table_;
  MoveList root_moves_;
  std::vector<Subtree> subtrees_;
  std::atomic<std::size_t> next_{0};  // of the subtrees
  std::mutex mutex_;
  std::vector<std::uint64_t> leaves_;  // by root move; guarded by mutex_, as the next two
  std::vector<int> waiting_;           // subtrees that are not counted yet, by root move
  int reported_ = 0;                   // root moves
};

}  // namespace

std::uint64_t CountLeaves(const Board& board, int depth, const PerftOptions& options) {
  APIARY_CHECK(depth >= 1 && options.threads >= 1, "depth {}, {} threads", depth, options.threads);
  return LeafCount(board, depth, options).Run();
}

}  // namespace apiary::env
