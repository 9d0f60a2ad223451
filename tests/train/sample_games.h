// Made-up games and run directories for the tests of the store and of the workers.
#pragma once

#include <cstdint>
#include <string>

#include "train/game_record.h"

namespace apiary::train {

// A game of uniformly random moves with made-up targets in every position after the opening.
GameRecord SampleGame(const env::Rules& rules, int opening_plies, std::uint64_t seed);

// An empty directory of this test, removed at the end of its scope.
class TestDirectory {
 public:
  TestDirectory();
  ~TestDirectory();
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace apiary::train
