#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/file_system.h"

namespace t2v {

/// One file, in memory, that can be opened and mapped; everything else fails.
class MemoryDisk : public FileSystem {
 public:
  explicit MemoryDisk(std::span<const std::byte> bytes) : size_(bytes.size()), blocks_(size_ / 64 + 1) {
    if (size_ > 0) std::memcpy(blocks_.data(), bytes.data(), size_);
  }
  int open(const std::string&, Mode mode) override { return mode == Mode::kCreate ? -1 : 0; }
  int create(const std::string&, const std::string&) override { return -1; }
  int64_t read(int, std::span<std::byte>) override { return -1; }
  int64_t write(int, std::span<const std::byte>) override { return -1; }
  int64_t size(int) override { return static_cast<int64_t>(size_); }
  int64_t modified(int) override { return 0; }
  const std::byte* map(int, std::size_t) override { return blocks_.front().bytes; }
  int unmap(const std::byte*, std::size_t) override { return 0; }
  int sync(int) override { return -1; }
  int close(int) override { return 0; }
  int rename(const std::string&, const std::string&) override { return -1; }
  int remove(const std::string&) override { return -1; }
  int create_folder(const std::string&) override { return -1; }
  bool is_folder(const std::string&) override { return false; }
  bool is_special(const std::string&) override { return false; }
  int64_t read_link(const std::string&, std::span<char>) override { return -1; }
  int sync_folder(const std::string&) override { return -1; }

 private:
  struct alignas(64) Block {
    std::byte bytes[64];
  };
  std::size_t size_;
  std::vector<Block> blocks_;
};

}  // namespace t2v
