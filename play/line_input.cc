#include "play/line_input.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text.h"

namespace apiary::play {

bool StreamInput::Next(std::string& line) {
  return !stop_.requested() && static_cast<bool>(std::getline(in_, line));
}

void DescriptorInput::Read(int timeout_ms) {
  pollfd waited{.fd = descriptor_, .events = POLLIN, .revents = 0};
  if (ended_ || ::poll(&waited, 1, timeout_ms) <= 0) return;
  std::array<char, 4096> bytes;
  const ssize_t count = ::read(descriptor_, bytes.data(), bytes.size());
  if (count > 0) {
    buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  } else {
    ended_ = count == 0 || (errno != EINTR && errno != EAGAIN);
  }
}

void DescriptorInput::ReadAll() {
  for (std::size_t before = buffer_.size() + 1;
       !ended_ && before != buffer_.size() && buffer_.size() < kMaxLine;) {
    before = buffer_.size();
    Read(0);
  }
}

bool DescriptorInput::TakeLine(std::string& line) {
  const std::size_t end = buffer_.find('\n');
  if (end == std::string::npos && buffer_.size() < kMaxLine && !(ended_ && !buffer_.empty()))
    return false;
  const std::size_t length = std::min({end, buffer_.size(), kMaxLine});
  line.assign(buffer_, 0, length);
  buffer_.erase(0, length + (length == end ? 1 : 0));
  return true;
}

bool DescriptorInput::Next(std::string& line) {
  constexpr int kStopIsSeenWithin_ms = 100;
  while (!stop_.requested()) {
    ReadAll();
    if (TakeLine(line)) {
      ended_before_ = ended_;
      return true;
    }
    if (ended_) return false;
    Read(kStopIsSeenWithin_ms);
  }
  return false;
}

bool DescriptorInput::Interrupted() {
  ReadAll();
  if (stop_.requested() || (ended_ && !ended_before_)) return true;
  for (std::size_t begin = 0; begin < buffer_.size();) {
    const std::size_t end = buffer_.find('\n', begin);
    if (end == std::string::npos) return false;
    if (base::ToLower(base::Trim(std::string_view(buffer_).substr(begin, end - begin))) == "stop")
      return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace apiary::play
