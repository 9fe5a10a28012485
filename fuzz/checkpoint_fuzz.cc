// Any bytes, also with checksums that are right, are a checkpoint from which a training goes on, or
// t2v::Error.

#include "base/memory_disk.h"
#include "base/twin_disk.h"
#include "data/made_events.h"
#include "fuzz_input.h"
#include "train/training.h"

namespace {

t2v::Training& training() {
  static const t2v::data::EventStore store = [] {
    t2v::data::EventStore made;
    made.events = t2v::data::MadeEvents({{0, 1, 5}, {2, 3}, {7, 9, 20}, {1, 4, 8}})
                      .types({"x", "y", "x", "x", "y", "y", "x", "y", "x", "y", "x"})
                      .events();
    return made;
  }();
  static const t2v::TrainConfig config = [] {
    t2v::TrainConfig small;
    small.task = "next";
    small.time = "t2v:2";
    small.cell = "lstm";
    small.hidden = 2;
    small.batch = 2;
    small.epochs = 4;
    small.epoch_steps = 1;
    small.valid_share = 0.25;
    return small;
  }();
  static t2v::ThreadPool pool(1);
  static t2v::Training made(store, config, pool);
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  t2v::Fit::Hooks hooks;
  hooks.stop = [] { return training().fit().steps() == 3; };
  training().run(hooks);
  t2v::TwinDisk disk;
  training().save_checkpoint(disk, "/d/c");
  t2v::fuzz::leave_seed(disk.get("/d/c"));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string bytes = t2v::fuzz::corrected(std::string(t2v::fuzz::text_of(data, size)));
  t2v::MemoryDisk disk(std::as_bytes(std::span(bytes)));
  t2v::fuzz::expect_error_or_nothing([&] { training().restore_checkpoint("fuzz", disk); });
  return 0;
}
