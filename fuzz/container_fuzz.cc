// Opening arbitrary bytes as a container gives a container or t2v::Error, never anything else.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/container.h"
#include "base/memory_disk.h"
#include "fuzz_input.h"
#include "t2v/error.h"

namespace {

using t2v::Container;

/// Touches every byte of a tensor through its own type.
void read(const Container& file, const std::string& name) {
  uint64_t sum = 0;
  const auto add = [&](auto values) {
    for (const auto value : values) sum += value != 0 ? 1U : 0U;
  };
  switch (file.dtype(name)) {
    case t2v::Dtype::kBool:
      return add(file.tensor<bool>(name));
    case t2v::Dtype::kU8:
      return add(file.tensor<uint8_t>(name));
    case t2v::Dtype::kI8:
      return add(file.tensor<int8_t>(name));
    case t2v::Dtype::kU16:
      return add(file.tensor<uint16_t>(name));
    case t2v::Dtype::kI16:
      return add(file.tensor<int16_t>(name));
    case t2v::Dtype::kU32:
      return add(file.tensor<uint32_t>(name));
    case t2v::Dtype::kI32:
      return add(file.tensor<int32_t>(name));
    case t2v::Dtype::kF32:
      return add(file.tensor<float>(name));
    case t2v::Dtype::kU64:
      return add(file.tensor<uint64_t>(name));
    case t2v::Dtype::kI64:
      return add(file.tensor<int64_t>(name));
    case t2v::Dtype::kF64:
      return add(file.tensor<double>(name));
  }
}

void open(const std::string& bytes) {
  t2v::MemoryDisk disk(std::as_bytes(std::span(bytes)));
  try {
    const Container file = Container::open("fuzz", "", disk);
    for (const std::string& name : file.names()) read(file, name);
    file.verify();
  } catch (const t2v::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  open(bytes);
  open(t2v::fuzz::corrected(bytes));
  return 0;
}
