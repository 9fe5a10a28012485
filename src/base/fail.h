#pragma once

#include <fmt/format.h>

#include <utility>

#include "t2v/error.h"

namespace t2v {

/// Throws t2v::Error with a formatted message.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace t2v
