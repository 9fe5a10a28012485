#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "markdown.h"
#include "tool.h"

namespace t2v {
namespace {

/// With every number replaced, and every list of them, since training differs a little from one instruction
/// set to another, and with one space for several, since columns are as wide as their numbers.
std::string without_numbers(const std::string& text) {
  const std::regex numbers("[ *]*[-+]?[0-9](?:,[-+]|e[-+]|[0-9.,])*");
  const std::string replaced = std::regex_replace(text, numbers, " #");
  return std::regex_replace(replaced, std::regex(" +"), " ");
}

/// What a page shows, run in order in one folder, with `t2v` on the path, the folder of examples and the
/// programs that the page shows.
class ShownCommands : public Tool {
 protected:
  void expect_true(const std::string& page, std::size_t at_least) const {
    const std::vector<ShownCommand> all = shown_commands(source_path(page));
    ASSERT_GE(all.size(), at_least) << page;
    ASSERT_EQ(bash("ln -s " + source_path("examples") + " examples").code, 0);
    for (const ShownProgram& program : shown_programs(source_path(page))) put(program.name, program.text);
    for (const ShownCommand& shown : all) {
      const Ran ran = bash("PATH=$(dirname $T):$PATH\n" + shown.command);
      const std::string place = page + ":" + std::to_string(shown.line) + ": " + shown.command + "\n";
      ASSERT_EQ(ran.code, 0) << place << ran.err;
      expect_shown(ran.err + ran.out, shown, place);
    }
  }

 private:
  static void expect_shown(const std::string& printed, const ShownCommand& shown, const std::string& place) {
    const bool whole = shown.output.find("...\n") == std::string::npos;
    if (whole && shown.command.starts_with("t2v import")) {
      EXPECT_EQ(printed, shown.output) << place;
      return;
    }
    std::istringstream lines(shown.output);
    for (std::string line; std::getline(lines, line);) {
      if (line == "...") continue;
      EXPECT_NE(without_numbers("\n" + printed).find("\n" + without_numbers(line)), std::string::npos)
          << place << "does not print\n"
          << line << "\nbut\n"
          << printed;
    }
  }
};

TEST_F(ShownCommands, OfTheReadmeRunAndPrintWhatItShows) { expect_true("README.md", 6); }
TEST_F(ShownCommands, OfGetStartedRunAndPrintWhatItShows) { expect_true("docs/get-started.md", 6); }
TEST_F(ShownCommands, OfTheGuideRunAndPrintWhatItShows) { expect_true("docs/guide.md", 15); }
TEST_F(ShownCommands, OfTheConceptsRunAndPrintWhatTheyShow) { expect_true("docs/concepts.md", 1); }
TEST_F(ShownCommands, OfTheAnswersRunAndPrintWhatTheyShow) { expect_true("docs/faq.md", 2); }
TEST_F(ShownCommands, OfGettingDataInRunAndPrintWhatItShows) { expect_true("docs/data.md", 2); }

TEST_F(ShownCommands, OfTheFileFormatRunAndPrintWhatItShows) {
  // What the package xxhash does, by the library that t2v has, too.
  put("xxhash.py",
      "import ctypes\n"
      "_hash = ctypes.CDLL('libxxhash.so.0').XXH3_64bits\n"
      "_hash.restype = ctypes.c_uint64\n"
      "def xxh3_64_hexdigest(data):\n"
      "    return f'{_hash(data, ctypes.c_size_t(len(data))):016x}'\n");
  expect_true("docs/file-format.md", 4);
  const Ran shown = bash("python3 predict.py songs.events songs.t2v");
  const Ran ours = bash("$T predict songs.t2v songs.events --top 1 --csv | sed 1d | head -5");
  std::istringstream shown_lines(shown.out);
  std::istringstream our_lines(ours.out);
  int count = 0;
  for (std::string line, other; std::getline(shown_lines, line) && std::getline(our_lines, other); ++count) {
    EXPECT_EQ(line.substr(0, line.find(':')), other.substr(0, other.find(',')));
    EXPECT_NEAR(std::stod(line.substr(line.rfind(' '))), std::stod(other.substr(other.rfind(',') + 1)), 1e-4);
  }
  EXPECT_EQ(count, 5) << shown.err;
}

TEST_F(ShownCommands, MayPrintOtherNumbersOfAnySignAndSize) {
  EXPECT_EQ(without_numbers("sin,4,0.42,-1.7,364 days"), without_numbers("sin,2,3.3e-07,2.02,7.01  days"));
  EXPECT_NE(without_numbers("sin,4,0.42"), without_numbers("cos,4,0.42"));
}

TEST_F(ShownCommands, AreThoseOfConsolesThatAreNotMarkedAsNotRun) {
  put("page.md",
      "```console\n$ t2v one\nout\n$ t2v two\n```\n\n"
      "<!-- not run: takes an hour -->\n```console\n$ t2v three\n```\n\n"
      "```sh\n$ t2v four\n```\n$ t2v five\n\n```console\n$ t2v six\n```\n");
  const std::vector<ShownCommand> all = shown_commands(path("page.md"));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].command, "t2v one");
  EXPECT_EQ(all[0].output, "out\n");
  EXPECT_EQ(all[0].line, 2);
  EXPECT_EQ(all[1].command, "t2v two");
  EXPECT_EQ(all[2].command, "t2v six");
}

}  // namespace
}  // namespace t2v
