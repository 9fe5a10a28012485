#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.h"

namespace t2v::comm {

/// What goes wrong with a rank that is a thread.
struct Fault {
  int rank;
  int64_t after;  // so many exchanges it takes part in; the next one it never returns from
};

/// Runs work(communicator) on so many ranks, each a thread of this process: the twin of MPI for tests.
/// `timeout` seconds after a rank came to its fault the others call it lost. Returns what each rank threw, ""
/// if nothing; "lost" for one that was.
std::vector<std::string> run_ranks(int size, const std::function<void(Communicator&)>& work,
                                   double timeout = 60, const std::vector<Fault>& faults = {});

}  // namespace t2v::comm
