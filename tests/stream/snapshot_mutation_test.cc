#include <gtest/gtest.h>

#include <span>
#include <string>

#include "base/container_mutation.h"
#include "base/memory_disk.h"
#include "base/twin_disk.h"
#include "file_cost.h"
#include "made_stream.h"
#include "stream/stream.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

TEST(MutatedSnapshot, IsRefusedOrUsable) {
  const TrainedModel model = made_stream_model("lstm", true);
  const StreamConfig config = {3, 3, LateEvents::kKeep};
  const data::Events events = MadeSequences(5, 3, 4).events();
  const auto push = [&](Stream& stream) {
    for (int64_t s = 0; s < events.sequences(); ++s) {
      Pushed pushed(events, s, events.offsets[static_cast<std::size_t>(s)]);
      pushed.event.at = pushed.event.tick + 1'000'000'000;
      try {
        stream.push(pushed.event);
      } catch (const Error&) {  // of no matter
      }
    }
  };
  TwinDisk saved;
  {
    Stream stream(model, config);
    push(stream);
    stream.save(saved, "/d/s");
  }
  const ContainerMutation mutation(Container::open("/d/s", "stream", saved));
  Random random(9);
  int taken = 0;
  for (int i = 0; i < 5'000; ++i) {
    SCOPED_TRACE(i);
    const std::string bytes = mutation.mutated(random);
    MemoryDisk disk(std::as_bytes(std::span(bytes)));
    Stream stream(model, config);
    const FileCost cost(bytes.size());
    try {
      stream.restore("f", disk);
      ++taken;
    } catch (const Error&) {
      EXPECT_EQ(stream.counts(), StreamCounts());
    }
    cost.expect_little();
    push(stream);
    EXPECT_LE(stream.sequences(), 3);
  }
  EXPECT_GT(taken, 100);
  EXPECT_LT(taken, 4'500);
}

}  // namespace
}  // namespace t2v
