#include "nn/fake_evaluator.h"

#include <vector>

#include "base/random.h"

namespace apiary::nn {
namespace {

using base::Mix64;

constexpr int kRounds = 4;  // how many cells away a row's surroundings enter its hash

std::uint64_t HashBytes(const std::uint8_t* bytes, int count, std::uint64_t seed) {
  std::uint64_t hash = Mix64(seed);
  for (int i = 0; i < count; ++i)
    hash = Mix64(hash ^ (bytes[i] + 0x100ULL * static_cast<std::uint64_t>(i)));
  return hash;
}

// Uniform in [0, 1), a multiple of 2^-24: exact in a float.
float Unit(std::uint64_t hash) { return static_cast<float>(hash >> 40) * 0x1p-24f; }

// Hashes of one position's rows. Neighbours enter through sums over opposite and over adjacent
// pairs of slots, which the 12 symmetries permute among themselves (but not a single line into a
// bend).
void HashRows(const env::Block& block, int begin, int end, std::uint64_t seed,
              std::vector<std::uint64_t>& rows) {
  rows.resize(static_cast<std::size_t>(end - begin));
  for (int r = begin; r < end; ++r)
    rows[static_cast<std::size_t>(r - begin)] =
        HashBytes(&block.row_features[static_cast<std::size_t>(r * env::kNumRowFeatures)],
                  env::kNumRowFeatures, seed);
  std::vector<std::uint64_t> next(rows.size());
  for (int round = 0; round < kRounds; ++round) {
    for (int r = begin; r < end; ++r) {
      std::array<std::uint64_t, 6> around;
      for (std::size_t s = 0; s < 6; ++s) {
        const std::int32_t n = block.neighbors[static_cast<std::size_t>(r)][s];
        around[s] = n < 0 ? 0 : rows[static_cast<std::size_t>(n - begin)];
      }
      std::uint64_t sum = 0;
      for (std::size_t s = 0; s < 6; ++s) sum += Mix64(around[s] + around[(s + 1) % 6]);
      for (std::size_t s = 0; s < 3; ++s) sum += Mix64(1 ^ (around[s] + around[s + 3]));
      next[static_cast<std::size_t>(r - begin)] =
          Mix64(rows[static_cast<std::size_t>(r - begin)] ^ Mix64(sum));
    }
    rows.swap(next);
  }
}

}  // namespace

void FakeEvaluator::Submit(const env::Block& block, Evaluation& evaluation) {
  const std::size_t n = static_cast<std::size_t>(block.positions());
  evaluation.logits.assign(static_cast<std::size_t>(block.move_count()), 0.0f);
  evaluation.wdl.assign(n, Wdl{1.0f / 3, 1.0f / 3, 1.0f / 3});
  evaluation.moves_left.assign(n, 30.0f);
  if (mode_ == Mode::kUniform) return;
  std::vector<std::uint64_t> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const int begin = block.row_begin[i];
    HashRows(block, begin, block.row_begin[i + 1], seed_, rows);
    std::uint64_t hash = HashBytes(&block.position_features[i * env::kNumPositionFeatures],
                                   env::kNumPositionFeatures, seed_ ^ 0x706F73ULL);
    for (const std::uint64_t row : rows)
      hash += Mix64(row);  // a sum: the order of rows does not matter
    const float win = 0.05f + Unit(Mix64(hash ^ 1)), draw = 0.05f + 0.5f * Unit(Mix64(hash ^ 2)),
                loss = 0.05f + Unit(Mix64(hash ^ 3));
    const float sum = win + draw + loss;
    evaluation.wdl[i] = {win / sum, draw / sum, loss / sum};
    evaluation.moves_left[i] = 1 + 59 * Unit(Mix64(hash ^ 4));
    for (int m = block.move_begin[i]; m < block.move_begin[i + 1]; ++m) {
      const env::EncodedMove move = block.moves[static_cast<std::size_t>(m)];
      if (move.source == env::kPassSource) continue;
      const std::uint64_t source = move.source < 0
                                       ? static_cast<std::uint64_t>(-move.source)
                                       : rows[static_cast<std::size_t>(move.source - begin)];
      const std::uint64_t destination = rows[static_cast<std::size_t>(move.destination - begin)];
      evaluation.logits[static_cast<std::size_t>(m)] =
          4 * Unit(Mix64(Mix64(hash ^ source) + destination)) - 2;
    }
  }
}

std::string FakeEvaluator::Describe() const {
  return mode_ == Mode::kUniform ? "fake evaluator, uniform"
                                 : fmt::format("fake evaluator, seed {}", seed_);
}

}  // namespace apiary::nn
