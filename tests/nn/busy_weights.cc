#include "tests/nn/busy_weights.h"

#include <cstring>

#include "base/random.h"
#include "nn/net_layout.h"

namespace apiary::nn {

TensorFile BusyWeights(const NetSpec& spec, std::uint64_t seed) {
  TensorFile file = MakeUntrainedNet(spec, seed);
  base::RandomStream random(seed);
  for (auto& [name, tensor] : file.tensors) {
    std::vector<float> values(tensor.bytes.size() / sizeof(float));
    std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
    for (float& value : values) value += static_cast<float>(0.1 * random.Normal());
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  }
  return file;
}

}  // namespace apiary::nn
