// Any bytes, also with checksums that are right, are a snapshot from which a stream goes on, or t2v::Error.

#include "base/memory_disk.h"
#include "base/twin_disk.h"
#include "fuzz_input.h"
#include "stream/made_stream.h"
#include "stream/stream.h"

namespace {

using namespace t2v::testing;

constexpr t2v::StreamConfig kConfig = {3, 3, t2v::LateEvents::kKeep};

const t2v::TrainedModel& model() {
  static const t2v::TrainedModel made = made_stream_model("lstm", true);
  return made;
}

void push_some(t2v::Stream& stream) {
  static const t2v::data::Events events = MadeSequences(5, 3, 4).events();
  for (int64_t s = 0; s < events.sequences(); ++s) {
    Pushed pushed(events, s, events.offsets[static_cast<std::size_t>(s)]);
    t2v::fuzz::expect_error_or_nothing([&] { stream.push(pushed.event); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  t2v::Stream stream(model(), kConfig);
  push_some(stream);
  t2v::TwinDisk disk;
  stream.save(disk, "/d/s");
  t2v::fuzz::leave_seed(disk.get("/d/s"));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string bytes = t2v::fuzz::corrected(std::string(t2v::fuzz::text_of(data, size)));
  t2v::MemoryDisk disk(std::as_bytes(std::span(bytes)));
  t2v::Stream stream(model(), kConfig);
  t2v::fuzz::expect_error_or_nothing([&] { stream.restore("fuzz", disk); });
  push_some(stream);
  return 0;
}
