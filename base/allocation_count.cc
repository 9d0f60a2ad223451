#include "base/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {
thread_local apiary::base::Allocations of_thread;
}  // namespace

// Not inlined: else the compiler takes the pair malloc and operator delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++of_thread.count;
  of_thread.bytes += static_cast<std::int64_t>(bytes);
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace apiary::base {

Allocations AllocationsOfThread() { return of_thread; }

}  // namespace apiary::base
