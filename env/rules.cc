#include "env/rules.h"

#include <algorithm>
#include <cctype>

namespace apiary::env {

Variant Variant::FromIndex(int index) {
  APIARY_CHECK(index >= 0 && index < 8, "variant index {} is not in 0..7", index);
  return {(index & 1) != 0, (index & 2) != 0, (index & 4) != 0};
}

std::array<Variant, 8> AllVariants() {
  std::array<Variant, 8> variants;
  for (int i = 0; i < 8; ++i) variants[static_cast<std::size_t>(i)] = Variant::FromIndex(i);
  return variants;
}

std::string ToString(Variant variant) {
  std::string text = "Base";
  if (variant.index() != 0) text += '+';
  if (variant.mosquito) text += 'M';
  if (variant.ladybug) text += 'L';
  if (variant.pillbug) text += 'P';
  return text;
}

base::Result<Variant> ParseVariant(std::string_view text) {
  const auto failure = [text] {
    return base::Fail(
        "unknown game type '{}': expected Base, or Base+ and some of the letters M, L, P", text);
  };
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!lower.starts_with("base")) return failure();
  Variant variant;
  if (lower.size() == 4) return variant;
  if (lower[4] != '+' || lower.size() == 5) return failure();
  for (const char letter : std::string_view(lower).substr(5)) {
    bool* flag = letter == 'm'   ? &variant.mosquito
                 : letter == 'l' ? &variant.ladybug
                 : letter == 'p' ? &variant.pillbug
                                 : nullptr;
    if (flag == nullptr || *flag) return failure();
    *flag = true;
  }
  return variant;
}

base::Result<std::vector<Variant>> ParseVariants(std::string_view name) {
  if (name == kAllVariants) {
    const auto all = AllVariants();
    return std::vector<Variant>(all.begin(), all.end());
  }
  auto variant = ParseVariant(name);
  if (!variant) return variant.failure();
  return std::vector<Variant>{*variant};
}

bool IsOneOf(Variant variant, std::string_view name) {
  const auto variants = ParseVariants(name);
  return variants && std::find(variants->begin(), variants->end(), variant) != variants->end();
}

}  // namespace apiary::env
