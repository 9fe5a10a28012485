#include "ranks.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>

#include "comm/mpi_ranks.h"
#include "comm/same_facts.h"
#include "data_options.h"
#include "exit_code.h"
#include "say.h"
#include "t2v/error.h"

namespace t2v::cli {
namespace {

/// Whoever does not report an error leaves the one who does so much time.
constexpr std::chrono::seconds kTimeToReport{5};
/// In this time the launcher ends all ranks because one ended.
constexpr std::chrono::seconds kTimeToEnd{2};

void report(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

[[noreturn]] void give_up(const std::string& complaint) {
  report(fmt::format("t2v: {}\n", complaint));
  std::_Exit(kBadInput);
}

/// What was asked for, by option; but where files lie may differ from machine to machine.
comm::Facts facts_of(const CLI::App& command) {
  comm::Facts facts = {{"the command", command.get_name()}};
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    const std::string type = option->get_type_name();
    const bool of_this_rank = name == "--threads" || name == "--rank-timeout" || type.starts_with("FILE") ||
                              type.starts_with("MODEL") || type.starts_with("FOLDER");
    if (!name.starts_with("--") || of_this_rank) continue;
    const std::string given = fmt::format("{}", fmt::join(option->results(), ","));
    facts.emplace_back(name, option->count() > 0 ? given : option->get_default_str());
  }
  return facts;
}

struct Failure {
  std::string text;
  int code;
};

/// To be called where an exception is at hand.
Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {in_flags(error.what()), kBadInput};
  } catch (const std::bad_alloc&) {
    return {std::string(kNoMemory), kBadInput};
  } catch (const std::system_error& error) {
    return {refusal_of_system(error), kBadInput};
  } catch (const std::exception& error) {
    return {error.what(), kFault};
  }
}

/// Ends all ranks, after one of them said why.
[[noreturn]] void end_all(comm::Communicator& ranks, const std::optional<Failure>& own) {
  std::fflush(stdout);
  const int code = own ? own->code : kBadInput;
  if (own && comm::reports_failure(ranks, own->text)) {
    report(fmt::format("t2v: rank {} of {}: {}\n", ranks.rank(), ranks.size(), own->text));
  } else {
    std::this_thread::sleep_for(kTimeToReport);
  }
  ranks.end_all(code);
  std::_Exit(code);
}

}  // namespace

OptionTable options_of(RankOptions& options) {
  OptionTable table;
  table.add({.name = "rank_timeout",
             .group = "Ranks",
             .help = "under mpirun: seconds without a sign of life after which a rank is lost, which ends "
                     "all of them (docs/scaling.md)",
             .least = 0.5,
             .most = 1e6},
            &options.timeout);
  return table;
}

void say_before_ranks(const std::string& text) {
  const int rank = comm::rank_by_launcher();
  if (rank == 0) return report(text + "\n");
  std::this_thread::sleep_for(kTimeToEnd);
  report(fmt::format("rank {}: {}\n", rank, text));
}

void run_on_ranks(const CLI::App& command, const RankOptions& options,
                  const std::function<void(comm::Communicator&)>& work) {
  std::unique_ptr<comm::Communicator> ranks;
  try {
    ranks = comm::mpi_ranks(options.timeout, give_up);
  } catch (const Error& error) {
    say_before_ranks(fmt::format("t2v: {}", in_flags(error.what())));
    throw ExitCode{kBadInput};
  }
  silenced() = ranks && ranks->rank() != 0;
  if (!ranks) return work(comm::only_rank());
  int code = 0;
  try {
    try {
      comm::check_same(*ranks, facts_of(command));
      work(*ranks);
    } catch (const ExitCode& exit) {  // which all ranks agreed on
      code = exit.code;
    }
    std::fflush(stdout);
    ranks->finish();
  } catch (const comm::PeerFailed&) {
    end_all(*ranks, std::nullopt);
  } catch (...) {
    end_all(*ranks, current_failure());
  }
  if (code != 0) throw ExitCode{code};
}

int threads_of(int asked, const comm::Communicator& ranks) {
  if (asked > 0 || ranks.alone()) return asked;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int bound = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : cores;
  return std::max(1, std::min(bound, cores / comm::ranks_on_this_machine()));
}

}  // namespace t2v::cli
