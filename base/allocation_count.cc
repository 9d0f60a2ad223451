#include "base/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {
thread_local apiary::base::Allocations of_thread;
}  // namespace

namespace {

void Count(std::size_t bytes) {
  ++of_thread.count;
  of_thread.bytes += static_cast<std::int64_t>(bytes);
}

}  // namespace

// All forms but those for arrays, which call these or are a sanitizer's own pair: one that is left
// to the library, or to a sanitizer, would get its memory from elsewhere than operator delete gives
// it back to. Not inlined: else the compiler takes the pair malloc and operator delete for a
// mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  Count(bytes);
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
  Count(bytes);
  const auto unit = static_cast<std::size_t>(alignment);
  // aligned_alloc takes multiples of the alignment.
  return std::aligned_alloc(unit, (bytes / unit + 1) * unit);
}
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (void* memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* memory = operator new(bytes, alignment, std::nothrow)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t,
                                       const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace apiary::base {

Allocations AllocationsOfThread() { return of_thread; }

}  // namespace apiary::base
