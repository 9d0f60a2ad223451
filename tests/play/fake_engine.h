// Foreign engines for tests: shell scripts in a directory of their own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace apiary::play {

class FakeEngines : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = ::testing::TempDir() + "apiary_engines_XXXXXX";
    ASSERT_NE(::mkdtemp(path_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

  // "uhp:sh SCRIPT" of a script with this text.
  std::string Engine(const std::string& script) {
    const std::string file = path_ + "/" + std::to_string(++count_) + ".sh";
    std::ofstream(file) << script;
    return "uhp:sh " + file;
  }
  // An engine that greets and answers each line by a shell `case` with these branches on the
  // command $c and its argument $rest; "ok" follows.
  std::string Answering(const std::string& branches) {
    return Engine(std::string(kGreeting) + "while read -r c rest; do case $c in exit) exit 0;;\n" +
                  branches + "\nesac; echo ok; done\n");
  }

  static constexpr const char* kGreeting = "echo 'id Fake 1.0'; echo 'Mosquito;Pillbug'; echo ok\n";

 private:
  std::string path_;
  int count_ = 0;
};

}  // namespace apiary::play
