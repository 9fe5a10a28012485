#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "base/random.h"

namespace t2v {

/// What goes wrong at one operation.
enum class DiskFault {
  kNone,
  kKill,        // it does not happen, nor does any later one: the process is gone
  kKillMidway,  // likewise, but half of a write is there
  kIoError,     // it fails with EIO; later ones work
  kFull,   // from here on there is no room: half of a write, then all that may need some fails with ENOSPC
  kShort,  // a read or write does half of it
  kInterrupted,  // it fails with EINTR, once
};

/// What a loss of power takes.
enum class DiskLoss {
  kNothing,  // the power stays: what a kill -9 leaves
  kAll,      // whatever was not synced
  kMixed,    // of each change that was not synced, by chance, all, nothing, a part or garbage
};

/// A disk in memory that counts operations, fails at one of them, and loses what a real one may lose. What a
/// file holds lasts once it was synced; a name that was made, replaced or removed lasts once its folder was
/// synced. Copies are independent; they have no open files. The folder "/d" is there.
class TwinDisk : public FileSystem {
 public:
  static constexpr const char* kFolder = "/d";

  TwinDisk() = default;
  TwinDisk(const TwinDisk& other)
      : FileSystem(),
        nodes_(other.nodes_),
        now_(other.now_),
        lasting_(other.lasting_),
        folders_(other.folders_),
        lasting_folders_(other.lasting_folders_) {}
  TwinDisk& operator=(const TwinDisk&) = delete;

  /// The fault comes at the operation of this number from now on, the first being 0.
  void fail_at(int64_t operation, DiskFault fault) {
    operations_ = 0;
    at_ = operation;
    fault_ = fault;
  }
  int64_t operations() const { return operations_; }
  /// Files and mappings that nobody closed.
  std::size_t in_use() const { return open_.size() + mapped_.size(); }
  bool dead() const { return dead_; }

  /// The disk as the next start finds it.
  TwinDisk after(DiskLoss loss, uint64_t seed = 0) const {
    TwinDisk next(*this);
    next.lose(loss, Random(seed));
    return next;
  }

  /// A file that was written long ago.
  void put(const std::string& path, const std::string& bytes) {
    nodes_.push_back({bytes, bytes});
    now_[path] = lasting_[path] = nodes_.size() - 1;
  }
  bool has(const std::string& path) const { return now_.contains(path); }
  std::string get(const std::string& path) const { return nodes_[now_.at(path)].bytes; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : now_) all.push_back(entry.first);
    return all;
  }

  int open(const std::string& path, Mode mode) override {
    if (fails(mode == Mode::kCreate)) return -1;
    const auto found = now_.find(path);
    if (mode == Mode::kCreate) {
      if (found != now_.end()) return error(EEXIST);
      if (!folders_.contains(folder_of(path))) return error(ENOENT);
      nodes_.emplace_back();
      now_[path] = nodes_.size() - 1;
    } else if (found == now_.end()) {
      return error(folders_.contains(path) ? EISDIR : ENOENT);
    }
    const int file = next_file_++;
    open_[file] = {now_.at(path), 0};
    return file;
  }
  int create(const std::string& path, const std::string&) override { return open(path, Mode::kCreate); }
  int64_t read(int file, std::span<std::byte> bytes) override {
    if (fails()) return -1;
    Open& open = open_.at(file);
    const std::string& from = nodes_[open.node].bytes;
    std::size_t count = std::min(bytes.size(), from.size() - open.at);
    if (is_short() && count > 1) count /= 2;
    std::memcpy(bytes.data(), from.data() + open.at, count);
    open.at += count;
    return static_cast<int64_t>(count);
  }
  int64_t write(int file, std::span<const std::byte> bytes) override {
    const bool was_dead = dead_;
    const bool failed = fails(true);
    const bool filled = failed && fault_ == DiskFault::kFull && operations_ - 1 == at_ && bytes.size() > 1;
    if (failed && !filled && (was_dead || !dead_ || fault_ != DiskFault::kKillMidway)) return -1;
    const std::size_t count = (failed || is_short()) && bytes.size() > 1 ? bytes.size() / 2 : bytes.size();
    nodes_[open_.at(file).node].bytes.append(reinterpret_cast<const char*>(bytes.data()), count);
    return failed && !filled ? -1 : static_cast<int64_t>(count);
  }
  int64_t size(int file) override {
    if (fails()) return -1;
    return static_cast<int64_t>(nodes_[open_.at(file).node].bytes.size());
  }
  int64_t modified(int) override { return breaks() ? -1 : 0; }
  const std::byte* map(int file, std::size_t size) override {
    if (breaks()) return nullptr;
    const std::string& bytes = nodes_[open_.at(file).node].bytes;
    const auto blocks = std::make_shared<std::vector<Block>>(size / sizeof(Block) + 1);
    std::memcpy(blocks->data(), bytes.data(), std::min(size, bytes.size()));
    mapped_.push_back(blocks);
    return blocks->front().bytes;
  }
  int unmap(const std::byte* bytes, std::size_t) override {
    // Whatever it returns, nobody can do more about it.
    std::erase_if(mapped_, [&](const auto& blocks) { return blocks->front().bytes == bytes; });
    return breaks() ? -1 : 0;
  }
  int sync(int file) override {
    if (fails(true)) return -1;  // room may be looked for only now
    Node& node = nodes_[open_.at(file).node];
    node.lasting = node.bytes;
    return 0;
  }
  int close(int file) override {
    open_.erase(file);  // whatever close returns, the descriptor is gone
    return fails(true) ? -1 : 0;
  }
  int rename(const std::string& from, const std::string& to) override {
    if (fails(true)) return -1;
    const auto found = now_.find(from);
    if (found == now_.end()) return error(ENOENT);
    now_[to] = found->second;
    now_.erase(from);
    return 0;
  }
  int remove(const std::string& path) override {
    if (fails()) return -1;
    return now_.erase(path) == 1 ? 0 : error(ENOENT);
  }
  int create_folder(const std::string& path) override {
    if (fails(true)) return -1;
    if (now_.contains(path) || !folders_.insert(path).second) return error(EEXIST);
    return 0;
  }
  /// Where it cannot be told, it says no, as stat does.
  bool is_folder(const std::string& path) override { return !breaks() && folders_.contains(path); }
  bool is_special(const std::string&) override { return false; }
  int64_t read_link(const std::string& path, std::span<char>) override {
    if (fails()) return -1;
    return error(now_.contains(path) ? EINVAL : ENOENT);
  }
  int sync_folder(const std::string& path) override {
    if (fails(true)) return -1;
    if (!folders_.contains(path)) return error(ENOENT);
    const auto within = [&](const auto& entry) { return folder_of(entry.first) == path; };
    std::erase_if(lasting_, within);
    for (const auto& entry : now_) {
      if (within(entry)) lasting_.insert(entry);
    }
    for (const std::string& folder : folders_) {
      if (folder_of(folder) == path) lasting_folders_.insert(folder);
    }
    return 0;
  }

 private:
  struct Node {
    std::string bytes = {};
    std::string lasting = {};
  };
  struct Open {
    std::size_t node;
    std::size_t at;
  };
  struct alignas(64) Block {
    std::byte bytes[64];
  };
  using Names = std::map<std::string, std::size_t>;  // to nodes

  static int error(int reason) {
    errno = reason;
    return -1;
  }
  static std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == 0 ? "/" : path.substr(0, slash);
  }

  /// Counts an operation; true if it is to fail, with errno set.
  bool fails(bool needs_room = false) {
    const int64_t number = operations_++;
    if (dead_) return error(EIO) < 0;
    const bool now = number == at_;
    if (now && (fault_ == DiskFault::kKill || fault_ == DiskFault::kKillMidway)) {
      dead_ = true;
      return error(EIO) < 0;
    }
    if (now && fault_ == DiskFault::kIoError) return error(EIO) < 0;
    if (now && fault_ == DiskFault::kInterrupted) return error(EINTR) < 0;
    if (number >= at_ && at_ >= 0 && fault_ == DiskFault::kFull && needs_room) return error(ENOSPC) < 0;
    return false;
  }
  /// The same for what is never interrupted: mmap, munmap, stat.
  bool breaks() { return fails() && errno != EINTR; }
  /// Whether the operation that was just counted is to be a short one.
  bool is_short() const { return fault_ == DiskFault::kShort && operations_ - 1 == at_; }

  /// What may be found of contents that were not synced.
  static std::string remains(const Node& node, Random& random) {
    const std::size_t from = random.below(node.bytes.size() + 1);
    std::string bytes = node.bytes;
    switch (random.below(5)) {
      case 0:
        return node.lasting;
      case 1:
        return bytes;
      case 2:
        return bytes.substr(0, from);
      case 3:
        return bytes.substr(0, from) + std::string(bytes.size() - from, '\0');
      default:
        for (std::size_t i = from; i < bytes.size(); ++i) bytes[i] = static_cast<char>(random.below(256));
        return bytes;
    }
  }

  void lose(DiskLoss loss, Random random) {
    if (loss == DiskLoss::kNothing) return;
    const bool mixed = loss == DiskLoss::kMixed;
    for (Node& node : nodes_) {
      if (node.bytes != node.lasting) node.bytes = mixed ? remains(node, random) : node.lasting;
      node.lasting = node.bytes;
    }
    Names all = lasting_;
    all.insert(now_.begin(), now_.end());
    Names found;
    for (const auto& [path, ignored] : all) {
      const Names& from = mixed && random.below(2) == 0 ? now_ : lasting_;
      if (const auto entry = from.find(path); entry != from.end()) found.insert(*entry);
    }
    folders_ = lasting_folders_;
    std::erase_if(found, [&](const auto& entry) { return !folders_.contains(folder_of(entry.first)); });
    now_ = lasting_ = found;
  }

  std::vector<Node> nodes_;
  Names now_;
  Names lasting_;
  std::set<std::string> folders_ = {"/", kFolder};
  std::set<std::string> lasting_folders_ = folders_;
  std::map<int, Open> open_;
  std::vector<std::shared_ptr<std::vector<Block>>> mapped_;
  int next_file_ = 3;
  int64_t operations_ = 0;
  int64_t at_ = -1;
  DiskFault fault_ = DiskFault::kNone;
  bool dead_ = false;
};

}  // namespace t2v
