#include "nn/device_evaluator.h"

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "nn/torch_evaluator.h"

// Recording in a way that all devices share came after LibTorch 2.11.
#if __has_include(<ATen/accelerator/Graph.h>)
#include <ATen/accelerator/Graph.h>
#define APIARY_RECORDED_WORK at::accelerator::Graph
#define APIARY_RECORD_THIS_THREAD at::GraphCaptureMode::ThreadLocal
#elif defined(APIARY_CUDA_HEADERS)
#include <ATen/cuda/CUDAGraph.h>
#define APIARY_RECORDED_WORK at::cuda::CUDAGraph
#define APIARY_RECORD_THIS_THREAD cudaStreamCaptureModeThreadLocal
#endif

namespace apiary::nn {
namespace {

constexpr std::size_t kLanes = 2;
constexpr std::size_t kMostBuckets = 64;  // a lane; then all are forgotten

// The array at `offset` of packed bytes.
torch::Tensor ViewOf(const torch::Tensor& bytes, std::size_t offset, at::IntArrayRef shape,
                     torch::ScalarType type) {
  const std::int64_t size =
      c10::multiply_integers(shape) * static_cast<std::int64_t>(c10::elementSize(type));
  return bytes.narrow(0, static_cast<std::int64_t>(offset), size).view(type).view(shape);
}

BlockTensors TensorsOf(const torch::Tensor& bytes, const PackedLayout& layout) {
  const BlockSizes& sizes = layout.sizes;
  const std::int64_t n = sizes.positions;
  BlockTensors tensors;
  tensors.row_features =
      ViewOf(bytes, layout.row_features, {sizes.rows, env::kNumRowFeatures}, torch::kByte);
  tensors.neighbors = ViewOf(bytes, layout.neighbors, {sizes.rows, 6}, torch::kInt);
  tensors.position_features =
      ViewOf(bytes, layout.position_features, {n, env::kNumPositionFeatures}, torch::kByte);
  tensors.queen_rows = ViewOf(bytes, layout.queen_rows, {n, 2}, torch::kInt);
  tensors.moves = ViewOf(bytes, layout.moves, {sizes.moves, 2}, torch::kInt);
  tensors.row_begin = ViewOf(bytes, layout.row_begin, {n + 1}, torch::kInt);
  tensors.move_begin = ViewOf(bytes, layout.move_begin, {n + 1}, torch::kInt);
  return tensors;
}

// Values of a padded block come back as one row: logits, win, draw and loss, moves left.
std::int64_t OutputSize(const BlockSizes& sizes) { return sizes.moves + 4 * sizes.positions; }

[[noreturn]] void ThrowFailed(const torch::Device& device, const c10::Error& error) {
  throw Error(
      fmt::format("the net failed on {}: {}", device.str(), error.what_without_backtrace()));
}

}  // namespace

struct DeviceEvaluator::Bucket {
  Bucket(const BlockSizes& sizes, const torch::Device& device) : layout(sizes) {
    const auto make = [&](std::int64_t size, torch::ScalarType type) {
      const torch::TensorOptions host = torch::TensorOptions().dtype(type);
      const torch::Tensor on_host =
          torch::empty({size}, device.is_cpu() ? host : host.pinned_memory(true));
      return std::pair(on_host,
                       device.is_cpu() ? on_host : torch::empty({size}, host.device(device)));
    };
    std::tie(host_input, input) = make(static_cast<std::int64_t>(layout.bytes), torch::kByte);
    std::tie(host_output, output) = make(OutputSize(sizes), torch::kFloat);
    tensors = TensorsOf(input, layout);
  }

  PackedLayout layout;
  torch::Tensor host_input, input;    // bytes; one tensor on the CPU
  torch::Tensor host_output, output;  // floats; likewise
  BlockTensors tensors;               // views of input
  int runs = 0;
#ifdef APIARY_RECORDED_WORK
  std::unique_ptr<APIARY_RECORDED_WORK> recorded;
#endif
};

struct DeviceEvaluator::Lane {
  std::optional<c10::Stream> stream;  // none on the CPU
  std::map<BlockSizes, std::unique_ptr<Bucket>> buckets;
  // Of the block in flight.
  const env::Block* block = nullptr;
  Evaluation* evaluation = nullptr;  // null: none is
  Bucket* bucket = nullptr;
};

DeviceEvaluator::DeviceEvaluator(HiveNet net, const NetSpec& spec, const Options& options)
    : net_(std::move(net)), spec_(spec), options_(options) {
  net_->to(options.device);
  net_->eval();
  net_->SetTrunkType(options.trunk_type);
  for (std::size_t i = 0; i < kLanes; ++i) lanes_.push_back(std::make_unique<Lane>());
  if (options.device.is_cpu()) return;
  const c10::impl::VirtualGuardImpl guard(options.device.type());
  // The weights are moved and rounded on this stream; the lanes' do not wait for it by themselves.
  guard.getStream(options.device).synchronize();
  for (const auto& lane : lanes_) lane->stream = guard.getStreamFromGlobalPool(options.device);
}

DeviceEvaluator::~DeviceEvaluator() = default;

DeviceEvaluator::Lane& DeviceEvaluator::FreeLane() {
  const auto free = std::find_if(lanes_.begin(), lanes_.end(),
                                 [](const auto& lane) { return lane->evaluation == nullptr; });
  if (free == lanes_.end())
    throw Error(fmt::format("{}: {} blocks are in flight already", options_.device.str(), kLanes));
  return **free;
}

DeviceEvaluator::Bucket& DeviceEvaluator::BucketFor(Lane& lane, const BlockSizes& sizes) {
  std::unique_ptr<Bucket>& bucket = lane.buckets[sizes];
  if (bucket) return *bucket;
  if (lane.buckets.size() > kMostBuckets) {
    lane.buckets.clear();
    return BucketFor(lane, sizes);
  }
  bucket = std::make_unique<Bucket>(sizes, options_.device);
  return *bucket;
}

void DeviceEvaluator::Compute(Bucket& bucket) {
  const NetOutput out = net_->forward(bucket.tensors);
  bucket.output.copy_(
      torch::cat({out.logits, torch::softmax(out.wdl_logits, 1).flatten(), out.moves_left}));
}

// The first time a size is seen its work is made as it comes, which also lets libraries choose
// their ways; the second time it is recorded.
void DeviceEvaluator::Run([[maybe_unused]] Lane& lane, Bucket& bucket) {
  ++bucket.runs;
#ifdef APIARY_RECORDED_WORK
  if (lane.stream && options_.record && bucket.runs > 1) {
    if (!bucket.recorded) {
      bucket.recorded = std::make_unique<APIARY_RECORDED_WORK>();
      // A learner on the same device goes on meanwhile.
      bucket.recorded->capture_begin({0, 0}, APIARY_RECORD_THIS_THREAD);
      Compute(bucket);
      bucket.recorded->capture_end();
    }
    return bucket.recorded->replay();
  }
#endif
  Compute(bucket);
}

void DeviceEvaluator::Submit(const env::Block& block, Evaluation& evaluation) {
  Lane& lane = FreeLane();
  const c10::InferenceMode inference;
  try {
    c10::OptionalStreamGuard on_stream;
    if (lane.stream) on_stream.reset_stream(*lane.stream);
    Bucket& bucket = BucketFor(lane, PaddedSizes(SizesOf(block)));
    PackBlock(block, bucket.layout,
              reinterpret_cast<std::byte*>(bucket.host_input.mutable_data_ptr<std::uint8_t>()));
    if (lane.stream) bucket.input.copy_(bucket.host_input, /*non_blocking=*/true);
    Run(lane, bucket);
    if (lane.stream) bucket.host_output.copy_(bucket.output, /*non_blocking=*/true);
    lane.block = &block;
    lane.evaluation = &evaluation;
    lane.bucket = &bucket;
  } catch (const c10::Error& error) {
    ThrowFailed(options_.device, error);
  }
}

void DeviceEvaluator::Wait(Evaluation& evaluation) {
  const auto found = std::find_if(lanes_.begin(), lanes_.end(), [&](const auto& lane) {
    return lane->evaluation == &evaluation;
  });
  APIARY_CHECK(found != lanes_.end(), "Wait for an evaluation that was not submitted");
  Lane& lane = **found;
  lane.evaluation = nullptr;
  try {
    if (lane.stream) lane.stream->synchronize();
  } catch (const c10::Error& error) {
    ThrowFailed(options_.device, error);
  }
  const BlockSizes real = SizesOf(*lane.block);
  const BlockSizes& padded = lane.bucket->layout.sizes;
  const float* const out = lane.bucket->host_output.const_data_ptr<float>();
  Resize(*lane.block, evaluation);
  std::copy_n(out, real.moves, evaluation.logits.begin());
  for (std::int64_t p = 0; p < real.positions; ++p) {
    const float* const wdl = out + padded.moves + 3 * p;
    evaluation.wdl[static_cast<std::size_t>(p)] = {wdl[0], wdl[1], wdl[2]};
  }
  std::copy_n(out + padded.moves + 3 * padded.positions, real.positions,
              evaluation.moves_left.begin());
  CheckFinite(*lane.block, evaluation);
}

std::int64_t DeviceEvaluator::RowsComputed(const env::Block& block) const {
  return PaddedSizes(SizesOf(block)).rows;
}

std::string DeviceEvaluator::Describe() const {
  return fmt::format("torch {} {}x{} {} generation {} on {}, trunk in {}", kArchitecture,
                     spec_.channels, spec_.blocks, spec_.variant, spec_.generation,
                     options_.device.str(),
                     options_.trunk_type == torch::kFloat ? "float32" : "bfloat16");
}

base::Result<std::unique_ptr<Evaluator>> SharedEvaluators::Get(const std::string& weights_path) {
  const std::lock_guard lock(mutex_);
  std::erase_if(in_use_, [](const auto& entry) { return entry.second.expired(); });
  std::shared_ptr<MergedEvaluator> shared = in_use_[weights_path].lock();
  if (shared) return shared->NewClient();
  auto file = ReadTensors(weights_path, kWeightsFormat);
  if (!file) return file.failure();
  auto loaded = LoadNet(*file, weights_path);
  if (!loaded) return loaded.failure();
  const auto make = [this, &loaded] {
    SetUpTorch();
    return std::make_unique<DeviceEvaluator>(loaded->net, loaded->spec, options_);
  };
  shared = std::make_shared<MergedEvaluator>(make, most_positions_);
  in_use_[weights_path] = shared;
  return shared->NewClient();
}

}  // namespace apiary::nn
