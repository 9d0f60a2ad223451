#include "app/bench_run.h"

#include <charconv>

#include "app/arguments.h"
#include "nn/net_layout.h"

namespace apiary::app {

nn::NetSpec ParseBenchNet(const std::string& text) {
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
    throw Error(
        fmt::format(
            "--net {}: expected CHANNELSxBLOCKS, for instance 32x4; channels are a multiple of {}",
            text, nn::kChannelStep),
        kBadUsage);
  return spec;
}

BenchRun::BenchRun(const nn::NetSpec& spec, const BenchArguments& arguments) {
  OrThrow(nn::PublishWeights(path(), 1, nn::MakeUntrainedNet(spec, arguments.seed)));
}

}  // namespace apiary::app
