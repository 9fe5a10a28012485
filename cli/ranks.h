#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/options.h"
#include "comm/communicator.h"

namespace t2v::cli {

/// How a command works on several ranks.
struct RankOptions {
  double timeout = 60;  // seconds without a sign of life after which a rank is lost
};

OptionTable options_of(RankOptions& options);

/// Does the work of a command: alone, or with the other ranks if it was started together with them. Then all
/// must have been given the same options, and only rank 0 says things on the way. An error on any rank ends
/// all of them, with one message; it does not return then.
void run_on_ranks(const CLI::App& command, const RankOptions& options,
                  const std::function<void(comm::Communicator&)>& work);

/// Says an error that happened before the ranks could speak to each other. What rank 0 says as well, and
/// ends all by, the others leave to it.
void say_before_ranks(const std::string& text);

/// How many threads to work with: as many as asked for, or one a core that the ranks here share.
int threads_of(int asked, const comm::Communicator& ranks);

}  // namespace t2v::cli
