#include "play/search_keys.h"

#include <array>
#include <charconv>

namespace apiary::play {
namespace {

using mcts::SearchOptions;

struct SearchKey {
  std::string_view name;
  std::string_view takes;
  bool (*set)(std::string_view, SearchOptions&);
};

template <typename T>
bool ParseIn(std::string_view text, T low, T high, T& value) {
  T parsed{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parsed);
  if (error != std::errc() || stop != end || !(parsed >= low && parsed <= high)) return false;
  value = parsed;
  return true;
}

// Sets `value` to the first choice or the second.
template <typename T>
bool Choose(std::string_view text, std::string_view first, T if_first, std::string_view second,
            T if_second, T& value) {
  if (text != first && text != second) return false;
  value = text == first ? if_first : if_second;
  return true;
}

bool SetFirstPlay(std::string_view text, SearchOptions& options) {
  if (text == "mixed") {
    options.first_play = mcts::FirstPlay::kMixed;
    return true;
  }
  options.first_play = mcts::FirstPlay::kReduced;
  return ParseIn(text, 0.0, 2.0, options.first_play_reduction);
}

constexpr std::array<SearchKey, 11> kSearchKeys = {{
    {"root", "gumbel or puct",
     [](std::string_view text, SearchOptions& o) {
       return Choose(text, "gumbel", mcts::RootRule::kGumbel, "puct", mcts::RootRule::kPuct,
                     o.root);
     }},
    {"interior", "improved or puct",
     [](std::string_view text, SearchOptions& o) {
       return Choose(text, "improved", mcts::InteriorRule::kImprovedPolicy, "puct",
                     mcts::InteriorRule::kPuct, o.interior);
     }},
    {"considered", "a whole number from 1 to 512",
     [](std::string_view text, SearchOptions& o) { return ParseIn(text, 1, 512, o.considered); }},
    {"value_scale", "a number from 0 to 100",
     [](std::string_view text, SearchOptions& o) {
       return ParseIn(text, 0.0, 100.0, o.value_scale);
     }},
    {"draw_value", "a number from -1 to 1",
     [](std::string_view text, SearchOptions& o) {
       return ParseIn(text, -1.0, 1.0, o.draw_value);
     }},
    {"visit_offset", "a number from 0 to 10000",
     [](std::string_view text, SearchOptions& o) {
       return ParseIn(text, 0.0, 10'000.0, o.visit_offset);
     }},
    {"c_puct", "a number from 0 to 100",
     [](std::string_view text, SearchOptions& o) { return ParseIn(text, 0.0, 100.0, o.c_puct); }},
    {"c_puct_base", "0 (c_puct stays) or a number of visits up to 1e9",
     [](std::string_view text, SearchOptions& o) {
       return ParseIn(text, 0.0, 1e9, o.c_puct_base);
     }},
    {"fpu", "mixed, or a reduction from 0 to 2", &SetFirstPlay},
    {"noise", "on or off",
     [](std::string_view text, SearchOptions& o) {
       return Choose(text, "on", true, "off", false, o.root_noise);
     }},
    {"proofs", "on or off",
     [](std::string_view text, SearchOptions& o) {
       return Choose(text, "on", true, "off", false, o.proofs);
     }},
}};

const SearchKey* Find(std::string_view name) {
  for (const SearchKey& key : kSearchKeys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

}  // namespace

std::string SearchKeyNames() {
  std::string names;
  for (const SearchKey& key : kSearchKeys) {
    if (!names.empty()) names += ", ";
    names += key.name;
  }
  return names;
}

bool IsSearchKey(std::string_view key) { return Find(key) != nullptr; }

base::Result<void> SetSearchKey(std::string_view key, std::string_view value,
                                mcts::SearchOptions& options) {
  const SearchKey* found = Find(key);
  APIARY_CHECK(found != nullptr, "'{}' is not a key of the search", key);
  if (!found->set(value, options)) return base::Fail("{}={} is not {}", key, value, found->takes);
  return {};
}

}  // namespace apiary::play
