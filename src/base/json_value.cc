#include "base/json_value.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace t2v {

JsonValue::JsonValue() : json_(std::make_unique<nlohmann::json>(nlohmann::json::object())) {}
JsonValue::~JsonValue() = default;
JsonValue::JsonValue(const JsonValue& other) : json_(std::make_unique<nlohmann::json>(*other.json_)) {}
JsonValue::JsonValue(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue& other) { return *this = JsonValue(other); }
JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(nlohmann::json json) {
  json_ = std::make_unique<nlohmann::json>(std::move(json));
  return *this;
}

nlohmann::json& JsonValue::operator[](const std::string& key) { return (*json_)[key]; }

bool operator==(const JsonValue& a, const JsonValue& b) { return *a == *b; }

}  // namespace t2v
