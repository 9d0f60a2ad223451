// The outside of a game file: compression, magic, version, checksum. The inside is game_file.h's
// business.
//
//   offset  bytes  what
//        0      4  0x184D2A50: a zstd skippable frame, which every zstd decoder passes over
//        4      4  76: bytes of that frame's data
//        8      8  "APGAMES1"
//       16      4  version
//       20     64  sha256 of everything after it, lower-case hex
//       84      -  one zstd frame with its content size, up to the end of the file
// Numbers are little-endian. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace apiary::train {

inline constexpr std::size_t kEnvelopeBytes = 84;

std::string SealEnvelope(std::string_view content, std::uint32_t version);
// The content, if every byte of the file is as it was sealed; else one sentence that names the
// field.
base::Result<std::string> OpenEnvelope(std::string_view bytes, std::uint32_t version,
                                       const std::string& name);

}  // namespace apiary::train
