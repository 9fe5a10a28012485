// The tool as a user meets it: run in a process of its own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "build_paths.h"

namespace t2v {
namespace {

struct Outcome {
  int code;
  std::string output;  // stdout and stderr
};

Outcome run(const std::string& arguments, const std::string& environment = "") {
  const std::string line = environment + kCommand + " " + arguments + " 2>&1";
  FILE* pipe = popen(line.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Command, PrintsItsHelpWhenCalledWithNothing) {
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.output, "Usage: t2v")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "reproduce")) << outcome.output;
  EXPECT_EQ(run("--help").output, outcome.output);
}

TEST(Command, PrintsTheHelpOfACommandThatIsNamed) {
  EXPECT_EQ(run("help").output, run("--help").output);
  EXPECT_EQ(run("help reproduce").output, run("reproduce --help").output);
  const Outcome wrong = run("help trian");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.output, "there is no command 'trian' (did you mean 'train'?)")) << wrong.output;
}

TEST(Command, PrintsItsVersionAndInstructionSet) {
  const Outcome outcome = run("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output.rfind("t2v 0.", 0), 0U) << outcome.output;
}

TEST(Command, ShowsDefaultsAndAnExampleInTheHelpOfACommand) {
  const Outcome outcome = run("reproduce --help");
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"--threads INT [0]", "--scale", "--data-dir", "1c-days", "Examples:"}) {
    EXPECT_TRUE(contains(outcome.output, part)) << part << "\n" << outcome.output;
  }
}

TEST(Command, EndsWithCode2AndOneReasonForWhatItCannotUse) {
  const std::pair<const char*, const char*> cases[] = {
      {"reproduce 1z", "t2v: there is no row '1z'; there is: 1a, 1a-200, "},
      {"reproduce 1a 1z", "t2v: there is no row '1z'"},
      {"reproduce 5.2-period -o /dev/null/results",
       "t2v: /dev/null: cannot create the folder: Not a directory"},
  };
  for (const auto& [arguments, start] : cases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.output.rfind(start, 0), 0U) << outcome.output;
  }
}

TEST(Command, SaysInOneLineWhatIsWrongWithArgumentsAndWhatMayBeMeant) {
  const std::pair<const char*, const char*> cases[] = {
      {"reproduce", "t2v: name a row, or all; --list tells what there is\n"},
      {"reproduce 1a --threads -1",
       "t2v reproduce: --threads -1 is not a number from 0 to 1,024; see 't2v reproduce --help'\n"},
      {"reproduce 1a --scael quick",
       "t2v reproduce: there is no option '--scael' (did you mean '--scale'?); see 't2v reproduce --help'\n"},
      {"reproduce 1a --scale", "t2v reproduce: --scale needs a value; see 't2v reproduce --help'\n"},
      {"reproduce 1a -o a -o b",
       "t2v reproduce: --output is given more than once; see 't2v reproduce --help'\n"},
      {"repreduce toy",
       "t2v: there is no command 'repreduce' (did you mean 'reproduce'?); see 't2v --help'\n"},
      {"frobnicate", "t2v: there is no command 'frobnicate'; see 't2v --help'\n"},
      {"--vesrion", "t2v: there is no option '--vesrion' (did you mean '--version'?); see 't2v --help'\n"},
      {"formats x", "t2v formats: 'x' is one argument too many; see 't2v formats --help'\n"},
      {"formats --json", "t2v formats: there is no option '--json'; see 't2v formats --help'\n"},
      {"import x.csv --spilt=last -o y",
       "t2v import: there is no option '--spilt' (did you mean '--split'?); see 't2v import --help'\n"},
      {"import x.csv --outptu y",
       "t2v import: there is no option '--outptu' (did you mean '--output'?); see 't2v import --help'\n"},
      {"import x.csv --json -o y", "t2v import: there is no option '--json'; see 't2v import --help'\n"},
      {"import x.csv --order srot -o y",
       "t2v import: --order 'srot' is none of sort, strict, drop (did you mean 'sort'?); see 't2v import "
       "--help'\n"},
      {"\"a\nb\"", "t2v: there is no command 'a\\x0ab'; see 't2v --help'\n"},
  };
  for (const auto& [arguments, line] : cases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.output, line) << arguments;
  }
}

TEST(Command, HasHelpOfALineACommandWithExamples) {
  const std::string help = run("--help").output;
  for (const char* part : {"\nCommands:\n", "\n  import  ", "\n  reproduce  ", "\nExamples:\n  t2v "}) {
    EXPECT_TRUE(contains(help, part)) << part << "\n" << help;
  }
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
  EXPECT_FALSE(contains(help, "\n\n\n"));
}

TEST(Command, RefusesAnInstructionSetThatDoesNotExist) {
  const Outcome outcome = run("--version", "T2V_TARGET=mmx ");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.output, "'mmx' is no instruction set of this machine; it has "))
      << outcome.output;
}

}  // namespace
}  // namespace t2v
