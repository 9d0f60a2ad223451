#include "env/perft_table.h"

#include "base/random.h"
#include "env/movegen.h"

namespace apiary::env {
namespace {

constexpr int kLeavesBits = 56;
constexpr std::uint64_t kLeavesMask = (std::uint64_t{1} << kLeavesBits) - 1;
constexpr std::uint64_t kCheckSeed = base::Mix64(0x706572667421ULL);

// A second hash of what Board::hash covers, by other constants and by sums: what collides in one
// does not in the other.
std::uint64_t SecondHash(const Board& board) {
  std::uint64_t sum = 0;
  for (int i = 0; i < kNumPieces; ++i) {
    const PieceId piece = PieceId::FromIndex(i);
    const Cell cell = board.cell(piece);
    if (!cell.valid()) continue;
    const int place = board.level(piece) << 14 | piece.kind() << 10 | cell.index();
    sum += base::Mix64(kCheckSeed ^ static_cast<std::uint64_t>(place));
  }
  return sum;
}

}  // namespace

PerftTable::Key PerftTable::KeyOf(const Board& board, int remaining) {
  constexpr int kNoStun = kNumCells;
  const PieceId mark = board.moved_last();
  const int stunned = MarkMatters(board, mark) ? board.cell(mark).index() : kNoStun;
  const std::uint64_t rest =
      static_cast<std::uint64_t>(remaining) << 16 | static_cast<std::uint64_t>(stunned);
  return {board.hash() ^ base::Mix64(rest), SecondHash(board) + base::Mix64(~rest)};
}

PerftTable::PerftTable(std::size_t bytes)
    : buckets_(bytes / sizeof(Bucket)),
      table_(buckets_ > 0 ? std::make_unique<Bucket[]>(buckets_) : nullptr) {}

std::optional<std::uint64_t> PerftTable::Find(const Key& key) const {
  for (const Entry& entry : BucketOf(key)) {
    const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
    if ((entry.key.load(std::memory_order_relaxed) ^ data) == key.key &&
        (entry.check.load(std::memory_order_relaxed) ^ data) == key.check && data != 0)
      return data & kLeavesMask;
  }
  return std::nullopt;
}

void PerftTable::Store(const Key& key, int remaining, std::uint64_t leaves) {
  if (leaves > kLeavesMask) return;
  Bucket& bucket = BucketOf(key);
  const std::uint64_t deepest = bucket[0].data.load(std::memory_order_relaxed) >> kLeavesBits;
  Entry& entry = static_cast<std::uint64_t>(remaining) >= deepest ? bucket[0] : bucket[1];
  const std::uint64_t data = static_cast<std::uint64_t>(remaining) << kLeavesBits | leaves;
  entry.key.store(key.key ^ data, std::memory_order_relaxed);
  entry.check.store(key.check ^ data, std::memory_order_relaxed);
  entry.data.store(data, std::memory_order_relaxed);
}

}  // namespace apiary::env
