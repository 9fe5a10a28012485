#include "data/file_pattern.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/fail.h"

namespace t2v::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000;

bool is_pattern(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

/// "a/*/b.csv" as its parts between slashes; an absolute path starts with an empty one.
std::vector<std::string> parts_of(const std::string& pattern) {
  std::vector<std::string> parts(1);
  for (const char c : pattern) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// Finds what matches the parts of a pattern from one on, below a folder.
class PatternSearch {
 public:
  explicit PatternSearch(const std::string& pattern) : pattern_(pattern), parts_(parts_of(pattern)) {}

  std::vector<std::string> run() {
    search("", 0);
    std::ranges::sort(found_);
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  void search(const std::string& below, std::size_t part) {
    std::error_code ignored;
    if (part == parts_.size()) return;
    const std::string& name = parts_[part];
    const bool last = part + 1 == parts_.size();
    if (!is_pattern(name)) {
      const std::string path = below + name;
      if (last && fs::is_regular_file(path, ignored)) take(path);
      if (!last) search(path + "/", part + 1);
      return;
    }
    if (name == "**") search(below, part + 1);  // no folder
    for (const auto& entry : fs::directory_iterator(below.empty() ? "." : below, ignored)) {
      const std::string child = entry.path().filename();
      if (fnmatch(name.c_str(), child.c_str(), FNM_PERIOD) != 0) continue;
      const std::string path = below + child;
      if (name == "**") {
        if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) search(path + "/", part);
      } else if (last) {
        if (entry.is_regular_file(ignored)) take(path);
      } else if (entry.is_directory(ignored)) {
        search(path + "/", part + 1);
      }
    }
  }

  void take(const std::string& path) {
    if (found_.size() >= kMostFiles) {
      fail("{}: matches more than {} files; read them in several turns", pattern_, kMostFiles);
    }
    found_.push_back(path);
  }

  const std::string& pattern_;
  std::vector<std::string> parts_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> files_matching(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    const std::string within = path + (path.ends_with('/') ? "" : "/");
    std::vector<std::string> files = PatternSearch(within + "**/*.parquet").run();
    if (files.empty()) fail("{}: is a folder without a Parquet file (*.parquet); name the files", path);
    return files;
  }
  if (path.empty() || !is_pattern(path) || fs::exists(path, ignored)) return {path};
  std::vector<std::string> files = PatternSearch(path).run();
  if (files.empty()) fail("{}: no file matches", path);
  return files;
}

std::vector<TableSource> expanded(const std::vector<TableSource>& sources) {
  std::vector<TableSource> all;
  for (const TableSource& source : sources) {
    for (const std::string& path : files_matching(source.path)) {
      all.push_back({path, source.part, source.files});
    }
  }
  return all;
}

}  // namespace t2v::data
