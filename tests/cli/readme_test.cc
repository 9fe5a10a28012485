#include <fstream>
#include <iterator>
#include <string>

#include "tool.h"

namespace t2v {
namespace {

/// What README.md shows below a command, up to the end of its block.
std::string shown_below(const std::string& command) {
  std::ifstream file(std::string(T2V_SOURCE_DIR) + "/README.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t at = text.find("$ " + command + "\n");
  if (at == std::string::npos) return "README.md does not show: " + command;
  const std::size_t begin = at + command.size() + 3;
  return text.substr(begin, text.find("```", begin) - begin);
}

using Readme = Tool;

TEST_F(Readme, ShowsWhatImportPrints) {
  const std::string command = "t2v import examples/cafe.csv --features price --label loyal -o cafe.events";
  const Ran ran =
      bash(std::string("ln -s ") + T2V_SOURCE_DIR + "/examples examples && $T" + command.substr(3));
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err + ran.out, shown_below(command));
}

}  // namespace
}  // namespace t2v
