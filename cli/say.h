#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace t2v::cli {

/// Tells people something, on standard error. If that cannot be written (a full disk, a closed pipe), work
/// goes on: what is said on the way is not worth losing it.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace t2v::cli
