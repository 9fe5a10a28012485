#pragma once

namespace t2v::cli {

/// Thrown by a command that has said all there is to say, to end with this code.
struct ExitCode {
  int code;
};

}  // namespace t2v::cli
