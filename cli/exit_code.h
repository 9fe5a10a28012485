#pragma once

#include <string>
#include <string_view>
#include <system_error>

namespace t2v::cli {

/// Exit codes: 0 done, 1 a fault of ours, 2 something given to us (options, files, folders) cannot be used.
inline constexpr int kFault = 1;
inline constexpr int kBadInput = 2;

inline constexpr std::string_view kNoMemory = "there is not enough memory for that; use smaller sizes";

/// What the system refused, which is not a fault of ours: a path, a thread, a limit.
inline std::string refusal_of_system(const std::system_error& error) {
  return std::string(error.what()) + "; check the path, and the limits of the system (ulimit -a)";
}

/// Thrown by a command that has said all there is to say, to end with this code.
struct ExitCode {
  int code;
};

}  // namespace t2v::cli
