// What several subcommands share: reading their arguments and failing with one sentence. Start-up
// code, one thread.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "base/result.h"
#include "env/rules.h"
#include "play/player.h"

namespace apiary::app {

inline constexpr int kFailure = 1;
inline constexpr int kBadUsage = 2;

// The value, or apiary::Error with the failure's sentence.
template <typename T>
T OrThrow(base::Result<T> result, int exit_code = kFailure) {
  if (!result) throw Error(result.error(), exit_code);
  return std::move(result).value();
}
inline void OrThrow(const base::Result<void>& result, int exit_code = kFailure) {
  if (!result) throw Error(result.error(), exit_code);
}

// Bad usage unless the name is a path that exists, whose content is then at fault.
play::PlayerSpec PlayerOrThrow(const std::string& text, int default_simulations,
                               double default_seconds = 0);
// The weights file that a model names (nn::ResolveWeights). Bad usage where the path does not
// exist.
std::string WeightsOrThrow(const std::string& model);
// What the players play: as given, else what the models among them are of, Base if none is of one
// variant. Models of different variants need it given. Warns of each model that is not of it.
env::Variant VariantToPlay(const std::string& given, std::span<const play::PlayerSpec> players);

// 0 given = all cores allowed to this process.
int ThreadsOrAll(int threads);

}  // namespace apiary::app
