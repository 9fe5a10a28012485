#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "base/text_check.h"

namespace t2v::cli {

/// Whether say() says nothing: one of several processes that do the same speaks for all.
inline bool& silenced() {
  static bool silent = false;
  return silent;
}

/// Tells people something, on standard error. If that cannot be written (a full disk, a closed pipe), work
/// goes on: what is said on the way is not worth losing it. What a terminal would obey is escaped.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  if (silenced()) return;
  const std::string text = escaped(fmt::format(format, std::forward<Values>(values)...), "\n\t\r");
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// The same on standard output, for people to read; what programs read (JSON, CSV) is printed as it is.
template <class... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
  fmt::print("{}", escaped(fmt::format(format, std::forward<Values>(values)...), "\n\t\r"));
}

}  // namespace t2v::cli
