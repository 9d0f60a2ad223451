#include "train/learner.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "nn/hive_net.h"
#include "nn/loss.h"
#include "nn/torch_evaluator.h"

namespace apiary::train {
namespace {

constexpr int kWarmUpSteps = 100;
constexpr const char* kNet = "net.";
constexpr const char* kAverage = "average.";
constexpr const char* kFirstMoment = "adam.first.";
constexpr const char* kSecondMoment = "adam.second.";
constexpr const char* kAdamSteps = "adam.steps";

using Parameter = std::pair<std::string, torch::Tensor>;

std::vector<Parameter> ParametersOf(nn::HiveNet& net) {
  std::vector<Parameter> parameters;
  for (const auto& item : net->named_parameters())
    parameters.emplace_back(item.key(), item.value());
  return parameters;
}

nn::Tensor ToFile(const torch::Tensor& tensor) {
  const torch::Tensor data = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  nn::Tensor result{nn::TensorType::kF32, data.sizes().vec(), {}};
  result.bytes.resize(data.nbytes());
  std::memcpy(result.bytes.data(), data.const_data_ptr(), data.nbytes());
  return result;
}

base::Result<void> FromFile(const nn::TensorFile& file, const std::string& key,
                            const std::string& name, torch::Tensor& tensor) {
  const auto found = file.tensors.find(key);
  if (found == file.tensors.end()) return base::Fail("{}: tensor {} is missing", name, key);
  if (found->second.type != nn::TensorType::kF32 || found->second.shape != tensor.sizes().vec())
    return base::Fail("{}: tensor {} has another type or shape than the net", name, key);
  const torch::NoGradGuard no_gradient;
  const torch::Tensor data = torch::empty(tensor.sizes(), torch::kFloat32);
  std::memcpy(data.mutable_data_ptr(), found->second.bytes.data(), found->second.bytes.size());
  tensor.copy_(data);
  return {};
}

nn::Wdl MeanOf(const torch::Tensor& rows) {
  const torch::Tensor mean = rows.detach().mean(0).to(torch::kCPU).contiguous();
  const float* values = mean.const_data_ptr<float>();
  return {values[0], values[1], values[2]};
}

nn::Wdl MeanOf(const std::vector<nn::Wdl>& wdl) {
  nn::Wdl sum;
  for (const nn::Wdl& w : wdl) {
    sum.win += w.win;
    sum.draw += w.draw;
    sum.loss += w.loss;
  }
  const auto scale = 1.0F / static_cast<float>(std::max<std::size_t>(1, wdl.size()));
  return {sum.win * scale, sum.draw * scale, sum.loss * scale};
}

}  // namespace

class Learner::Impl {
 public:
  Impl(const RunConfig& config, const nn::NetSpec& spec, std::uint64_t seed)
      : config_(config),
        spec_(spec),
        net_(nn::MakeNet(spec, seed)),
        average_(nn::MakeNet(spec, seed)),
        optimizer_(net_->parameters(), torch::optim::AdamWOptions(config.learn.learning_rate)
                                           .weight_decay(config.learn.weight_decay)) {
    nn::SetUpTorch();
  }

  StepLosses Step(const TrainingBatch& batch, double learning_rate) {
    for (auto& group : optimizer_.param_groups())
      static_cast<torch::optim::AdamWOptions&>(group.options()).lr(learning_rate);
    optimizer_.zero_grad();
    const nn::BlockTensors block = nn::MakeBlockTensors(batch.block, torch::kCPU);
    const nn::NetOutput output = net_->forward(block);
    nn::LossWeights weights;
    weights.value = static_cast<float>(config_.learn.value_weight);
    weights.moves_left = static_cast<float>(config_.learn.moves_left_weight);
    const nn::Loss loss = nn::ComputeLoss(output, block, batch.targets, weights);
    StepLosses losses;
    losses.policy = loss.policy.item<double>();
    losses.policy_entropy = loss.target_entropy.item<double>();
    losses.value = loss.value.item<double>();
    losses.moves_left = loss.moves_left.item<double>();
    if (!std::isfinite(losses.policy + losses.value + losses.moves_left))
      throw Error(fmt::format(
          "training stopped: a loss is not finite (policy {}, value {}, moves left {}) in a "
          "batch of {} positions",
          losses.policy, losses.value, losses.moves_left, batch.block.positions()));
    loss.total.backward();
    losses.gradient_norm =
        torch::nn::utils::clip_grad_norm_(net_->parameters(), config_.learn.clip_norm);
    if (!std::isfinite(losses.gradient_norm))
      throw Error("training stopped: the gradient is not finite");
    optimizer_.step();
    ++steps_;
    UpdateAverage();
    losses.mean_target = MeanOf(batch.targets.wdl);
    losses.mean_predicted = MeanOf(torch::softmax(output.wdl_logits.detach(), 1));
    return losses;
  }

  nn::TensorFile Weights(int generation) {
    nn::NetSpec spec = spec_;
    spec.generation = generation;
    return nn::SaveNet(average_, spec);
  }

  nn::TensorFile State() {
    nn::TensorFile file;
    nn::WriteSpec(spec_, file);
    for (const auto& [key, tensor] : ParametersOf(net_)) {
      file.tensors[kNet + key] = ToFile(tensor);
      const auto found = optimizer_.state().find(tensor.unsafeGetTensorImpl());
      if (found == optimizer_.state().end()) continue;  // before the first step
      const auto& moments = static_cast<torch::optim::AdamWParamState&>(*found->second);
      file.tensors[kFirstMoment + key] = ToFile(moments.exp_avg());
      file.tensors[kSecondMoment + key] = ToFile(moments.exp_avg_sq());
    }
    for (const auto& [key, tensor] : ParametersOf(average_))
      file.tensors[kAverage + key] = ToFile(tensor);
    nn::Tensor steps{nn::TensorType::kI64, {1}, std::vector<std::uint8_t>(sizeof(steps_))};
    std::memcpy(steps.bytes.data(), &steps_, sizeof(steps_));
    file.tensors[kAdamSteps] = std::move(steps);
    return file;
  }

  base::Result<void> Restore(const nn::TensorFile& file, const std::string& name) {
    const auto steps = file.tensors.find(kAdamSteps);
    if (steps == file.tensors.end() || steps->second.bytes.size() != sizeof(steps_))
      return base::Fail("{}: tensor {} is missing or has another size", name, kAdamSteps);
    std::memcpy(&steps_, steps->second.bytes.data(), sizeof(steps_));
    for (auto& [key, tensor] : ParametersOf(net_)) {
      if (auto read = FromFile(file, kNet + key, name, tensor); !read) return read;
      if (steps_ == 0) continue;
      auto state = std::make_unique<torch::optim::AdamWParamState>();
      torch::Tensor first = torch::zeros_like(tensor);
      torch::Tensor second = torch::zeros_like(tensor);
      if (auto read = FromFile(file, kFirstMoment + key, name, first); !read) return read;
      if (auto read = FromFile(file, kSecondMoment + key, name, second); !read) return read;
      state->step(steps_);
      state->exp_avg(first);
      state->exp_avg_sq(second);
      optimizer_.state()[tensor.unsafeGetTensorImpl()] = std::move(state);
    }
    for (auto& [key, tensor] : ParametersOf(average_))
      if (auto read = FromFile(file, kAverage + key, name, tensor); !read) return read;
    return {};
  }

 private:
  // Exponential average; the first steps weigh more, so that the random start is soon forgotten.
  void UpdateAverage() {
    const torch::NoGradGuard no_gradient;
    const auto t = static_cast<double>(steps_);
    const double decay = std::min(config_.learn.ema_decay, (1 + t) / (10 + t));
    const std::vector<torch::Tensor> source = net_->parameters();
    const std::vector<torch::Tensor> target = average_->parameters();
    for (std::size_t i = 0; i < source.size(); ++i) target[i].lerp_(source[i], 1 - decay);
  }

  RunConfig config_;
  nn::NetSpec spec_;
  nn::HiveNet net_;
  nn::HiveNet average_;
  torch::optim::AdamW optimizer_;
  std::int64_t steps_ = 0;
};

Learner::Learner(const RunConfig& config, const nn::NetSpec& spec, std::uint64_t seed)
    : impl_(std::make_unique<Impl>(config, spec, seed)) {}
Learner::~Learner() = default;

StepLosses Learner::Step(const TrainingBatch& batch, double learning_rate) {
  return impl_->Step(batch, learning_rate);
}
nn::TensorFile Learner::Weights(int generation) const { return impl_->Weights(generation); }
nn::TensorFile Learner::State() const { return impl_->State(); }
base::Result<void> Learner::Restore(const nn::TensorFile& state, const std::string& name) {
  return impl_->Restore(state, name);
}

double LearningRate(const RunConfig& config, double progress, std::int64_t step) {
  const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * std::clamp(progress, 0.0, 1.0)));
  const double rate = config.learn.final_learning_rate +
                      (config.learn.learning_rate - config.learn.final_learning_rate) * cosine;
  return rate * std::min(1.0, static_cast<double>(step + 1) / kWarmUpSteps);
}

}  // namespace apiary::train
