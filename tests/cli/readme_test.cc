#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tool.h"

namespace t2v {
namespace {

/// A command that README.md shows, and what it shows below it.
struct Shown {
  std::string command;
  std::string output;
};

/// All commands of the tool in blocks of their own, in order, without those that take minutes.
std::vector<Shown> shown_commands() {
  std::ifstream file(std::string(T2V_SOURCE_DIR) + "/README.md");
  std::vector<Shown> all;
  bool within = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) within = false;
    if (within) all.back().output += line + "\n";
    const bool ours = line.starts_with("$ t2v ") || line.starts_with("$ echo ");
    if (!ours) continue;
    all.push_back({line.substr(2), ""});
    within = true;
  }
  return all;
}

/// With every number replaced, since training differs a little from one instruction set to another.
std::string without_numbers(const std::string& text) {
  return std::regex_replace(text, std::regex("[ *]*[-+]?[0-9][0-9.,]*"), " #");
}

using Readme = Tool;

TEST_F(Readme, ShowsCommandsThatRunAndPrintWhatItShows) {
  const std::vector<Shown> all = shown_commands();
  ASSERT_GE(all.size(), 6U);
  ASSERT_EQ(bash(std::string("ln -s ") + T2V_SOURCE_DIR + "/examples examples").code, 0);
  for (const Shown& shown : all) {
    const std::string command = std::regex_replace(shown.command, std::regex(R"((^|\| )t2v )"), "$1$T ");
    const Ran ran = bash(command);
    ASSERT_EQ(ran.code, 0) << shown.command << "\n" << ran.err;
    const std::string printed = ran.err + ran.out;
    if (shown.command.starts_with("t2v import")) {
      EXPECT_EQ(printed, shown.output) << shown.command;
      continue;
    }
    std::istringstream lines(shown.output);
    for (std::string line; std::getline(lines, line);) {
      if (line == "...") continue;
      EXPECT_NE(without_numbers("\n" + printed).find("\n" + without_numbers(line)), std::string::npos)
          << shown.command << " does not print\n"
          << line << "\nbut\n"
          << printed;
    }
  }
}

}  // namespace
}  // namespace t2v
