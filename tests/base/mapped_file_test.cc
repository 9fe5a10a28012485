#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "disks.h"

namespace t2v {
namespace {

class MappedFiles : public Files {
 protected:
  /// A file of so many bytes, none of them zero.
  std::string made(const std::string& name, std::size_t size) const {
    put(path(name), std::string(size, 'x'));
    return path(name);
  }
  static std::string error_of_opening(const std::string& path) {
    return error_of([&] { const MappedFile file(FileSystem::real(), path); });
  }
};

std::size_t pages(std::size_t n) { return n * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

/// Bytes that are not zero; touches every one.
int64_t count_set(std::span<const std::byte> bytes) {
  return std::count(bytes.begin(), bytes.end(), std::byte{'x'});
}

TEST_F(MappedFiles, ShowTheBytesOfTheFile) {
  put(path("a"), std::string("a\0b", 3));
  const MappedFile file(FileSystem::real(), path("a"));
  EXPECT_EQ(file.path(), path("a"));
  ASSERT_EQ(file.bytes().size(), 3U);
  EXPECT_EQ(file.bytes()[1], std::byte{0});
  EXPECT_EQ(file.bytes()[2], std::byte{'b'});
  file.check_intact();
}

TEST_F(MappedFiles, ExplainWhyTheyCannotBeMapped) {
  put(path("empty"), "");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of_opening(path("no")),
            path("no") + ": cannot open: No such file or directory; check the path");
  EXPECT_EQ(error_of_opening(folder_.string()), folder_.string() + ": is a folder; give a file");
  EXPECT_EQ(error_of_opening(path("pipe")),
            path("pipe") + ": is a pipe or a device; write it to a file and give that");
  EXPECT_EQ(error_of_opening("/dev/null"),
            "/dev/null: is a pipe or a device; write it to a file and give that");
  expect_contains(error_of_opening(path("empty")), path("empty") + ": the file is empty; ");
}

TEST_F(MappedFiles, ExplainWhichOperationOfTheDiskFailed) {
  made("a", 10);
  for (const std::string operation : {"open", "size", "map"}) {
    FaultyDisk disk;
    disk.fault[operation] = EIO;
    const std::string what = error_of([&] { const MappedFile file(disk, path("a")); });
    expect_contains(what, path("a") + ": cannot ");
    expect_contains(what, "Input/output error");
    EXPECT_EQ(disk.open_files, 0) << operation;
  }
}

TEST_F(MappedFiles, AreMappedThroughInterruptions) {
  made("a", 10);
  FaultyDisk disk;
  disk.interrupt = true;
  {
    const MappedFile file(disk, path("a"));
    EXPECT_EQ(count_set(file.bytes()), 10);
    file.check_intact();
  }
  EXPECT_EQ(disk.open_files, 0);
}

TEST_F(MappedFiles, ReadAsZerosAndReportItWhenTheFileBecomesShorter) {
  const std::string a = made("a", pages(5));
  const MappedFile file(FileSystem::real(), a);
  EXPECT_EQ(count_set(file.bytes().first(10)), 10);
  fs::resize_file(a, pages(2));
  EXPECT_EQ(count_set(file.bytes()), static_cast<int64_t>(pages(2)));
  expect_contains(error_of([&] { file.check_intact(); }), a + ": became shorter while it was read (");
  // The loss stays known when the file has its length again.
  fs::resize_file(a, pages(5));
  expect_contains(error_of([&] { file.check_intact(); }),
                  a + ": became shorter while it was read, or the disk");
}

TEST_F(MappedFiles, ReportAFileThatBecameShorterWithinAPageOrUnread) {
  const std::string a = made("a", 100);
  const MappedFile file(FileSystem::real(), a);
  fs::resize_file(a, 99);
  expect_contains(error_of([&] { file.check_intact(); }),
                  "became shorter while it was read (99 bytes, before 100)");
}

TEST_F(MappedFiles, ReportALossOnlyOfTheirOwn) {
  const std::string a = made("a", pages(2));
  const std::string b = made("b", pages(2));
  const MappedFile first(FileSystem::real(), a);
  {
    const MappedFile second(FileSystem::real(), b);
    fs::resize_file(b, 1);
    EXPECT_EQ(count_set(second.bytes()), 1);
    EXPECT_NE(error_of([&] { second.check_intact(); }), "");
  }
  first.check_intact();
  made("b", pages(2));
  const MappedFile third(FileSystem::real(), b);  // in the place of the second
  third.check_intact();
  EXPECT_EQ(count_set(third.bytes()), static_cast<int64_t>(pages(2)));
}

TEST_F(MappedFiles, AreKeptApartByTheHundred) {
  const std::string a = made("a", pages(1));
  const std::string b = made("b", pages(2));
  std::vector<std::unique_ptr<MappedFile>> files;
  for (int i = 0; i < 200; ++i) {
    files.push_back(std::make_unique<MappedFile>(FileSystem::real(), i == 150 ? b : a));
  }
  fs::resize_file(b, 1);
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(count_set(files[i]->bytes()), i == 150 ? 1 : static_cast<int64_t>(pages(1)));
    EXPECT_EQ(error_of([&] { files[i]->check_intact(); }).empty(), i != 150) << i;
  }
}

TEST_F(MappedFiles, SurviveALossThatManyThreadsSeeWhileOthersMap) {
  const std::string a = made("a", pages(64));
  const std::string b = made("b", pages(1));
  const MappedFile file(FileSystem::real(), a);
  fs::resize_file(a, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const MappedFile other(FileSystem::real(), b);
        EXPECT_EQ(count_set(other.bytes()), static_cast<int64_t>(pages(1)));
      }
      EXPECT_EQ(count_set(file.bytes()), 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_NE(error_of([&] { file.check_intact(); }), "");
}

/// Maps a file and then gets SIGBUS elsewhere: in a mapping that is not a MappedFile's.
void fault_elsewhere(const std::string& own, const std::string& other) {
  const MappedFile file(FileSystem::real(), own);
  FileSystem& disk = FileSystem::real();
  const int opened = disk.open(other, FileSystem::Mode::kRead);
  const std::byte* bytes = disk.map(opened, pages(2));
  fs::resize_file(other, 1);
  fs::remove_all(fs::path(own).parent_path());  // nobody does it after this
  static_cast<void>(*const_cast<const volatile std::byte*>(bytes + pages(1)));
  std::_Exit(7);  // not reached
}

void exit_with_42(int) { std::_Exit(42); }
void exit_with_43(int, siginfo_t* info, void*) { std::_Exit(info->si_addr != nullptr ? 43 : 1); }

/// Each runs in a process of its own, in which nothing was mapped before.
class FaultsElsewhere : public MappedFiles {
 protected:
  void SetUp() override {
    MappedFiles::SetUp();
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    own_ = made("own", 10);
    other_ = made("other", pages(2));
  }
  std::string own_, other_;
};
using FaultsElsewhereDeathTest = FaultsElsewhere;

TEST_F(FaultsElsewhereDeathTest, KillAsEverWithoutAnotherHandler) {
  EXPECT_EXIT(
      {
        std::signal(SIGBUS, SIG_DFL);
        fault_elsewhere(own_, other_);
      },
      ::testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(
      {
        std::signal(SIGBUS, SIG_IGN);
        fault_elsewhere(own_, other_);
      },
      ::testing::KilledBySignal(SIGBUS), "");
}

TEST_F(FaultsElsewhereDeathTest, KillWhereAFileWasMappedBefore) {
  EXPECT_EXIT(
      {
        std::signal(SIGBUS, SIG_DFL);
        auto file = std::make_unique<MappedFile>(FileSystem::real(), other_);
        void* place = const_cast<std::byte*>(file->bytes().data());
        file.reset();
        const int opened = FileSystem::real().open(other_, FileSystem::Mode::kRead);
        static_cast<void>(::mmap(place, pages(2), PROT_READ, MAP_SHARED | MAP_FIXED, opened, 0));
        fs::resize_file(other_, 1);
        fs::remove_all(folder_);
        static_cast<void>(*(static_cast<volatile const char*>(place) + pages(1)));
        std::_Exit(7);
      },
      ::testing::KilledBySignal(SIGBUS), "");
}

TEST_F(FaultsElsewhereDeathTest, GoToTheHandlerThatWasThereBefore) {
  EXPECT_EXIT(
      {
        std::signal(SIGBUS, exit_with_42);
        fault_elsewhere(own_, other_);
      },
      ::testing::ExitedWithCode(42), "");
  EXPECT_EXIT(
      {
        struct sigaction action {};
        action.sa_sigaction = exit_with_43;
        action.sa_flags = SA_SIGINFO;
        ::sigaction(SIGBUS, &action, nullptr);
        fault_elsewhere(own_, other_);
      },
      ::testing::ExitedWithCode(43), "");
}

TEST_F(FaultsElsewhereDeathTest, KillWhenTheSignalIsSentByAProcess) {
  EXPECT_EXIT(
      {
        std::signal(SIGBUS, SIG_DFL);
        const MappedFile file(FileSystem::real(), own_);
        fs::remove_all(folder_);
        std::raise(SIGBUS);
        std::_Exit(7);
      },
      ::testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(
      {
        std::signal(SIGBUS, SIG_IGN);
        const MappedFile file(FileSystem::real(), own_);
        fs::remove_all(folder_);
        std::raise(SIGBUS);
        std::_Exit(44);
      },
      ::testing::ExitedWithCode(44), "");
}

}  // namespace
}  // namespace t2v
