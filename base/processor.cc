// Compiled for any processor of the architecture (base/CMakeLists.txt): uses no template and no
// inline function of a library, because the linker might keep the copy of them that another file
// compiled for one processor.
#include "base/processor.h"

#include <unistd.h>

#include <cstring>

namespace apiary::base {
namespace {

struct FeatureName {
  ProcessorFeature feature;
  const char* name;
};

constexpr FeatureName kNames[] = {
    {ProcessorFeature::kSse3, "sse3"},
    {ProcessorFeature::kSsse3, "ssse3"},
    {ProcessorFeature::kSse41, "sse4.1"},
    {ProcessorFeature::kSse42, "sse4.2"},
    {ProcessorFeature::kPopcnt, "popcnt"},
    {ProcessorFeature::kAvx, "avx"},
    {ProcessorFeature::kFma, "fma"},
    {ProcessorFeature::kAvx2, "avx2"},
    {ProcessorFeature::kBmi, "bmi"},
    {ProcessorFeature::kBmi2, "bmi2"},
    {ProcessorFeature::kAvx512F, "avx512f"},
    {ProcessorFeature::kAvx512Cd, "avx512cd"},
    {ProcessorFeature::kAvx512Bw, "avx512bw"},
    {ProcessorFeature::kAvx512Dq, "avx512dq"},
    {ProcessorFeature::kAvx512Vl, "avx512vl"},
    {ProcessorFeature::kAvx512Ifma, "avx512ifma"},
    {ProcessorFeature::kAvx512Vbmi, "avx512vbmi"},
    {ProcessorFeature::kAvx512Vbmi2, "avx512vbmi2"},
    {ProcessorFeature::kAvx512Vnni, "avx512vnni"},
    {ProcessorFeature::kAvx512Bitalg, "avx512bitalg"},
    {ProcessorFeature::kAvx512Vpopcntdq, "avx512vpopcntdq"},
};

void Say(const char* text) {
  // Nothing is left to try where stderr is closed.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

}  // namespace

std::uint32_t AvailableFeatures() {
  std::uint32_t features = 0;
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();
  const auto add = [&features](int supported, ProcessorFeature feature) {
    if (supported != 0) features |= static_cast<std::uint32_t>(feature);
  };
  add(__builtin_cpu_supports("sse3"), ProcessorFeature::kSse3);
  add(__builtin_cpu_supports("ssse3"), ProcessorFeature::kSsse3);
  add(__builtin_cpu_supports("sse4.1"), ProcessorFeature::kSse41);
  add(__builtin_cpu_supports("sse4.2"), ProcessorFeature::kSse42);
  add(__builtin_cpu_supports("popcnt"), ProcessorFeature::kPopcnt);
  add(__builtin_cpu_supports("avx"), ProcessorFeature::kAvx);
  add(__builtin_cpu_supports("fma"), ProcessorFeature::kFma);
  add(__builtin_cpu_supports("avx2"), ProcessorFeature::kAvx2);
  add(__builtin_cpu_supports("bmi"), ProcessorFeature::kBmi);
  add(__builtin_cpu_supports("bmi2"), ProcessorFeature::kBmi2);
  add(__builtin_cpu_supports("avx512f"), ProcessorFeature::kAvx512F);
  add(__builtin_cpu_supports("avx512cd"), ProcessorFeature::kAvx512Cd);
  add(__builtin_cpu_supports("avx512bw"), ProcessorFeature::kAvx512Bw);
  add(__builtin_cpu_supports("avx512dq"), ProcessorFeature::kAvx512Dq);
  add(__builtin_cpu_supports("avx512vl"), ProcessorFeature::kAvx512Vl);
  add(__builtin_cpu_supports("avx512ifma"), ProcessorFeature::kAvx512Ifma);
  add(__builtin_cpu_supports("avx512vbmi"), ProcessorFeature::kAvx512Vbmi);
  add(__builtin_cpu_supports("avx512vbmi2"), ProcessorFeature::kAvx512Vbmi2);
  add(__builtin_cpu_supports("avx512vnni"), ProcessorFeature::kAvx512Vnni);
  add(__builtin_cpu_supports("avx512bitalg"), ProcessorFeature::kAvx512Bitalg);
  add(__builtin_cpu_supports("avx512vpopcntdq"), ProcessorFeature::kAvx512Vpopcntdq);
#endif
  return features;
}

const char* FirstFeature(std::uint32_t features) {
  for (const FeatureName& entry : kNames)
    if ((features & static_cast<std::uint32_t>(entry.feature)) != 0) return entry.name;
  return nullptr;
}

const char* MissingFeature(std::uint32_t compiled, std::uint32_t available) {
  return FirstFeature(compiled & ~available);
}

}  // namespace apiary::base

// 101 is the first priority open to programs: runs before every constructor without a priority. C
// linkage, because the linker is asked for it by name.
extern "C" __attribute__((constructor(101))) void ApiaryCheckProcessor() {
  using namespace apiary::base;  // NOLINT(google-build-using-namespace)
  const char* missing = MissingFeature(kCompiledFeatures, AvailableFeatures());
  if (missing == nullptr) return;
  Say("apiary: this binary was built for another processor (this one lacks ");
  Say(missing);
  Say("); rebuild with scripts/setup.sh\n");
  ::_exit(1);
}
