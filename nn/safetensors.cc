#include "nn/safetensors.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/files.h"

namespace apiary::nn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kDigestDigits = 64;
// Value of this metadata entry: sha256 of the header's bytes with the entry's own digits as zeros.
constexpr std::string_view kHeaderKey = "\"header_sha256\":\"";

struct TypeName {
  TensorType type;
  const char* name;
  std::size_t size;  // bytes an element
};
constexpr TypeName kTypes[] = {{TensorType::kF64, "F64", 8},
                               {TensorType::kI64, "I64", 8},
                               {TensorType::kF32, "F32", 4},
                               {TensorType::kU8, "U8", 1}};

const TypeName& NameOf(TensorType type) {
  return *std::find_if(std::begin(kTypes), std::end(kTypes),
                       [&](const TypeName& t) { return t.type == type; });
}

std::string PutLength(std::uint64_t length) {
  std::string bytes(kLengthBytes, '\0');
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    bytes[i] = static_cast<char>(length >> (8 * i) & 0xFF);
  return bytes;
}
std::uint64_t GetLength(const std::string& bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    length |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return length;
}

// The header with its own digest blanked, checked against the digest it carries.
base::Result<void> CheckHeader(std::string_view header, const std::string& name) {
  const std::size_t at = header.find(kHeaderKey);
  if (at == std::string_view::npos || at + kHeaderKey.size() + kDigestDigits > header.size())
    return base::Fail("{}: not a file of this program: the header has no \"header_sha256\"", name);
  std::string blank(header);
  const std::string claimed = blank.substr(at + kHeaderKey.size(), kDigestDigits);
  std::fill_n(blank.begin() + static_cast<std::ptrdiff_t>(at + kHeaderKey.size()), kDigestDigits,
              '0');
  if (base::Sha256Hex(blank) != claimed)
    return base::Fail("{}: damaged: the header does not match its \"header_sha256\"", name);
  return {};
}

base::Result<std::int64_t> Integer(const Json& json, const std::string& where) {
  if (!json.is_number_integer() ||
      (json.is_number_unsigned() &&
       json.get<std::uint64_t>() >
           static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())))
    return base::Fail("{}: expected whole numbers", where);
  const std::int64_t value = json.get<std::int64_t>();
  if (value < 0) return base::Fail("{}: negative number {}", where, value);
  return value;
}

struct Entry {
  std::string name;
  Tensor tensor;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// One tensor's description; its bytes are not there yet.
base::Result<Entry> ParseEntry(const std::string& name, const Json& json, const std::string& file) {
  const std::string where = fmt::format("{}: tensor \"{}\"", file, name);
  Entry entry;
  entry.name = name;
  if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets"))
    return base::Fail("{}: expected exactly dtype, shape and data_offsets", where);
  const Json& dtype = json["dtype"];
  const auto type = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeName& t) {
    return dtype.is_string() && dtype.get_ref<const std::string&>() == t.name;
  });
  if (type == std::end(kTypes))
    return base::Fail("{}: dtype {}, expected F32, F64, I64 or U8", where, dtype.dump());
  entry.tensor.type = type->type;
  if (!json["shape"].is_array() || !json["data_offsets"].is_array() ||
      json["data_offsets"].size() != 2)
    return base::Fail("{}: shape and data_offsets must be arrays", where);
  std::uint64_t size = type->size;
  for (const Json& dimension : json["shape"]) {
    auto extent = Integer(dimension, where + ", shape");
    if (!extent) return extent.failure();
    if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(*extent), &size))
      return base::Fail("{}: shape {} is too large", where, json["shape"].dump());
    entry.tensor.shape.push_back(*extent);
  }
  auto begin = Integer(json["data_offsets"][0], where + ", data_offsets");
  if (!begin) return begin.failure();
  auto end = Integer(json["data_offsets"][1], where + ", data_offsets");
  if (!end) return end.failure();
  entry.begin = static_cast<std::uint64_t>(*begin);
  entry.end = static_cast<std::uint64_t>(*end);
  if (entry.end < entry.begin || entry.end - entry.begin != size)
    return base::Fail("{}: data_offsets {} do not hold the {} bytes of shape {}", where,
                      json["data_offsets"].dump(), size, json["shape"].dump());
  return entry;
}

base::Result<void> ParseMetadata(const Json& header, const std::string& name,
                                 const std::string& expected_format,
                                 std::map<std::string, std::string>& metadata) {
  if (!header.contains("__metadata__") || !header["__metadata__"].is_object())
    return base::Fail("{}: the header has no \"__metadata__\"", name);
  for (const auto& [key, value] : header["__metadata__"].items()) {
    if (!value.is_string()) return base::Fail("{}: metadata \"{}\" is not a string", name, key);
    metadata[key] = value.get<std::string>();
  }
  const auto format = metadata.find("format");
  if (format == metadata.end())
    return base::Fail("{}: no \"format\" in the metadata, expected \"{}\"", name, expected_format);
  if (format->second != expected_format)
    return base::Fail("{}: format \"{}\", expected \"{}\"", name, format->second, expected_format);
  if (!metadata.contains("sha256")) return base::Fail("{}: no \"sha256\" in the metadata", name);
  return {};
}

// Copies the tensors' bytes out of the data section, which they must cover without gap or overlap.
base::Result<void> TakeData(std::vector<Entry>& entries, std::string_view data,
                            const std::string& name, TensorFile& file) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t at = 0;
  for (Entry& entry : entries) {
    if (entry.begin != at || entry.end > data.size())
      return base::Fail("{}: tensor \"{}\": data_offsets [{}, {}] where {} of {} bytes are taken",
                        name, entry.name, entry.begin, entry.end, at, data.size());
    entry.tensor.bytes.assign(data.begin() + static_cast<std::ptrdiff_t>(entry.begin),
                              data.begin() + static_cast<std::ptrdiff_t>(entry.end));
    at = entry.end;
    file.tensors.emplace(entry.name, std::move(entry.tensor));
  }
  if (at != data.size())
    return base::Fail("{}: {} bytes of data, the tensors account for {}", name, data.size(), at);
  return {};
}

}  // namespace

std::vector<float> FloatsOf(const TensorFile& file, const std::string& name) {
  const Tensor& tensor = file.tensors.at(name);
  APIARY_CHECK(tensor.type == TensorType::kF32, "tensor {} is not float", name);
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

std::string SerializeTensors(const TensorFile& file) {
  // Larger elements first, so that every tensor starts at a multiple of its element size.
  std::vector<const std::pair<const std::string, Tensor>*> order;
  for (const auto& item : file.tensors) order.push_back(&item);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return NameOf(a->second.type).size > NameOf(b->second.type).size;
  });
  std::string data;
  Json header;
  header["__metadata__"] = Json::object();
  for (const auto* item : order) {
    const Tensor& tensor = item->second;
    std::size_t size = NameOf(tensor.type).size;
    for (const std::int64_t extent : tensor.shape) size *= static_cast<std::size_t>(extent);
    APIARY_CHECK(size == tensor.bytes.size(), "tensor {} has {} bytes, its shape {}", item->first,
                 tensor.bytes.size(), size);
    header[item->first] = {{"dtype", NameOf(tensor.type).name},
                           {"shape", tensor.shape},
                           {"data_offsets", {data.size(), data.size() + size}}};
    data.append(tensor.bytes.begin(), tensor.bytes.end());
  }
  Json& metadata = header["__metadata__"];
  metadata["header_sha256"] = std::string(kDigestDigits, '0');
  metadata["sha256"] = base::Sha256Hex(data);
  for (const auto& [key, value] : file.metadata) metadata[key] = value;
  std::string text = header.dump();
  // The data section starts at a multiple of 8; the format allows trailing spaces in the header.
  text.append((8 - text.size() % 8) % 8, ' ');
  text.replace(text.find(kHeaderKey) + kHeaderKey.size(), kDigestDigits, base::Sha256Hex(text));
  return PutLength(text.size()) + text + data;
}

base::Result<TensorFile> ParseTensors(const std::string& bytes, const std::string& name,
                                      const std::string& expected_format) {
  if (bytes.size() < kLengthBytes)
    return base::Fail("{}: {} bytes are too few for a safetensors file", name, bytes.size());
  const std::uint64_t length = GetLength(bytes);
  if (length < 2 || length > bytes.size() - kLengthBytes)
    return base::Fail(
        "{}: not a safetensors file or cut short: a header of {} bytes in a file of {}", name,
        length, bytes.size());
  const std::string_view header_text(bytes.data() + kLengthBytes, static_cast<std::size_t>(length));
  const std::string_view data(header_text.data() + header_text.size(),
                              bytes.size() - kLengthBytes - header_text.size());
  if (auto checked = CheckHeader(header_text, name); !checked) return checked.failure();
  const Json header = Json::parse(header_text, nullptr, false);
  if (!header.is_object()) return base::Fail("{}: the header is not a JSON object", name);
  TensorFile file;
  if (auto read = ParseMetadata(header, name, expected_format, file.metadata); !read)
    return read.failure();
  if (base::Sha256Hex(data) != file.metadata["sha256"])
    return base::Fail(
        "{}: damaged or cut short: the data does not match the \"sha256\" in the metadata", name);
  file.metadata.erase("sha256");
  file.metadata.erase("header_sha256");
  std::vector<Entry> entries;
  for (const auto& [key, value] : header.items()) {
    if (key == "__metadata__") continue;
    auto entry = ParseEntry(key, value, name);
    if (!entry) return entry.failure();
    entries.push_back(std::move(*entry));
  }
  if (auto taken = TakeData(entries, data, name, file); !taken) return taken.failure();
  return file;
}

base::Result<void> WriteTensors(const std::string& path, const TensorFile& file) {
  return base::WriteDurably(path, SerializeTensors(file));
}

base::Result<TensorFile> ReadTensors(const std::string& path, const std::string& expected_format) {
  auto bytes = base::ReadFile(path);
  if (!bytes) return bytes.failure();
  return ParseTensors(*bytes, path, expected_format);
}

}  // namespace apiary::nn
