#include "play/uhp_options.h"

#include <array>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace apiary::play {
namespace {

constexpr double kMaxTemperature = 10;

struct Option {
  std::string_view name;
  std::string_view type;
  std::string_view fallback;  // the default, as printed
  std::string_view range;     // what follows the default, as printed
  std::string (*print)(const UhpOptions&);
  bool (*parse)(std::string_view, UhpOptions&);
};

std::string PrintBool(bool value) { return value ? "True" : "False"; }

bool ParseBool(std::string_view text, bool& value) {
  const std::string lower = base::ToLower(text);
  if (lower != "true" && lower != "false") return false;
  value = lower == "true";
  return true;
}

bool ParseTemperature(std::string_view text, double& temperature) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !(value >= 0 && value <= kMaxTemperature))
    return false;
  temperature = value;
  return true;
}

bool ParseColor(std::string_view text, env::Color& color) {
  const std::string lower = base::ToLower(text);
  if (lower != "white" && lower != "black") return false;
  color = lower == "white" ? env::Color::kWhite : env::Color::kBlack;
  return true;
}

bool ParseInt(std::string_view text, int low, int high, int& value) {
  const std::optional<int> parsed = base::ParseWhole(text, low, high);
  if (parsed) value = *parsed;
  return parsed.has_value();
}

constexpr std::array<Option, 7> kOptions = {{
    {"Repetition", "bool", "False", "", [](const UhpOptions& o) { return PrintBool(o.repetition); },
     [](std::string_view text, UhpOptions& o) { return ParseBool(text, o.repetition); }},
    {"QueenFirstTurn", "bool", "False", "",
     [](const UhpOptions& o) { return PrintBool(o.queen_first_turn); },
     [](std::string_view text, UhpOptions& o) { return ParseBool(text, o.queen_first_turn); }},
    {"FirstPlayer", "enum", "White", ";White;Black",
     [](const UhpOptions& o) {
       return std::string(o.first_player == env::Color::kWhite ? "White" : "Black");
     },
     [](std::string_view text, UhpOptions& o) { return ParseColor(text, o.first_player); }},
    {"Temperature", "double", "0", ";0;10",
     [](const UhpOptions& o) { return fmt::format("{}", o.temperature); },
     [](std::string_view text, UhpOptions& o) { return ParseTemperature(text, o.temperature); }},
    {"Simulations", "int", "0", ";0;1000000",
     [](const UhpOptions& o) { return fmt::format("{}", o.simulations); },
     [](std::string_view text, UhpOptions& o) {
       return ParseInt(text, 0, 1'000'000, o.simulations);
     }},
    {"NumThreads", "int", "1", ";1;256",
     [](const UhpOptions& o) { return fmt::format("{}", o.resources.threads); },
     [](std::string_view text, UhpOptions& o) {
       return ParseInt(text, 1, 256, o.resources.threads);
     }},
    {"MemoryMB", "int", "1024", ";16;65536",
     [](const UhpOptions& o) { return fmt::format("{}", o.resources.memory_mb); },
     [](std::string_view text, UhpOptions& o) {
       return ParseInt(text, 16, 65'536, o.resources.memory_mb);
     }},
}};

const Option* Find(std::string_view name) {
  for (const Option& option : kOptions) {
    if (base::ToLower(option.name) == base::ToLower(name)) return &option;
  }
  return nullptr;
}

std::string Line(const Option& option, const UhpOptions& options) {
  return fmt::format("{};{};{};{}{}", option.name, option.type, option.print(options),
                     option.fallback, option.range);
}

}  // namespace

env::Rules UhpOptions::Rules() const {
  env::Rules rules;
  rules.first_player = first_player;
  rules.queen_first_turn = queen_first_turn;
  rules.repetition = repetition ? 3 : 0;
  return rules;
}

std::string UhpOptions::Describe() const {
  std::string text;
  for (const Option& option : kOptions) text += Line(option, *this) + "\n";
  return text;
}

base::Result<std::string> UhpOptions::DescribeOne(std::string_view name) const {
  const Option* option = Find(name);
  if (option == nullptr) return base::Fail("there is no option '{}'", name);
  return Line(*option, *this);
}

base::Result<void> UhpOptions::Set(std::string_view name, std::string_view value) {
  const Option* option = Find(name);
  if (option == nullptr) return base::Fail("there is no option '{}'", name);
  if (!option->parse(value, *this))
    return base::Fail("'{}' is not a value of {}: {}{}", value, option->name, option->type,
                      option->range);
  return {};
}

}  // namespace apiary::play
