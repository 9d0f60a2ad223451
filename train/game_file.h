// Game files (docs/files.md): a zstd skippable frame with magic, version and checksum of the rest,
// then one zstd frame with the games, so that `zstd -d` reads them too. At most 300 bytes a
// position. Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "train/game_record.h"

namespace apiary::train {

inline constexpr std::uint32_t kGameFileVersion = 1;

// Precondition: the records are well-formed as DecodeGames checks it. WDLs are rounded to 1/65535.
std::string EncodeGames(const std::vector<GameRecord>& games);
// Verifies everything (checksums, move order version, ranges, sizes against the policy's legal-move
// counts by replay) before it returns a game; `name` is the path in messages, which also name game
// (from 1), ply (from 0) and field.
base::Result<std::vector<GameRecord>> DecodeGames(const std::string& bytes,
                                                  const std::string& name);
base::Result<std::vector<GameRecord>> ReadGameFile(const std::string& path);

}  // namespace apiary::train
