// A binary compiled for one processor (-DAPIARY_NATIVE=ON) dies by SIGILL on a lesser one. The
// check runs before main and before the constructors of our other files, and ends the process with
// a sentence instead: every program that links apiary_base gets it (base/CMakeLists.txt makes the
// linker ask for it).
#pragma once

#include <cstdint>

namespace apiary::base {

// One bit each, for the instruction sets that -march=native may turn on in our code.
enum class ProcessorFeature : std::uint32_t {
  kSse3 = 1U << 0,
  kSsse3 = 1U << 1,
  kSse41 = 1U << 2,
  kSse42 = 1U << 3,
  kPopcnt = 1U << 4,
  kAvx = 1U << 5,
  kFma = 1U << 6,
  kAvx2 = 1U << 7,
  kBmi = 1U << 8,
  kBmi2 = 1U << 9,
  kAvx512F = 1U << 10,
  kAvx512Cd = 1U << 11,
  kAvx512Bw = 1U << 12,
  kAvx512Dq = 1U << 13,
  kAvx512Vl = 1U << 14,
  kAvx512Ifma = 1U << 15,
  kAvx512Vbmi = 1U << 16,
  kAvx512Vbmi2 = 1U << 17,
  kAvx512Vnni = 1U << 18,
  kAvx512Bitalg = 1U << 19,
  kAvx512Vpopcntdq = 1U << 20,
};

// Sets of ProcessorFeature bits: what this binary was compiled with, and what the processor that
// runs it has.
extern const std::uint32_t kCompiledFeatures;
std::uint32_t AvailableFeatures();

// The first feature of a set; null if it is empty.
const char* FirstFeature(std::uint32_t features);
// The name of the first feature in `compiled` that `available` lacks ("avx512f"), or null.
const char* MissingFeature(std::uint32_t compiled, std::uint32_t available);

}  // namespace apiary::base
