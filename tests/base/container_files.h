#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/container.h"
#include "base/container_writer.h"
#include "disks.h"
#include "memory_disk.h"

namespace t2v {

inline const std::string kRestore = "; the file is damaged, restore or import it again";

/// Opens bytes as a file of the name "f" and checks all of it; what that throws, or nothing.
inline std::string error_of_bytes(const std::string& bytes, const std::string& kind = "") {
  MemoryDisk disk(std::as_bytes(std::span(bytes)));
  return error_of([&] { Container::open("f", kind, disk).verify(); });
}

class ContainerFiles : public Files {
 protected:
  std::string written(const ContainerWriter& writer, const std::string& name = "a") const {
    writer.write(FileSystem::real(), path(name));
    return get(path(name));
  }
};

/// A small file with two tensors and a key.
inline ContainerWriter small_writer() {
  static const std::vector<double> numbers = {1, 2, 3};
  ContainerWriter writer("test");
  writer.set("unit", "s");
  writer.add<double>("numbers", numbers);
  writer.add<char>("text", std::string_view("abc"));
  return writer;
}

}  // namespace t2v
