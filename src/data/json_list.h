#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace t2v::data {

/// Follows a JSON list of objects, [{...}, {...}], over pieces of its text, and tells where objects end. What
/// is within objects is checked by whoever reads them, but for brackets.
class JsonListScanner {
 public:
  /// `source`: for messages.
  explicit JsonListScanner(std::string source) : source_(std::move(source)) {}

  /// Takes the next bytes; gives how many of them come before the end of the last object that ends among
  /// them, 0 if none does. Throws t2v::Error with the place if the list is not one of objects.
  std::size_t scan(std::string_view bytes);
  /// Throws t2v::Error if the list is not closed.
  void finish() const;

 private:
  enum class State : uint8_t { kStart, kFirst, kNext, kObject, kString, kEscape, kBehind, kEnded };

  void take(char c);
  void take_in_object(char c);
  void take_between(char c);
  void start_object(char c);
  [[noreturn]] void refuse(std::string_view what) const;

  std::string source_;
  State state_ = State::kStart;
  std::vector<char> open_;  // brackets within the object
  int64_t line_ = 1;
  int64_t column_ = 0;  // of the byte that is taken
  bool after_return_ = false;
};

/// Where the object that starts a text ends; the text's size if it does not.
std::size_t object_end(std::string_view text);

}  // namespace t2v::data
