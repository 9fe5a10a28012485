#include "data/importer.h"

#include <optional>

#include "base/fail.h"
#include "base/named.h"
#include "base/text_check.h"
#include "data/citeulike.h"
#include "data/decimal.h"
#include "data/doctor_text.h"
#include "data/easytpp_json.h"
#include "data/lastfm.h"
#include "data/lst_triples.h"
#include "data/mnist_idx.h"
#include "data/ntidigits.h"
#include "data/rmtpp_twins.h"
#include "data/text_lines.h"

namespace t2v::data {
namespace {

/// A word that a setting may be, and what it means.
template <class T>
struct Choice {
  std::string_view name;
  T value;
};

const std::string* find(const Settings& settings, const char* name) {
  const auto found = settings.find(name);
  return found == settings.end() ? nullptr : &found->second;
}

template <class T>
void take(const Settings& settings, const char* name, const std::vector<Choice<T>>& choices, T& value) {
  if (const std::string* text = find(settings, name)) value = find_named(choices, shown(*text), name).value;
}

void take(const Settings& settings, const char* name, bool& value) {
  take(settings, name, {{"yes", true}, {"no", false}}, value);
}

void take(const Settings& settings, const char* name, double& value) {
  const std::string* text = find(settings, name);
  if (text == nullptr) return;
  const NumberFault fault = parse_double(*text, value);
  if (fault != NumberFault::kNone) {
    fail("setting {}: {} {}", name, in_quotes(*text), explain_number(fault));
  }
}

void take(const Settings& settings, const char* name, int64_t& value) {
  const std::string* text = find(settings, name);
  if (text == nullptr) return;
  Decimal number;
  const NumberFault fault = parse_decimal(*text, number);
  if (fault != NumberFault::kNone || number.decimals != 0) {
    fail("setting {}: {} is not a whole number; write it as 12", name, in_quotes(*text));
  }
  value = number.mantissa;
}

const std::vector<Choice<Part>>& part_choices() {
  static const std::vector<Choice<Part>> choices = {
      {"train", Part::kTrain}, {"valid", Part::kValid}, {"test", Part::kTest}};
  return choices;
}

/// The part of each group of files: as set; else train and test for two, train, valid and test for three.
std::vector<std::optional<Part>> parts_of(const Settings& settings, std::size_t groups) {
  const std::string* text = find(settings, "parts");
  if (text == nullptr && groups == 1) return {std::nullopt};
  std::vector<std::string_view> names = {"train", "test"};
  if (groups == 3) names = {"train", "valid", "test"};
  if (text != nullptr) split_fields(*text, ',', names);
  if (names.size() != groups) {
    fail("{} groups of files{}; set parts to {} of train, valid and test with commas between", groups,
         text != nullptr ? " and parts " + in_quotes(*text) : std::string(), groups);
  }
  std::vector<std::optional<Part>> parts;
  for (const std::string_view name : names)
    parts.emplace_back(find_named(part_choices(), shown(name), "part").value);
  return parts;
}

constexpr Setting kParts = {"parts", "train,test", "what each group of files is for"};

EventTable run_mnist(const std::vector<std::string>& paths, const Settings& settings) {
  MnistOptions options;
  take(settings, "threshold", options.threshold);
  take(settings, "shift", options.shift);
  const auto parts = parts_of(settings, paths.size() / 2);
  std::vector<MnistFiles> files;
  for (std::size_t i = 0; i < parts.size(); ++i) files.push_back({paths[2 * i], paths[2 * i + 1], parts[i]});
  return import_mnist(files, options);
}

EventTable run_ntidigits(const std::vector<std::string>& paths, const Settings& settings) {
  NtidigitsOptions options;
  take(settings, "digits", {{"single", true}, {"all", false}}, options.single_digits);
  take(settings, "form",
       {{"raw", SpikeForm::kRaw}, {"binned", SpikeForm::kBinned}, {"times", SpikeForm::kTimes}},
       options.form);
  take(settings, "frame", options.frame);
  return import_ntidigits(paths[0], options);
}

/// Stack Overflow: 22 badges, 6633 users.
bool may_be_stack_overflow(const EventTable& table) {
  constexpr int32_t kTypes = 22;
  constexpr int64_t kSequences = 6633;
  return table.event && table.event->names.size() == kTypes && 2 * table.sequences() > kSequences &&
         table.sequences() < 2 * kSequences;
}

EventTable run_rmtpp(const std::vector<std::string>& paths, const Settings& settings) {
  NumberTimes times = NumberTimes::kByMagnitude;
  take(settings, "times",
       {{"auto", NumberTimes::kByMagnitude},
        {"unix", NumberTimes::kUnixSeconds},
        {"plain", NumberTimes::kPlain}},
       times);
  const auto parts = parts_of(settings, paths.size() / 2);
  std::vector<TwinFiles> files;
  for (std::size_t i = 0; i < parts.size(); ++i) files.push_back({paths[2 * i], paths[2 * i + 1], parts[i]});
  return import_rmtpp(files, times);
}

void take(const Settings& settings, TimeLstmOptions& options) {
  take(settings, "variant", {{"clean", Preparation::kClean}, {"as_coded", Preparation::kAsCoded}},
       options.preparation);
  take(settings, "stored", {{"delta", StoredTime::kDelta}, {"accumulated", StoredTime::kAccumulated}},
       options.stored);
  take(settings, "vocabulary", options.vocabulary);
  take(settings, "longest", options.longest);
  take(settings, "train_users", options.train_users);
  take(settings, "test_users", options.test_users);
  if (find(settings, "train_users") != nullptr || find(settings, "test_users") != nullptr) {
    options.train_share = 0;
  }
  take(settings, "train_share", options.train_share);
}

std::vector<Setting> time_lstm_settings(std::string_view share) {
  return {{"variant", "clean, as_coded", "the true times, or also the time values of the published code"},
          {"stored", "delta, accumulated", "which time value the published code stores"},
          {"vocabulary", "5000", "most frequent items, the only ones kept"},
          {"longest", "200", "first events of a user, the only ones kept; 0 for all"},
          {"train_users", "800", "users with the fewest rows, for training"},
          {"test_users", "192", "users with the most rows, for test"},
          {"train_share", share, "above 0: share of the users for training instead, the others for test"}};
}

EventTable run_lastfm(const std::vector<std::string>& paths, const Settings& settings) {
  TimeLstmOptions options;
  take(settings, options);
  return import_lastfm(paths[0], options);
}

EventTable run_citeulike(const std::vector<std::string>& paths, const Settings& settings) {
  CiteulikeOptions options;
  take(settings, options.time_lstm);
  take(settings, "fewest_posts", options.fewest_posts);
  return import_citeulike(paths[0], options);
}

std::vector<Setting> citeulike_settings() {
  std::vector<Setting> settings = time_lstm_settings("0.8");
  settings.push_back({"fewest_posts", "10", "posts of frequent articles that a user must have"});
  return settings;
}

EventTable run_lst(const std::vector<std::string>& paths, const Settings& settings) {
  const auto parts = parts_of(settings, paths.size() / 3);
  std::vector<LstFiles> files;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    files.push_back({paths[3 * i], paths[3 * i + 1], paths[3 * i + 2], parts[i]});
  }
  return import_lst(files);
}

EventTable run_easytpp(const std::vector<std::string>& paths, const Settings& settings) {
  const auto parts = parts_of(settings, paths.size());
  std::vector<EasytppFile> files;
  for (std::size_t i = 0; i < parts.size(); ++i) files.push_back({paths[i], parts[i]});
  return import_easytpp(files);
}

std::vector<Importer> make_importers() {
  return {
      {"mnist",
       "images of digits in IDX files, as positions of bright pixels (Event-MNIST)",
       "images and labels, plain or gz; then those for test",
       2,
       true,
       {{"threshold", "0.9", "share of full scale above which a pixel is an event"},
        {"shift", "yes, no", "whether the first event of an image is at 0"},
        kParts},
       {"Event-MNIST", "60000 train, 10000 test", "", "10 classes", "2 and more"},
       run_mnist},
      {"ntidigits",
       "spikes of spoken digits in an HDF5 file (N-TIDIGITS18)",
       "one file, from a source that you trust: a manipulated one may crash the HDF5 library",
       1,
       false,
       {{"digits", "single, all", "utterances of one digit alone, or all"},
        {"form", "raw, binned, times", "spikes with channels; frames with counts; times of frames"},
        {"frame", "100", "spikes of a frame"}},
       {"N_TIDIGITS18", "2464 train, 2486 test", "", "64 channels, 11 classes", ""},
       run_ntidigits},
      {"rmtpp",
       "twin files of events and times, a line for each sequence (Stack Overflow, Last.fm sample)",
       "events and times; then those for test",
       2,
       true,
       {{"times", "auto, unix, plain", "seconds since 1970, or plain numbers; auto: by their size"}, kParts},
       {"SOF", "about 6K (5307 train, 1326 test)", "about 480K (383181 train, 97233 test)", "22", "",
        may_be_stack_overflow},
       run_rmtpp},
      {"lastfm",
       "the Last.fm-1K listening log: user, time, artist id, artist, track id, track",
       "one file, with tabs",
       1,
       false,
       time_lstm_settings("0"),
       {"Last.FM", "992 (800 train, 192 test)", "about 819K", "5000", "at most 200"},
       run_lastfm},
      {"citeulike",
       "CiteULike's log of who posted what: article|user|time|tag",
       "one file",
       1,
       false,
       citeulike_settings(),
       {"CiteULike", "about 1.6K", "about 36K", "5000", "at most 200"},
       run_citeulike},
      {"lst",
       "the .lst files of Time-LSTM: items, deltas and accumulated times of users",
       "items, deltas and accumulated times; then those for test",
       3,
       true,
       {kParts},
       {},
       run_lst},
      {"easytpp",
       "rows of EasyTPP's data sets as JSON or JSON lines",
       "one file; or train and test; or train, "
       "valid and test",
       1,
       true,
       {kParts},
       {},
       run_easytpp},
  };
}

void check_settings(const Importer& importer, const Settings& settings) {
  for (const auto& entry : settings) {
    find_named(importer.settings, shown(entry.first), fmt::format("setting of {}", importer.name));
  }
}

void check_files(const Importer& importer, std::size_t count) {
  const std::size_t wanted = importer.files_at_once;
  const bool right = importer.several_parts ? count > 0 && count % wanted == 0 : count == wanted;
  if (right) return;
  fail("{}, but {} wants {}; give them in this order", counted(static_cast<int64_t>(count), "file"),
       importer.name, importer.files);
}

}  // namespace

const std::vector<Importer>& importers() {
  static const std::vector<Importer> table = make_importers();
  return table;
}

EventTable import_files(const Importer& importer, const std::vector<std::string>& paths,
                        const Settings& settings) {
  check_settings(importer, settings);
  check_files(importer, paths.size());
  return importer.run(paths, settings);
}

}  // namespace t2v::data
