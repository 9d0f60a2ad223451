#include "app/arguments.h"

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

env::Variant VariantOrThrow(const std::string& variant, const play::PlayerSpec& a,
                            const play::PlayerSpec& b) {
  std::string name = variant;
  if (name.empty()) {
    if (!a.variant.empty() && !b.variant.empty() && a.variant != b.variant)
      throw Error(fmt::format("{} was trained on {} and {} on {}: say which to play with --variant",
                              a.text, a.variant, b.text, b.variant),
                  kBadUsage);
    name = a.variant.empty() ? b.variant : a.variant;
  }
  return OrThrow(env::ParseVariant(name.empty() ? "Base" : name), kBadUsage);
}

int ThreadsOrAll(int threads) { return threads > 0 ? threads : base::AllowedCores(); }

}  // namespace apiary::app
