#include "data/ntidigits.h"

#include <hdf5.h>

#include <cmath>
#include <ctime>
#include <filesystem>

#include "build_paths.h"
#include "file_cost.h"
#include "importer_files.h"

namespace t2v::data {
namespace {

struct Sample {
  std::string key;
  Doubles seconds;
  std::vector<int> addresses;
};

enum class Text { kFixed, kVariable };

void write_labels(hid_t file, const std::string& name, const std::vector<Sample>& samples, Text text) {
  constexpr std::size_t kSize = 24;
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, text == Text::kFixed ? kSize : H5T_VARIABLE);
  const hsize_t n = samples.size();
  const hid_t space = H5Screate_simple(1, &n, nullptr);
  const hid_t dataset = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  std::string fixed;
  std::vector<const char*> variable;
  for (const Sample& sample : samples) {
    variable.push_back(sample.key.c_str());
    fixed += sample.key + std::string(kSize - sample.key.size(), '\0');
  }
  const void* from = text == Text::kFixed ? static_cast<const void*>(fixed.data())
                                          : static_cast<const void*>(variable.data());
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, from);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
}

template <class T>
void write_array(hid_t group, const std::string& key, hid_t type, const std::vector<T>& values) {
  const hsize_t n = values.size();
  const hid_t space = H5Screate_simple(1, &n, nullptr);
  const hid_t dataset = H5Dcreate2(group, key.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (n > 0) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(dataset);
  H5Sclose(space);
}

/// `without` names what is left out: a group, or a dataset within one.
std::string write_file(const OwnFiles& files, const std::vector<Sample>& train,
                       const std::vector<Sample>& test, const std::string& without = "",
                       Text text = Text::kFixed) {
  std::string path = files.path("spikes.hdf5");
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (const std::string part : {"train", "test"}) {
    const std::vector<Sample>& samples = part == "train" ? train : test;
    if (without != part + "_labels") write_labels(file, part + "_labels", samples, text);
    for (const std::string kind : {"_timestamps", "_addresses"}) {
      if (without == part + kind) continue;
      const hid_t group = H5Gcreate2(file, (part + kind).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      for (const Sample& sample : samples) {
        if (without == part + kind + "/" + sample.key) continue;
        if (kind == "_timestamps") write_array(group, sample.key, H5T_NATIVE_DOUBLE, sample.seconds);
        if (kind == "_addresses") write_array(group, sample.key, H5T_NATIVE_INT, sample.addresses);
      }
      H5Gclose(group);
    }
  }
  H5Fclose(file);
  return path;
}

enum class Stored { kAtOnce, kInPieces };

/// Adds a dataset that announces so many entries and has none: HDF5 would read zeros.
void announce(const std::string& path, const std::string& name, hid_t type, hsize_t count,
              Stored stored = Stored::kAtOnce) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t piece = 1024;
  if (stored == Stored::kInPieces) H5Pset_chunk(how, 1, &piece);
  const hid_t dataset = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  EXPECT_GE(dataset, 0) << name;
  H5Dclose(dataset);
  H5Pclose(how);
  H5Sclose(space);
  H5Fclose(file);
}

const std::vector<Sample> kTrain = {{"man-ja-10-z", {0.0, 0.5, 0.5}, {63, 0, 5}},
                                    {"man-ja-11-12", {0.25}, {1}},
                                    {"boy-kb-3-7", {0.1234567894, 2.0}, {2, 2}}};
const std::vector<Sample> kTest = {{"woman-pe-1-o", {1.5}, {9}}};

/// Samples that share two datasets, each of so many entries that are not there.
std::string write_shared(const OwnFiles& files, int samples, hsize_t count) {
  std::vector<Sample> keys;
  for (int i = 0; i < samples; ++i) keys.push_back({"man-a-" + std::to_string(i) + "-1", {}, {}});
  std::string path = write_file(files, {}, kTest, "train_labels");
  announce(path, "times", H5T_NATIVE_DOUBLE, count);
  announce(path, "channels", H5T_NATIVE_INT, count);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  write_labels(file, "train_labels", keys, Text::kFixed);
  const auto link = [&](const char* from, const std::string& to) {
    H5Lcreate_hard(file, from, file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  };
  for (const Sample& sample : keys) {
    link("times", "train_timestamps/" + sample.key);
    link("channels", "train_addresses/" + sample.key);
  }
  H5Fclose(file);
  return path;
}

TEST(Ntidigits, HasSpikesWithChannels) {
  const OwnFiles files;
  for (const Text text : {Text::kFixed, Text::kVariable}) {
    const EventTable table = import_ntidigits(write_file(files, kTrain, kTest, "", text), {});
    EXPECT_EQ(names_of(table.ids), (Texts{"man-ja-10-z", "boy-kb-3-7", "woman-pe-1-o"}));
    EXPECT_EQ(table.sequence, (Codes{0, 0, 0, 1, 1, 2}));
    EXPECT_EQ(table.scale, (TickScale{false, 9, true}));
    EXPECT_EQ(table.ticks, (Ticks{0, 500'000'000, 500'000'000, 123'456'789, 2'000'000'000, 1'500'000'000}));
    EXPECT_EQ(table.event->codes, (Codes{63, 0, 5, 2, 2, 9}));
    EXPECT_EQ(table.event->names.size(), 64);
    EXPECT_EQ(names_of(table.label->names), (Texts{"7", "o", "z"}));
    EXPECT_EQ(table.label->codes, (Codes{2, 0, 1}));
    EXPECT_EQ(table.part, (std::vector<Part>{Part::kTrain, Part::kTrain, Part::kTest}));
    EXPECT_TRUE(any_note(table, "nearest nanosecond"));
    EXPECT_TRUE(table.numbers.empty());
  }
}

TEST(Ntidigits, MayHaveUtterancesOfSeveralDigits) {
  const OwnFiles files;
  const EventTable table = import_ntidigits(write_file(files, kTrain, kTest), {.single_digits = false});
  EXPECT_EQ(table.sequences(), 4);
  EXPECT_EQ(names_of(table.label->names), (Texts{"12", "7", "o", "z"}));
}

TEST(Ntidigits, CountsSpikesOfFramesAndKeepsTheShorterLastOne) {
  const OwnFiles files;
  const std::string path = write_file(files, kTrain, kTest);
  const EventTable table = import_ntidigits(path, {true, SpikeForm::kBinned, 2});
  EXPECT_EQ(table.ticks, (Ticks{500'000'000, 500'000'000, 2'000'000'000, 1'500'000'000}));
  EXPECT_EQ(table.sequence, (Codes{0, 0, 1, 2}));
  ASSERT_EQ(table.numbers.size(), 64U);
  EXPECT_EQ(table.numbers[63].values, (Doubles{1, 0, 0, 0}));
  EXPECT_EQ(table.numbers[0].values, (Doubles{1, 0, 0, 0}));
  EXPECT_EQ(table.numbers[5].values, (Doubles{0, 1, 0, 0}));
  EXPECT_EQ(table.numbers[2].values, (Doubles{0, 0, 2, 0}));
  EXPECT_EQ(table.numbers[2].name, "channel_2");
  EXPECT_FALSE(table.event);
  EXPECT_TRUE(any_note(table, "is kept"));
  const EventTable times = import_ntidigits(path, {true, SpikeForm::kTimes, 2});
  EXPECT_EQ(times.ticks, table.ticks);
  EXPECT_TRUE(times.numbers.empty());
  EXPECT_SAYS(complaint([&] {
                import_ntidigits(path, {true, SpikeForm::kTimes, 0});
              }),
              "frame '0' has no spikes; set it");
}

TEST(Ntidigits, LeavesOutSamplesWithoutSpikes) {
  const OwnFiles files;
  const EventTable table = import_ntidigits(write_file(files, {{"man-a-1-1", {}, {}}}, kTest), {});
  EXPECT_EQ(table.sequences(), 1);
  EXPECT_TRUE(any_note(table, "1 samples without spikes"));
}

TEST(Ntidigits, NamesWhatIsMissing) {
  const OwnFiles files;
  for (const std::string missing : {"train_labels", "test_timestamps", "train_addresses",
                                    "train_timestamps/boy-kb-3-7", "test_addresses/woman-pe-1-o"}) {
    EXPECT_SAYS(complaint([&] { import_ntidigits(write_file(files, kTrain, kTest, missing), {}); }), missing);
  }
}

TEST(Ntidigits, NamesTheSampleThatIsWrong) {
  const OwnFiles files;
  const auto what = [&](const Sample& sample) {
    return complaint([&] { import_ntidigits(write_file(files, {sample}, kTest), {}); });
  };
  EXPECT_SAYS(what({"man-a-1-1", {1, 2}, {1}}), "train/man-a-1-1: 2 timestamps, but 1 addresses; get");
  EXPECT_SAYS(what({"man-a-1-1", {1, 2}, {1, 64}}),
              "train/man-a-1-1: event 1: address '64' is no channel; write 0 to 63");
  EXPECT_SAYS(what({"man-a-1-1", {1, 2}, {-1, 0}}), "event 0: address '-1'");
  EXPECT_SAYS(what({"man-a-1-1", {2, 1}, {1, 0}}),
              "train/man-a-1-1: event 1: time goes back from 2 to '1'; sort the spikes");
  EXPECT_SAYS(what({"man-a-1-1", {0, NAN}, {1, 0}}), "event 1: time 'nan' is out of range; write");
  EXPECT_SAYS(what({"mana", {0}, {1}}), "key 'mana'");
  EXPECT_SAYS(what({"man-", {0}, {1}}), "key 'man-'");
  EXPECT_SAYS(what(kTest[0]), "two sequences have the id 'woman-pe-1-o'");
}

TEST(Ntidigits, RefusesInLittleMemoryWhatAnnouncesMoreThanAFileOfItsSizeMayHold) {
  const OwnFiles files;
  constexpr hsize_t kMany = hsize_t{1} << 40;
  const hid_t fixed = H5Tcopy(H5T_C_S1);
  H5Tset_size(fixed, 24);
  const hid_t variable = H5Tcopy(H5T_C_S1);
  H5Tset_size(variable, H5T_VARIABLE);
  for (const auto& [name, type] :
       {std::pair<std::string, hid_t>{"train_timestamps/boy-kb-3-7", H5T_NATIVE_DOUBLE},
        {"test_addresses/woman-pe-1-o", H5T_NATIVE_SCHAR},
        {"train_labels", fixed},
        {"test_labels", variable}}) {
    for (const Stored stored : {Stored::kAtOnce, Stored::kInPieces}) {
      const std::string path = write_file(files, kTrain, kTest, name);
      announce(path, name, type, kMany, stored);
      const std::size_t size = std::filesystem::file_size(path);
      ASSERT_LT(size, 64U << 10);
      const testing::FileCost cost(size);
      EXPECT_SAYS(complaint([&] { import_ntidigits(path, {}); }),
                  path + ": " + name +
                      ": its 1099511627776 entries would make the file more than 256 times as long; get");
      cost.expect_little();
    }
  }
  H5Tclose(fixed);
  H5Tclose(variable);
}

TEST(Ntidigits, MayBecomeEightMebibytesInAll) {
  const OwnFiles files;
  constexpr hsize_t kCount = 1 << 16;  // with times and channels a mebibyte
  EXPECT_EQ(import_ntidigits(write_shared(files, 7, kCount), {}).rows(), 7 * kCount + 1);
  EXPECT_SAYS(complaint([&] { import_ntidigits(write_shared(files, 8, kCount), {}); }),
              "train_addresses/man-a-7-1: its 65536 entries would make the file more than 256 times");
}

TEST(Ntidigits, RefusesWhatIsNoHdf5File) {
  const OwnFiles files;
  ::testing::internal::CaptureStderr();
  EXPECT_SAYS(complaint([&] { import_ntidigits(files.path("none"), {}); }), "cannot open: No such file");
  EXPECT_SAYS(complaint([&] { import_ntidigits(files.write("text", "hello"), {}); }),
              "not an HDF5 file, or damaged; get it again");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Ntidigits, ReadsThousandsOfSamplesInSeconds) {
  const std::string folder = test_data("spoken_digit_spikes");
  if (folder.empty()) GTEST_SKIP() << no_test_data("spoken_digit_spikes");
  const std::clock_t start = std::clock();
  const EventTable table = import_ntidigits(folder + "/spikes.hdf5", {});
  EXPECT_LT(static_cast<double>(std::clock() - start), 3 * testing::kSlower * CLOCKS_PER_SEC);
  EXPECT_EQ(std::count(table.part.begin(), table.part.end(), Part::kTrain), 2700);
  EXPECT_EQ(std::count(table.part.begin(), table.part.end(), Part::kTest), 300);
  EXPECT_EQ(table.label->names.size(), 10);
  EXPECT_NEAR(static_cast<double>(table.rows()) / 3000, 1114, 1);
}

}  // namespace
}  // namespace t2v::data
