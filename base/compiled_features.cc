// Compiled with the flags of the rest, so that it sees their feature macros; holds data only, no
// code that could use them.
#include "base/processor.h"

namespace apiary::base {
namespace {

constexpr std::uint32_t Bit(ProcessorFeature feature) {
  return static_cast<std::uint32_t>(feature);
}

}  // namespace

constinit const std::uint32_t kCompiledFeatures = 0
#ifdef __SSE3__
                                                  | Bit(ProcessorFeature::kSse3)
#endif
#ifdef __SSSE3__
                                                  | Bit(ProcessorFeature::kSsse3)
#endif
#ifdef __SSE4_1__
                                                  | Bit(ProcessorFeature::kSse41)
#endif
#ifdef __SSE4_2__
                                                  | Bit(ProcessorFeature::kSse42)
#endif
#ifdef __POPCNT__
                                                  | Bit(ProcessorFeature::kPopcnt)
#endif
#ifdef __AVX__
                                                  | Bit(ProcessorFeature::kAvx)
#endif
#ifdef __FMA__
                                                  | Bit(ProcessorFeature::kFma)
#endif
#ifdef __AVX2__
                                                  | Bit(ProcessorFeature::kAvx2)
#endif
#ifdef __BMI__
                                                  | Bit(ProcessorFeature::kBmi)
#endif
#ifdef __BMI2__
                                                  | Bit(ProcessorFeature::kBmi2)
#endif
#ifdef __AVX512F__
                                                  | Bit(ProcessorFeature::kAvx512F)
#endif
#ifdef __AVX512CD__
                                                  | Bit(ProcessorFeature::kAvx512Cd)
#endif
#ifdef __AVX512BW__
                                                  | Bit(ProcessorFeature::kAvx512Bw)
#endif
#ifdef __AVX512DQ__
                                                  | Bit(ProcessorFeature::kAvx512Dq)
#endif
#ifdef __AVX512VL__
                                                  | Bit(ProcessorFeature::kAvx512Vl)
#endif
#ifdef __AVX512IFMA__
                                                  | Bit(ProcessorFeature::kAvx512Ifma)
#endif
#ifdef __AVX512VBMI__
                                                  | Bit(ProcessorFeature::kAvx512Vbmi)
#endif
#ifdef __AVX512VBMI2__
                                                  | Bit(ProcessorFeature::kAvx512Vbmi2)
#endif
#ifdef __AVX512VNNI__
                                                  | Bit(ProcessorFeature::kAvx512Vnni)
#endif
#ifdef __AVX512BITALG__
                                                  | Bit(ProcessorFeature::kAvx512Bitalg)
#endif
#ifdef __AVX512VPOPCNTDQ__
                                                  | Bit(ProcessorFeature::kAvx512Vpopcntdq)
#endif
    ;

}  // namespace apiary::base
