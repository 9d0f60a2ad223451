#include "train/game_envelope.h"

#include <zstd.h>

#include "base/files.h"
#include "train/byte_columns.h"

namespace apiary::train {
namespace {

constexpr std::uint32_t kSkippableMagic = 0x184D2A50;
constexpr std::string_view kFormat = "APGAMES1";
constexpr std::size_t kDigestBytes = 64;
constexpr std::uint32_t kHeaderData = 76;
static_assert(8 + kHeaderData == kEnvelopeBytes && kHeaderData == 8 + 4 + kDigestBytes);
constexpr int kCompressionLevel = 9;
// Far above any file a worker writes; keeps a foreign file from asking for all memory.
constexpr unsigned long long kMaxContentBytes = 1ULL << 30;

base::Result<void> CheckHeader(std::string_view bytes, std::uint32_t version,
                               const std::string& name) {
  if (bytes.size() < kEnvelopeBytes)
    return base::Fail("{}: {} bytes, shorter than the {} of a game file's header", name,
                      bytes.size(), kEnvelopeBytes);
  if (const auto magic = ReadU32(bytes, 0); magic != kSkippableMagic)
    return base::Fail("{}: not a game file: frame magic {:#010x}, expected {:#010x}", name, magic,
                      kSkippableMagic);
  if (const auto size = ReadU32(bytes, 4); size != kHeaderData)
    return base::Fail("{}: header of {} bytes, expected {}", name, size, kHeaderData);
  if (bytes.substr(8, kFormat.size()) != kFormat)
    return base::Fail("{}: not a game file: format name is not \"{}\"", name, kFormat);
  if (const auto found = ReadU32(bytes, 16); found != version)
    return base::Fail("{}: version {}, this program reads version {}", name, found, version);
  if (bytes.substr(20, kDigestBytes) != base::Sha256Hex(bytes.substr(kEnvelopeBytes)))
    return base::Fail("{}: sha256 differs from the header's: the file is cut or altered", name);
  return {};
}

}  // namespace

std::string SealEnvelope(std::string_view content, std::uint32_t version) {
  APIARY_CHECK(content.size() <= kMaxContentBytes, "{} bytes of games in one file", content.size());
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size =
      ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), kCompressionLevel);
  if (ZSTD_isError(size))
    throw Error(fmt::format("zstd cannot compress games: {}", ZSTD_getErrorName(size)));
  frame.resize(size);
  std::string bytes;
  AppendU32(bytes, kSkippableMagic);
  AppendU32(bytes, kHeaderData);
  bytes += kFormat;
  AppendU32(bytes, version);
  bytes += base::Sha256Hex(frame);
  bytes += frame;
  return bytes;
}

base::Result<std::string> OpenEnvelope(std::string_view bytes, std::uint32_t version,
                                       const std::string& name) {
  if (auto checked = CheckHeader(bytes, version, name); !checked) return checked.failure();
  const std::string_view frame = bytes.substr(kEnvelopeBytes);
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxContentBytes)
    return base::Fail(
        "{}: the header is not followed by a zstd frame with a content size up to {} bytes", name,
        kMaxContentBytes);
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size())
    return base::Fail("{}: the zstd frame does not end with the file", name);
  std::string content(size, '\0');
  const std::size_t written =
      ZSTD_decompress(content.data(), content.size(), frame.data(), frame.size());
  if (ZSTD_isError(written) || written != size)
    return base::Fail("{}: the zstd frame does not decompress: {}", name,
                      ZSTD_isError(written) ? ZSTD_getErrorName(written) : "wrong content size");
  return content;
}

}  // namespace apiary::train
