#include "app/arguments.h"

#include <spdlog/spdlog.h>

#include <filesystem>

#include "base/process_memory.h"
#include "nn/weights.h"

namespace apiary::app {

play::PlayerSpec PlayerOrThrow(const std::string& text, int default_simulations,
                               double default_seconds) {
  auto spec = play::ParsePlayer(text, default_simulations, default_seconds);
  std::error_code error;
  const bool exists = std::filesystem::exists(text.substr(0, text.find(';')), error);
  return OrThrow(std::move(spec), exists ? kFailure : kBadUsage);
}

std::string WeightsOrThrow(const std::string& model) {
  std::error_code error;
  const bool exists = std::filesystem::exists(model, error);
  return OrThrow(nn::ResolveWeights(model), exists ? kFailure : kBadUsage);
}

env::Variant VariantToPlay(const std::string& given, std::span<const play::PlayerSpec> players) {
  const play::PlayerSpec* model = nullptr;  // of one variant
  for (const play::PlayerSpec& player : players) {
    if (player.variant.empty() || player.variant == env::kAllVariants) continue;
    if (given.empty() && model != nullptr && player.variant != model->variant)
      throw Error(fmt::format("{} was trained on {} and {} on {}: say which to play with --variant",
                              model->text, model->variant, player.text, player.variant),
                  kBadUsage);
    model = &player;
  }
  const std::string name = !given.empty() ? given : model != nullptr ? model->variant : "Base";
  const env::Variant variant = OrThrow(env::ParseVariant(name), kBadUsage);
  for (const play::PlayerSpec& player : players) {
    if (!player.variant.empty() && !env::IsOneOf(variant, player.variant))
      spdlog::warn("{} was trained on {} and plays {}", player.text, player.variant,
                   env::ToString(variant));
  }
  return variant;
}

int ThreadsOrAll(int threads) { return threads > 0 ? threads : base::AllowedCores(); }

}  // namespace apiary::app
