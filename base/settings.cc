#include "base/settings.h"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <utility>

namespace apiary::base {
namespace {

std::string QuoteToml(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// Shortest text that reads back to the same double, and as a TOML float.
std::string PrintDouble(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".enf") == std::string::npos) text += ".0";
  return text;
}

std::string PrintUInt64(std::uint64_t value) {
  const std::string digits = fmt::format("{}", value);
  return std::in_range<std::int64_t>(value) ? digits : QuoteToml(digits);
}

std::string_view SectionOf(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}

std::string_view NameOf(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

// One comment a line of the help text.
void AppendComment(std::string& toml, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    toml += fmt::format("# {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

int EditDistance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i) + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

void Settings::Register(Setting setting) {
  APIARY_CHECK(Find(setting.key) == nullptr, "setting {} registered twice", setting.key);
  setting.default_value = setting.print();
  settings_.push_back(std::move(setting));
}

void Settings::Int(std::string key, int* value, int low, int high, std::string help) {
  Setting setting{std::move(key),
                  std::move(help),
                  fmt::format("an integer from {} to {}", low, high),
                  {},
                  {},
                  {}};
  setting.print = [value] { return fmt::format("{}", *value); };
  setting.parse = [value, low, high](const Value& given, Assignment& assign) {
    const auto* number = std::get_if<std::int64_t>(&given);
    if (number == nullptr || *number < low || *number > high) return false;
    assign = [value, parsed = static_cast<int>(*number)] { *value = parsed; };
    return true;
  };
  Register(std::move(setting));
}

void Settings::UInt64(std::string key, std::uint64_t* value, std::string help) {
  Setting setting{std::move(key),
                  std::move(help),
                  fmt::format("an integer from 0 to {}", ~std::uint64_t{0}),
                  {},
                  {},
                  {}};
  setting.print = [value] { return PrintUInt64(*value); };
  setting.parse = [value](const Value& given, Assignment& assign) {
    std::uint64_t parsed = 0;
    if (const auto* number = std::get_if<std::int64_t>(&given)) {
      if (*number < 0) return false;
      parsed = static_cast<std::uint64_t>(*number);
    } else if (const auto* digits = std::get_if<std::string>(&given)) {
      const char* end = digits->data() + digits->size();
      const auto [stop, error] = std::from_chars(digits->data(), end, parsed);
      if (error != std::errc{} || stop != end) return false;
    } else {
      return false;
    }
    assign = [value, parsed] { *value = parsed; };
    return true;
  };
  Register(std::move(setting));
}

void Settings::Double(std::string key, double* value, double low, double high, std::string help) {
  Setting setting{std::move(key),
                  std::move(help),
                  fmt::format("a number from {} to {}", low, high),
                  {},
                  {},
                  {}};
  setting.print = [value] { return PrintDouble(*value); };
  setting.parse = [value, low, high](const Value& given, Assignment& assign) {
    double parsed = std::numeric_limits<double>::quiet_NaN();
    if (const auto* number = std::get_if<std::int64_t>(&given))
      parsed = static_cast<double>(*number);
    if (const auto* number = std::get_if<double>(&given)) parsed = *number;
    if (!(parsed >= low && parsed <= high)) return false;  // NaN is in no range
    assign = [value, parsed] { *value = parsed; };
    return true;
  };
  Register(std::move(setting));
}

void Settings::Bool(std::string key, bool* value, std::string help) {
  Setting setting{std::move(key), std::move(help), "true or false", {}, {}, {}};
  setting.print = [value] { return std::string(*value ? "true" : "false"); };
  setting.parse = [value](const Value& given, Assignment& assign) {
    const auto* parsed = std::get_if<bool>(&given);
    if (parsed == nullptr) return false;
    assign = [value, parsed = *parsed] { *value = parsed; };
    return true;
  };
  Register(std::move(setting));
}

void Settings::Choice(std::string key, std::string* value, std::vector<std::string> choices,
                      std::string help) {
  std::string range = "one of";
  for (const std::string& choice : choices) range += fmt::format(" {}", QuoteToml(choice));
  Setting setting{std::move(key), std::move(help), std::move(range), {}, {}, {}};
  setting.print = [value] { return QuoteToml(*value); };
  setting.parse = [value, choices = std::move(choices)](const Value& given, Assignment& assign) {
    const auto* text = std::get_if<std::string>(&given);
    if (text == nullptr || std::find(choices.begin(), choices.end(), *text) == choices.end())
      return false;
    assign = [value, parsed = *text] { *value = parsed; };
    return true;
  };
  Register(std::move(setting));
}

const Settings::Setting* Settings::Find(std::string_view key) const {
  const auto found = std::find_if(settings_.begin(), settings_.end(),
                                  [key](const Setting& setting) { return setting.key == key; });
  return found == settings_.end() ? nullptr : &*found;
}

std::string Settings::UnknownKey(std::string_view key) const {
  const Setting* nearest = nullptr;
  int distance = std::numeric_limits<int>::max();
  for (const Setting& setting : settings_) {
    // A right name in the wrong section is a likely slip, and can be far away as text.
    const int d = NameOf(setting.key) == NameOf(key) ? 1 : EditDistance(setting.key, key);
    if (d < distance) {
      distance = d;
      nearest = &setting;
    }
  }
  if (nearest == nullptr) return fmt::format("unknown key {}", key);
  return fmt::format("unknown key {}; did you mean {}?", key, nearest->key);
}

// Everything that needs toml++.
struct Settings::Toml {
  const Settings& settings;
  std::vector<Assignment> assignments{};

  static Value ToValue(const toml::node& node) {
    if (const auto* integer = node.as_integer()) return integer->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* boolean = node.as_boolean()) return boolean->get();
    if (const auto* text = node.as_string()) return text->get();
    return {};
  }

  static std::string Shown(const toml::node& node) {
    std::ostringstream text;
    node.visit([&text](const auto& typed) { text << typed; });
    return text.str();
  }

  // Collects the assignments of a table whose keys start with `prefix` ("" or "net."); `where`
  // makes "NAME: line 3".
  template <typename Where>
  Result<void> Walk(const toml::table& table, const std::string& prefix, const Where& where) {
    for (const auto& [name, node] : table) {
      const std::string key = prefix + std::string(name.str());
      const Setting* setting = settings.Find(key);
      if (setting == nullptr && node.is_table() && settings.IsSection(key)) {
        if (Result<void> walked = Walk(*node.as_table(), key + '.', where); !walked) return walked;
        continue;
      }
      const std::string place = where(name.source().begin.line);
      if (setting == nullptr) return Fail("{}{}", place, settings.UnknownKey(key));
      Assignment assignment;
      if (!setting->parse(ToValue(node), assignment))
        return Fail("{}{} = {}: expected {}", place, key, Shown(node), setting->range);
      assignments.push_back(std::move(assignment));
    }
    return {};
  }

  void Perform() const {
    for (const Assignment& assignment : assignments) assignment();
  }
};

bool Settings::IsSection(std::string_view key) const {
  return std::any_of(settings_.begin(), settings_.end(), [key](const Setting& setting) {
    return setting.key.size() > key.size() && setting.key.starts_with(key) &&
           setting.key[key.size()] == '.';
  });
}

Result<void> Settings::ReadToml(std::string_view text, const std::string& name) {
  Toml toml{*this};
  try {
    const toml::table table = toml::parse(text, name);
    const auto where = [&name](toml::source_index line) {
      return fmt::format("{}: line {}: ", name, line);
    };
    if (Result<void> walked = toml.Walk(table, "", where); !walked) return walked;
  } catch (const toml::parse_error& error) {
    return Fail("{}: line {}: {}", name, error.source().begin.line, error.description());
  }
  toml.Perform();
  return {};
}

Result<void> Settings::Set(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) return Fail("{}: expected key=value", assignment);
  const std::string_view key = assignment.substr(0, equals);
  const std::string_view given = assignment.substr(equals + 1);
  const Setting* setting = Find(key);
  if (setting == nullptr) return Fail("{}", UnknownKey(key));
  Assignment assign;
  // A bare word first: a choice such as Base is no TOML value, and one such as 1 or true would be
  // another type.
  if (setting->parse(Value{std::string(given)}, assign)) {
    assign();
    return {};
  }
  Value value;
  try {
    const toml::table table = toml::parse(fmt::format("value = {}", given));
    if (table.size() == 1) value = Toml::ToValue(*table.get("value"));
  } catch (const toml::parse_error&) {
    // The value stays without a type, which no setting accepts.
  }
  if (!setting->parse(value, assign)) return Fail("{}={}: expected {}", key, given, setting->range);
  assign();
  return {};
}

std::string Settings::ToToml() const {
  std::vector<std::string_view> sections{""};  // keys without a section must come first in TOML
  for (const Setting& setting : settings_) {
    const std::string_view section = SectionOf(setting.key);
    if (std::find(sections.begin(), sections.end(), section) == sections.end())
      sections.push_back(section);
  }
  std::string toml;
  for (const std::string_view section : sections) {
    if (!section.empty()) toml += fmt::format("{}[{}]\n", toml.empty() ? "" : "\n", section);
    for (const Setting& setting : settings_) {
      if (SectionOf(setting.key) != section) continue;
      AppendComment(toml, setting.help);
      AppendComment(toml, fmt::format("({}; default {})", setting.range, setting.default_value));
      toml += fmt::format("{} = {}\n", NameOf(setting.key), setting.print());
    }
  }
  return toml;
}

std::vector<Settings::Entry> Settings::Entries() const {
  std::vector<Entry> entries;
  entries.reserve(settings_.size());
  for (const Setting& setting : settings_)
    entries.push_back({setting.key, setting.print(), setting.help});
  return entries;
}

}  // namespace apiary::base
