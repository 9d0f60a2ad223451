// Nets for tests that must see every parameter.
#pragma once

#include <cstdint>

#include "nn/safetensors.h"
#include "nn/weights.h"

namespace apiary::nn {

// No parameter is zero, as after some training.
TensorFile BusyWeights(const NetSpec& spec, std::uint64_t seed);

}  // namespace apiary::nn
