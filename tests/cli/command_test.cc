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
#include <string>

namespace t2v {
namespace {

struct Outcome {
  int code;
  std::string output;  // stdout and stderr
};

Outcome run(const std::string& arguments, const std::string& environment = "") {
  const std::string line = environment + T2V_COMMAND + " " + arguments + " 2>&1";
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

TEST(Command, PrintsItsVersionAndInstructionSet) {
  const Outcome outcome = run("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output.rfind("t2v 0.", 0), 0U) << outcome.output;
}

TEST(Command, ShowsDefaultsAndAnExampleInTheHelpOfACommand) {
  const Outcome outcome = run("reproduce --help");
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"--seeds", "=16", "--threads", "toy", "Example:"}) {
    EXPECT_TRUE(contains(outcome.output, part)) << part << "\n" << outcome.output;
  }
}

TEST(Command, EndsWithCode2AndOneReasonForWhatItCannotUse) {
  const std::pair<const char*, const char*> cases[] = {
      {"reproduce", "experiment is required"},
      {"reproduce toys", "there is no experiment 'toys'; there is: toy"},
      {"reproduce toy toys", "there is no experiment 'toys'"},
      {"reproduce toy --seeds 0", "0 not in range"},
      {"reproduce toy --seeds many", "many"},
      {"reproduce toy --sedes 3", "--sedes"},
      {"repreduce toy", "repreduce"},
      {"reproduce toy -o /dev/null/results", "/dev/null: cannot create the folder: Not a directory"},
  };
  for (const auto& [arguments, part] : cases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(contains(outcome.output, part)) << arguments << "\n" << outcome.output;
    EXPECT_EQ(outcome.output.rfind("t2v: ", 0), 0U) << outcome.output;
  }
}

TEST(Command, RefusesAnInstructionSetThatDoesNotExist) {
  const Outcome outcome = run("--version", "T2V_TARGET=mmx ");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.output, "'mmx' is no instruction set of this machine; it has "))
      << outcome.output;
}

TEST(CommandAcceptance, ReproducesTheToyExperimentAndWritesItAsJson) {
  const auto folder = std::filesystem::temp_directory_path() / ("t2v-toy-" + std::to_string(::getpid()));
  const Outcome outcome = run("reproduce toy --seeds 1 -o " + (folder / "a/b").string());
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  for (const char* part :
       {"paper:", "ours:", "period 7", "days x 2", "7.00 d, phase +1.5", "The paper's claims"}) {
    EXPECT_TRUE(contains(outcome.output, part)) << part << "\n" << outcome.output;
  }
  const auto json = nlohmann::json::parse(std::ifstream(folder / "a/b/toy.json"));
  EXPECT_EQ(json.at("results").size(), 24U);
  EXPECT_EQ(json.at("results").at(0).at("runs").size(), 1U);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace t2v
