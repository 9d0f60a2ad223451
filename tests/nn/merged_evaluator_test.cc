#include "nn/merged_evaluator.h"

#include <gtest/gtest.h>

#include <atomic>

#include "nn/fake_evaluator.h"
#include "tests/env/random_positions.h"

namespace apiary::nn {
namespace {

env::Block SomeBlock(int positions, std::uint64_t seed) {
  return env::BlockOf(env::RandomPositions(positions, seed));
}

void ExpectAsAlone(const env::Block& block, const Evaluation& evaluation) {
  FakeEvaluator evaluator;
  Evaluation alone;
  evaluator.Evaluate(block, alone);
  EXPECT_EQ(evaluation.logits, alone.logits);
  EXPECT_EQ(evaluation.wdl, alone.wdl);
  EXPECT_EQ(evaluation.moves_left, alone.moves_left);
}

// What the inner evaluator sees, and a gate that holds it back.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = true;
  std::vector<int> positions;  // of the blocks, in order
  int fail_at = -1;            // index of the block that fails

  void Open() {
    const std::lock_guard lock(mutex);
    open = true;
    changed.notify_all();
  }
  std::vector<int> Seen() {
    const std::lock_guard lock(mutex);
    return positions;
  }
};

class GatedEvaluator : public FakeEvaluator {
 public:
  explicit GatedEvaluator(Gate& gate) : gate_(gate) {}
  void Submit(const env::Block& block, Evaluation& evaluation) override {
    std::unique_lock lock(gate_.mutex);
    gate_.positions.push_back(block.positions());
    gate_.changed.notify_all();
    gate_.changed.wait(lock, [this] { return gate_.open; });
    if (static_cast<int>(gate_.positions.size()) - 1 == gate_.fail_at)
      throw Error("the device is lost");
    FakeEvaluator::Submit(block, evaluation);
  }

 private:
  Gate& gate_;
};

std::shared_ptr<MergedEvaluator> Gated(Gate& gate, int most_positions) {
  return std::make_shared<MergedEvaluator>(
      [&gate] { return std::make_unique<GatedEvaluator>(gate); }, most_positions);
}

TEST(MergedEvaluator, ManyThreadsGetWhatTheyWouldAlone) {
  const auto merged =
      std::make_shared<MergedEvaluator>([] { return std::make_unique<FakeEvaluator>(); }, 64);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&merged, t] {
      const std::unique_ptr<Evaluator> client = merged->NewClient();
      // Two in flight, as the two cohorts of a worker.
      for (int i = 0; i < 20; ++i) {
        const auto seed = static_cast<std::uint64_t>(100 * t + 2 * i);
        const env::Block a = SomeBlock(1 + (i + t) % 7, seed);
        const env::Block b = SomeBlock(1 + i % 3, seed + 1);
        Evaluation of_a, of_b;
        client->Submit(a, of_a);
        client->Submit(b, of_b);
        client->Wait(of_a);
        ExpectAsAlone(a, of_a);
        client->Wait(of_b);
        ExpectAsAlone(b, of_b);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(merged->submitted(), 160U);
  EXPECT_LE(merged->evaluated(), 160U);
}

// Submits blocks of so many positions while the first one of all is held back, then lets them go.
std::vector<int> SeenOf(int most_positions, const std::vector<int>& sizes) {
  Gate gate;
  gate.open = false;
  const auto merged = Gated(gate, most_positions);
  const std::unique_ptr<Evaluator> client = merged->NewClient();
  std::vector<env::Block> blocks;
  for (std::size_t i = 0; i < sizes.size(); ++i) blocks.push_back(SomeBlock(sizes[i], i));
  std::vector<Evaluation> evaluations(blocks.size());
  client->Submit(blocks[0], evaluations[0]);
  {
    std::unique_lock lock(gate.mutex);
    gate.changed.wait(lock, [&gate] { return !gate.positions.empty(); });
  }
  for (std::size_t i = 1; i < blocks.size(); ++i) client->Submit(blocks[i], evaluations[i]);
  gate.Open();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    client->Wait(evaluations[i]);
    ExpectAsAlone(blocks[i], evaluations[i]);
  }
  EXPECT_EQ(merged->submitted(), sizes.size());
  EXPECT_EQ(merged->evaluated(), gate.Seen().size());
  return gate.Seen();
}

TEST(MergedEvaluator, JoinsWhatWaits) {
  EXPECT_EQ(SeenOf(64, {2, 3, 4, 5}), (std::vector<int>{2, 12}));
  EXPECT_EQ(SeenOf(7, {1, 3, 4, 5, 2}), (std::vector<int>{1, 7, 7}));
  EXPECT_EQ(SeenOf(1, {2, 3, 4}), (std::vector<int>{2, 3, 4}));
}

TEST(MergedEvaluator, AnErrorReachesAllThatWereJoinedAndNoOther) {
  Gate gate;
  gate.open = false;
  gate.fail_at = 1;
  const auto merged = Gated(gate, 64);
  const std::unique_ptr<Evaluator> client = merged->NewClient();
  const env::Block block = SomeBlock(2, 1);
  std::vector<Evaluation> evaluations(4);
  client->Submit(block, evaluations[0]);
  {
    std::unique_lock lock(gate.mutex);
    gate.changed.wait(lock, [&gate] { return !gate.positions.empty(); });
  }
  client->Submit(block, evaluations[1]);
  client->Submit(block, evaluations[2]);
  gate.Open();
  client->Wait(evaluations[0]);
  ExpectAsAlone(block, evaluations[0]);
  EXPECT_THROW(client->Wait(evaluations[1]), Error);
  EXPECT_THROW(client->Wait(evaluations[2]), Error);
  client->Evaluate(block, evaluations[3]);
  ExpectAsAlone(block, evaluations[3]);
}

TEST(MergedEvaluator, AClientThatIsGivenUpIsWaitedFor) {
  Gate gate;
  const auto merged = Gated(gate, 64);
  {
    const env::Block block = SomeBlock(5, 1);
    Evaluation evaluation;
    merged->NewClient()->Submit(block, evaluation);
  }
  EXPECT_EQ(gate.Seen(), std::vector<int>{5});
}

TEST(MergedEvaluator, ClientsKeepItAlive) {
  std::unique_ptr<Evaluator> client;
  {
    client = std::make_shared<MergedEvaluator>([] { return std::make_unique<FakeEvaluator>(); }, 8)
                 ->NewClient();
  }
  const env::Block block = SomeBlock(3, 2);
  Evaluation evaluation;
  client->Evaluate(block, evaluation);
  ExpectAsAlone(block, evaluation);
  EXPECT_EQ(client->Describe(), FakeEvaluator().Describe());
}

TEST(MergedEvaluator, PassesOnThatItCannotBegin) {
  const auto broken = []() -> std::unique_ptr<Evaluator> { throw Error("no such device"); };
  EXPECT_THROW(MergedEvaluator(broken, 8), Error);
}

}  // namespace
}  // namespace apiary::nn
