#include "base/file_system.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "disks.h"

namespace t2v {
namespace {

constexpr std::size_t kMost = 1 << 20;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string pattern(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7 + i / 251);
  return text;
}

void expect_explained(const std::string& what, const std::string& path, int reason) {
  EXPECT_NE(what.find(path), std::string::npos) << what;
  EXPECT_NE(what.find(std::strerror(reason)), std::string::npos) << what;
}

TEST_F(Files, AreReadWhole) {
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 131071, 131072, 131073, 300000}) {
    const std::string text = pattern(size);
    put(path("a"), text);
    EXPECT_TRUE(text_of(read_file(FileSystem::real(), path("a"), size)) == text) << size;
  }
}

TEST_F(Files, AreReadInPiecesAndThroughInterruptions) {
  const std::string text = pattern(70000);
  put(path("a"), text);
  FaultyDisk disk;
  disk.interrupt = true;
  disk.read_at_most = 1000;
  EXPECT_TRUE(text_of(read_file(disk, path("a"), kMost)) == text);
  EXPECT_EQ(disk.open_files, 0);
}

TEST_F(Files, ExplainWhyTheyCannotBeRead) {
  FaultyDisk disk;
  expect_explained(error_of([&] { read_file(disk, path("missing"), kMost); }), path("missing"), ENOENT);
  expect_explained(error_of([&] { read_file(disk, folder_.string(), kMost); }), folder_.string(), EISDIR);
  put(path("a"), "text");
  disk.fault["read"] = EIO;
  expect_explained(error_of([&] { read_file(disk, path("a"), kMost); }), path("a"), EIO);
  EXPECT_EQ(disk.open_files, 0);
}

TEST_F(Files, AreReadUpToABound) {
  FileSystem& disk = FileSystem::real();
  for (const std::size_t size : {1, 65536, 65537, 200000}) {
    put(path("a"), pattern(size));
    const std::string why =
        path("a") + ": has more than the " + std::to_string(size - 1) + " bytes that such a file may have";
    EXPECT_EQ(read_file(disk, path("a"), size).size(), size);
    EXPECT_EQ(read_regular_file(disk, path("a"), size).size(), size);
    EXPECT_EQ(error_of([&] { read_file(disk, path("a"), size - 1); }), why);
    EXPECT_EQ(error_of([&] { read_regular_file(disk, path("a"), size - 1); }), why);
  }
}

TEST_F(Files, ThatMustBeFilesAreReadWhole) {
  FaultyDisk disk;
  disk.interrupt = true;
  disk.read_at_most = 1000;
  for (const std::size_t size : {0, 1, 70000}) {
    put(path("a"), pattern(size));
    EXPECT_TRUE(text_of(read_regular_file(disk, path("a"), kMost)) == pattern(size)) << size;
  }
  EXPECT_EQ(disk.open_files, 0);
}

TEST_F(Files, ThatMustBeFilesAreNoPipesOrFoldersAndNotWaitedFor) {
  FaultyDisk disk;
  const auto why = [&](const std::string& name) {
    return error_of([&] { read_regular_file(disk, name, kMost); });
  };
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string advice = ": is a pipe or a device; write it to a file and give that";
  EXPECT_EQ(why(path("pipe")), path("pipe") + advice);  // nobody writes to it: a read would wait for ever
  EXPECT_EQ(why("/dev/zero"), "/dev/zero" + advice);
  EXPECT_EQ(why(folder_.string()), folder_.string() + ": is a folder; give a file");
  expect_explained(why(path("missing")), path("missing"), ENOENT);
  EXPECT_EQ(disk.open_files, 0);
}

TEST_F(Files, OfOthersBesideThemAreLeftAlone) {
  FileSystem& disk = FileSystem::real();
  put(path("a.tmp"), "of somebody else");
  const auto expect_there = [&](const char* after) {
    EXPECT_EQ(get(path("a.tmp")), "of somebody else") << after;
  };
  write_file_atomically(disk, path("a"), "new");
  expect_there("write_file_atomically");
  check_writable(disk, path("a"));
  expect_there("check_writable");
  clear_unfinished(disk, path("a"));
  expect_there("clear_unfinished");
  EXPECT_EQ(get(path("a")), "new");
  remove_file(disk, path("a"));
  expect_there("remove_file");
  EXPECT_EQ(names(), std::vector<std::string>{"a.tmp"});
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

TEST_F(Files, AreWrittenFromPieces) {
  const std::string text = pattern(1000);
  const auto all = std::as_bytes(std::span(text));
  const std::vector<std::span<const std::byte>> pieces = {
      all.first(10), {}, all.subspan(10, 1), all.subspan(11)};
  FaultyDisk disk;
  write_file_atomically(disk, path("a"), pieces);
  EXPECT_EQ(get(path("a")), text);
  EXPECT_EQ(std::count(disk.log.begin(), disk.log.end(), "write"), 3);
  write_file_atomically(disk, path("a"), std::vector<std::span<const std::byte>>());
  EXPECT_EQ(get(path("a")), "");
}

TEST_F(Files, AreSyncedByTheSystem) {
  // What cannot be synced shows that the call is made.
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  EXPECT_EQ(FileSystem::real().sync(pipe[1]), -1);
  EXPECT_EQ(errno, EINVAL);
  ::close(pipe[0]);
  ::close(pipe[1]);
  EXPECT_EQ(FileSystem::real().sync_folder(path("none")), -1);
  EXPECT_EQ(FileSystem::real().sync_folder(folder_.string()), 0);
}

TEST_F(Files, ReachTheDiskBeforeTheyTakeTheirName) {
  FaultyDisk disk;
  write_file_atomically(disk, path("a"), "new");
  auto log = disk.log;
  auto paths = disk.paths;
  // Clearing away a stale temporary file may come first.
  if (log.front() == "remove") {
    EXPECT_EQ(paths.front(), path("a") + ".t2v-unfinished");
    log.erase(log.begin());
    paths.erase(paths.begin());
  }
  EXPECT_EQ(log, (std::vector<std::string>{"create", "write", "sync", "close", "rename", "sync_folder"}));
  EXPECT_EQ(paths, (std::vector<std::string>{path("a") + ".t2v-unfinished", "", "", "", path("a"),
                                             folder_.string()}));
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
  put(path("a.t2v-unfinished"), "stale");
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
  put(path("a.t2v-unfinished"), "a much longer text that a crash left behind");
  write_file_atomically(FileSystem::real(), path("a"), "new");
  EXPECT_EQ(get(path("a")), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(Files, ExplainWhyATemporaryFileCannotBeCleared) {
  put(path("a"), "old");
  put(path("a.t2v-unfinished"), "stale");
  FaultyDisk disk;
  disk.fault["remove"] = EPERM;
  expect_explained(error_of([&] { write_file_atomically(disk, path("a"), "new"); }),
                   path("a") + ".t2v-unfinished", EPERM);
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

TEST_F(Files, AreWrittenWhereALinkLeads) {
  fs::create_directory(path("far"));
  put(path("far/a"), "old");
  fs::create_symlink("far/link", path("a"));
  fs::create_symlink(path("far/a"), path("far/link"));
  FaultyDisk disk;
  write_file_atomically(disk, path("a"), "new");
  EXPECT_EQ(get(path("far/a")), "new");
  EXPECT_TRUE(fs::is_symlink(path("a")));
  EXPECT_TRUE(fs::is_symlink(path("far/link")));
  EXPECT_EQ(disk.paths.back(), path("far"));
  fs::remove(path("far/a"));
  write_file_atomically(disk, path("a"), "made");
  EXPECT_EQ(get(path("far/a")), "made");
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "far"}));
}

TEST_F(Files, AreWrittenWhereALinkInTheCurrentFolderLeads) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  fs::create_symlink("b", "a");
  const std::string what = error_of([] { write_file_atomically(FileSystem::real(), "a", "new"); });
  fs::current_path(before);
  EXPECT_EQ(what, "");
  EXPECT_EQ(get(path("b")), "new");
  EXPECT_TRUE(fs::is_symlink(path("a")));
}

TEST_F(Files, ExplainWhyALinkLeadsNowhere) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  expect_explained(error_of([&] { write_file_atomically(FileSystem::real(), path("a"), "new"); }), path("a"),
                   ELOOP);
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(Files, AreKnownToBeWritableWithoutATrace) {
  FaultyDisk disk;
  put(path("old"), "old");
  put(path("old.t2v-unfinished"), "of a crash");
  fs::create_symlink("made", path("link"));
  for (const char* name : {"new", "old", "link"}) {
    EXPECT_EQ(error_of([&] { check_writable(disk, path(name)); }), "") << name;
  }
  EXPECT_EQ(disk.open_files, 0);
  EXPECT_EQ(get(path("old")), "old");
  EXPECT_EQ(names(), (std::vector<std::string>{"link", "old"}));
}

TEST_F(Files, AreRemovedForGoodWithWhatACrashLeft) {
  put(path("a"), "old");
  put(path("a.t2v-unfinished"), "of a crash");
  FaultyDisk disk;
  disk.interrupt = true;
  remove_file(disk, path("a"));
  EXPECT_TRUE(names().empty());
  EXPECT_EQ(disk.log.back(), "sync_folder");
  EXPECT_EQ(disk.paths.back(), folder_.string());
  remove_file(disk, path("a"));
  disk.interrupt = false;
  disk.fault["remove"] = EACCES;
  put(path("a"), "old");
  expect_explained(error_of([&] { remove_file(disk, path("a")); }), path("a"), EACCES);
}

TEST_F(Files, OfACrashAreClearedAwayAtTheStart) {
  put(path("a"), "old");
  put(path("a.t2v-unfinished"), "of a crash");
  clear_unfinished(FileSystem::real(), path("a"));
  clear_unfinished(FileSystem::real(), path("a"));
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(Files, KeepTheModeOfWhatTheyReplace) {
  put(path("a"), "old");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  write_file_atomically(FileSystem::real(), path("a"), "new");
  EXPECT_EQ(get(path("a")), "new");
  EXPECT_EQ(fs::status(path("a")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST_F(Files, ReplaceNothingButFiles) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/null", path("null"));
  for (const char* name : {"pipe", "null"}) {
    const std::string says = path(name) + ": is not a file that can be replaced; name another output";
    EXPECT_EQ(error_of([&] { write_file_atomically(FileSystem::real(), path(name), "x"); }), says);
    EXPECT_EQ(error_of([&] { check_writable(FileSystem::real(), path(name)); }), says);
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"null", "pipe"}));
}

TEST_F(Files, MayHaveNamesAsLongAsThereAre) {
  const std::string name(255, 'n');
  write_file_atomically(FileSystem::real(), path(name), "x");
  EXPECT_EQ(get(path(name)), "x");
  EXPECT_EQ(names(), std::vector<std::string>{name});
  EXPECT_EQ(path_beside("d/a", ".b"), "d/a.b");
  EXPECT_NE(path_beside("d/" + name, ".b"), path_beside("d/" + name.substr(1) + "m", ".b"));
}

TEST_F(Files, WrittenInPiecesTakeTheirNameAtTheEnd) {
  put(path("a"), "old");
  const auto bytes = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  const std::string one = "one ";
  const std::string two = "two";
  {
    AtomicFile given_up(FileSystem::real(), path("a"));
    given_up.write(bytes(one));
  }
  EXPECT_EQ(get(path("a")), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
  AtomicFile file(FileSystem::real(), path("a"));
  file.write(bytes(one));
  file.write(bytes(two));
  EXPECT_EQ(get(path("a")), "old");
  file.finish();
  EXPECT_EQ(get(path("a")), "one two");
}

TEST_F(Files, ExplainWhyTheyAreNotWritable) {
  FaultyDisk disk;
  fs::create_directory(path("folder"));
  fs::create_symlink("folder", path("link"));
  fs::create_symlink("none/a", path("lost"));
  const auto why = [&](const std::string& name) {
    return error_of([&] { check_writable(disk, path(name)); });
  };
  EXPECT_EQ(why("folder"), path("folder") + ": is a folder; name a file");
  EXPECT_EQ(why("link"), path("link") + ": is a folder; name a file");
  EXPECT_EQ(why("none/a"), path("none") + ": there is no such folder");
  EXPECT_EQ(why("lost"), path("none") + ": there is no such folder");
  EXPECT_EQ(error_of([&] { check_writable(disk, ""); }), "the path of a file to write is empty; name a file");
  disk.fault["create"] = EACCES;
  expect_explained(why("a"), path("a"), EACCES);
  EXPECT_EQ(names(), (std::vector<std::string>{"folder", "link", "lost"}));
  EXPECT_EQ(disk.open_files, 0);
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
