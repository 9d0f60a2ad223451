#include "nn/evaluation_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace apiary::nn {
namespace {

using Ranks = std::vector<std::uint16_t>;

// An entry whose content follows from its number.
struct Entry {
  explicit Entry(int number)
      : key{base::Mix64(static_cast<std::uint64_t>(number)), static_cast<std::uint64_t>(number)},
        moves_left(static_cast<float>(number)),
        logits(static_cast<std::size_t>(number * 7 % 90)) {
    std::iota(logits.begin(), logits.end(), moves_left);
  }
  env::PositionKey key;
  Wdl wdl{0.5F, 0.25F, 0.25F};
  float moves_left;
  std::vector<float> logits;  // by rank
};

Ranks InOrder(const Entry& entry) {
  Ranks ranks(entry.logits.size());
  std::iota(ranks.begin(), ranks.end(), std::uint16_t{0});
  return ranks;
}

void Insert(const Entry& entry, EvaluationCache& cache) {
  cache.Insert(entry.key, InOrder(entry), entry.wdl, entry.moves_left, entry.logits);
}

bool Holds(const Entry& entry, EvaluationCache& cache) {
  Evaluation found;
  if (!cache.Find(entry.key, InOrder(entry), found)) return false;
  EXPECT_EQ(found.wdl, std::vector{entry.wdl});
  EXPECT_EQ(found.moves_left, std::vector{entry.moves_left});
  EXPECT_EQ(found.logits, entry.logits);
  return true;
}

TEST(EvaluationCache, LogitsComeBackInTheOrderOfTheOneWhoAsks) {
  EvaluationCache cache(1 << 16);
  const env::PositionKey key{1, 2};
  cache.Insert(key, Ranks{2, 0, 1}, {1, 0, 0}, 9, std::vector<float>{20, 0, 10});
  Evaluation found;
  found.logits = {7};
  found.wdl = {{0, 1, 0}};
  found.moves_left = {3};
  ASSERT_TRUE(cache.Find(key, Ranks{1, 2, 0}, found));
  EXPECT_EQ(found.logits, (std::vector<float>{7, 10, 20, 0}));
  EXPECT_EQ(found.wdl, (std::vector<Wdl>{{0, 1, 0}, {1, 0, 0}}));
  EXPECT_EQ(found.moves_left, (std::vector<float>{3, 9}));
}

TEST(EvaluationCache, AnotherKeyIsNotFoundWhateverItSharesWithOneThatIs) {
  EvaluationCache cache(0);
  cache.Insert({5, 6}, Ranks{0}, {1, 0, 0}, 9, std::vector<float>{1});
  Evaluation found;
  EXPECT_FALSE(cache.Find({5, 7}, Ranks{0}, found));
  EXPECT_FALSE(cache.Find({6, 6}, Ranks{0}, found));
  EXPECT_TRUE(found.logits.empty() && found.wdl.empty() && found.moves_left.empty());
  EXPECT_TRUE(cache.Find({5, 6}, Ranks{0}, found));
  EXPECT_EQ(cache.lookups(), 3U);
  EXPECT_EQ(cache.hits(), 1U);
}

// Far more entries than there is room for: what is found is right, the newest are found, memory
// stays as it was.
TEST(EvaluationCache, ForgetsTheOldestAndNeverAnswersWrongly) {
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{20'000}, std::uint64_t{1} << 20}) {
    EvaluationCache cache(bytes);
    const std::uint64_t taken = cache.bytes();
    EXPECT_LE(taken, std::max<std::uint64_t>(bytes, 3000));
    int held = 0;
    for (int number = 1; number <= 20'000; ++number) {
      const Entry entry(number);
      Insert(entry, cache);
      EXPECT_TRUE(Holds(entry, cache)) << number;
      const Entry earlier(number - std::min(number - 1, number * 31 % 997));
      held += Holds(earlier, cache);
    }
    EXPECT_EQ(cache.bytes(), taken);
    EXPECT_GT(held, bytes == 0 ? 20 : 1000) << bytes;
  }
}

TEST(EvaluationCache, WhatIsKnownIsKept) {
  EvaluationCache cache(1 << 16);
  const Entry entry(3);
  Insert(entry, cache);
  cache.Insert(entry.key, InOrder(entry), {0, 0, 1}, 1, std::vector<float>(entry.logits.size()));
  EXPECT_TRUE(Holds(entry, cache));
}

TEST(EvaluationCacheDeathTest, KeysOfDifferentMovesAreOurBug) {
  EvaluationCache cache(1 << 16);
  cache.Insert({5, 6}, Ranks{0}, {1, 0, 0}, 9, std::vector<float>{1});
  Evaluation found;
  EXPECT_DEATH(cache.Find({5, 6}, Ranks{0, 1}, found), "canonical key");
}

}  // namespace
}  // namespace apiary::nn
