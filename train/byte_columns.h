// Little-endian numbers in byte strings, single and as columns. A column of 16-bit numbers is
// stored as all low bytes, then all high bytes, which compress better apart. Readers' precondition:
// the bytes are there. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace apiary::train {

inline std::uint8_t ReadU8(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}
inline std::uint16_t ReadU16(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(ReadU8(bytes, at) | ReadU8(bytes, at + 1) << 8);
}
inline std::uint32_t ReadU32(std::string_view bytes, std::size_t at) {
  return ReadU16(bytes, at) | std::uint32_t{ReadU16(bytes, at + 2)} << 16;
}

inline void AppendU8(std::string& bytes, unsigned value) {
  bytes += static_cast<char>(value & 0xFF);
}
inline void AppendU16(std::string& bytes, unsigned value) {
  AppendU8(bytes, value);
  AppendU8(bytes, value >> 8);
}
inline void AppendU32(std::string& bytes, std::uint32_t value) {
  AppendU16(bytes, value & 0xFFFF);
  AppendU16(bytes, value >> 16);
}
inline void AppendColumn(std::string& bytes, std::span<const std::uint16_t> values) {
  for (const std::uint16_t value : values) AppendU8(bytes, value);
  for (const std::uint16_t value : values) AppendU8(bytes, value >> 8);
}

// A column of `size` 16-bit numbers within bytes that stay alive.
class Column16 {
 public:
  Column16() = default;
  Column16(std::string_view bytes, std::size_t at, std::size_t size)
      : low_(bytes.substr(at, size)), high_(bytes.substr(at + size, size)) {}
  std::uint16_t operator[](std::size_t i) const {
    return static_cast<std::uint16_t>(ReadU8(low_, i) | ReadU8(high_, i) << 8);
  }

 private:
  std::string_view low_;
  std::string_view high_;
};

}  // namespace apiary::train
