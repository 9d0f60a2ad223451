// Counts what this thread takes from the heap by operator new. Only programs that link the target
// apiary_allocation_count have it: it replaces their global operator new. Any thread.
#pragma once

#include <cstdint>

namespace apiary::base {

struct Allocations {
  std::int64_t count = 0;
  std::int64_t bytes = 0;  // taken in all; what was given back is not subtracted
};
// By this thread, since it began.
Allocations AllocationsOfThread();

}  // namespace apiary::base
