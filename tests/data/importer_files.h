#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "data/event_table.h"
#include "t2v/error.h"

namespace t2v::data {

/// A folder of files of a test's own, removed at the end.
class OwnFiles {
 public:
  OwnFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "t2v_import_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~OwnFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  OwnFiles(const OwnFiles&) = delete;
  OwnFiles& operator=(const OwnFiles&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

/// What a call complains of; nothing if it does not.
template <class Call>
std::string complaint(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline ::testing::AssertionResult says(const std::string& what, const std::string& part) {
  if (what.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << what << "' does not say '" << part << "'";
}
#define EXPECT_SAYS(what, part) EXPECT_TRUE(says(what, part))

inline std::vector<std::string> names_of(const Names& names) {
  std::vector<std::string> all;
  for (int32_t i = 0; i < names.size(); ++i) all.emplace_back(names[i]);
  return all;
}

inline bool any_note(const EventTable& table, std::string_view part) {
  return std::ranges::any_of(table.notes,
                             [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

using Ticks = std::vector<int64_t>;
using Codes = std::vector<int32_t>;
using Doubles = std::vector<double>;
using Texts = std::vector<std::string>;

}  // namespace t2v::data
