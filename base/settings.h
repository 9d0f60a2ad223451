// A registry of settings: each key is registered once with its place in a plain struct, default
// (the struct's initialiser), range and help text; reading TOML, overriding by key=value, printing
// the commented configuration and showing differences all follow from it. Not thread-safe; used at
// start-up.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace apiary::base {

class Settings {
 public:
  // key: dotted, "selfplay.simulations". The pointer must outlive this object. Ranges are
  // inclusive.
  void Int(std::string key, int* value, int low, int high, std::string help);
  // TOML integers end at 2^63 - 1; larger values are written as a quoted decimal.
  void UInt64(std::string key, std::uint64_t* value, std::string help);
  void Double(std::string key, double* value, double low, double high, std::string help);
  void Bool(std::string key, bool* value, std::string help);
  void Choice(std::string key, std::string* value, std::vector<std::string> choices,
              std::string help);

  // Reads TOML text; `name` is the file in messages. Unknown key, wrong type or value out of range:
  // "NAME: line 12: ...", nothing is changed then.
  Result<void> ReadToml(std::string_view text, const std::string& name);
  // "learn.batch=128". The value is written as in TOML; the quotes of a choice may be left out.
  // Same errors, without a line.
  Result<void> Set(std::string_view assignment);

  // The whole configuration as TOML, with every help text, range and default as comments. Reads
  // back to the same values.
  std::string ToToml() const;
  // One entry a setting: key and printed value, in registration order.
  struct Entry {
    std::string key;
    std::string value;
    std::string help;
  };
  std::vector<Entry> Entries() const;

 private:
  // A value as it stands in a file; monostate: of a type that no setting has (array, date, table).
  using Value = std::variant<std::monostate, std::int64_t, double, bool, std::string>;
  using Assignment = std::function<void()>;

  struct Setting {
    std::string key;
    std::string help;
    std::string range;          // for comments and messages: "an integer from 1 to 64"
    std::string default_value;  // as TOML
    std::function<std::string()> print;
    std::function<bool(const Value&, Assignment&)>
        parse;  // false: not in `range`; else what is to be performed
  };
  struct Toml;  // walks toml++ tables; hides that library from the users of this header

  void Register(Setting setting);
  const Setting* Find(std::string_view key) const;
  bool IsSection(std::string_view key) const;          // some setting is called KEY.something
  std::string UnknownKey(std::string_view key) const;  // "unknown key ..., did you mean ...?"

  std::vector<Setting> settings_;
};

// The number of single-character insertions, deletions and replacements between two words
// (Levenshtein 1966).
int EditDistance(std::string_view a, std::string_view b);

}  // namespace apiary::base
