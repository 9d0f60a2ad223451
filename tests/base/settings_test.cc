#include "base/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apiary::base {
namespace {

using ::testing::HasSubstr;

struct Config {
  std::uint64_t seed = 1;
  int channels = 32;
  int simulations = 16;
  double rate = 1e-3;
  bool ema = true;
  std::string variant = "Base";
};

class SettingsTest : public ::testing::Test {
 protected:
  SettingsTest() { Register(config_, settings_); }

  static void Register(Config& config, Settings& settings) {
    settings.Int("net.channels", &config.channels, 8, 512, "Channels of the trunk.");
    settings.UInt64("seed", &config.seed, "All random streams follow from it.");
    settings.Int("selfplay.simulations", &config.simulations, 1, 10000,
                 "Simulations a move.\nTwo lines.");
    settings.Double("learn.rate", &config.rate, 0, 1, "Learning rate.");
    settings.Bool("learn.ema", &config.ema, "Averaged weights play.");
    settings.Choice("rules.variant", &config.variant, {"Base", "Base+MLP"}, "Pieces in play.");
  }

  std::string ErrorOf(std::string_view toml) {
    const Result<void> read = settings_.ReadToml(toml, "run.toml");
    return read ? "no error" : read.error();
  }

  Config config_;
  Settings settings_;
};

TEST_F(SettingsTest, ReadsEveryType) {
  const Result<void> read = settings_.ReadToml(
      "seed = 42\nlearn.ema = false\n[net]\nchannels = 64\n[learn]\nrate = 2e-4\n[rules]\nvariant "
      "= 'Base+MLP'\n",
      "x");
  // `learn` is opened by the dotted key and must not be opened again: that is TOML's own rule.
  ASSERT_FALSE(read);
  ASSERT_TRUE(
      settings_.ReadToml("seed = 42\n[net]\nchannels = 64\n[learn]\nrate = 2e-4\nema = false\n"
                         "[rules]\nvariant = 'Base+MLP'\n",
                         "x"));
  EXPECT_EQ(config_.seed, 42u);
  EXPECT_EQ(config_.channels, 64);
  EXPECT_EQ(config_.simulations, 16) << "not in the file, so the default";
  EXPECT_EQ(config_.rate, 2e-4);
  EXPECT_FALSE(config_.ema);
  EXPECT_EQ(config_.variant, "Base+MLP");
}

TEST_F(SettingsTest, IntegerIsAcceptedWhereANumberIsExpected) {
  ASSERT_TRUE(settings_.ReadToml("[learn]\nrate = 1", "x"));
  EXPECT_EQ(config_.rate, 1.0);
}

TEST_F(SettingsTest, RoundTripsThroughToml) {
  config_ = {~std::uint64_t{0}, 8, 9999, 0.1 + 0.2, false, "Base+MLP"};
  Config other;
  Settings reader;
  Register(other, reader);
  const std::string toml = settings_.ToToml();
  const Result<void> read = reader.ReadToml(toml, "x");
  ASSERT_TRUE(read) << read.error() << "\n" << toml;
  EXPECT_EQ(other.seed, ~std::uint64_t{0});
  EXPECT_EQ(other.channels, 8);
  EXPECT_EQ(other.simulations, 9999);
  EXPECT_EQ(other.rate, 0.1 + 0.2);
  EXPECT_FALSE(other.ema);
  EXPECT_EQ(other.variant, "Base+MLP");
  EXPECT_EQ(reader.ToToml(), toml.substr(0, toml.size())) << "defaults are those of registration";
}

TEST_F(SettingsTest, PrintsHelpRangeAndDefault) {
  EXPECT_EQ(settings_.ToToml(),
            "# All random streams follow from it.\n"
            "# (an integer from 0 to 18446744073709551615; default 1)\n"
            "seed = 1\n"
            "\n[net]\n"
            "# Channels of the trunk.\n"
            "# (an integer from 8 to 512; default 32)\n"
            "channels = 32\n"
            "\n[selfplay]\n"
            "# Simulations a move.\n# Two lines.\n"
            "# (an integer from 1 to 10000; default 16)\n"
            "simulations = 16\n"
            "\n[learn]\n"
            "# Learning rate.\n"
            "# (a number from 0 to 1; default 0.001)\n"
            "rate = 0.001\n"
            "# Averaged weights play.\n"
            "# (true or false; default true)\n"
            "ema = true\n"
            "\n[rules]\n"
            "# Pieces in play.\n"
            "# (one of \"Base\" \"Base+MLP\"; default \"Base\")\n"
            "variant = \"Base\"\n");
}

TEST_F(SettingsTest, UnknownKeyNamesFileLineAndNearestKey) {
  EXPECT_EQ(ErrorOf("seed = 1\n\n[net]\nchanels = 64\n"),
            "run.toml: line 4: unknown key net.chanels; did you mean net.channels?");
  EXPECT_EQ(ErrorOf("[selfplay]\nrate = 1\n"),
            "run.toml: line 2: unknown key selfplay.rate; did you mean learn.rate?");
  EXPECT_THAT(ErrorOf("[nett]\nchannels = 64\n"), HasSubstr("line 1: unknown key nett"));
}

TEST_F(SettingsTest, ValueOutOfRangeNamesFileLineAndRange) {
  EXPECT_EQ(ErrorOf("[net]\nchannels = 7\n"),
            "run.toml: line 2: net.channels = 7: expected an integer from 8 to 512");
  EXPECT_EQ(ErrorOf("[net]\nchannels = 513\n"),
            "run.toml: line 2: net.channels = 513: expected an integer from 8 to 512");
  EXPECT_THAT(ErrorOf("[net]\nchannels = 99999999999\n"), HasSubstr("from 8 to 512"));
  EXPECT_THAT(ErrorOf("[learn]\nrate = nan\n"), HasSubstr("expected a number from 0 to 1"));
  EXPECT_THAT(ErrorOf("[learn]\nrate = -0.5\n"), HasSubstr("expected a number from 0 to 1"));
  EXPECT_THAT(ErrorOf("seed = -1\n"), HasSubstr("expected an integer from 0"));
  EXPECT_THAT(ErrorOf("[rules]\nvariant = 'base'\n"),
              HasSubstr("expected one of \"Base\" \"Base+MLP\""));
}

TEST_F(SettingsTest, WrongTypeIsNamed) {
  EXPECT_EQ(ErrorOf("[net]\nchannels = 'many'\n"),
            "run.toml: line 2: net.channels = 'many': expected an integer from 8 to 512");
  EXPECT_THAT(ErrorOf("[net]\nchannels = 32.0\n"), HasSubstr("expected an integer"));
  EXPECT_THAT(ErrorOf("[net]\nchannels = [32]\n"), HasSubstr("expected an integer"));
  EXPECT_THAT(ErrorOf("[net.channels]\nx = 1\n"), HasSubstr("expected an integer"));
  EXPECT_THAT(ErrorOf("net = 1\n"), HasSubstr("line 1: unknown key net"));
  EXPECT_THAT(ErrorOf("[learn]\nema = 1\n"), HasSubstr("expected true or false"));
}

TEST_F(SettingsTest, SyntaxErrorNamesFileAndLine) {
  EXPECT_THAT(ErrorOf("seed = 1\n[net\nchannels = 3\n"), HasSubstr("run.toml: line 2: "));
  EXPECT_THAT(ErrorOf("seed = 1\nseed = 2\n"), HasSubstr("run.toml: line 2: "));
  EXPECT_THAT(ErrorOf("\xFF\xFE"), HasSubstr("run.toml: line 1: "));
}

TEST_F(SettingsTest, NothingIsChangedOnFailure) {
  EXPECT_NE(ErrorOf("seed = 9\n[net]\nchannels = 64\n[rules]\nvariant = 'none'\n"), "no error");
  EXPECT_EQ(config_.seed, 1u);
  EXPECT_EQ(config_.channels, 32);
  EXPECT_FALSE(settings_.Set("net.channels=7"));
  EXPECT_EQ(config_.channels, 32);
}

TEST_F(SettingsTest, SetReadsAssignments) {
  ASSERT_TRUE(settings_.Set("net.channels=128"));
  EXPECT_EQ(config_.channels, 128);
  ASSERT_TRUE(settings_.Set("learn.rate=3e-4"));
  EXPECT_EQ(config_.rate, 3e-4);
  ASSERT_TRUE(settings_.Set("learn.ema=false"));
  EXPECT_FALSE(config_.ema);
  ASSERT_TRUE(settings_.Set("rules.variant=Base+MLP"));
  EXPECT_EQ(config_.variant, "Base+MLP");
  ASSERT_TRUE(settings_.Set("rules.variant=\"Base\""));
  EXPECT_EQ(config_.variant, "Base");
  ASSERT_TRUE(settings_.Set("seed=18446744073709551615"));
  EXPECT_EQ(config_.seed, ~std::uint64_t{0});
}

TEST_F(SettingsTest, SetExplainsWhatIsWrong) {
  EXPECT_EQ(settings_.Set("net.channels").error(), "net.channels: expected key=value");
  EXPECT_EQ(settings_.Set("net.channel=3").error(),
            "unknown key net.channel; did you mean net.channels?");
  EXPECT_EQ(settings_.Set("net.channels=many").error(),
            "net.channels=many: expected an integer from 8 to 512");
  EXPECT_EQ(settings_.Set("net.channels=").error(),
            "net.channels=: expected an integer from 8 to 512");
  EXPECT_EQ(settings_.Set("net.channels=16\nseed=3").error(),
            "net.channels=16\nseed=3: expected an integer from 8 to 512");
}

TEST_F(SettingsTest, EntriesAreInOrderOfRegistration) {
  const std::vector<Settings::Entry> entries = settings_.Entries();
  ASSERT_EQ(entries.size(), 6u);
  EXPECT_EQ(entries[0].key, "net.channels");
  EXPECT_EQ(entries[0].value, "32");
  EXPECT_EQ(entries[5].key, "rules.variant");
  EXPECT_EQ(entries[5].value, "\"Base\"");
  EXPECT_EQ(entries[5].help, "Pieces in play.");
}

TEST(EditDistanceTest, KnownPairs) {
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3);
  EXPECT_EQ(EditDistance("", "abc"), 3);
  EXPECT_EQ(EditDistance("abc", ""), 3);
  EXPECT_EQ(EditDistance("same", "same"), 0);
  EXPECT_EQ(EditDistance("flaw", "lawn"), 2);
}

}  // namespace
}  // namespace apiary::base
