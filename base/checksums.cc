#include <openssl/evp.h>

#include <array>

#include "base/check.h"
#include "base/files.h"

namespace apiary::base {
namespace {

constexpr std::uint32_t kCastagnoliReflected = 0x82F63B78U;

using Crc32cTables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: the remainder of byte b followed by k zero bytes ("slicing by 8", Kounavis and
// Berry 2005).
constexpr Crc32cTables MakeCrc32cTables() {
  Crc32cTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ ((crc & 1U) != 0 ? kCastagnoliReflected : 0U);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xFFU];
  return tables;
}

constexpr Crc32cTables kTables = MakeCrc32cTables();

std::uint32_t ByteAt(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

}  // namespace

std::string Sha256Hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  const int done =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  APIARY_CHECK(done == 1 && size == 32, "SHA-256 of {} bytes failed", bytes.size());
  std::string hex;
  hex.reserve(2 * std::size_t{size});
  for (unsigned int i = 0; i < size; ++i)
    fmt::format_to(std::back_inserter(hex), "{:02x}", digest[i]);
  return hex;
}

std::uint32_t Crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  while (bytes.size() >= 8) {
    const std::uint32_t low = crc ^ (ByteAt(bytes, 0) | ByteAt(bytes, 1) << 8 |
                                     ByteAt(bytes, 2) << 16 | ByteAt(bytes, 3) << 24);
    crc = kTables[7][low & 0xFFU] ^ kTables[6][(low >> 8) & 0xFFU] ^
          kTables[5][(low >> 16) & 0xFFU] ^ kTables[4][low >> 24] ^ kTables[3][ByteAt(bytes, 4)] ^
          kTables[2][ByteAt(bytes, 5)] ^ kTables[1][ByteAt(bytes, 6)] ^
          kTables[0][ByteAt(bytes, 7)];
    bytes.remove_prefix(8);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i)
    crc = (crc >> 8) ^ kTables[0][(crc ^ ByteAt(bytes, i)) & 0xFFU];
  return ~crc;
}

}  // namespace apiary::base
