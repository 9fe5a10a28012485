#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "base/container.h"
#include "base/random.h"

namespace t2v {

/// A container taken apart, to be changed and put together with checksums that are right: what passes the
/// checksums must still be refused, or be usable.
class ContainerMutation {
 public:
  explicit ContainerMutation(const Container& file) {
    for (const auto& [key, value] : file.metadata()) {
      if (key != "t2v.header" && key != "t2v.blocks") metadata_[key] = value;
    }
    for (const std::string& name : file.names()) {
      tensors_.push_back(
          {name, std::string(name_of(file.dtype(name))), file.shape(name), bytes_of(file, name)});
    }
  }

  /// The file after one to three changes by chance.
  std::string mutated(Random& random) const {
    ContainerMutation copy = *this;
    const uint64_t changes = 1 + random.below(3);
    for (uint64_t i = 0; i < changes; ++i) copy.change(random);
    return copy.text(random.below(10) != 0);
  }

  /// The file as it is now. `sorted`: large elements first, so that tensors are aligned.
  std::string text(bool sorted = true) const {
    std::vector<Tensor> tensors = tensors_;
    if (sorted) {
      std::stable_sort(tensors.begin(), tensors.end(),
                       [](const Tensor& a, const Tensor& b) { return size_of(a) > size_of(b); });
    }
    std::string payload;
    std::string entries;
    for (const Tensor& tensor : tensors) {
      const std::size_t begin = payload.size();
      payload += tensor.bytes;
      const nlohmann::json entry = {{"dtype", tensor.dtype},
                                    {"shape", tensor.shape},
                                    {"data_offsets", {begin + tensor.lie, payload.size() + tensor.lie}}};
      entries += "," + quoted(tensor.name) + ":" + entry.dump();
    }
    std::string header =
        R"({"__metadata__":{"t2v.header":"0000000000000000","t2v.blocks":")" + blocks(payload) + "\"";
    for (const auto& [key, value] : metadata_) header += "," + quoted(key) + ":" + quoted(value);
    return sealed(header + "}" + entries + "}") + payload;
  }

  std::map<std::string, std::string>& metadata() { return metadata_; }

  /// A header with its length, padded, and with the right checksum.
  static std::string sealed(std::string header) {
    while ((8 + header.size()) % 64 != 0) header += ' ';
    const std::string field = R"("t2v.header":")";
    const std::size_t at = header.find(field) + field.size();
    header.replace(at, kChecksumDigits, checksum_text(checksum(std::as_bytes(std::span(header)))));
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i));
    return length + header;
  }
  static std::string blocks(const std::string& payload) {
    std::string sums;
    const auto bytes = std::as_bytes(std::span(payload));
    for (std::size_t at = 0; at < bytes.size(); at += kBlockBytes) {
      sums +=
          checksum_text(checksum(bytes.subspan(at, std::min<std::size_t>(kBlockBytes, bytes.size() - at))));
    }
    return sums;
  }

 private:
  using Json = nlohmann::json;

  struct Tensor {
    std::string name;
    std::string dtype;
    std::vector<int64_t> shape;
    std::string bytes;
    std::size_t lie = 0;  // added to the offsets
  };

  static std::size_t size_of(const Tensor& tensor) {
    const auto dtype = dtype_named(tensor.dtype);
    return dtype ? static_cast<std::size_t>(t2v::size_of(*dtype)) : 1;
  }
  static std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  static std::string bytes_of(const Container& file, const std::string& name) {
    const auto text = [](auto values) {
      const auto bytes = std::as_bytes(values);
      return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    switch (t2v::size_of(file.dtype(name))) {
      case 1:
        return text(file.dtype(name) == Dtype::kU8 ? std::as_bytes(file.tensor<uint8_t>(name))
                                                   : std::as_bytes(file.tensor<int8_t>(name)));
      case 4:
        return text(file.dtype(name) == Dtype::kF32 ? std::as_bytes(file.tensor<float>(name))
                                                    : std::as_bytes(file.tensor<int32_t>(name)));
      default:
        if (file.dtype(name) == Dtype::kU64) return text(file.tensor<uint64_t>(name));
        return text(file.dtype(name) == Dtype::kF64 ? std::as_bytes(file.tensor<double>(name))
                                                    : std::as_bytes(file.tensor<int64_t>(name)));
    }
  }

  void change(Random& random) {
    if (random.below(2) == 0 || tensors_.empty()) return change_metadata(random);
    const std::size_t at = random.below(tensors_.size());
    Tensor& tensor = tensors_[at];
    Tensor& other = tensors_[random.below(tensors_.size())];
    constexpr std::array<const char*, 8> kTypes = {"U8", "I32", "F32", "I64", "F64", "U64", "BOOL", "F99"};
    switch (random.below(9)) {
      case 0:
      case 1:
      case 2:
        return change_element(tensor, random);
      case 3:
        return resize(tensor, random);
      case 4:
        tensor.dtype = kTypes[random.below(kTypes.size())];
        return;
      case 5:
        std::swap(tensor.name, other.name);
        return;
      case 6:
        if (!tensor.shape.empty()) tensor.shape[random.below(tensor.shape.size())] = number(random);
        return;
      case 7:
        tensor.lie = static_cast<std::size_t>(number(random));
        return;
      default:
        tensors_.erase(tensors_.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  /// Another value for one element: zeros, ones, the bytes of an odd number, or anything.
  static void change_element(Tensor& tensor, Random& random) {
    const std::size_t size = size_of(tensor);
    if (tensor.bytes.size() < size) return;
    const std::size_t at = random.below(tensor.bytes.size() / size) * size;
    uint64_t bits = random.next64();
    const double odd[] = {0.0, -1.0, 1e300, -1e-300, __builtin_nan(""), __builtin_inf()};
    const double value = odd[random.below(6)];
    const auto narrow = static_cast<float>(value);
    const uint64_t what = random.below(4);
    if (what == 0) bits = static_cast<uint64_t>(number(random));
    if (what == 1) std::memcpy(&bits, &value, 8);
    if (what == 1 && size == 4) std::memcpy(&bits, &narrow, 4);
    std::memcpy(tensor.bytes.data() + at, &bits, std::min<std::size_t>(size, 8));
  }

  /// Fewer or more rows, in accord with its shape.
  static void resize(Tensor& tensor, Random& random) {
    if (tensor.shape.empty()) return;
    std::size_t row = size_of(tensor);
    for (std::size_t i = 1; i < tensor.shape.size(); ++i)
      row *= static_cast<std::size_t>(std::max<int64_t>(0, tensor.shape[i]));
    if (row == 0 || row > 4096) return;
    const std::size_t rows = random.below(3) == 0 ? 0 : random.below(2 * (tensor.bytes.size() / row) + 2);
    tensor.bytes.resize(rows * row, '\x01');
    tensor.shape[0] = static_cast<int64_t>(rows);
  }

  static int64_t number(Random& random) {
    constexpr std::array<int64_t, 12> kOdd = {
        0, 1, -1, 2, 64, 255, 65'536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1'000'000'007};
    return random.below(3) == 0 ? static_cast<int64_t>(random.below(20)) : kOdd[random.below(kOdd.size())];
  }

  void change_metadata(Random& random) {
    auto entry = metadata_.begin();
    std::advance(entry, static_cast<std::ptrdiff_t>(random.below(metadata_.size())));
    std::string& value = entry->second;
    Json json = Json::parse(value, nullptr, false);
    if (json.is_structured() && !json.empty() && random.below(20) != 0) {
      change_json(json, random);
      value = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    } else if (random.below(3) == 0) {
      metadata_.erase(entry);
    } else {
      value = random.below(2) == 0
                  ? ""
                  : value + std::string(random.below(3), '{') + std::to_string(number(random));
    }
  }

  /// Changes a value somewhere within.
  static void change_json(Json& json, Random& random) {
    if (json.is_structured() && !json.empty() && random.below(8) != 0) {
      auto item = json.begin();
      std::advance(item, static_cast<std::ptrdiff_t>(random.below(json.size())));
      if (random.below(12) == 0) {
        json.erase(item);
      } else {
        change_json(*item, random);
      }
      return;
    }
    // Also words that mean something elsewhere in these files.
    static constexpr std::array<const char*, 24> kWords = {
        "lstm", "peephole", "tlstm1",  "tlstm2",   "tlstm3", "gru",      "phased", "none",
        "raw",  "log",      "t2v",     "calendar", "sin",    "triangle", "start",  "gap",
        "next", "classify", "regress", "when",     "tanh",   "floor",    "s",      "sequence"};
    if (json.is_string() && random.below(2) == 0) {
      json = kWords[random.below(kWords.size())];
      return;
    }
    const Json kOther[] = {nullptr,       true,           "",     "x",       1.5, -1e308,
                           Json::array(), Json::object(), {1, 2}, {{"k", 3}}};
    switch (random.below(4)) {
      case 0:
        json = kOther[random.below(std::size(kOther))];
        return;
      case 1:
        if (json.is_array() && !json.empty()) {
          json.push_back(json.front());
        } else if (json.is_object()) {
          json["unknown"] = 1;
        } else if (json.is_boolean()) {
          json = !json.get<bool>();
        } else if (json.is_string()) {
          json = json.get<std::string>() + "x";
        } else {
          json = number(random);
        }
        return;
      default:
        json = number(random);
    }
  }

  std::map<std::string, std::string> metadata_;
  std::vector<Tensor> tensors_;
};

}  // namespace t2v
