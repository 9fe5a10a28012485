#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/container_header.h"
#include "base/text_check.h"

namespace t2v {

/// An entry of a tensor as the JSON has it; a field that is missing or of another type is not set.
struct JsonTensor {
  std::string name;
  std::optional<std::string> dtype = {};
  std::optional<std::vector<int64_t>> shape = {};
  std::optional<std::vector<int64_t>> offsets = {};
};

struct JsonHeader {
  Metadata metadata;
  std::vector<JsonTensor> tensors;  // in the order of the text
  /// The first thing that this format does not have: a key twice, a field that is unknown or of another type.
  /// Not thrown at once: a newer format may have it.
  std::string problem;
};

/// Reads the text of a header. Throws t2v::Error if it is not one JSON object, or nested deeply.
JsonHeader parse_json(const std::string& path, std::string_view text);

/// The way back, in the order of the payload, with the given checksum of the header.
std::string json_of(const ContainerHeader& header, const std::string& header_checksum);

}  // namespace t2v
