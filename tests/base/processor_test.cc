#include "base/processor.h"

#include <gtest/gtest.h>

#include "base/version.h"

namespace apiary::base {
namespace {

constexpr auto kAvx2 = static_cast<std::uint32_t>(ProcessorFeature::kAvx2);
constexpr auto kAvx512F = static_cast<std::uint32_t>(ProcessorFeature::kAvx512F);

TEST(ProcessorTest, NamesTheFirstFeatureThatIsMissing) {
  EXPECT_EQ(MissingFeature(0, 0), nullptr);
  EXPECT_EQ(MissingFeature(kAvx2, kAvx2 | kAvx512F), nullptr);
  EXPECT_STREQ(MissingFeature(kAvx2 | kAvx512F, kAvx2), "avx512f");
  EXPECT_STREQ(MissingFeature(~0U, 0), "sse3");
}

TEST(ProcessorTest, ThisProcessorRunsThisBinary) {
  EXPECT_EQ(MissingFeature(kCompiledFeatures, AvailableFeatures()), nullptr);
}

TEST(ProcessorTest, NativeBinaryKnowsWhatItWasCompiledWith) {
#ifdef __AVX2__
  EXPECT_NE(kCompiledFeatures & kAvx2, 0u);
#else
  EXPECT_EQ(kCompiledFeatures & kAvx2, 0u);
#endif
}

TEST(VersionTest, TextHoldsEveryPart) {
  const Version& version = ProgramVersion();
  for (const std::string_view part : {version.number, version.revision, version.build_type,
                                      version.compiler, version.processor, version.torch}) {
    EXPECT_FALSE(part.empty());
    EXPECT_NE(VersionText().find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace apiary::base
