#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "build_paths.h"

namespace t2v {

struct Ran {
  int code;
  std::string out;
  std::string err;
};

/// The tool, run in a process of its own within a folder of the test's own.
class Tool : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "t2v_tool_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string get(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      all.push_back(entry.path().filename());
    std::ranges::sort(all);
    return all;
  }

  /// Runs "t2v <arguments>", or a line of bash in which $T is the tool.
  Ran run(const std::string& arguments) const { return bash("$T " + arguments); }
  Ran bash(const std::string& line) const {
    put_script(line);
    const std::string command = "cd " + folder_.string() + " && T=" + kCommand + " bash " + script() + " >" +
                                script() + ".out 2>" + script() + ".err";
    const int status = std::system(command.c_str());
    Ran ran{WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(script() + ".out"),
            text_of(script() + ".err")};
    for (const char* end : {"", ".out", ".err"}) std::filesystem::remove(script() + end);
    return ran;
  }

  /// Expects that it ends with code 2 and one line on standard error that says this, and writes nothing.
  void expect_refused(const std::string& arguments, const std::string& says) const {
    const std::vector<std::string> before = names();
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 2) << arguments << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << arguments;
    ASSERT_TRUE(ran.err.ends_with('\n')) << arguments << "\n" << ran.err;
    const std::size_t before_last = ran.err.rfind('\n', ran.err.size() - 2);
    const std::string last = ran.err.substr(before_last == std::string::npos ? 0 : before_last + 1);
    EXPECT_TRUE(last.starts_with("t2v: ") ||
                last.starts_with("t2v " + arguments.substr(0, arguments.find(' '))))
        << last;
    EXPECT_NE(last.find(says), std::string::npos) << arguments << "\n" << ran.err;
    EXPECT_EQ(names(), before) << arguments;
  }

 private:
  std::string script() const { return folder_.string() + ".sh"; }
  void put_script(const std::string& line) const { std::ofstream(script()) << line << "\n"; }
  static std::string text_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::filesystem::path folder_;
};

inline ::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no '" << part << "' in:\n" << text;
}
#define EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part))

inline const char* const kClicks =
    "user,time,event\n"
    "ann,2024-01-01T08:00:00Z,open\n"
    "ann,2024-01-02T08:00:00Z,buy\n"
    "bob,2024-01-01T09:30:00Z,open\n"
    "bob,2024-01-04T09:30:00Z,look\n"
    "cy,2024-01-05,open\n"
    "cy,2024-01-06,buy\n"
    "dee,2024-01-07,open\n"
    "dee,2024-01-08,open\n";

}  // namespace t2v
