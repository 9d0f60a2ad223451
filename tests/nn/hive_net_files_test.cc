#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nn/hive_net.h"
#include "tests/nn/net_blocks.h"

namespace apiary::nn {
namespace {

using testing::HasSubstr;

NetSpec Spec() {
  return {.channels = 16, .blocks = 2, .variant = "Base+M", .encoder_version = 1, .generation = 3};
}

TEST(HiveNetFiles, SaveAndLoadBitwise) {
  HiveNet net = BusyNet(16, 2, 1);
  const std::string bytes = SerializeTensors(SaveNet(net, Spec()));
  const auto file = ParseTensors(bytes, "memory", kWeightsFormat);
  ASSERT_TRUE(file.ok()) << file.error();
  auto loaded = LoadNet(*file, "memory");
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  EXPECT_EQ(loaded->spec, Spec());
  const auto before = net->named_parameters(), after = loaded->net->named_parameters();
  ASSERT_EQ(before.size(), after.size());
  for (const auto& item : before)
    EXPECT_TRUE(torch::equal(item.value(), after[item.key()])) << item.key();
  const env::Block block = BlockOf(env::RandomPositions(10, 1));
  const torch::NoGradGuard no_grad;
  const BlockTensors tensors = MakeBlockTensors(block, torch::kCPU);
  EXPECT_TRUE(torch::equal(net->forward(tensors).logits, loaded->net->forward(tensors).logits));
  EXPECT_EQ(SerializeTensors(SaveNet(loaded->net, Spec())), bytes);
}

TEST(HiveNetFiles, WhatDoesNotFitIsNamed) {
  HiveNet net = MakeNet(Spec(), 1);
  const TensorFile good = SaveNet(net, Spec());
  const auto error = [&](const std::function<void(TensorFile&)>& change) {
    TensorFile file = good;
    change(file);
    const auto loaded = LoadNet(file, "net.file");
    return loaded.ok() ? std::string("accepted") : loaded.error();
  };
  EXPECT_EQ(error([](TensorFile&) {}), "accepted");
  EXPECT_EQ(error([](TensorFile& f) { f.tensors.erase("block1_weight2"); }),
            "net.file: tensor \"block1_weight2\" is missing");
  EXPECT_EQ(error([](TensorFile& f) {
              f.tensors["block0_bias1"].shape = {4, 4};
            }),
            "net.file: tensor \"block0_bias1\" has shape [4, 4], expected [16]");
  EXPECT_EQ(error([](TensorFile& f) { f.tensors["policy_out"].type = TensorType::kI64; }),
            "net.file: tensor \"policy_out\" is not F32");
  EXPECT_EQ(error([](TensorFile& f) {
              f.tensors["extra"] = {TensorType::kU8, {0}, {}};
            }),
            "net.file: unknown tensor \"extra\"");
  EXPECT_THAT(error([](TensorFile& f) { f.metadata["architecture"] = "transformer-1"; }),
              HasSubstr("architecture \"transformer-1\""));
  EXPECT_THAT(error([](TensorFile& f) { f.metadata["encoder_version"] = "99"; }),
              HasSubstr("encoder version 99"));
  EXPECT_THAT(error([](TensorFile& f) { f.metadata["channels"] = "32"; }), HasSubstr("has shape"));
}

}  // namespace
}  // namespace apiary::nn
