#include "nn/cpu_evaluator.h"

#include "nn/net_layout.h"

namespace apiary::nn {

void CpuEvaluator::Submit(const env::Block& block, Evaluation& evaluation) {
  Resize(block, evaluation);
  net_.Forward(block, evaluation);
  CheckFinite(block, evaluation);
}

std::string CpuEvaluator::Describe() const {
  const NetSpec& spec = net_.spec();
  return fmt::format("{} {}x{} {} generation {} on cpu ({})", kArchitecture, spec.channels,
                     spec.blocks, spec.variant, spec.generation, BestProductKernel().name);
}

base::Result<std::unique_ptr<Evaluator>> MakeCpuEvaluator(const std::string& weights_path,
                                                          const ProductKernel& kernel) {
  auto file = ReadTensors(weights_path, kWeightsFormat);
  if (!file) return file.failure();
  auto spec = CheckNet(*file, weights_path);
  if (!spec) return spec.failure();
  return std::unique_ptr<Evaluator>(std::make_unique<CpuEvaluator>(CpuNet(*file, *spec, kernel)));
}

}  // namespace apiary::nn
