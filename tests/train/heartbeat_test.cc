#include "train/heartbeat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/train/sample_games.h"
#include "train/clock.h"

namespace apiary::train {
namespace {

using testing::HasSubstr;

TEST(Heartbeat, TheLearnersIsReadBack) {
  TestDirectory run;
  EXPECT_FALSE(ReadLearnerHeartbeat(run.path()).value().has_value());
  ASSERT_TRUE(WriteLearnerHeartbeat(run.path(), {1000, 700, 12, 3, 0}).ok());
  const auto read = ReadLearnerHeartbeat(run.path()).value();
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->positions_seen, 1000);
  EXPECT_EQ(read->positions_needed, 700);
  EXPECT_EQ(read->step, 12);
  EXPECT_EQ(read->generation, 3);
  EXPECT_NEAR(read->time_s, UnixTime(), 100);
}

TEST(Heartbeat, ADamagedLearnerFileIsNamed) {
  TestDirectory run;
  std::filesystem::create_directories(run / "workers");
  const auto error_of = [&](const std::string& text) {
    std::ofstream(run / "workers/learner.json") << text;
    const auto read = ReadLearnerHeartbeat(run.path());
    return read ? "read" : read.error();
  };
  EXPECT_THAT(error_of("{"), HasSubstr("learner.json: not a JSON object"));
  EXPECT_THAT(error_of("{}"), HasSubstr("\"format\" is not \"apiary-learner-1\""));
  EXPECT_THAT(error_of(R"({"format":"apiary-learner-1","time":1})"), HasSubstr("positions_needed"));
  EXPECT_THAT(error_of(R"({"format":"apiary-learner-1","time":1,"positions_needed":"7"})"),
              HasSubstr("positions_needed"));
}

TEST(Heartbeat, WorkersAreListedByNameAndOthersLeftOut) {
  TestDirectory run;
  EXPECT_TRUE(ReadWorkerHeartbeats(run.path()).empty());
  WorkerHeartbeat worker;
  worker.name = "host-2-0";
  worker.state = "playing";
  worker.games = 5;
  ASSERT_TRUE(WriteWorkerHeartbeat(run.path(), worker).ok());
  worker.name = "host-1-0";
  worker.state = "paused";
  ASSERT_TRUE(WriteWorkerHeartbeat(run.path(), worker).ok());
  ASSERT_TRUE(WriteLearnerHeartbeat(run.path(), {}).ok());
  worker.name = "learner";  // does not take the learner's file
  ASSERT_TRUE(WriteWorkerHeartbeat(run.path(), worker).ok());
  std::ofstream(run / "workers/torn.json") << "{\"format\":";
  const auto workers = ReadWorkerHeartbeats(run.path());
  ASSERT_EQ(workers.size(), 3U);
  EXPECT_EQ(workers[0].name, "host-1-0");
  EXPECT_EQ(workers[0].state, "paused");
  EXPECT_EQ(workers[1].games, 5U);
  EXPECT_TRUE(ReadLearnerHeartbeat(run.path()).ok());
}

}  // namespace
}  // namespace apiary::train
