#include "data/json_list.h"

#include "base/fail.h"

namespace t2v::data {
namespace {

constexpr std::size_t kMostNested = 64;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

void JsonListScanner::refuse(std::string_view what) const {
  fail("{}:{}:{}: {}", source_, line_, column_, what);
}

std::size_t JsonListScanner::scan(std::string_view bytes) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    ++column_;
    const bool was_object = state_ == State::kObject;
    take(c);
    if (was_object && state_ == State::kBehind) end = i + 1;
    const bool line_end = c == '\r' || (c == '\n' && !after_return_);
    if (line_end) ++line_;
    if (c == '\r' || c == '\n') column_ = 0;
    after_return_ = c == '\r';
  }
  return end;
}

void JsonListScanner::take(char c) {
  if (state_ == State::kString) {
    if (c == '\\') state_ = State::kEscape;
    if (c == '"') state_ = State::kObject;
  } else if (state_ == State::kEscape) {
    state_ = State::kString;
  } else if (state_ == State::kObject) {
    take_in_object(c);
  } else if (!is_blank(c)) {
    take_between(c);
  }
}

void JsonListScanner::take_in_object(char c) {
  if (c == '"') {
    state_ = State::kString;
  } else if (c == '{' || c == '[') {
    if (open_.size() == kMostNested) refuse("the object is nested too deeply");
    open_.push_back(c);
  } else if (c == '}' || c == ']') {
    if (open_.back() != (c == '}' ? '{' : '[')) refuse("this bracket closes one of another kind; correct it");
    open_.pop_back();
    if (open_.empty()) state_ = State::kBehind;
  }
}

void JsonListScanner::take_between(char c) {
  switch (state_) {
    case State::kStart:
      if (c != '[') refuse("a list of objects starts with [");
      state_ = State::kFirst;
      return;
    case State::kFirst:
      if (c == ']') {
        state_ = State::kEnded;
        return;
      }
      return start_object(c);
    case State::kNext:
      return start_object(c);
    case State::kBehind:
      if (c != ',' && c != ']') refuse("a comma or ] is missing behind the object");
      state_ = c == ',' ? State::kNext : State::kEnded;
      return;
    default:
      refuse("there is more behind the end of the list; take it out");
  }
}

void JsonListScanner::start_object(char c) {
  constexpr std::string_view kAdvice = R"(write one for each event: [{"user_id": "a", "time": 1}, ...])";
  if (c == ']') refuse("an object is missing behind the comma; take the comma out");
  if (c != '{') {
    refuse(fmt::format("the list holds {}, not objects; {}", c == '[' ? "lists" : "single values", kAdvice));
  }
  open_.assign(1, c);
  state_ = State::kObject;
}

void JsonListScanner::finish() const {
  if (state_ == State::kEnded) return;
  fail("{}:{}:{}: the list ends without its ]; is the file cut off?", source_, line_, column_ + 1);
}

std::size_t object_end(std::string_view text) {
  std::size_t levels = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++levels;
    } else if ((c == '}' || c == ']') && (levels == 0 || --levels == 0)) {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace t2v::data
