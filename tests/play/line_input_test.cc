#include "play/line_input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>

namespace apiary::play {
namespace {

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Pipe() {
    Close();
    ::close(ends_[0]);
  }
  int reading_end() const { return ends_[0]; }
  void Write(std::string_view text) {
    EXPECT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void Close() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

constexpr const char* kThink = "bestmove time 01:00:00\n";

// A pipe whose first line was taken and is worked on.
struct Thinking {
  base::StopToken stop;
  Pipe pipe;
  DescriptorInput input{pipe.reading_end(), stop};

  Thinking() {
    pipe.Write(kThink);
    std::string line;
    EXPECT_TRUE(input.Next(line));
    EXPECT_FALSE(input.Interrupted());
  }
};

std::vector<std::string> AllLines(LineInput& input) {
  std::vector<std::string> lines;
  for (std::string line; input.Next(line);) lines.push_back(line);
  return lines;
}

TEST(DescriptorInput, GivesTheLinesOfAStream) {
  for (const char* text : {"", "a", "a\n", "a\nb c\r\n\nlast", "\n\n", "stop\nstop\n"}) {
    const base::StopToken stop;
    std::istringstream stream(text);
    StreamInput expected(stream, stop);
    Pipe pipe;
    pipe.Write(text);
    pipe.Close();
    DescriptorInput input(pipe.reading_end(), stop);
    EXPECT_EQ(AllLines(input), AllLines(expected)) << text;
  }
}

TEST(DescriptorInput, JoinsWhatCameInPieces) {
  const base::StopToken stop;
  Pipe pipe;
  DescriptorInput input(pipe.reading_end(), stop);
  pipe.Write("one\ntw");
  std::string line;
  ASSERT_TRUE(input.Next(line));
  EXPECT_EQ(line, "one");
  EXPECT_FALSE(input.Interrupted());
  pipe.Write("o\n");
  ASSERT_TRUE(input.Next(line));
  EXPECT_EQ(line, "two");
}

TEST(DescriptorInput, IsInterruptedByAStopThatWaits) {
  Thinking thinking;
  thinking.pipe.Write("info\nstopping\n  Sto");
  EXPECT_FALSE(thinking.input.Interrupted());
  thinking.pipe.Write("p \r\n");
  EXPECT_TRUE(thinking.input.Interrupted());
  std::string line;
  ASSERT_TRUE(thinking.input.Next(line));
  EXPECT_EQ(line, "info");
}

TEST(DescriptorInput, AnEndThatComesLaterInterrupts) {
  Thinking thinking;
  thinking.pipe.Close();
  EXPECT_TRUE(thinking.input.Interrupted());
  std::string line;
  EXPECT_FALSE(thinking.input.Next(line));
}

TEST(DescriptorInput, TheEndOfAScriptDoesNotInterruptItsLastLine) {
  const base::StopToken stop;
  Pipe pipe;
  DescriptorInput input(pipe.reading_end(), stop);
  pipe.Write("newgame\nbestmove time 00:00:01\n");
  pipe.Close();
  std::string line;
  ASSERT_TRUE(input.Next(line));
  ASSERT_TRUE(input.Next(line));
  EXPECT_FALSE(input.Interrupted());
  EXPECT_FALSE(input.Next(line));
}

TEST(DescriptorInput, EndsWhenTheProcessIsToStop) {
  base::StopToken stop;
  Pipe pipe;
  DescriptorInput input(pipe.reading_end(), stop);
  stop.Request();
  std::string line;
  EXPECT_TRUE(input.Interrupted());
  EXPECT_FALSE(input.Next(line));
}

TEST(DescriptorInput, CutsALineWithoutEnd) {
  const base::StopToken stop;
  std::string path = ::testing::TempDir() + "apiary_line_XXXXXX";
  const int file = ::mkstemp(path.data());
  ASSERT_GE(file, 0);
  const std::string text(DescriptorInput::kMaxLine + 10, 'x');
  ASSERT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ASSERT_EQ(::lseek(file, 0, SEEK_SET), 0);
  DescriptorInput input(file, stop);
  std::size_t total = 0;
  for (const std::string& line : AllLines(input)) {
    EXPECT_LE(line.size(), DescriptorInput::kMaxLine);
    total += line.size();
  }
  EXPECT_EQ(total, text.size());
  ::close(file);
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace apiary::play
