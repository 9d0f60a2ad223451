#include "train/run_config.h"

#include <filesystem>

#include "base/files.h"
#include "base/version.h"
#include "nn/weights.h"
#include "train/presets.h"

namespace apiary::train {
namespace {

// What no single range can say.
base::Result<void> CheckTogether(const RunConfig& config, const std::string& name) {
  if (config.rules.repetition == 1)
    return base::Fail("{}: rules.repetition = 1: expected 0 (off) or at least 2", name);
  if (config.net.channels % nn::kChannelStep != 0)
    return base::Fail("{}: net.channels = {}: expected a multiple of {}", name, config.net.channels,
                      nn::kChannelStep);
  if (config.rules.max_plies != 0 && config.selfplay.opening_plies >= config.rules.max_plies)
    return base::Fail("{}: selfplay.opening_plies = {}: expected less than rules.max_plies = {}",
                      name, config.selfplay.opening_plies, config.rules.max_plies);
  if (config.rules.max_plies == 0 && config.rules.repetition == 0)
    return base::Fail(
        "{}: rules.max_plies = 0 and rules.repetition = 0: self-play games might never end", name);
  if (config.selfplay.fast_simulations > config.selfplay.simulations)
    return base::Fail(
        "{}: selfplay.fast_simulations = {}: expected at most selfplay.simulations = {}", name,
        config.selfplay.fast_simulations, config.selfplay.simulations);
  if (config.learn.max_uses < config.learn.uses)
    return base::Fail("{}: learn.max_uses = {}: expected at least learn.uses = {}", name,
                      config.learn.max_uses, config.learn.uses);
  if (config.eval.games % 2 != 0)
    return base::Fail("{}: eval.games = {}: expected an even number, for both colours", name,
                      config.eval.games);
  if (config.eval.final_games % 2 != 0)
    return base::Fail("{}: eval.final_games = {}: expected an even number, for both colours", name,
                      config.eval.final_games);
  if (config.learn.window_max < config.learn.window_min)
    return base::Fail("{}: learn.window_max = {}: expected at least learn.window_min = {}", name,
                      config.learn.window_max, config.learn.window_min);
  if (config.learn.final_learning_rate > config.learn.learning_rate)
    return base::Fail(
        "{}: learn.final_learning_rate = {}: expected at most learn.learning_rate = {}", name,
        config.learn.final_learning_rate, config.learn.learning_rate);
  return {};
}

struct ConfigText {
  std::string toml;
  std::string name;  // in messages
};

base::Result<ConfigText> FindText(const std::string& preset_or_file) {
  if (preset_or_file.empty()) return ConfigText{"", "defaults"};
  for (const Preset& preset : CompiledPresets())
    if (preset.name == preset_or_file)
      return ConfigText{std::string(preset.toml), fmt::format("preset {}", preset_or_file)};
  std::error_code error;
  if (!std::filesystem::exists(preset_or_file, error)) {
    std::string names;
    for (const std::string& name : PresetNames()) names += (names.empty() ? "" : ", ") + name;
    return base::Fail("{}: neither a preset ({}) nor a file", preset_or_file, names);
  }
  auto text = base::ReadFile(preset_or_file);
  if (!text) return text.failure();
  return ConfigText{std::move(*text), preset_or_file};
}

}  // namespace

std::vector<env::Variant> RunConfig::Variants() const {
  return env::ParseVariants(rules.variant).value();
}

env::Rules RunConfig::Rules(env::Variant variant) const {
  env::Rules made;
  made.variant = variant;
  made.first_player = rules.first_player == "black" ? env::Color::kBlack : env::Color::kWhite;
  made.queen_first_turn = rules.queen_first_turn;
  made.repetition = rules.repetition;
  made.max_plies = rules.max_plies;
  return made;
}

env::Rules RunConfig::DrawRules(base::RandomStream& random) const {
  const std::vector<env::Variant> variants = Variants();
  if (variants.size() == 1) return Rules(variants.front());
  return Rules(variants[random.Below(static_cast<std::uint32_t>(variants.size()))]);
}

mcts::SearchOptions RunConfig::FullSearch() const {
  mcts::SearchOptions options;
  options.root = mcts::RootRule::kGumbel;
  options.interior =
      selfplay.interior == "puct" ? mcts::InteriorRule::kPuct : mcts::InteriorRule::kImprovedPolicy;
  options.simulations = selfplay.simulations;
  options.considered = selfplay.considered;
  options.visit_offset = selfplay.visit_offset;
  options.value_scale = selfplay.value_scale;
  options.draw_value = selfplay.draw_value;
  options.proofs = selfplay.proofs;
  return options;
}

base::Result<RunConfig> LoadConfig(const std::string& preset_or_file,
                                   const std::vector<std::string>& overrides) {
  const auto text = FindText(preset_or_file);
  if (!text) return text.failure();
  RunConfig config;
  base::Settings settings;
  RegisterSettings(config, settings);
  if (auto read = settings.ReadToml(text->toml, text->name); !read) return read.failure();
  for (const std::string& assignment : overrides)
    if (auto set = settings.Set(assignment); !set) return set.failure();
  if (auto checked = CheckTogether(config, text->name); !checked) return checked.failure();
  return config;
}

std::vector<std::string> PresetNames() {
  std::vector<std::string> names;
  for (const Preset& preset : CompiledPresets()) names.emplace_back(preset.name);
  return names;
}

std::string ConfigToToml(const RunConfig& config) {
  RunConfig defaults;
  base::Settings settings;
  RegisterSettings(defaults, settings);
  // Registered with the defaults, so that the comments show those; the values follow.
  defaults = config;
  return fmt::format("# {}\n\n{}", base::VersionText(), settings.ToToml());
}

}  // namespace apiary::train
