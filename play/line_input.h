// Lines of commands for an engine that must notice, while it thinks, that it is told to stop.
#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "base/stop.h"

namespace apiary::play {

class LineInput {
 public:
  virtual ~LineInput() = default;
  // The next line without its end; false at the end of the input, or if the process is to stop.
  virtual bool Next(std::string& line) = 0;
  // Whether the work on the last line is to end early. Never blocks; may be asked often.
  virtual bool Interrupted() = 0;
};

// Lines of a stream, for tests and files: all there is was said before the work on a line begins.
class StreamInput : public LineInput {
 public:
  StreamInput(std::istream& in, const base::StopToken& stop) : in_(in), stop_(stop) {}
  bool Next(std::string& line) override;
  bool Interrupted() override { return stop_.requested(); }

 private:
  std::istream& in_;
  const base::StopToken& stop_;
};

// Lines of a pipe or terminal. Work is interrupted by a line `stop` that waits behind the last one,
// and by an end of the input that came after the work began: then whoever asked has gone. An end
// that was there before belongs to a script, whose last command is still to be answered in full.
// Lives on one thread.
class DescriptorInput : public LineInput {
 public:
  // A longer line is cut here: what is not text ends as many unknown commands, not as all memory.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 20;

  // The descriptor stays the caller's.
  DescriptorInput(int descriptor, const base::StopToken& stop)
      : descriptor_(descriptor), stop_(stop) {}
  bool Next(std::string& line) override;
  bool Interrupted() override;

 private:
  // Reads what is there; waits for it at most so long. Nothing at the end of the input.
  void Read(int timeout_ms);
  // Reads all that is there, up to kMaxLine.
  void ReadAll();
  bool TakeLine(std::string& line);

  int descriptor_;
  const base::StopToken& stop_;
  std::string buffer_;
  bool ended_ = false;
  bool ended_before_ = false;  // when the last line was taken
};

}  // namespace apiary::play
