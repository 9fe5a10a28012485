#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "markdown.h"
#include "shown_output.h"
#include "tool.h"

namespace t2v {
namespace {

/// The page with other output below its commands.
std::string with_outputs(const std::string& page, const std::vector<ShownCommand>& all,
                         const std::vector<std::string>& outputs) {
  std::string text;
  std::size_t next = 0;
  int skip = 0;
  for (const PageLine& line : lines_of_page(page)) {
    if (next < all.size() && line.number == all[next].output_line) {
      text += outputs[next];
      skip = static_cast<int>(std::ranges::count(all[next++].output, '\n'));
    }
    if (skip-- <= 0) text += line.text + "\n";
  }
  return text;
}

/// What a page shows, run in order in one folder, with `t2v` on the path, the folder of examples and the
/// programs that the page shows. With T2V_REFRESH_SHOWN (scripts/shown) the page then shows what was printed.
class ShownCommands : public Tool {
 protected:
  void expect_true(const std::string& page, std::size_t at_least) const {
    const std::vector<ShownCommand> all = shown_commands(source_path(page));
    ASSERT_GE(all.size(), at_least) << page;
    ASSERT_EQ(bash("ln -s " + source_path("examples") + " examples").code, 0);
    for (const ShownProgram& program : shown_programs(source_path(page))) put(program.name, program.text);
    std::vector<std::string> outputs;
    for (const ShownCommand& shown : all) {
      const Ran ran = bash("PATH=$(dirname $T):$PATH\n" + shown.command);
      const std::string place = page + ":" + std::to_string(shown.line) + ": " + shown.command + "\n";
      ASSERT_EQ(ran.code, 0) << place << ran.err;
      const std::string printed = ran.err + ran.out;
      outputs.push_back(refreshes() ? refreshed_output(shown.output, printed) : shown.output);
      if (outputs.back().empty()) continue;
      EXPECT_EQ(output_fault(outputs.back(), printed), "") << place << "but it prints\n" << printed;
    }
    if (!refreshes()) return;
    const std::string text = with_outputs(source_path(page), all, outputs);
    std::ofstream(source_path(page), std::ios::binary) << text;
  }

 private:
  static bool refreshes() { return std::getenv("T2V_REFRESH_SHOWN") != nullptr; }
};

class ShownPages : public ShownCommands, public ::testing::WithParamInterface<std::string> {};

TEST_P(ShownPages, RunAndPrintWhatTheyShow) { expect_true(GetParam(), 1); }

/// The pages that show commands; that of the file format has a test of its own.
std::vector<std::string> pages_with_commands() {
  std::vector<std::string> pages = {"README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_path("docs"))) {
    const bool page = entry.path().extension() == ".md" && entry.path().filename() != "file-format.md";
    if (page && !shown_commands(entry.path()).empty())
      pages.push_back(entry.path().lexically_relative(source_path("")).string());
  }
  std::ranges::sort(pages);
  return pages;
}

std::string name_of_page(const ::testing::TestParamInfo<std::string>& page) {
  std::string name = std::filesystem::path(page.param).stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Documents, ShownPages, ::testing::ValuesIn(pages_with_commands()), name_of_page);

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

TEST_F(ShownCommands, GoOnBehindABackslash) {
  put("page.md", "```console\n$ t2v one \\\n    two\nout\n```\n");
  const std::vector<ShownCommand> all = shown_commands(path("page.md"));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].command, "t2v one \\\n    two");
  EXPECT_EQ(all[0].output, "out\n");
  EXPECT_EQ(all[0].output_line, 4);
}

TEST_F(ShownCommands, GetOtherOutputInThePage) {
  put("page.md", "a\n```console\n$ one\nold\nold\n$ two\n$ three\nold\n```\nb\n");
  const std::vector<ShownCommand> all = shown_commands(path("page.md"));
  EXPECT_EQ(with_outputs(path("page.md"), all, {"new\n", "", "1\n2\n"}),
            "a\n```console\n$ one\nnew\n$ two\n$ three\n1\n2\n```\nb\n");
}

}  // namespace
}  // namespace t2v
