// Any bytes, also with checksums that are right, are a model that takes an event, or t2v::Error.

#include "base/memory_disk.h"
#include "fuzz_input.h"
#include "model/trained_model.h"
#include "stream/stream.h"

namespace {

void use(const t2v::TrainedModel& model) {
  if (model.config.hidden > 64 || model.config.layers > 4) return;  // slow, not wrong
  t2v::Stream stream(model, {2, 3, t2v::LateEvents::kDrop});
  const std::vector<t2v::FeatureCell> cells(stream.columns().size());
  t2v::StreamEvent event = {"a", 5, "x", cells, 7};
  for (int i = 0; i < 2; ++i) stream.push(event);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string bytes = t2v::fuzz::corrected(std::string(t2v::fuzz::text_of(data, size)));
  t2v::MemoryDisk disk(std::as_bytes(std::span(bytes)));
  t2v::fuzz::expect_error_or_nothing([&] { use(t2v::read_model("fuzz", disk)); });
  return 0;
}
