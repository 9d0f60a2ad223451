#include "train/cohort.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "tests/train/worker_runs.h"
#include "train/imported_game.h"

namespace apiary::train {
namespace {

// Counts what a cohort does; gives it games 0, 1, ... up to `games`.
struct Owner {
  explicit Owner(std::uint64_t game_count) : games(game_count) {}
  CohortHooks Hooks() {
    return {[this](std::optional<SelfplayGame>& slot) {
              if (begun == games) return false;
              const base::RandomStream random(1, {begun++});
              if (slot) {
                slot->Restart(random);
              } else {
                slot.emplace(config, random);
              }
              return true;
            },
            [this](const mcts::Search&) { ++searches; },
            [this](GameRecord game) { done.insert(GameStringOf(game)); }, [this] { ++blocks; }};
  }

  RunConfig config = SmallConfig();
  std::uint64_t games;
  std::uint64_t begun = 0;
  int searches = 0;
  int blocks = 0;
  std::multiset<std::string> done;
};

std::multiset<std::string> PlayAll(int slots, std::uint64_t games) {
  Owner owner(games);
  Cohort cohort(slots, owner.Hooks());
  const Net net{std::make_shared<nn::FakeEvaluator>(), 1};
  do {
    cohort.Select(net);
    cohort.Wait();
  } while (!cohort.empty());
  EXPECT_EQ(owner.begun, games);
  return owner.done;
}

TEST(Cohort, PlaysEveryGameOnceWhateverItsSize) {
  const auto one_by_one = PlayAll(1, 9);
  EXPECT_EQ(one_by_one.size(), 9U);
  EXPECT_EQ(PlayAll(4, 9), one_by_one);
  EXPECT_EQ(PlayAll(20, 9), one_by_one);
}

TEST(Cohort, WithoutGamesItIsEmpty) {
  Owner owner(0);
  Cohort cohort(3, owner.Hooks());
  cohort.Select({std::make_shared<nn::FakeEvaluator>(), 1});
  EXPECT_TRUE(cohort.empty());
  EXPECT_EQ(owner.blocks, 0);
}

// Notes for each search of a single game which nets evaluated for it.
class NotingEvaluator : public nn::FakeEvaluator {
 public:
  NotingEvaluator(const Owner& owner, int id, std::map<int, std::set<int>>& nets_of_search)
      : owner_(owner), id_(id), nets_of_search_(nets_of_search) {}
  void Submit(const env::Block& block, nn::Evaluation& evaluation) override {
    nets_of_search_[owner_.searches].insert(id_);
    FakeEvaluator::Submit(block, evaluation);
  }

 private:
  const Owner& owner_;
  int id_;
  std::map<int, std::set<int>>& nets_of_search_;
};

TEST(Cohort, WeightsChangeOnlyBetweenMoves) {
  Owner owner(1);
  std::map<int, std::set<int>> nets_of_search;
  Cohort cohort(1, owner.Hooks());
  std::set<int> used;
  int id = 0;
  do {
    // New weights before every single block.
    ++id;
    cohort.Select({std::make_shared<NotingEvaluator>(owner, id, nets_of_search), id});
    cohort.Wait();
  } while (!cohort.empty());
  EXPECT_EQ(owner.done.size(), 1U);
  for (const auto& [search, nets] : nets_of_search) {
    EXPECT_EQ(nets.size(), 1U) << "search " << search;
    // Each search has the newest net of its beginning: later ones, later nets.
    EXPECT_TRUE(used.empty() || *nets.begin() > *used.rbegin()) << "search " << search;
    used.insert(*nets.begin());
  }
  EXPECT_GT(used.size(), 10U);
}

TEST(Cohort, GamesRecordTheirGenerations) {
  Owner owner(3);
  std::vector<GameRecord> records;
  CohortHooks hooks = owner.Hooks();
  hooks.game_done = [&](GameRecord game) { records.push_back(std::move(game)); };
  Cohort cohort(3, std::move(hooks));
  const Net first{std::make_shared<nn::FakeEvaluator>(), 4};
  const Net second{std::make_shared<nn::FakeEvaluator>(), 6};
  for (int i = 0; i < 10; ++i) {
    cohort.Select(first);
    cohort.Wait();
  }
  do {
    cohort.Select(second);
    cohort.Wait();
  } while (!cohort.empty());
  ASSERT_EQ(records.size(), 3U);
  for (const GameRecord& game : records) {
    EXPECT_EQ(game.first_generation, 4);
    EXPECT_EQ(game.last_generation, 6);
  }
}

class NanEvaluator : public nn::FakeEvaluator {
 public:
  void Submit(const env::Block& block, nn::Evaluation& evaluation) override {
    FakeEvaluator::Submit(block, evaluation);
    evaluation.wdl.back().win = std::numeric_limits<float>::quiet_NaN();
  }
};

TEST(Cohort, NonFiniteOutputsStopItAtOnce) {
  Owner owner(3);
  Cohort cohort(3, owner.Hooks());
  cohort.Select({std::make_shared<NanEvaluator>(), 1});
  EXPECT_THROW(cohort.Wait(), Error);
}

TEST(Cohort, IsGivenUpSafelyWithABlockInFlight) {
  Owner owner(8);
  const Net net{std::make_shared<AsyncEvaluator>(), 1};
  for (int i = 0; i < 5; ++i) {
    Cohort cohort(8, owner.Hooks());
    cohort.Select(net);
  }
}

}  // namespace
}  // namespace apiary::train
