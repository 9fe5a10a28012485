#include "forecast/forecaster_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "forecast/made_series.h"
#include "t2v/error.h"

namespace t2v::forecast {
namespace {

Forecaster made_forecaster(double noise) {
  Panel panel = made_panel(
      600, 1, 24, [](double t) { return 10 + wave(t, 24); }, noise);
  panel.series.push_back(panel.series[0]);
  panel.series[1].id = "second";
  ThreadPool pool(1);
  return fit_forecaster(panel, 24, pool);
}

std::string path_of(const std::string& name) { return testing::TempDir() + name; }

void write(const std::string& path, const Forecaster& forecaster) {
  ContainerWriter writer("model");
  const StoredIds ids = stored_ids(forecaster);
  add_to(writer, forecaster, ids);
  writer.write(FileSystem::real(), path);
}

TEST(ForecasterFile, ReadsWhatWasWritten) {
  const Forecaster forecaster = made_forecaster(0.2);
  const std::string path = path_of("forecaster.t2v");
  write(path, forecaster);
  const std::optional<Forecaster> read = read_forecaster(Container::open(path));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->description(), forecaster.description());
  EXPECT_EQ(read->ids, forecaster.ids);
  const Series series = made_panel(
                            300, 1, 24, [](double t) { return wave(t, 24); }, 0.1)
                            .series[0];
  const Track a(forecaster, series);
  const Track b(*read, series);
  EXPECT_EQ(a.at(200, 210), b.at(200, 210));
  EXPECT_EQ(a.quantiles(200, 210, std::vector{0.1, 0.9}), b.quantiles(200, 210, std::vector{0.1, 0.9}));
}

TEST(ForecasterFile, IsNothingInAFileWithout) {
  const std::string path = path_of("nothing.t2v");
  ContainerWriter("model").write(FileSystem::real(), path);
  EXPECT_FALSE(read_forecaster(Container::open(path)));
}

TEST(ForecasterFile, RejectsNumbersThatDoNotFitEachOther) {
  const Forecaster good = made_forecaster(0.2);
  const std::string path = path_of("damaged.t2v");
  const auto rejects = [&](const std::function<void(Forecaster&)>& damage) {
    Forecaster bad = good;
    damage(bad);
    write(path, bad);
    EXPECT_THROW(read_forecaster(Container::open(path)), Error);
  };
  rejects([](Forecaster& f) { f.pattern.weights.push_back(1); });
  rejects([](Forecaster& f) { f.levels.pop_back(); });
  rejects([](Forecaster& f) { f.levels[0].spread = 0; });
  rejects([](Forecaster& f) { f.step = -1; });
  rejects([](Forecaster& f) { f.horizon = 0; });
  rejects([](Forecaster& f) { f.correction.seasons.assign(20, 24); });
  rejects([](Forecaster& f) { f.bands.errors.pop_back(); });
  rejects([](Forecaster& f) { f.pattern.shape.cycles.assign(1, {24, int64_t{1} << 40}); });
  rejects([](Forecaster& f) { f.rule = FittedRule{.rule = {RuleKind::kPhaseMean, 24}}; });
}

}  // namespace
}  // namespace t2v::forecast
