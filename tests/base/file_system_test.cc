#include "base/file_system.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "t2v/error.h"

namespace t2v {
namespace {

namespace fs = std::filesystem;

/// The disk, with faults on demand. It keeps a log of the operations by name.
class FaultyDisk : public FileSystem {
 public:
  std::map<std::string, int> fault;  // operation -> errno that it fails with
  bool interrupt = false;            // every other call of each operation fails with EINTR
  int64_t write_at_most = INT64_MAX;
  int64_t read_at_most = INT64_MAX;
  int64_t space = INT64_MAX;            // bytes until ENOSPC
  int64_t operations_left = INT64_MAX;  // until everything fails, as when the power goes
  std::vector<std::string> log;         // operations that went through
  std::vector<std::string> paths;       // their paths, where they have one
  int open_files = 0;

  int open(const std::string& path, Mode mode) override {
    const char* name = mode == Mode::kRead ? "open" : "create";
    if (fails(name)) return -1;
    note(name, path);
    const int file = disk_.open(path, mode);
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
    if (interrupt && (interrupted_[operation] = !interrupted_[operation])) {
      errno = EINTR;
      return true;
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
              ("t2v-file-system-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
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

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string pattern(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7 + i / 251);
  return text;
}

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

void expect_explained(const std::string& what, const std::string& path, int reason) {
  EXPECT_NE(what.find(path), std::string::npos) << what;
  EXPECT_NE(what.find(std::strerror(reason)), std::string::npos) << what;
}

TEST_F(Files, AreReadWhole) {
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 131071, 131072, 131073, 300000}) {
    const std::string text = pattern(size);
    put(path("a"), text);
    EXPECT_TRUE(text_of(read_file(FileSystem::real(), path("a"))) == text) << size;
  }
}

TEST_F(Files, AreReadInPiecesAndThroughInterruptions) {
  const std::string text = pattern(70000);
  put(path("a"), text);
  FaultyDisk disk;
  disk.interrupt = true;
  disk.read_at_most = 1000;
  EXPECT_TRUE(text_of(read_file(disk, path("a"))) == text);
  EXPECT_EQ(disk.open_files, 0);
}

TEST_F(Files, ExplainWhyTheyCannotBeRead) {
  FaultyDisk disk;
  expect_explained(error_of([&] { read_file(disk, path("missing")); }), path("missing"), ENOENT);
  expect_explained(error_of([&] { read_file(disk, folder_.string()); }), folder_.string(), EISDIR);
  put(path("a"), "text");
  disk.fault["read"] = EIO;
  expect_explained(error_of([&] { read_file(disk, path("a")); }), path("a"), EIO);
  EXPECT_EQ(disk.open_files, 0);
}

TEST_F(Files, AreMadeAndReplaced) {
  FileSystem& disk = FileSystem::real();
  for (const std::size_t size : {5, 0, 100000, 1}) {
    write_file_atomically(disk, path("a"), pattern(size));
    EXPECT_TRUE(get(path("a")) == pattern(size)) << size;
    EXPECT_EQ(names(), std::vector<std::string>{"a"});
  }
  const std::string bytes("a\0b", 3);
  write_file_atomically(disk, path("a"), std::as_bytes(std::span(bytes)));
  EXPECT_EQ(get(path("a")), bytes);
}

TEST_F(Files, ReachTheDiskBeforeTheyTakeTheirName) {
  FaultyDisk disk;
  write_file_atomically(disk, path("a"), "new");
  auto log = disk.log;
  auto paths = disk.paths;
  // Clearing away a stale temporary file may come first.
  if (log.front() == "remove") {
    EXPECT_EQ(paths.front(), path("a") + ".tmp");
    log.erase(log.begin());
    paths.erase(paths.begin());
  }
  EXPECT_EQ(log, (std::vector<std::string>{"create", "write", "sync", "close", "rename", "sync_folder"}));
  EXPECT_EQ(paths, (std::vector<std::string>{path("a") + ".tmp", "", "", "", path("a"), folder_.string()}));
}

TEST_F(Files, AreWrittenThroughShortWrites) {
  FaultyDisk disk;
  disk.write_at_most = 1;
  write_file_atomically(disk, path("a"), pattern(1000));
  EXPECT_EQ(get(path("a")), pattern(1000));
  EXPECT_EQ(std::count(disk.log.begin(), disk.log.end(), "write"), 1000);
}

TEST_F(Files, AreWrittenThroughInterruptionsOfEveryOperation) {
  put(path("a"), "old");
  put(path("a.tmp"), "stale");
  FaultyDisk disk;
  disk.interrupt = true;
  disk.write_at_most = 10;
  write_file_atomically(disk, path("a"), pattern(95));
  EXPECT_EQ(get(path("a")), pattern(95));
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
  EXPECT_EQ(disk.open_files, 0);
  EXPECT_EQ(std::count(disk.log.begin(), disk.log.end(), "sync"), 1);
}

TEST_F(Files, KeepTheirOldContentsWhenAnOperationFails) {
  const std::vector<std::pair<std::string, int>> faults = {{"create", EACCES}, {"write", ENOSPC},
                                                           {"write", EIO},     {"sync", EIO},
                                                           {"close", EIO},     {"rename", EACCES}};
  for (const auto& fault : faults) {
    SCOPED_TRACE(fault.first);
    put(path("a"), "old contents");
    FaultyDisk disk;
    disk.fault.insert(fault);
    const std::string what = error_of([&] { write_file_atomically(disk, path("a"), pattern(100)); });
    expect_explained(what, path("a"), fault.second);
    EXPECT_EQ(get(path("a")), "old contents");
    EXPECT_EQ(names(), std::vector<std::string>{"a"});
    EXPECT_EQ(disk.open_files, 0);
  }
}

TEST_F(Files, KeepTheirOldContentsWhenTheDiskBecomesFull) {
  for (const int64_t space : {0, 1, 50, 99}) {
    put(path("a"), "old contents");
    FaultyDisk disk;
    disk.space = space;
    const std::string what = error_of([&] { write_file_atomically(disk, path("a"), pattern(100)); });
    expect_explained(what, path("a"), ENOSPC);
    EXPECT_EQ(get(path("a")), "old contents");
    EXPECT_EQ(names(), std::vector<std::string>{"a"}) << space;
  }
}

TEST_F(Files, AreNotMadeAtAllWhenTheWriteFails) {
  FaultyDisk disk;
  disk.fault["sync"] = EIO;
  EXPECT_NE(error_of([&] { write_file_atomically(disk, path("a"), "new"); }), "");
  EXPECT_TRUE(names().empty());
}

TEST_F(Files, AreWholeAndReportedWhenTheFolderCannotBeSynced) {
  put(path("a"), "old");
  FaultyDisk disk;
  disk.fault["sync_folder"] = EIO;
  const std::string what = error_of([&] { write_file_atomically(disk, path("a"), "new"); });
  expect_explained(what, folder_.string(), EIO);
  EXPECT_EQ(get(path("a")), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(Files, HoldOldOrNewContentsWheneverThePowerGoes) {
  bool finished = false;
  for (int64_t operations = 0; !finished; ++operations) {
    ASSERT_LT(operations, 100);
    put(path("a"), "old");
    FaultyDisk disk;
    disk.operations_left = operations;
    disk.write_at_most = 1;
    finished = error_of([&] { write_file_atomically(disk, path("a"), "new contents"); }).empty();
    const std::string text = get(path("a"));
    EXPECT_TRUE(text == "old" || text == "new contents") << operations << ": " << text;
    if (finished) {
      EXPECT_EQ(text, "new contents");
    }
    // The power is back: what was left behind is not in the way.
    write_file_atomically(FileSystem::real(), path("a"), "newer");
    EXPECT_EQ(get(path("a")), "newer");
    EXPECT_EQ(names(), std::vector<std::string>{"a"});
  }
}

TEST_F(Files, AreWrittenDespiteTheTemporaryFileOfACrash) {
  put(path("a.tmp"), "a much longer text that a crash left behind");
  write_file_atomically(FileSystem::real(), path("a"), "new");
  EXPECT_EQ(get(path("a")), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(Files, ExplainWhyATemporaryFileCannotBeCleared) {
  put(path("a"), "old");
  put(path("a.tmp"), "stale");
  FaultyDisk disk;
  disk.fault["remove"] = EPERM;
  expect_explained(error_of([&] { write_file_atomically(disk, path("a"), "new"); }), path("a") + ".tmp",
                   EPERM);
  EXPECT_EQ(get(path("a")), "old");
}

TEST_F(Files, AreNotWrittenIntoAMissingFolder) {
  const std::string what = error_of([&] { write_file_atomically(FileSystem::real(), path("no/a"), "new"); });
  expect_explained(what, path("no/a"), ENOENT);
}

TEST_F(Files, AreWrittenInTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  FaultyDisk disk;
  EXPECT_EQ(error_of([&] { write_file_atomically(disk, "a", "new"); }), "");
  fs::current_path(before);
  EXPECT_EQ(get(path("a")), "new");
  EXPECT_EQ(disk.paths.back(), ".");
}

TEST_F(Files, GetFoldersWithThoseAboveThem) {
  FaultyDisk disk;
  create_folders(disk, path("a/b/c"));
  EXPECT_TRUE(fs::is_directory(path("a/b/c")));
  put(path("a/b/file"), "kept");
  create_folders(disk, path("a/b/c"));
  create_folders(disk, path("a/b/d/"));
  create_folders(disk, path("a"));
  EXPECT_TRUE(fs::is_directory(path("a/b/d")));
  EXPECT_EQ(get(path("a/b/file")), "kept");
}

TEST_F(Files, GetRelativeFolders) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const std::string what = error_of([] { create_folders(FileSystem::real(), "x/y"); });
  fs::current_path(before);
  EXPECT_EQ(what, "");
  EXPECT_TRUE(fs::is_directory(path("x/y")));
}

TEST_F(Files, GetFoldersThroughInterruptions) {
  FaultyDisk disk;
  disk.interrupt = true;
  create_folders(disk, path("a/b"));
  EXPECT_TRUE(fs::is_directory(path("a/b")));
}

TEST_F(Files, ExplainWhyAFolderCannotBeMade) {
  put(path("file"), "text");
  FaultyDisk disk;
  expect_explained(error_of([&] { create_folders(disk, path("file/a")); }), path("file"), ENOTDIR);
  expect_explained(error_of([&] { create_folders(disk, path("file")); }), path("file"), ENOTDIR);
  disk.fault["create_folder"] = EACCES;
  EXPECT_NE(error_of([&] { create_folders(disk, path("b")); }).find(std::strerror(EACCES)),
            std::string::npos);
}

}  // namespace
}  // namespace t2v
