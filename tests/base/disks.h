#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "t2v/error.h"

namespace t2v {

namespace fs = std::filesystem;

/// The disk, with faults on demand. It keeps a log of the operations by name.
class FaultyDisk : public FileSystem {
 public:
  std::map<std::string, int> fault;  // operation -> errno that it fails with
  bool interrupt = false;            // every other call of each but map fails with EINTR
  int64_t write_at_most = INT64_MAX;
  int64_t read_at_most = INT64_MAX;
  int64_t space = INT64_MAX;            // bytes until ENOSPC
  int64_t operations_left = INT64_MAX;  // until everything fails, as when the power goes
  std::vector<std::string> log;         // operations that went through
  std::vector<std::string> paths;       // their paths, where they have one
  int open_files = 0;

  int open(const std::string& path, Mode mode) override {
    const char* name = mode == Mode::kCreate ? "create" : "open";
    if (fails(name)) return -1;
    note(name, path);
    const int file = disk_.open(path, mode);
    if (file >= 0) ++open_files;
    return file;
  }
  int create(const std::string& path, const std::string& in_place_of) override {
    if (fails("create")) return -1;
    note("create", path);
    const int file = disk_.create(path, in_place_of);
    if (file >= 0) ++open_files;
    return file;
  }
  int64_t read(int file, std::span<std::byte> bytes) override {
    if (fails("read")) return -1;
    note("read");
    return disk_.read(file, bytes.first(std::min(bytes.size(), static_cast<std::size_t>(read_at_most))));
  }
  int64_t write(int file, std::span<const std::byte> bytes) override {
    if (fails("write")) return -1;
    if (space == 0) {
      errno = ENOSPC;
      return -1;
    }
    note("write");
    const auto most = static_cast<std::size_t>(std::min(write_at_most, space));
    const int64_t written = disk_.write(file, bytes.first(std::min(bytes.size(), most)));
    if (space != INT64_MAX) space -= written;
    return written;
  }
  bool is_folder(const std::string& path) override { return disk_.is_folder(path); }
  bool is_special(const std::string& path) override { return disk_.is_special(path); }
  int64_t read_link(const std::string& path, std::span<char> target) override {
    return disk_.read_link(path, target);
  }
  int64_t size(int file) override {
    if (fails("size")) return -1;
    note("size");
    return disk_.size(file);
  }
  int64_t modified(int file) override { return disk_.modified(file); }
  const std::byte* map(int file, std::size_t size) override {
    if (fails("map")) return nullptr;
    note("map");
    return disk_.map(file, size);
  }
  int unmap(const std::byte* bytes, std::size_t size) override { return disk_.unmap(bytes, size); }
  int sync(int file) override {
    if (fails("sync")) return -1;
    note("sync");
    return disk_.sync(file);
  }
  int close(int file) override {
    // Whatever close returns, the descriptor is gone.
    --open_files;
    const int result = disk_.close(file);
    if (fails("close")) return -1;
    note("close");
    return result;
  }
  int rename(const std::string& from, const std::string& to) override {
    if (fails("rename")) return -1;
    note("rename", to);
    return disk_.rename(from, to);
  }
  int remove(const std::string& path) override {
    if (fails("remove")) return -1;
    note("remove", path);
    return disk_.remove(path);
  }
  int create_folder(const std::string& path) override {
    if (fails("create_folder")) return -1;
    note("create_folder", path);
    return disk_.create_folder(path);
  }
  int sync_folder(const std::string& path) override {
    if (fails("sync_folder")) return -1;
    note("sync_folder", path);
    return disk_.sync_folder(path);
  }

 private:
  bool fails(const std::string& operation) {
    if (operations_left == 0) {
      errno = EIO;
      return true;
    }
    --operations_left;
    if (interrupt && operation != "map") {
      bool& again = interrupted_[operation];
      again = !again;
      if (again) {
        errno = EINTR;
        return true;
      }
    }
    const auto found = fault.find(operation);
    if (found == fault.end()) return false;
    errno = found->second;
    return true;
  }
  void note(const std::string& operation, const std::string& path = "") {
    log.push_back(operation);
    paths.push_back(path);
  }

  FileSystem& disk_ = FileSystem::real();
  std::map<std::string, bool> interrupted_;
};

/// A folder of its own for each test, gone afterwards.
class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    static std::atomic<int> count = 0;
    folder_ = fs::temp_directory_path() /
              ("t2v-files-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string get(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  /// The names of all that lies in the folder.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }

  fs::path folder_;
};

/// What `call` throws, or nothing.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
}

}  // namespace t2v
