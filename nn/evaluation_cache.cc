#include "nn/evaluation_cache.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace apiary::nn {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
// An entry of a position with 44 moves takes 27 words: the table has room for twice as many as the
// ring holds of those.
constexpr std::size_t kRingWordsABucket = 56;

}  // namespace

EvaluationCache::EvaluationCache(std::uint64_t bytes) {
  const std::uint64_t bucket_bytes = kRingWordsABucket * kWordBytes + sizeof(Bucket);
  const auto buckets = std::max<std::size_t>(1, static_cast<std::size_t>(bytes / bucket_bytes));
  table_.resize(buckets);
  ring_.resize(std::max(buckets * kRingWordsABucket, Words(env::kMaxMoves)));
  end_ = ring_.size();  // not 0, which is no place
}

std::uint64_t EvaluationCache::bytes() const {
  return ring_.size() * kWordBytes + table_.size() * sizeof(Bucket);
}

bool EvaluationCache::Find(const env::PositionKey& key, std::span<const std::uint16_t> ranks,
                           Evaluation& found) {
  ++lookups_;
  for (const Place place : BucketOf(key)) {
    if (!Holds(place, key)) continue;
    const std::uint64_t* words = &ring_[place % ring_.size()];
    Header header;
    std::memcpy(static_cast<void*>(&header), words, sizeof(header));
    APIARY_CHECK(header.moves == ranks.size(), "{} moves and {} moves have one canonical key",
                 header.moves, ranks.size());
    found.wdl.push_back(header.wdl);
    found.moves_left.push_back(header.moves_left);
    const std::size_t first = found.logits.size();
    found.logits.resize(first + ranks.size());
    const auto* logits = reinterpret_cast<const std::byte*>(words) + sizeof(header);
    for (std::size_t i = 0; i < ranks.size(); ++i)
      std::memcpy(&found.logits[first + i], logits + ranks[i] * sizeof(float), sizeof(float));
    ++hits_;
    return true;
  }
  return false;
}

void EvaluationCache::Insert(const env::PositionKey& key, std::span<const std::uint16_t> ranks,
                             const Wdl& wdl, float moves_left, std::span<const float> logits) {
  APIARY_CHECK(ranks.size() == logits.size(), "{} ranks of {} logits", ranks.size(), logits.size());
  Bucket& bucket = BucketOf(key);
  for (const Place place : bucket)
    if (Holds(place, key)) return;
  const Place place = TakePlace(Words(logits.size()));
  std::uint64_t* words = &ring_[place % ring_.size()];
  const Header header{key, wdl, moves_left, logits.size()};
  std::memcpy(words, static_cast<const void*>(&header), sizeof(header));
  auto* out = reinterpret_cast<std::byte*>(words) + sizeof(header);
  for (std::size_t i = 0; i < logits.size(); ++i)
    std::memcpy(out + ranks[i] * sizeof(float), &logits[i], sizeof(float));
  *std::min_element(bucket.begin(), bucket.end()) = place;
}

std::size_t EvaluationCache::Words(std::size_t moves) {
  return (sizeof(Header) + moves * sizeof(float) + kWordBytes - 1) / kWordBytes;
}

EvaluationCache::Bucket& EvaluationCache::BucketOf(const env::PositionKey& key) {
  return table_[static_cast<std::size_t>(key.low % table_.size())];
}

bool EvaluationCache::Holds(Place place, const env::PositionKey& key) const {
  if (place == 0 || end_ - place > ring_.size()) return false;
  return std::memcmp(&ring_[place % ring_.size()], &key, sizeof(key)) == 0;
}

// Entries do not wrap: what is left at the end of the ring stays unused.
EvaluationCache::Place EvaluationCache::TakePlace(std::size_t words) {
  const std::size_t left = ring_.size() - end_ % ring_.size();
  if (left < words) end_ += left;
  const Place place = end_;
  end_ += words;
  return place;
}

}  // namespace apiary::nn
