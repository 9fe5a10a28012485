#pragma once

#include <string_view>

namespace t2v::cli {

/// Exit codes: 0 done, 1 a fault of ours, 2 something given to us (options, files, folders) cannot be used.
inline constexpr int kFault = 1;
inline constexpr int kBadInput = 2;

inline constexpr std::string_view kNoMemory = "there is not enough memory for that; use smaller sizes";

/// Thrown by a command that has said all there is to say, to end with this code.
struct ExitCode {
  int code;
};

}  // namespace t2v::cli
