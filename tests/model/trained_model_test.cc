#include "model/trained_model.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/container.h"
#include "base/container_writer.h"
#include "base/fail.h"
#include "made_model.h"
#include "model/config_json.h"

namespace t2v {
namespace {

using namespace testing;

/// A path in a folder of this process alone; removed at the end.
class TrainedModelFile : public ::testing::Test {
 public:
  TrainedModelFile()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("t2v_model_{}", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~TrainedModelFile() override { std::filesystem::remove_all(folder_); }

 protected:
  std::string path() const { return (folder_ / "m.t2v").string(); }
  std::string written(const TrainedModel& model) const {
    write_model(FileSystem::real(), path(), model);
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  std::string message() const {
    try {
      read_model(path());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  /// What reading a model says that was made of a sound one by this change.
  std::string message_after(const std::function<void(TrainedModel&)>& change) const {
    TrainedModel model = made_model();
    change(model);
    write_model(FileSystem::real(), path(), model);
    return message();
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(TrainedModelFile, GivesBackAllThatWasWritten) {
  const TrainedModel model = made_model("tlstm3");
  written(model);
  const TrainedModel read = read_model(path());
  EXPECT_EQ(read.task, model.task);
  EXPECT_EQ(to_json(read.config), to_json(model.config));
  EXPECT_EQ(read.encoding, model.encoding);
  EXPECT_EQ(read.times.view.unit, "d");
  EXPECT_EQ(read.times.view.ticks_per_unit, 86400e9);
  EXPECT_EQ(read.times.grid, model.times.grid);
  EXPECT_EQ(*read.options, *model.options);
  EXPECT_EQ(*read.training, *model.training);
  const Model laid_out(model.config);
  for (const nn::Tensor& tensor : laid_out.layout().tensors()) {
    EXPECT_EQ(values_of(read.parameters, tensor), values_of(model.parameters, tensor)) << tensor.name;
  }
}

TEST_F(TrainedModelFile, WithNumbersThatAreNotFiniteIsRefused) {
  EXPECT_NE(message_after([](TrainedModel& model) {
              model.parameters.dense[3] = std::nanf("");
            }).find("not finite"),
            std::string::npos);
  EXPECT_NE(
      message_after([](TrainedModel& model) { model.parameters.wide[1] = INFINITY; }).find("not finite"),
      std::string::npos);
}

TEST_F(TrainedModelFile, WhoseEncodingContradictsItsConfigurationIsRefused) {
  EXPECT_NE(message_after([](TrainedModel& model) {
              model.encoding.event->names.pop_back();
            }).find("4 event types, but the encoding 3"),
            std::string::npos);
  EXPECT_NE(message_after([](TrainedModel& model) { model.encoding.numbers.clear(); }).find("features"),
            std::string::npos);
  EXPECT_NE(message_after([](TrainedModel& model) { model.encoding.event->names[0] = "b"; }).find("twice"),
            std::string::npos);
}

/// A file with the description of a sound model but tensors of our choice.
void write_with_tensors(const std::string& path, const TrainedModel& sound,
                        const std::function<void(ContainerWriter&)>& add) {
  write_model(FileSystem::real(), path, sound);
  ContainerWriter writer("model");
  {
    const Container file = Container::open(path);
    for (const char* key : {"model", "options", "training"}) writer.set(key, file.get(key));
  }
  add(writer);
  writer.write(FileSystem::real(), path);
}

TEST_F(TrainedModelFile, WhoseTensorsContradictItsConfigurationIsRefused) {
  const std::string bytes = "abcd";
  const std::vector<int64_t> offsets = {0, 1, 2, 3, 4};
  const std::vector<int64_t> wild = {0, 1, 2, 3, 1LL << 60};
  write_with_tensors(path(), made_model(), [&](ContainerWriter& writer) {
    writer.add("vocabulary.0.bytes", std::span<const char>(bytes));
    writer.add("vocabulary.0.offsets", std::span<const int64_t>(offsets));
  });
  EXPECT_NE(message().find("has 0 tensors of parameters"), std::string::npos) << message();
  write_with_tensors(path(), made_model(), [&](ContainerWriter& writer) {
    writer.add("vocabulary.0.bytes", std::span<const char>(bytes));
    writer.add("vocabulary.0.offsets", std::span<const int64_t>(wild));
  });
  EXPECT_NE(message().find("offsets of vocabulary 0"), std::string::npos) << message();
}

TEST(ModelConfigJson, ComesBackTheSameForEveryKindOfModel) {
  for (const ModelConfig& config : all_model_configs(3)) {
    EXPECT_EQ(to_json(model_config_from_json(to_json(config))), to_json(config)) << describe(config);
  }
}

TEST(ModelConfigJson, RefusesWhatItDoesNotKnow) {
  const auto refused = [](const char* text) {
    try {
      model_config_from_json(nlohmann::json::parse(text));
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused("{}"));
  EXPECT_TRUE(refused("[]"));
  EXPECT_TRUE(refused(R"({"hiden": 3})"));
  EXPECT_TRUE(refused(R"({"hidden": "3"})"));
  EXPECT_TRUE(refused(R"({"hidden": 3.5})"));
  EXPECT_TRUE(refused(R"({"hidden": -1})"));
  EXPECT_TRUE(refused(R"({"hidden": 1e30})"));
  EXPECT_TRUE(refused(R"({"skip": 1})"));
  EXPECT_TRUE(refused(R"({"layers": 1000000000})"));
  EXPECT_TRUE(refused(R"({"times": [{"activation": "sine"}]})"));
  EXPECT_TRUE(refused(R"({"heads": [{"classes": 0}]})"));
}

}  // namespace
}  // namespace t2v
