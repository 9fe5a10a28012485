#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "base/fail.h"

namespace t2v {

/// A thread that does some work. Throws t2v::Error where there can be none.
template <class Work>
std::thread start_thread(Work work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    fail("a thread cannot be started: {}; raise the limit of processes or of memory (ulimit -u, ulimit -v)",
         error.code().message());
  }
}

}  // namespace t2v
