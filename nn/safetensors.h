// safetensors files (huggingface/safetensors): 8-byte little-endian header length, JSON header, raw
// little-endian data. Ours carry, in __metadata__, "format": "apiary-weights-1" (or another),
// "sha256" of the data section and what the writer adds. Read whole and verified before anything is
// used; a foreign, cut or altered file gives one sentence naming the file and field. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace apiary::nn {

enum class TensorType { kF32, kF64, kI64, kU8 };

struct Tensor {
  TensorType type = TensorType::kF32;
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> bytes;  // little-endian, row-major
};

struct TensorFile {
  std::map<std::string, std::string>
      metadata;  // without "sha256": written and checked by the functions below
  std::map<std::string, Tensor> tensors;
};

// The values of a tensor that is there and of type F32.
std::vector<float> FloatsOf(const TensorFile& file, const std::string& name);

std::string SerializeTensors(const TensorFile& file);
// `name` is the path used in error messages; `expected_format` is compared with metadata "format".
base::Result<TensorFile> ParseTensors(const std::string& bytes, const std::string& name,
                                      const std::string& expected_format);
// Written durably (temporary file, fsync, rename).
base::Result<void> WriteTensors(const std::string& path, const TensorFile& file);
base::Result<TensorFile> ReadTensors(const std::string& path, const std::string& expected_format);

}  // namespace apiary::nn
