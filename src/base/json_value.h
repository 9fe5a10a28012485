#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace t2v {

/// A JSON document as a member: copied like a value, used like a pointer. Only who looks inside needs
/// <nlohmann/json.hpp>, which takes a second to compile.
class JsonValue {
 public:
  JsonValue();  // an empty object
  ~JsonValue();
  JsonValue(const JsonValue& other);
  JsonValue(JsonValue&& other) noexcept;  // `other` can then only be assigned to or destroyed
  JsonValue& operator=(const JsonValue& other);
  JsonValue& operator=(JsonValue&& other) noexcept;
  JsonValue& operator=(nlohmann::json json);

  nlohmann::json& operator*() { return *json_; }
  const nlohmann::json& operator*() const { return *json_; }
  nlohmann::json* operator->() { return json_.get(); }
  const nlohmann::json* operator->() const { return json_.get(); }
  nlohmann::json& operator[](const std::string& key);  // of an object; null if it was not there

 private:
  std::unique_ptr<nlohmann::json> json_;
};

bool operator==(const JsonValue& a, const JsonValue& b);

}  // namespace t2v
