#include "base/container_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/fail.h"
#include "base/json_text.h"
#include "base/text_check.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 64;             // a header of this format has three levels
constexpr std::size_t kMostFields = 16;  // of a tensor; this format has three

/// Takes the parser's events. It goes on after a problem, to see all the metadata.
class HeaderEvents : public nlohmann::json_sax<Json> {
 public:
  JsonHeader header;
  std::string syntax;  // why the text is not JSON

  bool null() override { return other("null"); }
  bool boolean(bool value) override { return other(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return other(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return other(in_quotes(text)); }
  bool binary(binary_t&) override { return other("binary"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (where_ != Where::kNumbers || skipped_ > 0 || value > INT64_MAX) return other(std::to_string(value));
    if (numbers_->size() == kMostDimensions) return too_many("numbers in a list", kMostDimensions);
    numbers_->push_back(static_cast<int64_t>(value));
    return true;
  }

  bool string(string_t& value) override {
    if (skipped_ == 0 && where_ == Where::kMetadata) {
      header.metadata.insert_or_assign(field_, std::move(value));
    } else if (skipped_ == 0 && where_ == Where::kTensor && field_ == "dtype") {
      header.tensors.back().dtype = std::move(value);
    } else {
      return other(in_quotes(value));
    }
    return true;
  }

  bool key(string_t& value) override {
    if (skipped_ > 0) return true;
    const bool root = where_ == Where::kRoot;
    const bool metadata = where_ == Where::kMetadata;
    if (root && entries_.size() > kMostTensors) return too_many("tensors", kMostTensors);
    if (metadata && fields_.size() == kMostKeys) return too_many("keys of metadata", kMostKeys);
    if (!root && !metadata && fields_.size() == kMostFields)
      return too_many("fields of a tensor", kMostFields);
    const bool first = (root ? entries_ : fields_).insert(value).second;
    (root ? entry_ : field_) = std::move(value);
    if (!first) note(root ? fmt::format("{} occurs twice", in_quotes(entry_)) : place() + " occurs twice");
    return true;
  }

  bool start_object(std::size_t) override {
    if (!deeper()) return false;
    if (skipped_ == 0 && where_ == Where::kNothing) {
      where_ = Where::kRoot;
    } else if (skipped_ == 0 && where_ == Where::kRoot) {
      fields_.clear();
      where_ = entry_ == kMetadataName ? Where::kMetadata : Where::kTensor;
      if (where_ == Where::kTensor) header.tensors.push_back({entry_});
    } else {
      skip("an object");
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (!deeper()) return false;
    const bool shape = field_ == "shape";
    if (skipped_ == 0 && where_ == Where::kTensor && (shape || field_ == "data_offsets")) {
      JsonTensor& tensor = header.tensors.back();
      numbers_ = &(shape ? tensor.shape : tensor.offsets).emplace();
      where_ = Where::kNumbers;
    } else {
      skip("a list");
    }
    return true;
  }

  bool end_object() override { return shallower(); }
  bool end_array() override { return shallower(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    syntax = fmt::format("the header is not valid JSON at its byte {}", position);
    return false;
  }

 private:
  enum class Where { kNothing, kRoot, kMetadata, kTensor, kNumbers };

  void note(const std::string& problem) {
    if (header.problem.empty()) header.problem = problem;
  }

  /// "tensor 'a': field 'shape'"
  std::string place() const {
    if (where_ == Where::kMetadata) return "metadata " + in_quotes(field_);
    if (where_ == Where::kRoot) return in_quotes(entry_);
    return fmt::format("tensor {}: field {}", in_quotes(entry_), in_quotes(field_));
  }

  std::string expected() const {
    if (where_ == Where::kMetadata) return "must be a string";
    if (where_ == Where::kRoot) return "must be an object";
    if (field_ == "dtype") return "must be a string";
    if (field_ == "shape" || field_ == "data_offsets") return "must be a list of whole numbers from 0 up";
    return "this format does not know the field";
  }

  /// A value that does not belong where it is.
  bool other(const std::string& value) {
    if (skipped_ == 0) note(fmt::format("{} has {}, but {}", place(), value, expected()));
    return true;
  }

  void skip(const std::string& value) {
    other(value);
    ++skipped_;
  }

  /// Memory is to be bounded by the file's size, and each of these takes many times the bytes of its text.
  bool too_many(const char* what, std::size_t most) {
    syntax = fmt::format("the header has more than {} {}", most, what);
    return false;
  }

  bool deeper() {
    if (++depth_ <= kDeepest) return true;
    syntax = fmt::format("the header is nested more than {} levels deep", kDeepest);
    return false;
  }

  bool shallower() {
    --depth_;
    if (skipped_ > 0) {
      --skipped_;
    } else if (where_ == Where::kNumbers) {
      where_ = Where::kTensor;
    } else {
      where_ = where_ == Where::kRoot ? Where::kNothing : Where::kRoot;
    }
    return true;
  }

  Where where_ = Where::kNothing;
  int depth_ = 0;
  int skipped_ = 0;  // levels within something that does not belong there
  std::string entry_, field_;
  std::set<std::string, std::less<>> entries_, fields_;  // keys so far
  std::vector<int64_t>* numbers_ = nullptr;
};

/// In quotes and escaped; nothing if the text is not UTF-8.
std::optional<std::string> find_json_text(std::string_view text) {
  try {
    return Json(text).dump();
  } catch (const Json::type_error&) {
    return std::nullopt;
  }
}

std::string json_text(std::string_view text) {
  const auto json = find_json_text(text);
  if (!json) fail("{} is not valid UTF-8; use UTF-8 for names and values", in_quotes(text));
  return *json;
}

std::string field_text(std::string_view key, std::string_view value) {
  return json_text(key) + ":" + json_text(value);
}

std::string tensor_text(const TensorInfo& tensor) {
  return fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", json_text(tensor.name),
                     name_of(tensor.dtype), fmt::join(tensor.shape, ","), tensor.begin, tensor.end);
}

}  // namespace

JsonHeader parse_json(const std::string& path, std::string_view text) {
  HeaderEvents events;
  // The parser would skip a byte order mark and end at a zero byte.
  if (!text.starts_with('{') || text.find('\0') != std::string_view::npos) {
    events.syntax = "the header is not a JSON object";
  } else if (!has_sound_tokens(text)) {
    events.syntax = "the header is not valid JSON, or has a number of more than 64 digits";
  } else {
    Json::sax_parse(text, &events);
  }
  if (!events.syntax.empty()) fail("{}: {}{}", path, events.syntax, kDamaged);
  return std::move(events.header);
}

std::string json_of(const ContainerHeader& header, const std::string& header_checksum) {
  std::string text =
      fmt::format("{{{}:{{{}", json_text(kMetadataName), field_text("t2v.header", header_checksum));
  for (const auto& [key, value] : header.metadata) {
    if (key != "t2v.header") text += "," + field_text(key, value);
  }
  text += '}';
  for (const TensorInfo& tensor : header.tensors) text += "," + tensor_text(tensor);
  return text + "}";
}

}  // namespace t2v
