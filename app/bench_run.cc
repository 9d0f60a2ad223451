#include "app/bench_run.h"

#include <charconv>
#include <filesystem>

#include "app/arguments.h"
#include "nn/net_layout.h"

namespace apiary::app {

namespace {

// "32x4".
nn::NetSpec ParseSize(const std::string& text) {
  nn::NetSpec spec;
  spec.generation = 1;
  const char* const end = text.data() + text.size();
  const auto channels = std::from_chars(text.data(), end, spec.channels);
  const bool has_x = channels.ec == std::errc() && channels.ptr != end && *channels.ptr == 'x';
  const auto blocks = has_x ? std::from_chars(channels.ptr + 1, end, spec.blocks) : channels;
  const bool in_range =
      spec.channels > 0 && spec.channels <= 1024 && spec.blocks > 0 && spec.blocks <= 100;
  if (!has_x || blocks.ec != std::errc() || blocks.ptr != end || !in_range ||
      spec.channels % nn::kChannelStep != 0)
    throw Error(fmt::format("--net {}: neither a weights file or run directory nor "
                            "CHANNELSxBLOCKS, for instance 32x4; channels "
                            "are a multiple of {}",
                            text, nn::kChannelStep),
                kBadUsage);
  return spec;
}

}  // namespace

BenchRun::BenchRun(const BenchArguments& arguments) {
  std::error_code error;
  nn::TensorFile net;
  if (std::filesystem::exists(arguments.net, error)) {
    const std::string path = OrThrow(nn::ResolveWeights(arguments.net));
    net = OrThrow(nn::ReadTensors(path, nn::kWeightsFormat));
    spec_ = OrThrow(nn::CheckNet(net, path));
  } else {
    spec_ = ParseSize(arguments.net);
    net = nn::MakeUntrainedNet(spec_, arguments.seed);
  }
  OrThrow(nn::PublishWeights(path(), 1, net));
}

}  // namespace apiary::app
