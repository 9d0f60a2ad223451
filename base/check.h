// Checks of our own invariants: always on, print the values and the position at hand, abort.
// Never reachable from text or files of the outside world; those return base::Result.
// Any thread. Allocates only when it fails.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>

namespace apiary::base {

// While alive, its text (for instance the GameString of the position being searched) is printed by
// a failing check on the same thread. Nests; the innermost is printed first.
class ScopedCheckContext {
 public:
  explicit ScopedCheckContext(std::function<std::string()> describe);
  ~ScopedCheckContext();
  ScopedCheckContext(const ScopedCheckContext&) = delete;
  ScopedCheckContext& operator=(const ScopedCheckContext&) = delete;

  const ScopedCheckContext* outer() const { return outer_; }
  std::string Describe() const { return describe_(); }

 private:
  std::function<std::string()> describe_;
  const ScopedCheckContext* outer_;
};

[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              const std::string& message);

}  // namespace apiary::base

// APIARY_CHECK(n > 0, "n = {}", n): the message is an fmt format string and is mandatory.
#define APIARY_CHECK(condition, ...)                                                           \
  do {                                                                                         \
    if (!(condition)) [[unlikely]]                                                             \
      ::apiary::base::CheckFailed(__FILE__, __LINE__, #condition, ::fmt::format(__VA_ARGS__)); \
  } while (false)
