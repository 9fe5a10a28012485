// Any two files, plain or packed, are images and labels, or t2v::Error. The first two bytes say where the
// first file ends.

#include <algorithm>

#include "data/mnist_idx.h"
#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text = t2v::fuzz::text_of(data + 2, size - 2);
  const std::size_t cut = std::min<std::size_t>(text.size(), data[0] * 256U + data[1]);
  const t2v::fuzz::MemoryFile images(text.substr(0, cut));
  const t2v::fuzz::MemoryFile labels(text.substr(cut));
  t2v::fuzz::expect_error_or_nothing([&] {
    const t2v::data::EventTable table = t2v::data::import_mnist(images.path(), labels.path(), {});
    t2v::fuzz::check(table.sequence.size() == table.ticks.size());
    t2v::fuzz::check(table.label->codes.size() == static_cast<std::size_t>(table.sequences()));
  });
  return 0;
}
