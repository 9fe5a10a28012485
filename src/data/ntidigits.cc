#include "data/ntidigits.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <system_error>

#include "base/fail.h"
#include "base/file_system.h"
#include "base/text_check.h"
#include "data/byte_stream.h"
#include "data/hdf5_library.h"
#include "data/parts.h"
#include "data/text_lines.h"

namespace t2v::data {
namespace {

constexpr int kChannels = 64;
constexpr unsigned kReadOnly = 0;  // H5F_ACC_RDONLY, which is more than a number
constexpr std::string_view kAdvice = "is this the HDF5 file of N-TIDIGITS18?";
constexpr double kLatestSecond = 9e9;  // as nanoseconds it fits

/// HDF5 prints its errors by itself; not while this lives.
class SilentHdf5 {
 public:
  SilentHdf5() {
    hdf5().get_error_printer(H5E_DEFAULT, &function_, &data_);
    hdf5().set_error_printer(H5E_DEFAULT, nullptr, nullptr);
  }
  ~SilentHdf5() { hdf5().set_error_printer(H5E_DEFAULT, function_, data_); }
  SilentHdf5(const SilentHdf5&) = delete;
  SilentHdf5& operator=(const SilentHdf5&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Something of HDF5 that is open, and how it is closed.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The bytes that all datasets of a file may become, as they are read. A few bytes can announce any number of
/// entries, as HDF5 makes up those that are not there.
class Allowance {
 public:
  explicit Allowance(int64_t file_size) {
    constexpr int64_t kLargest = std::numeric_limits<int64_t>::max() / kMostGrowth;
    left_ = static_cast<std::size_t>(std::max(kAlwaysFine, kMostGrowth * std::min(file_size, kLargest)));
  }

  void take(std::size_t count, std::size_t bytes_each, const std::string& place) {
    if (count > left_ / bytes_each) {
      fail("{}: its {} entries would make the file more than {} times as long; get it again, or unpacked",
           place, count, kMostGrowth);
    }
    left_ -= count * bytes_each;
  }

 private:
  std::size_t left_;
};

int64_t size_of_file(const std::string& path) {
  const int file = FileSystem::real().open(path, FileSystem::Mode::kRead);
  if (file < 0) fail("{}: cannot open: {}", path, std::generic_category().message(errno));
  const int64_t size = FileSystem::real().size(file);
  FileSystem::real().close(file);
  return std::max<int64_t>(0, size);
}

hid_t open_file(const std::string& path) {
  const hid_t file = hdf5().open_file(path.c_str(), kReadOnly, H5P_DEFAULT);
  if (file < 0) fail("{}: not an HDF5 file, or damaged; get it again", path);
  return file;
}

/// The number of entries of a dataset of one dimension.
std::size_t length_of(const Handle& dataset, const std::string& place) {
  const Handle space(hdf5().space_of(dataset.get()), hdf5().close_space);
  const int dimensions = space.valid() ? hdf5().dimensions(space.get()) : -1;
  if (dimensions != 1) fail("{}: {} dimensions, expected 1; {}", place, dimensions, kAdvice);
  const hssize_t length = hdf5().points(space.get());
  if (length < 0) fail("{}: cannot read the number of entries; get the file again", place);
  return static_cast<std::size_t>(length);
}

Handle open_dataset(hid_t in, const std::string& name, const std::string& place) {
  const hid_t dataset = hdf5().open_dataset(in, name.c_str(), H5P_DEFAULT);
  if (dataset < 0) fail("{}: there is no such dataset; {}", place, kAdvice);
  return {dataset, hdf5().close_dataset};
}

/// Numbers of any type, as doubles.
void read_numbers(hid_t group, const std::string& key, const std::string& place, Allowance& allowance,
                  std::vector<double>& numbers) {
  const Handle dataset = open_dataset(group, key, place);
  const std::size_t count = length_of(dataset, place);
  allowance.take(count, sizeof(double), place);
  numbers.resize(count);
  if (hdf5().read(dataset.get(), hdf5().native_double, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) {
    fail("{}: cannot be read as numbers; {}", place, kAdvice);
  }
}

std::vector<std::string> read_texts(const Handle& dataset, const Handle& type, std::size_t count) {
  std::vector<char*> texts(count);
  const bool read = hdf5().read(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                static_cast<void*>(texts.data())) >= 0;
  std::vector<std::string> keys;
  if (!read) return keys;
  for (const char* text : texts) keys.emplace_back(text != nullptr ? text : "");
  const Handle space(hdf5().space_of(dataset.get()), hdf5().close_space);
  hdf5().reclaim(type.get(), space.get(), H5P_DEFAULT, static_cast<void*>(texts.data()));
  return keys;
}

std::vector<std::string> read_fixed_texts(const Handle& dataset, const Handle& type, std::size_t count) {
  const std::size_t size = hdf5().size_of(type.get());
  std::vector<char> bytes(count * size);
  std::vector<std::string> keys;
  if (hdf5().read(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) return keys;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view padded(bytes.data() + i * size, size);
    keys.emplace_back(padded.substr(0, padded.find('\0')));
  }
  return keys;
}

std::vector<std::string> read_keys(hid_t file, const std::string& name, const std::string& place,
                                   Allowance& allowance) {
  const Handle dataset = open_dataset(file, name, place);
  const std::size_t count = length_of(dataset, place);
  const Handle type(hdf5().type_of(dataset.get()), hdf5().close_type);
  if (!type.valid() || hdf5().class_of(type.get()) != H5T_STRING) {
    fail("{}: has no strings; {}", place, kAdvice);
  }
  allowance.take(count, std::max(hdf5().size_of(type.get()), sizeof(std::string)), place);
  const bool variable = hdf5().is_variable_text(type.get()) > 0;
  std::vector<std::string> keys =
      variable ? read_texts(dataset, type, count) : read_fixed_texts(dataset, type, count);
  if (keys.size() != count) fail("{}: cannot be read; get the file again", place);
  return keys;
}

/// One sample.
struct Spikes {
  std::vector<double> seconds;
  std::vector<double> addresses;
  std::vector<int64_t> ticks;
  std::vector<int32_t> channels;
};

void check_and_convert(Spikes& spikes, const std::string& place) {
  if (spikes.seconds.size() != spikes.addresses.size()) {
    fail("{}: {} timestamps, but {} addresses; get the file again", place, spikes.seconds.size(),
         spikes.addresses.size());
  }
  spikes.ticks.clear();
  spikes.channels.clear();
  for (std::size_t i = 0; i < spikes.seconds.size(); ++i) {
    const double second = spikes.seconds[i];
    const double address = spikes.addresses[i];
    if (!(std::abs(second) <= kLatestSecond)) {
      fail("{}: event {}: time '{}' is out of range; write seconds", place, i, second);
    }
    if (!(address >= 0 && address < kChannels && address == std::floor(address))) {
      fail("{}: event {}: address '{}' is no channel; write 0 to {}", place, i, address, kChannels - 1);
    }
    if (i > 0 && second < spikes.seconds[i - 1]) {
      fail("{}: event {}: time goes back from {} to '{}'; sort the spikes", place, i, spikes.seconds[i - 1],
           second);
    }
    spikes.ticks.push_back(std::llround(static_cast<long double>(second) * 1e9L));
    spikes.channels.push_back(static_cast<int32_t>(address));
  }
}

void add_event(EventTable& table, int64_t tick) {
  table.ticks.push_back(tick);
  table.sequence.push_back(table.ids.size() - 1);
}

void add_spikes(EventTable& table, const Spikes& spikes) {
  for (const int64_t tick : spikes.ticks) add_event(table, tick);
  table.event->codes.insert(table.event->codes.end(), spikes.channels.begin(), spikes.channels.end());
}

/// Columns of numbers are there for binned frames alone.
void add_frames(EventTable& table, const Spikes& spikes, int64_t frame) {
  const std::size_t n = spikes.ticks.size();
  const auto size = static_cast<std::size_t>(frame);
  for (std::size_t begin = 0; begin < n; begin += std::min(size, n - begin)) {
    const std::size_t end = begin + std::min(size, n - begin);
    add_event(table, spikes.ticks[end - 1]);
    if (table.numbers.empty()) continue;
    for (Numbers& channel : table.numbers) channel.values.push_back(0);
    for (std::size_t i = begin; i < end; ++i) {
      table.numbers[static_cast<std::size_t>(spikes.channels[i])].values.back() += 1;
    }
  }
}

std::string spoken(const std::string& key, const std::string& place) {
  const std::size_t dash = key.rfind('-');
  if (dash == std::string::npos || dash + 1 == key.size()) {
    fail("{}: key {} does not end in a dash and what was said; write it as man-ja-10-7", place,
         in_quotes(key));
  }
  return key.substr(dash + 1);
}

void set_columns(EventTable& table, SpikeForm form) {
  table.scale = {.instants = false, .decimals = 9, .seconds = true};
  table.label = Categories{"digits", {}, {}};
  if (form == SpikeForm::kRaw) {
    table.event = Categories{"channel", {}, {}};
    for (int c = 0; c < kChannels; ++c) table.event->names.add(std::to_string(c));
  }
  if (form == SpikeForm::kBinned) {
    for (int c = 0; c < kChannels; ++c) table.numbers.push_back({fmt::format("channel_{}", c), {}});
  }
}

/// Adds the samples of "train" or "test".
class PartReader {
 public:
  PartReader(const std::string& path, hid_t file, Part part, const NtidigitsOptions& options,
             Allowance& allowance)
      : path_(path),
        prefix_(part_name(part)),
        part_(part),
        options_(options),
        file_(file),
        allowance_(allowance) {}

  void read(EventTable& table, std::vector<std::string>& labels, int64_t& empty) {
    const std::string list = prefix_ + "_labels";
    const std::string place = path_ + ": " + list;
    const Handle times = open_group("_timestamps");
    const Handle addresses = open_group("_addresses");
    for (const std::string& key : read_keys(file_, list, place, allowance_)) {
      const std::string label = spoken(key, place);
      if (options_.single_digits && label.size() != 1) continue;
      read_numbers(times.get(), key, place_of("_timestamps", key), allowance_, spikes_.seconds);
      read_numbers(addresses.get(), key, place_of("_addresses", key), allowance_, spikes_.addresses);
      check_and_convert(spikes_, place_of("", key));
      if (spikes_.ticks.empty()) {
        ++empty;
        continue;
      }
      add_sequence(table, key, part_, place);
      labels.push_back(label);
      if (options_.form == SpikeForm::kRaw) {
        add_spikes(table, spikes_);
      } else {
        add_frames(table, spikes_, options_.frame);
      }
    }
  }

 private:
  Handle open_group(const char* what) const {
    const std::string name = prefix_ + what;
    const hid_t group = hdf5().open_group(file_, name.c_str(), H5P_DEFAULT);
    if (group < 0) fail("{}: there is no group {}; {}", path_, name, kAdvice);
    return {group, hdf5().close_group};
  }
  std::string place_of(const char* what, const std::string& key) const {
    return path_ + ": " + prefix_ + what + "/" + key;
  }

  const std::string& path_;
  std::string prefix_;
  Part part_;
  const NtidigitsOptions& options_;
  hid_t file_;
  Allowance& allowance_;
  Spikes spikes_;
};

/// Classes in the order of their names, so that their numbers do not depend on the order of samples.
void set_labels(EventTable& table, const std::vector<std::string>& labels) {
  for (const std::string& name : std::set<std::string>(labels.begin(), labels.end())) {
    table.label->names.add(name);
  }
  for (const std::string& label : labels) table.label->codes.push_back(table.label->names.find(label));
}

void add_notes(EventTable& table, const NtidigitsOptions& options, int64_t empty) {
  table.notes.emplace_back("Times are seconds, rounded to the nearest nanosecond.");
  if (options.form != SpikeForm::kRaw) {
    table.notes.push_back(
        fmt::format("An event is a frame of {} spikes, at the time of the last; the last frame "
                    "of a sample may have fewer and is kept.",
                    options.frame));
  }
  if (empty > 0) table.notes.push_back(fmt::format("{} samples without spikes are left out.", empty));
}

}  // namespace

EventTable import_ntidigits(const std::string& path, const NtidigitsOptions& options) {
  if (options.frame < 1) fail("frame '{}' has no spikes; set it to at least 1", options.frame);
  const SilentHdf5 silent;
  Allowance allowance(size_of_file(path));
  const Handle file(open_file(path), hdf5().close_file);
  EventTable table;
  set_columns(table, options.form);
  std::vector<std::string> labels;
  int64_t empty = 0;
  for (const Part part : {Part::kTrain, Part::kTest}) {
    PartReader(path, file.get(), part, options, allowance).read(table, labels, empty);
  }
  set_labels(table, labels);
  table.source = fmt::format("spikes of spoken digits in {}", path);
  add_notes(table, options, empty);
  return table;
}

}  // namespace t2v::data
