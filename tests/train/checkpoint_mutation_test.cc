#include <gtest/gtest.h>

#include <span>
#include <string>

#include "base/container_mutation.h"
#include "base/disks.h"
#include "base/memory_disk.h"
#include "base/twin_disk.h"
#include "file_cost.h"
#include "made_training.h"

namespace t2v {
namespace {

using testing::made_sequences;
using testing::OwnTraining;
using testing::store_of;
using testing::tiny_config;

TEST(MutatedCheckpoint, IsRefusedOrUsable) {
  const data::EventStore store = store_of(made_sequences());
  TrainConfig config = tiny_config();
  config.hidden = 2;
  config.epochs = 2;
  TwinDisk saved;
  {
    OwnTraining own(store, config);
    Fit::Hooks hooks;
    hooks.stop = [&] { return own.fit().steps() == 3; };
    own.run(hooks);
    own.training.save_checkpoint(saved, "/d/c");
  }
  const ContainerMutation mutation(Container::open("/d/c", "checkpoint", saved));
  OwnTraining own(store, config);
  Random random(10);
  int taken = 0;
  for (int i = 0; i < 5'000; ++i) {
    SCOPED_TRACE(i);
    const std::string bytes = mutation.mutated(random);
    MemoryDisk disk(std::as_bytes(std::span(bytes)));
    const testing::FileCost cost(bytes.size());
    const bool good = error_of([&] { own.training.restore_checkpoint("f", disk); }).empty();
    cost.expect_little();
    if (good && ++taken % 20 == 0) error_of([&] { own.run(); });
  }
  EXPECT_GT(taken, 100);
  EXPECT_LT(taken, 4'500);
  ContainerMutation swollen(Container::open("/d/c", "checkpoint", saved));
  std::string lists = "{\"a\":[[1]";
  for (int i = 0; i < 500'000; ++i) lists += ",[1]";
  swollen.metadata()["options"] = lists + "]}";
  const std::string bytes = swollen.text();
  MemoryDisk disk(std::as_bytes(std::span(bytes)));
  const testing::FileCost cost(bytes.size());
  EXPECT_NE(error_of([&] { own.training.restore_checkpoint("f", disk); }), "");
  cost.expect_little();
}

}  // namespace
}  // namespace t2v
