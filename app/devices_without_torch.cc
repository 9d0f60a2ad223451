#include "app/devices.h"

namespace apiary::app {

nn::EvaluatorFactory MakeEvaluatorFactory(const std::string&) { return nullptr; }

base::Result<nn::TensorFile> MakeUntrainedWeights(const nn::NetSpec&, std::uint64_t) {
  return base::Fail("this build of apiary has no LibTorch, so it has no net");
}

std::string DescribeDevice() {
  return "none: this build of apiary has no LibTorch, so nets do not run";
}

}  // namespace apiary::app
