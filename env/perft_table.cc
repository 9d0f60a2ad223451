#include "env/perft_table.h"

#include "base/random.h"

namespace apiary::env {
namespace {

constexpr int kLeavesBits = 56;
constexpr std::uint64_t kLeavesMask = (std::uint64_t{1} << kLeavesBits) - 1;
constexpr std::uint64_t kCheckSeed = base::Mix64(0x706572667421ULL);

// The cell of the piece moved last, if it can change what is legal this turn (rules.md, section 5):
// it is of the side to move, or that side has a pillbug or mosquito beside it that might throw it.
int StunnedCell(const Board& board) {
  constexpr int kNone = kNumCells;
  const PieceId mark = board.moved_last();
  if (!mark.valid()) return kNone;
  const Cell cell = board.cell(mark);
  const Color own = board.side_to_move();
  bool matters = mark.color() == own;
  for (const PieceType type : {PieceType::kPillbug, PieceType::kMosquito}) {
    const Cell thrower = board.cell(PieceId::Of(own, type, 1));
    matters |= thrower.valid() && Adjacent(thrower, cell);
  }
  return matters ? cell.index() : kNone;
}

// A second hash of what Board::hash covers, by other constants and by sums: what collides in one
// does not in the other.
std::uint64_t SecondHash(const Board& board) {
  std::uint64_t sum = 0;
  for (int i = 0; i < kNumPieces; ++i) {
    const PieceId piece = PieceId::FromIndex(i);
    const Cell cell = board.cell(piece);
    if (!cell.valid()) continue;
    std::uint64_t height = 1;
    for (PieceId below = board.beneath(piece); below.valid(); below = board.beneath(below))
      ++height;
    const auto kind = static_cast<std::uint64_t>(piece.color()) * kNumPieceTypes +
                      static_cast<std::uint64_t>(piece.type());
    sum += base::Mix64(kCheckSeed ^
                       (height << 14 | kind << 10 | static_cast<std::uint64_t>(cell.index())));
  }
  return sum;
}

}  // namespace

PerftTable::Key PerftTable::KeyOf(const Board& board, int remaining) {
  const std::uint64_t rest =
      static_cast<std::uint64_t>(remaining) << 16 | static_cast<std::uint64_t>(StunnedCell(board));
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
