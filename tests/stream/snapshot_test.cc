#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/container_writer.h"
#include "base/fail.h"
#include "made_stream.h"
#include "stream/stream.h"

namespace t2v {
namespace {

using namespace testing;

class Snapshot : public ::testing::Test {
 public:
  Snapshot() : folder_(std::filesystem::temp_directory_path() / fmt::format("t2v_stream_{}", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~Snapshot() override { std::filesystem::remove_all(folder_); }

 protected:
  std::string path() const { return (folder_ / "s.t2v").string(); }
  std::string bytes() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& text) const {
    std::ofstream(path(), std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  /// Pushes events [begin, end) of a mixture; returns all predictions.
  static std::vector<Prediction> feed(Stream& stream, const data::Events& events,
                                      const std::vector<int64_t>& order, std::size_t begin, std::size_t end) {
    std::vector<int64_t> next(events.offsets.begin(), events.offsets.end());
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < end; ++i) {
      const int64_t s = order[i];
      const int64_t e = next[static_cast<std::size_t>(s)]++;
      if (i < begin) continue;
      Pushed pushed(events, s, e);
      if (stream.needs_time()) pushed.event.at = events.tick(e) + 1'000'000'000;
      predictions.push_back(*stream.push(pushed.event).prediction);
    }
    return predictions;
  }
  static std::string message_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  /// What restoring says where a tensor of a sound file was changed.
  template <class T>
  std::string message_after(const TrainedModel& model, const std::string& changed,
                            const std::function<void(std::vector<T>&)>& change) const;

  const data::Events events_ = MadeSequences(60, 3, 4).events();
  const std::vector<int64_t> order_ = mixture_of(events_, 8);
  const StreamConfig config_ = {25, 3, LateEvents::kDrop};

 private:
  std::filesystem::path folder_;
};

TEST_F(Snapshot, GoesOnToTheSameBits) {
  for (const TrainedModel& model : {made_stream_model("peephole", false), made_stream_model("peephole", true),
                                    made_stream_model_with_rules("gru", true)}) {
    Stream whole(model, config_);
    feed(whole, events_, order_, 0, 150);
    whole.save(FileSystem::real(), path());
    const std::string first = bytes();
    Stream resumed(model, config_);
    resumed.restore(path());
    EXPECT_EQ(resumed.counts(), whole.counts());
    EXPECT_EQ(resumed.sequences(), 25);
    resumed.save(FileSystem::real(), path());
    EXPECT_EQ(bytes(), first);
    const auto expected = feed(whole, events_, order_, 150, order_.size());
    EXPECT_EQ(feed(resumed, events_, order_, 150, order_.size()), expected);
    EXPECT_EQ(resumed.counts(), whole.counts());
    EXPECT_GT(whole.counts().returned, 0);
  }
}

TEST_F(Snapshot, MadeInStepsIsThatOfTheMomentWhenItStarted) {
  for (const bool query : {false, true}) {
    const TrainedModel model = made_stream_model("lstm", query);
    Stream stream(model, config_);
    feed(stream, events_, order_, 0, 150);
    stream.save(FileSystem::real(), path());
    const std::string then = bytes();
    stream.start_snapshot();
    // Sequences change, make room and come back meanwhile.
    for (std::size_t i = 150; !stream.continue_snapshot(1); ++i) feed(stream, events_, order_, i, i + 1);
    const StreamSnapshot snapshot = stream.take_snapshot();
    EXPECT_FALSE(stream.has_started_snapshot());
    feed(stream, events_, order_, 180, 190);
    snapshot.write(FileSystem::real(), path());
    EXPECT_EQ(bytes(), then);
    stream.save(FileSystem::real(), path());
    EXPECT_NE(bytes(), then);
  }
}

/// CPU seconds of this thread.
double cpu_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST_F(Snapshot, MadeInStepsHoldsUpNoEvent) {
  constexpr int64_t kSequences = 100'000;
  TrainedModel model = made_model();
  Stream stream(model, {kSequences, 1, LateEvents::kDrop});
  const FeatureCell price{2.5, {}};
  for (int64_t i = 0; i < kSequences; ++i) {
    stream.push({"sequence-" + std::to_string(i), i, "a", std::span(&price, 1), {}});
  }
  double longest = 0;
  const auto timed = [&](const auto& step) {
    const double start = cpu_seconds();
    const bool whole = step();
    longest = std::max(longest, cpu_seconds() - start);
    return whole;
  };
  timed([&] {
    stream.start_snapshot();
    return false;
  });
  while (!timed([&] { return stream.continue_snapshot(16); })) {
  }
  const StreamSnapshot snapshot = stream.take_snapshot();
  EXPECT_EQ(snapshot.sequences.size(), kSequences);
  EXPECT_LT(longest, 0.010);
}

TEST_F(Snapshot, MadeInStepsTakesTheLatestStart) {
  const TrainedModel model = made_stream_model("lstm", false);
  Stream stream(model, config_);
  feed(stream, events_, order_, 0, 50);
  stream.start_snapshot();
  stream.continue_snapshot(3);
  feed(stream, events_, order_, 50, 100);
  stream.save(FileSystem::real(), path());
  const std::string then = bytes();
  stream.start_snapshot();
  EXPECT_TRUE(stream.continue_snapshot(1000));
  stream.take_snapshot().write(FileSystem::real(), path());
  EXPECT_EQ(bytes(), then);
}

TEST_F(Snapshot, OfNothingIsOneToo) {
  const TrainedModel model = made_stream_model("none", false);
  Stream(model, config_).save(FileSystem::real(), path());
  Stream stream(model, config_);
  stream.restore(path());
  EXPECT_EQ(stream.sequences(), 0);
}

TEST_F(Snapshot, OfMoreSequencesThanThereIsRoomForKeepsThoseUsedLast) {
  const TrainedModel model = made_stream_model("lstm", false);
  Stream stream(model, config_);
  feed(stream, events_, order_, 0, 150);
  stream.save(FileSystem::real(), path());
  Stream narrow(model, {1, 3, LateEvents::kDrop});
  narrow.restore(path());
  EXPECT_EQ(narrow.sequences(), 1);
  EXPECT_EQ(narrow.counts().evicted, stream.counts().evicted + 24);
  EXPECT_EQ(narrow.counts().returned, stream.counts().returned);
}

TEST_F(Snapshot, OfAnotherModelIsRefused) {
  const TrainedModel model = made_stream_model("lstm", false);
  Stream stream(model, config_);
  feed(stream, events_, order_, 0, 50);
  stream.save(FileSystem::real(), path());
  const auto refused = [&](const std::function<void(TrainedModel&)>& change) {
    TrainedModel other = made_stream_model("lstm", false);
    change(other);
    Stream fresh(other, config_);
    return message_of([&] { fresh.restore(path()); }).find("another model") != std::string::npos;
  };
  EXPECT_FALSE(refused([](TrainedModel&) {}));
  EXPECT_TRUE(refused([](TrainedModel& other) { other.parameters.dense[7] += 1; }));
  EXPECT_TRUE(refused([](TrainedModel& other) { other.parameters.table[1] += 1; }));
  EXPECT_TRUE(refused([](TrainedModel& other) { other.parameters.wide[2] += 1; }));
  EXPECT_TRUE(refused([](TrainedModel& other) { other.encoding.numbers[0].mean = 3; }));
  EXPECT_TRUE(refused([](TrainedModel& other) {
    std::swap(other.encoding.event->names[0], other.encoding.event->names[1]);
  }));
  EXPECT_TRUE(refused([](TrainedModel& other) { other.times.view.ticks_per_unit *= 2; }));
  EXPECT_TRUE(refused([](TrainedModel& other) {
    other.config.skip = false;
    other.config.cell = "peephole";
    other.parameters = nn::convert<float>(made_parameters(Model(other.config), 5));
  }));
}

TEST_F(Snapshot, IsTakenOnlyBeforeTheFirstEvent) {
  const TrainedModel model = made_stream_model("lstm", false);
  Stream stream(model, config_);
  feed(stream, events_, order_, 0, 1);
  stream.save(FileSystem::real(), path());
  EXPECT_NE(message_of([&] { stream.restore(path()); }), "");
}

TEST_F(Snapshot, CutAnywhereOrWithABitFlippedIsRefused) {
  const TrainedModel model = made_stream_model("lstm", false);
  Stream stream(model, config_);
  feed(stream, events_, order_, 0, 50);
  stream.save(FileSystem::real(), path());
  const std::string sound = bytes();
  Stream fresh(model, config_);
  for (std::size_t length = 0; length < sound.size(); length += length < 64 ? 7 : 29989) {
    write(sound.substr(0, length));
    EXPECT_NE(message_of([&] { fresh.restore(path()); }), "") << length;
  }
  for (std::size_t at = 0; at < sound.size(); at += at < 1500 ? 197 : 29989) {
    std::string flipped = sound;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    write(flipped);
    EXPECT_NE(message_of([&] { fresh.restore(path()); }), "") << at;
  }
  EXPECT_EQ(fresh.sequences(), 0);
  EXPECT_EQ(fresh.counts(), StreamCounts());
  write(sound);
  EXPECT_EQ(message_of([&] { fresh.restore(path()); }), "");
}

template <class T>
std::string Snapshot::message_after(const TrainedModel& model, const std::string& changed,
                                    const std::function<void(std::vector<T>&)>& change) const {
  {
    const Container file = Container::open(path(), "stream");
    ContainerWriter writer("stream");
    writer.set("model", file.get("model"));
    std::vector<T> values;
    for (const std::string& name : file.names()) {
      const auto copy = [&](auto type) {
        using Element = decltype(type);
        if (name != changed) {
          writer.add(name, file.tensor<Element>(name), file.shape(name));
        } else if constexpr (std::is_same_v<Element, T>) {
          values.assign(file.tensor<T>(name).begin(), file.tensor<T>(name).end());
          change(values);
          std::vector<int64_t> shape = file.shape(name);
          int64_t rest = 1;
          for (std::size_t i = 1; i < shape.size(); ++i) rest *= shape[i];
          shape[0] = static_cast<int64_t>(values.size()) / rest;
          writer.add(name, std::span<const T>(values), shape);
        }
      };
      switch (file.dtype(name)) {
        case Dtype::kU8:
          copy(uint8_t{});
          break;
        case Dtype::kI32:
          copy(int32_t{});
          break;
        case Dtype::kI64:
          copy(int64_t{});
          break;
        case Dtype::kU64:
          copy(uint64_t{});
          break;
        case Dtype::kF32:
          copy(float{});
          break;
        default:
          copy(double{});
          break;
      }
    }
    writer.write(FileSystem::real(), path() + ".changed");
  }
  Stream fresh(model, config_);
  return message_of([&] { fresh.restore(path() + ".changed"); });
}

TEST_F(Snapshot, WithImpossibleContentsIsRefused) {
  const TrainedModel model = made_stream_model("lstm", true);
  Stream stream(model, config_);
  feed(stream, events_, order_, 0, 50);
  stream.save(FileSystem::real(), path());
  const auto whole = [&](const std::string& name, const std::function<void(std::vector<int64_t>&)>& change) {
    return message_after<int64_t>(model, name, change);
  };
  EXPECT_EQ(whole("counts", [](auto&) {}), "");
  EXPECT_NE(whole("counts", [](auto& v) { v[3] = -1; }).find("negative"), std::string::npos);
  EXPECT_NE(whole("counts", [](auto& v) { v[6] = INT64_MAX; }).find("too large"), std::string::npos);
  EXPECT_NE(whole("counts", [](auto& v) { v.pop_back(); }).find("'counts'"), std::string::npos);
  EXPECT_NE(whole("ids.offsets", [](auto& v) { v[1] = 1 << 30; }).find("offsets"), std::string::npos);
  EXPECT_NE(whole("ids.offsets", [](auto& v) { v[1] = 0; }).find("empty or there twice"), std::string::npos);
  EXPECT_NE(whole("ids.offsets", [](auto& v) { v.clear(); }).find("offsets"), std::string::npos);
  EXPECT_NE(whole("ticks", [](auto& v) { v[0] = v[1] + 1; }).find("impossible"), std::string::npos);
  EXPECT_NE(whole("ticks", [](auto& v) { v.resize(v.size() - 2); }).find("'ticks'"), std::string::npos);
  EXPECT_NE(
      message_after<uint8_t>(model, "ids.bytes", [](auto& v) { v.assign(v.size(), 's'); }).find("twice"),
      std::string::npos);
  EXPECT_NE(message_after<float>(model, "numbers", [](auto& v) { v[9] = NAN; }).find("impossible"),
            std::string::npos);
  EXPECT_NE(message_after<int32_t>(model, "waiting.events", [](auto& v) { v[1] = 3; }).find("impossible"),
            std::string::npos);
  EXPECT_NE(message_after<int32_t>(model, "waiting.events", [](auto& v) { v[1] = -1; }).find("impossible"),
            std::string::npos);
  EXPECT_NE(
      message_after<double>(model, "waiting.times", [](auto& v) { v[1] = INFINITY; }).find("impossible"),
      std::string::npos);
  EXPECT_NE(message_after<uint64_t>(model, "evicted", [](auto& v) { v.resize(65537, 1); }).find("'evicted'"),
            std::string::npos);
}

TEST_F(Snapshot, WithAnImpossiblePastIsRefused) {
  const TrainedModel model = made_stream_model_with_rules("lstm", false);
  Stream stream(model, config_);
  feed(stream, events_, order_, 0, 50);
  stream.save(FileSystem::real(), path());
  const auto message = [&](const std::string& name,
                           const std::function<void(std::vector<int32_t>&)>& change) {
    return message_after<int32_t>(model, name, change);
  };
  EXPECT_EQ(message("past.types", [](auto&) {}), "");
  EXPECT_NE(message("past.types", [](auto& v) { v[0] = 3; }).find("impossible"), std::string::npos);
  EXPECT_NE(message("past.types", [](auto& v) { v[0] = -1; }).find("impossible"), std::string::npos);
  EXPECT_NE(message("past.counts", [](auto& v) { v[0] = 0; }).find("impossible"), std::string::npos);
  EXPECT_NE(message("past.counts", [](auto& v) { v.pop_back(); }).find("'past.*'"), std::string::npos);
}

}  // namespace
}  // namespace t2v
