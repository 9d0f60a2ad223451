#include "base/xml.h"

#include <array>
#include <cstdint>

namespace apiary::base {
namespace {

// Bytes of the character that `text` begins with; 0 where it is no UTF-8 (RFC 3629), or not of XML.
std::size_t CharacterSize(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) == '\n' || byte(0) == '\t') return 1;
  if (byte(0) < 0x80) return byte(0) >= ' ' && byte(0) != 0x7F ? 1 : 0;
  const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return 0;
  std::uint32_t code = byte(0) & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool no_character = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
  return code < kLeast[size] || surrogate || no_character ? 0 : size;
}

}  // namespace

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t size = CharacterSize(text);
    switch (text.front()) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += size == 0 ? "?" : text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return escaped;
}

}  // namespace apiary::base
