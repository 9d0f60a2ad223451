// Nets for the tests of the torch net.
#pragma once

#include <torch/torch.h>

#include "nn/hive_net.h"
#include "tests/env/random_positions.h"

namespace apiary::nn {

using env::BlockOf;

// A net in which no layer is zero, as after some training.
HiveNet BusyNet(int channels, int blocks, std::uint64_t seed);

}  // namespace apiary::nn
