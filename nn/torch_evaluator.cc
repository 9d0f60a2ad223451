#include "nn/torch_evaluator.h"

#include <malloc.h>

#include <cstring>

namespace apiary::nn {

void SetUpTorch() {
  // One intra-op thread: workers are threads themselves, and more collapse when cores are shared.
  // The setting is the calling thread's.
  at::set_num_threads(1);
#ifdef __GLIBC__
  // glibc returns big blocks to the system on free, so every tensor would be paged in anew:
  // inference is up to 1.5 times slower then. Keep up to 1 GiB.
  static const bool done = [] {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    return true;
  }();
  static_cast<void>(done);
#endif
}

TorchEvaluator::TorchEvaluator(HiveNet net, const NetSpec& spec, torch::Device device)
    : net_(std::move(net)), spec_(spec), device_(device) {
  net_->to(device_);
  net_->eval();
}

void TorchEvaluator::Submit(const env::Block& block, Evaluation& evaluation) {
  const c10::InferenceMode inference;
  Resize(block, evaluation);
  try {
    const NetOutput out = net_->forward(MakeBlockTensors(block, device_));
    const auto copy = [](const torch::Tensor& from, void* to) {
      const torch::Tensor host = from.to(torch::kCPU).contiguous();
      if (host.numel() > 0) std::memcpy(to, host.const_data_ptr<float>(), host.nbytes());
    };
    static_assert(sizeof(Wdl) == 3 * sizeof(float));
    copy(out.logits, evaluation.logits.data());
    copy(torch::softmax(out.wdl_logits, 1), evaluation.wdl.data());
    copy(out.moves_left, evaluation.moves_left.data());
  } catch (const c10::Error& error) {
    throw Error(
        fmt::format("the net failed on {}: {}", device_.str(), error.what_without_backtrace()));
  }
  CheckFinite(block, evaluation);
}

std::string TorchEvaluator::Describe() const {
  return fmt::format("torch {} {}x{} {} generation {} on {}", kArchitecture, spec_.channels,
                     spec_.blocks, spec_.variant, spec_.generation, device_.str());
}

base::Result<torch::Device> ParseDevice(const std::string& device) {
  if (device == "cpu" || device == kTorchOnCpu) return torch::Device(torch::kCPU);
  if (device != "cuda" && device != "auto")
    return base::Fail("device \"{}\": expected cpu, torch, cuda or auto", device);
  if (torch::cuda::is_available()) return torch::Device(torch::kCUDA);
  if (device == "auto") return torch::Device(torch::kCPU);
  return base::Fail("device \"cuda\": this build or machine has no usable CUDA device");
}

base::Result<std::unique_ptr<Evaluator>> MakeTorchEvaluator(const std::string& weights_path,
                                                            const std::string& device) {
  SetUpTorch();
  auto where = ParseDevice(device);
  if (!where) return where.failure();
  auto file = ReadTensors(weights_path, kWeightsFormat);
  if (!file) return file.failure();
  auto loaded = LoadNet(*file, weights_path);
  if (!loaded) return loaded.failure();
  return std::unique_ptr<Evaluator>(
      std::make_unique<TorchEvaluator>(loaded->net, loaded->spec, *where));
}

}  // namespace apiary::nn
