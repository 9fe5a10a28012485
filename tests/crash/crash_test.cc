// What cannot be played in memory: a process that is really killed, and a disk that is really full.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/container.h"
#include "base/random.h"
#include "cli/tool.h"
#include "model/trained_model.h"

namespace t2v {
namespace {

namespace fs = std::filesystem;

class Crash : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    std::string text = "user,time,event\n";
    for (int u = 0; u < 60; ++u) {
      for (int i = 0; i < 8; ++i) {
        text += "u" + std::to_string(u) + "," + std::to_string(100 * u + i * (1 + u % 3)) + "," +
                "abc"[(u + i) % 3] + "\n";
      }
    }
    put("events.csv", text);
  }

  bool has_temporary(const std::string& folder = "") const {
    return std::ranges::any_of(fs::directory_iterator(path(folder)), [](const auto& entry) {
      return entry.path().extension() == ".t2v-unfinished";
    });
  }

  /// Whatever is there of model and checkpoint is whole.
  void expect_whole() const {
    if (exists("m.t2v")) read_model(path("m.t2v"));
    if (exists("m.t2v.checkpoint")) Container::open(path("m.t2v.checkpoint"), "checkpoint").verify();
  }

  void expect_same_file(const std::string& a, const std::string& b) const {
    EXPECT_TRUE(get(a) == get(b)) << a << " and " << b << " differ";
  }
};

const char* const kOptions =
    "train events.csv --hidden 24 --batch 4 --epochs 12 --patience 0 --checkpoint-steps 1 ";

TEST_F(Crash, TwentyKillsAtRandomMomentsLeaveWhatGoesOnToTheSameBits) {
  ASSERT_EQ(run(kOptions + std::string("-o whole.t2v")).code, 0);
  Random random(1);
  int kills = 0;
  int resumed = 0;
  for (int start = 0; kills < 20; ++start) {
    ASSERT_LT(start, 400);
    const bool resume = exists("m.t2v.checkpoint");
    resumed += resume ? 1 : 0;
    const std::string wait = std::to_string(0.02 + 0.4 * random.uniform());
    // The code tells whether the kill came in time.
    const Ran ran =
        bash("$T " + std::string(kOptions) + "-o m.t2v " + (resume ? "--resume " : "") +
             ">/dev/null 2>&1 & p=$!; sleep " + wait + "; kill -9 $p 2>/dev/null; wait $p; [ $? = 137 ]");
    kills += ran.code == 0 ? 1 : 0;
    expect_whole();
    if (exists("m.t2v")) {
      expect_same_file("m.t2v", "whole.t2v");
      fs::remove(path("m.t2v"));
    }
  }
  EXPECT_GT(resumed, 5);
  const Ran last = run(kOptions + std::string("-o m.t2v") + (exists("m.t2v.checkpoint") ? " --resume" : ""));
  EXPECT_EQ(last.code, 0) << last.err;
  expect_same_file("m.t2v", "whole.t2v");
  EXPECT_FALSE(has_temporary());
  EXPECT_FALSE(exists("m.t2v.checkpoint"));
}

TEST_F(Crash, TwentyKillsOfAStreamLeaveASnapshotFromWhichItGoesOnToTheSameBits) {
  ASSERT_EQ(run("train events.csv --hidden 8 --epochs 1 -o m.t2v").code, 0);
  std::string lines;
  for (int i = 0; i < 20'000; ++i) {
    lines += R"({"id":"u)" + std::to_string(i * 7 % 50) + R"(","time":)" + std::to_string(i) +
             R"(,"event":")" + "abc"[i % 3] + "\"}\n";
  }
  put("lines.jsonl", lines);
  ASSERT_EQ(bash("$T stream m.t2v --snapshot whole.t2v <lines.jsonl >/dev/null").code, 0);
  // Goes on behind the events that the snapshot has.
  const auto command = [&](const std::string& redirect) {
    const int64_t taken =
        exists("s.t2v") ? Container::open(path("s.t2v"), "stream").tensor<int64_t>("counts")[0] : 0;
    return "$T stream m.t2v --snapshot s.t2v --snapshot-every 20 < <(tail -n +" + std::to_string(taken + 1) +
           " lines.jsonl) >/dev/null " + redirect;
  };
  Random random(2);
  int kills = 0;
  int resumed = 0;
  for (int start = 0; kills < 20; ++start) {
    ASSERT_LT(start, 400);
    resumed += exists("s.t2v") ? 1 : 0;
    const std::string wait = std::to_string(0.01 + 0.2 * random.uniform());
    const Ran ran = bash(command("2>&1 & p=$!; sleep ") + wait +
                         "; kill -9 $p 2>/dev/null; wait $p 2>/dev/null; [ $? = 137 ]");
    kills += ran.code == 0 ? 1 : 0;
    if (exists("s.t2v")) Container::open(path("s.t2v"), "stream").verify();
    if (ran.code == 0) continue;
    EXPECT_EQ(get("s.t2v"), get("whole.t2v"));
    fs::remove(path("s.t2v"));
  }
  EXPECT_GT(resumed, 5);
  const Ran last = bash(command(""));
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(get("s.t2v"), get("whole.t2v"));
  EXPECT_FALSE(has_temporary());
}

/// Becomes root of a user namespace with mounts of its own, as `unshare -rm` does; the tool that is run is in
/// it too. False where that is not allowed.
bool enter_own_namespace() {
  const std::string user = std::to_string(::getuid());
  const std::string group = std::to_string(::getgid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  const auto write = [](const char* file, const std::string& text) {
    return static_cast<bool>(std::ofstream(file) << text << std::flush);
  };
  return write("/proc/self/setgroups", "deny") && write("/proc/self/uid_map", "0 " + user + " 1") &&
         write("/proc/self/gid_map", "0 " + group + " 1");
}

/// A file system of a given size, gone afterwards.
class SmallDisk {
 public:
  SmallDisk(std::string folder, const std::string& size) : folder_(std::move(folder)) {
    fs::create_directory(folder_);
    const auto mount = [&] {
      return ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
    };
    mounted_ = mount() || (enter_own_namespace() && mount());
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  std::string folder_;
  bool mounted_ = false;
};

TEST_F(Crash, AFullDiskLeavesTheOldFilesAndSaysSo) {
  const SmallDisk disk(path("small"), "256k");
  if (!disk.mounted()) GTEST_SKIP() << "a file system cannot be mounted here: " << std::strerror(errno);
  ASSERT_EQ(run("import events.csv -o small/e.events").code, 0);
  const std::string before = get("small/e.events");
  ASSERT_EQ(bash("head -c 10M /dev/zero >small/fill; true").code, 0);
  const Ran import = run("import events.csv --split random -o small/e.events");
  EXPECT_NE(import.code, 0);
  EXPECT_HAS(import.err, "No space left on device");
  EXPECT_EQ(get("small/e.events"), before);
  EXPECT_FALSE(has_temporary("small"));
  const Ran train = run("train events.csv --hidden 64 --epochs 1 --checkpoint-steps 2 -o small/m.t2v");
  EXPECT_NE(train.code, 0);
  EXPECT_HAS(train.err, "No space left on device");
  EXPECT_FALSE(exists("small/m.t2v"));
  EXPECT_FALSE(has_temporary("small"));
  fs::remove(path("small/fill"));
  const Ran again = run("import events.csv --split random -o small/e.events");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(get("small/e.events"), before);
}

/// The last line of what was said.
std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', end) + 1;  // 0 where there is none
  return text.substr(begin, end + 1 - begin);
}

/// From the first checkpoint on, takes all room for as long as process $p runs: a save that fails gives its
/// room back, so once is not enough.
const char* const kFill =
    "for i in $(seq 5000); do [ -e small/m.t2v.checkpoint ] && break; sleep 0.002; done; "
    "for i in $(seq 5000); do head -c 1M /dev/zero >>small/fill; kill -0 $p || break; sleep 0.002; done; ";

TEST_F(Crash, ATrainingOnADiskThatFillsGoesOnWhenThereIsRoomToTheSameBits) {
  const SmallDisk disk(path("small"), "512k");
  if (!disk.mounted()) GTEST_SKIP() << "a file system cannot be mounted here: " << std::strerror(errno);
  ASSERT_EQ(run(kOptions + std::string("-o whole.t2v")).code, 0);
  const std::string command = kOptions + std::string("-o small/m.t2v");
  bool failed = false;
  for (int attempt = 0; attempt < 10 && !failed; ++attempt) {
    const Ran full = bash("$T " + command + " & p=$!; { " + kFill + "} 2>/dev/null; wait $p");
    failed = full.code != 0;
    fs::remove(path("small/fill"));
    EXPECT_FALSE(has_temporary("small"));
    if (!failed) {  // it was done before the disk was full
      expect_same_file("small/m.t2v", "whole.t2v");
      fs::remove(path("small/m.t2v"));
      continue;
    }
    EXPECT_HAS(last_line(full.err), "No space left on device");
    EXPECT_FALSE(exists("small/m.t2v"));
  }
  ASSERT_TRUE(failed) << "the disk was never full in time";
  // The last checkpoint that there was room for is whole.
  ASSERT_TRUE(exists("small/m.t2v.checkpoint"));
  Container::open(path("small/m.t2v.checkpoint"), "checkpoint").verify();
  const Ran again = run(command + " --resume");
  EXPECT_EQ(again.code, 0) << again.err;
  expect_same_file("small/m.t2v", "whole.t2v");
  EXPECT_FALSE(exists("small/m.t2v.checkpoint"));
  EXPECT_FALSE(has_temporary("small"));
}

}  // namespace
}  // namespace t2v
