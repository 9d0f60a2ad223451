// A vector whose resize leaves new items of trivial types unwritten, for writers that fill them at
// once.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace apiary::base {

template <typename T>
struct UninitializedAllocator : std::allocator<T> {
  using std::allocator<T>::allocator;
  template <typename U>
  struct rebind {  // NOLINT(readability-identifier-naming): std::allocator_traits asks for both
    using other = UninitializedAllocator<U>;  // NOLINT(readability-identifier-naming)
  };
  // What resize calls for an item without a value.
  template <typename U>
  void construct(U* item) {
    ::new (static_cast<void*>(item)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* item, Arguments&&... arguments) {
    ::new (static_cast<void*>(item)) U(std::forward<Arguments>(arguments)...);
  }
};

template <typename T>
using UninitializedVector = std::vector<T, UninitializedAllocator<T>>;

}  // namespace apiary::base
