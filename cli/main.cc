#include <fcntl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/version.h"
#include "comm/mpi_ranks.h"
#include "commands.h"
#include "exit_code.h"
#include "kernels/target.h"
#include "option_flags.h"
#include "ranks.h"
#include "say.h"
#include "t2v/error.h"
#include "usage.h"

namespace {

using t2v::cli::kBadInput;
using t2v::cli::kFault;

/// Commands that would all do the same, and write over each other, where several were started together.
void refuse_ranks(CLI::App& app) {
  if (t2v::comm::started_together() == 1) return;
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    const std::string name = command->get_name();
    if (name == "train" || name == "evaluate" || name == "predict") continue;
    command->preparse_callback([name](std::size_t) {
      t2v::cli::say_before_ranks(
          fmt::format("t2v: '{}' works by itself, not on several ranks; start it without mpirun", name));
      throw t2v::cli::ExitCode{kBadInput};
    });
  }
}

int run(int argc, char** argv) {
  CLI::App app("t2v - learn vectors of time, and models of timestamped events that use them", "t2v");
  app.footer(
      "Examples:\n"
      "  t2v train clicks.csv -o clicks.t2v       learn to predict the next event, or what the columns tell\n"
      "  t2v evaluate clicks.t2v later.csv        measure it against simple rules\n"
      "  t2v predict clicks.t2v now.csv           predict\n"
      "  t2v doctor clicks.csv                    check a table of events\n"
      "  t2v import clicks.csv -o clicks.events   read it once, to open it at once from then on\n"
      "  t2v inspect clicks.t2v                   see what a model learned about time\n"
#ifdef T2V_EXPERIMENTS
      "  t2v reproduce --list                     the paper's experiments, to be run again\n"
      "  t2v report reproduction                  see what came out, as a page with charts\n"
#endif
      "\n"
      "'t2v COMMAND --help' shows how a command is used, '--help-all' all of its options.\n"
      "Exit codes: 0 done, 1 internal fault, 2 unusable input or options; 129, 130 and 143 stopped by a\n"
      "hang-up, Ctrl-C or SIGTERM, after saving.");
  app.option_defaults()->always_capture_default();
  app.set_version_flag(
      "--version", [] { return fmt::format("t2v {} ({})", t2v::kVersion, t2v::kernels::active_target()); });
  app.require_subcommand(0, 1);
  t2v::cli::add_train(app);
  t2v::cli::add_evaluate(app);
  t2v::cli::add_predict(app);
  t2v::cli::add_stream(app);
  t2v::cli::add_inspect(app);
  t2v::cli::add_ablate(app);
  t2v::cli::add_encode(app);
  t2v::cli::add_rescale(app);
  t2v::cli::add_export(app);
  t2v::cli::add_import(app);
  t2v::cli::add_doctor(app);
  t2v::cli::add_formats(app);
#ifdef T2V_EXPERIMENTS
  t2v::cli::add_reproduce(app);
  t2v::cli::add_report(app);
#endif
  t2v::cli::add_manual(app);
#ifdef T2V_EXPERIMENTS
  t2v::cli::add_bench(app);
#endif
  t2v::cli::add_completion(app);
  t2v::cli::set_up_help(app);
  t2v::cli::collect_option_names(app);
  refuse_ranks(app);
  try {
    std::vector<std::string> words = t2v::cli::join_values(argc, argv);
    if (const std::string complaint = t2v::cli::empty_value(words); !complaint.empty()) {
      t2v::cli::say_before_ranks(complaint);
      return kBadInput;
    }
    app.parse(std::vector<std::string>(words.rbegin(), words.rend() - std::min<std::ptrdiff_t>(argc, 1)));
    if (app.get_subcommands().empty()) fmt::print("{}", app.help());
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    t2v::cli::say_before_ranks(t2v::cli::usage_error(app, error));
    return kBadInput;
  }
  return 0;
}

/// What is opened later must not become standard input, output or error. Where one of them is closed, reading
/// or writing it fails, as it would have.
void keep_standard_descriptors() {
  for (const auto& [file, mode] : {std::pair{0, O_WRONLY}, std::pair{1, O_RDONLY}, std::pair{2, O_RDONLY}}) {
    if (::fcntl(file, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", mode);  // the lowest that is free
  }
}

int output_lost() {
  t2v::cli::say("t2v: standard output cannot be written; is the disk full?\n");
  return kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_descriptors();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of file sizes is an error of the write, which clears up
  std::signal(SIGPIPE, SIG_DFL);  // a reader that has gone ends us without a word, whoever started us
  try {
    const int code = run(argc, argv);
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? code : output_lost();
  } catch (const t2v::cli::ExitCode& exit) {
    return exit.code;
  } catch (const t2v::Error& error) {
    t2v::cli::say("t2v: {}\n", t2v::cli::in_flags(error.what()));
    return kBadInput;
  } catch (const std::bad_alloc&) {
    t2v::cli::say("t2v: {}\n", t2v::cli::kNoMemory);
    return kBadInput;
  } catch (const std::system_error& error) {  // of files and threads
    if (std::ferror(stdout) != 0) return output_lost();
    t2v::cli::say("t2v: {}\n", t2v::cli::refusal_of_system(error));
    return kBadInput;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return output_lost();
    t2v::cli::say("t2v: {}\n", error.what());
    return kFault;
  }
}
