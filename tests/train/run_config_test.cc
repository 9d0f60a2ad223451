#include "train/run_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/version.h"

namespace apiary::train {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;

std::string ErrorOf(const std::string& preset, const std::vector<std::string>& overrides) {
  const auto config = LoadConfig(preset, overrides);
  return config ? "loaded" : config.error();
}

class ConfigFile : public testing::Test {
 protected:
  // A file of this test with `text`; its path.
  std::string Write(const std::string& text) {
    const std::string path =
        fmt::format("{}/apiary_{}.toml", testing::TempDir(),
                    testing::UnitTest::GetInstance()->current_test_info()->name());
    std::ofstream(path) << text;
    return path;
  }
};

TEST(RunConfig, ThePresetsLoad) {
  EXPECT_THAT(PresetNames(), AllOf(Contains("smoke"), Contains("quick")));
  for (const std::string& name : PresetNames()) EXPECT_EQ(ErrorOf(name, {}), "loaded") << name;
  EXPECT_EQ(LoadConfig("quick", {})->budget.minutes, 20);
  EXPECT_EQ(LoadConfig("quick", {})->rules.variant, "Base");
  EXPECT_EQ(LoadConfig("smoke", {})->net.channels, 16);
  EXPECT_EQ(LoadConfig("smoke", {})->net.blocks, 2);
  EXPECT_EQ(LoadConfig("smoke", {})->selfplay.gen0_games, 200);
}

TEST(RunConfig, ThePresetsAreTheFilesInConfigs) {
  for (const std::string& name : PresetNames()) {
    const auto from_file =
        LoadConfig(std::string(APIARY_SOURCE_DIR) + "/configs/" + name + ".toml", {});
    ASSERT_TRUE(from_file.ok()) << from_file.error();
    EXPECT_EQ(ConfigToToml(*from_file), ConfigToToml(*LoadConfig(name, {})));
  }
}

TEST(RunConfig, AnEmptyNameGivesTheDefaults) {
  EXPECT_EQ(ConfigToToml(*LoadConfig("", {})), ConfigToToml(RunConfig{}));
}

TEST(RunConfig, AnUnknownNameListsThePresets) {
  EXPECT_EQ(ErrorOf("nosuch", {}),
            "nosuch: neither a preset (smoke, quick, base-2core, mlp-2core, all-2core, base-gpu) "
            "nor a file");
}

TEST(RunConfig, OverridesComeOnTop) {
  const auto config = LoadConfig(
      "quick", {"learn.batch=64", "rules.variant=Base+MLP", "seed=18446744073709551615"});
  ASSERT_TRUE(config.ok()) << config.error();
  EXPECT_EQ(config->learn.batch, 64);
  EXPECT_EQ(config->Variants(), (std::vector<env::Variant>{{true, true, true}}));
  EXPECT_EQ(config->seed, ~std::uint64_t{0});
}

TEST(RunConfig, OfAllVariantsEachGameDrawsOne) {
  const auto config = LoadConfig("quick", {"rules.variant=all"});
  ASSERT_TRUE(config.ok()) << config.error();
  EXPECT_EQ(config->Variants().size(), 8u);
  base::RandomStream random(1);
  std::array<int, 8> drawn{};
  for (int i = 0; i < 800; ++i)
    ++drawn[static_cast<std::size_t>(config->DrawRules(random).variant.index())];
  for (const int count : drawn) EXPECT_NEAR(count, 100, 50);
}

// The games of a seed are the same as before there were runs of several variants.
TEST(RunConfig, OfOneVariantNothingIsDrawn) {
  const RunConfig config;
  base::RandomStream random(1), same(1);
  EXPECT_EQ(config.DrawRules(random), config.Rules(env::Variant()));
  EXPECT_EQ(random.Next(), same.Next());
}

TEST(RunConfig, WhatDoesNotGoTogetherIsRefused) {
  EXPECT_THAT(ErrorOf("quick", {"rules.repetition=1"}), HasSubstr("rules.repetition = 1"));
  EXPECT_THAT(ErrorOf("quick", {"net.channels=20"}),
              HasSubstr("preset quick: net.channels = 20: expected a multiple"));
  EXPECT_THAT(ErrorOf("quick", {"rules.max_plies=2"}), HasSubstr("selfplay.opening_plies"));
  EXPECT_THAT(ErrorOf("quick", {"rules.max_plies=0", "rules.repetition=0"}),
              HasSubstr("might never end"));
  EXPECT_THAT(ErrorOf("quick", {"selfplay.fast_simulations=17"}),
              HasSubstr("selfplay.fast_simulations = 17"));
  EXPECT_THAT(ErrorOf("quick", {"learn.window_max=49999"}), HasSubstr("learn.window_max"));
  EXPECT_THAT(ErrorOf("quick", {"learn.final_learning_rate=0.5"}),
              HasSubstr("learn.final_learning_rate"));
  EXPECT_THAT(ErrorOf("quick", {"learn.max_uses=3", "learn.uses=4"}),
              HasSubstr("learn.max_uses = 3"));
  EXPECT_THAT(ErrorOf("quick", {"eval.games=7"}),
              HasSubstr("eval.games = 7: expected an even number"));
  EXPECT_THAT(ErrorOf("quick", {"eval.final_games=7"}), HasSubstr("eval.final_games"));
}

TEST(RunConfig, OutOfRangeAndUnknownOverridesAreNamed) {
  EXPECT_THAT(ErrorOf("quick", {"learn.batch=0"}),
              HasSubstr("learn.batch=0: expected an integer from 1 to 65536"));
  EXPECT_THAT(ErrorOf("quick", {"learn.bacth=64"}), HasSubstr("unknown key learn.bacth"));
  EXPECT_THAT(ErrorOf("quick", {"rules.variant=Chess"}), HasSubstr("\"Base+MLP\""));
}

TEST_F(ConfigFile, ErrorsNameFileAndLine) {
  const std::string unknown = Write("[learn]\nbatch = 64\nbatches = 7\n");
  EXPECT_THAT(ErrorOf(unknown, {}), HasSubstr(unknown + ": line 3: unknown key learn.batches"));
  const std::string range = Write("seed = 1\n\n[net]\nchannels = 100000\n");
  EXPECT_THAT(ErrorOf(range, {}), HasSubstr(range + ": line 4: net.channels = 100000: expected"));
  const std::string broken = Write("[learn\n");
  EXPECT_THAT(ErrorOf(broken, {}), HasSubstr(broken + ": line 1: "));
}

TEST_F(ConfigFile, ThePrintedConfigurationReadsBack) {
  const auto config =
      LoadConfig("smoke", {"learn.learning_rate=0.000123", "seed=18446744073709551615",
                           "selfplay.interior=puct", "rules.first_player=black"});
  ASSERT_TRUE(config.ok());
  const std::string printed = ConfigToToml(*config);
  EXPECT_EQ(printed.find("# " + base::VersionText() + "\n"), 0U);
  EXPECT_THAT(printed, HasSubstr("interior = \"puct\""));
  // The comments show the built-in default, not the value.
  EXPECT_THAT(printed, HasSubstr("default \"improved\""));
  const auto again = LoadConfig(Write(printed), {});
  ASSERT_TRUE(again.ok()) << again.error();
  EXPECT_EQ(ConfigToToml(*again), printed);
}

TEST(RunConfig, RulesAndSearchFollowTheSettings) {
  const auto config = LoadConfig(
      "", {"rules.first_player=black", "rules.queen_first_turn=true", "rules.max_plies=77",
           "rules.repetition=4", "selfplay.simulations=24", "selfplay.considered=6",
           "selfplay.interior=puct", "selfplay.visit_offset=40", "selfplay.value_scale=0.5",
           "selfplay.draw_value=-0.25", "selfplay.proofs=false"});
  ASSERT_TRUE(config.ok()) << config.error();
  const env::Rules rules = config->Rules(env::Variant());
  EXPECT_EQ(rules, (env::Rules{{}, env::Color::kBlack, true, 4, 77}));
  const mcts::SearchOptions search = config->FullSearch();
  EXPECT_EQ(search.root, mcts::RootRule::kGumbel);
  EXPECT_EQ(search.interior, mcts::InteriorRule::kPuct);
  EXPECT_EQ(search.simulations, 24);
  EXPECT_EQ(search.considered, 6);
  EXPECT_EQ(search.visit_offset, 40);
  EXPECT_EQ(search.value_scale, 0.5);
  EXPECT_EQ(search.draw_value, -0.25);
  EXPECT_FALSE(search.proofs);
  EXPECT_TRUE(search.root_noise);
}

TEST(RunConfig, TheKeysThatOthersRelyOnAreThereAndAllAreExplained) {
  RunConfig config;
  base::Settings settings;
  RegisterSettings(config, settings);
  std::vector<std::string> keys;
  for (const auto& entry : settings.Entries()) {
    EXPECT_GT(entry.help.size(), 10U) << entry.key;
    keys.push_back(entry.key);
  }
  EXPECT_THAT(keys, IsSupersetOf({"seed", "threads", "rules.variant", "net.channels", "net.blocks",
                                  "selfplay.simulations", "budget.minutes", "budget.cpu_hours"}));
}

}  // namespace
}  // namespace apiary::train
