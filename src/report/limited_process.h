#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace t2v::report {

/// The path of a program by one of these names, found as a shell would; empty if there is none.
std::string find_program(const std::vector<std::string>& names);

struct Finished {
  bool in_time = false;  // if not, it and all that it started were ended
  int code = -1;         // -1: ended by a signal
  std::string output;    // what it wrote to standard output
};

/// Runs a program to its end or for this long. Its standard input and error are /dev/null.
Finished run_limited(const std::vector<std::string>& command, std::chrono::milliseconds limit);

}  // namespace t2v::report
