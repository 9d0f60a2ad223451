// Whether a value is among others, for small values in one piece of memory: without an early end,
// and with a sum as wide as a value, so that the compiler compares many at once. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>

namespace apiary::base {

template <typename Value>
bool Contains(std::span<const Value> values, Value value) {
  static_assert(sizeof(Value) == sizeof(std::uint16_t));
  std::uint16_t found = 0;
  for (const Value& v : values) found = static_cast<std::uint16_t>(found | (v == value ? 1 : 0));
  return found != 0;
}

}  // namespace apiary::base
