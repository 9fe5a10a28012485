#include "paper/data_sets.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/fail.h"
#include "base/named.h"
#include "base/random.h"
#include "data/human_time.h"
#include "data/mnist_idx.h"
#include "data/ntidigits.h"
#include "data/rmtpp_twins.h"
#include "paper/made_data.h"
#include "paper/recommendation_source.h"
#include "train/validation_split.h"

namespace t2v::paper {
namespace {

namespace fs = std::filesystem;

using data::EventTable;
using data::Part;
using data::Piece;

constexpr uint64_t kSubsetSeed = 20190711;  // the same images and users for all runs
constexpr int64_t kMnistTrain = 60000;
constexpr int64_t kMnistTest = 10000;
constexpr int64_t kSpikesTrain = 2464;
constexpr int64_t kSpikesTest = 2486;
constexpr int64_t kBadgesTrain = 5307;
constexpr int64_t kBadgesTest = 1326;

/// `name` or `name`.gz in a folder; the name itself if neither is there.
std::string file_in(const std::string& folder, const std::string& name) {
  const std::string path = (fs::path(folder) / name).string();
  return !fs::exists(path) && fs::exists(path + ".gz") ? path + ".gz" : path;
}

/// Two files to learn from, then two to test.
using FourFiles = std::array<const char*, 4>;
constexpr FourFiles kMnistFiles = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                   "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
constexpr FourFiles kBadgesFiles = {"event-1-train.txt", "time-1-train.txt", "event-1-test.txt",
                                    "time-1-test.txt"};

EventTable read_mnist(const std::string& folder, bool shift) {
  const auto file = [&](std::size_t i) { return file_in(folder, kMnistFiles[i]); };
  return data::import_mnist({{file(0), file(1), Part::kTrain}, {file(2), file(3), Part::kTest}},
                            {.shift = shift});
}

EventTable read_badges(const std::string& folder) {
  const auto file = [&](std::size_t i) { return file_in(folder, kBadgesFiles[i]); };
  return data::import_rmtpp({{file(0), file(1), Part::kTrain}, {file(2), file(3), Part::kTest}});
}

/// The HDF5 file at a path, or the first one by name in a folder, if there is one.
std::optional<std::string> hdf5_in(const std::string& path) {
  if (!fs::is_directory(path)) return path;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".hdf5" || extension == ".h5") files.push_back(entry.path().string());
  }
  if (files.empty()) return std::nullopt;
  return *std::ranges::min_element(files);
}

EventTable read_spikes(const std::string& path, const std::string& form) {
  data::NtidigitsOptions options;
  options.form = form == "binned"  ? data::SpikeForm::kBinned
                 : form == "times" ? data::SpikeForm::kTimes
                                   : data::SpikeForm::kRaw;
  return data::import_ntidigits(hdf5_in(path).value(), options);
}

/// Whether a path that is there has what is read of it.
bool holds(std::string_view set, const std::string& path) {
  const auto has_all = [&](const FourFiles& names) {
    return std::ranges::all_of(names, [&](const char* name) { return fs::exists(file_in(path, name)); });
  };
  if (set == "mnist") return has_all(kMnistFiles);
  if (set == "stackoverflow") return has_all(kBadgesFiles);
  return set == "spikes" ? hdf5_in(path).has_value() : recommendation_file(set, path).has_value();
}

/// So many of the pieces, drawn once for all, in their order.
void draw(std::vector<Piece>& pieces, int64_t count) {
  if (count == 0 || count >= static_cast<int64_t>(pieces.size())) return;
  std::vector<int64_t> order(pieces.size());
  std::iota(order.begin(), order.end(), 0);
  Random(kSubsetSeed).shuffle(order);
  order.resize(static_cast<std::size_t>(count));
  std::ranges::sort(order);
  std::vector<Piece> some;
  for (const int64_t i : order) some.push_back(pieces[static_cast<std::size_t>(i)]);
  pieces = std::move(some);
}

int64_t events_of(const std::vector<Piece>& pieces) {
  int64_t events = 0;
  for (const Piece& piece : pieces) events += piece.end - piece.begin;
  return events;
}

/// Whether these are the paper's own data, told by how many there are: original, a part of them, a stand-in.
const char* kind_of(std::string_view set, const data::Split& split) {
  const auto train = static_cast<int64_t>(split.train.size());
  const auto test = static_cast<int64_t>(split.test.size());
  struct Counts {
    std::string_view set;
    int64_t train;
    int64_t test;
  };
  constexpr Counts kOriginals[] = {{"mnist", kMnistTrain, kMnistTest},
                                   {"spikes", kSpikesTrain, kSpikesTest},
                                   {"stackoverflow", kBadgesTrain, kBadgesTest}};
  for (const Counts& paper : kOriginals) {
    if (paper.set != set || paper.test != test) continue;
    if (train == paper.train) return "original";
    if (train < paper.train) return "part";
  }
  return "stand-in";
}

/// The folder that data other than the paper's come from, by which people know them; of a link, what it leads
/// to.
std::string origin_of(const std::string& path) {
  const fs::path real = fs::canonical(path);
  return (fs::is_directory(real) ? real : real.parent_path()).filename().string();
}

/// `path`: where the data lie; empty for invented ones.
nlohmann::json about(const DataRequest& request, const std::string& path, const data::Split& all,
                     const data::Split& used) {
  std::string kind = request.made ? "invented" : kind_of(request.set, all);
  const bool whole = used.train.size() == all.train.size() && used.test.size() == all.test.size();
  if (kind == "original" && !whole) kind = "part";
  const auto part = [](const std::vector<Piece>& pieces) {
    return fmt::format("{} sequences with {} events", data::human_count(static_cast<int64_t>(pieces.size())),
                       data::human_count(events_of(pieces)));
  };
  return {{"name", data_set(request.set).title},
          {"kind", kind},
          {"note",
           fmt::format("{}learned from {}, tested on {}", kind == "stand-in" ? origin_of(path) + ": " : "",
                       part(used.train), part(used.test))},
          {"train_sequences", used.train.size()},
          {"test_sequences", used.test.size()},
          {"train_events", events_of(used.train)},
          {"test_events", events_of(used.test)}};
}

}  // namespace

const std::vector<DataSet>& data_sets() {
  static const std::vector<DataSet> kSets = {
      {"mnist", "Event-MNIST", "the four IDX files of MNIST, plain or .gz",
       "run scripts/fetch-mnist, which puts them into data/mnist"},
      {"spikes", "N-TIDIGITS18", "an HDF5 file in the layout of N-TIDIGITS18",
       "n-tidigits.hdf5, published by the Institute of Neuroinformatics, Zurich (Anumula et al. 2018), or "
       "any file of that layout from a source that you trust"},
      {"stackoverflow", "Stack Overflow badges",
       "event-1-train.txt, time-1-train.txt, event-1-test.txt and time-1-test.txt",
       "take data/real/so of github.com/dunan/NeuralPointProcess (Du et al. 2016)"},
      {"lastfm", "Last.FM", "userid-timestamp-artid-artname-traid-traname.tsv; or checkins.tsv or posts.tsv",
       "take lastfm-dataset-1K of Celma (2010); or let other rows of user, item and time stand in for it: "
       "checkins.tsv with minutes, posts.tsv with Unix seconds, or an event store"},
      {"citeulike", "CiteULike", "current, the log of who posted what; or checkins.tsv or posts.tsv",
       "take the 'who posted what' log of CiteULike; or let other rows of user, item and time stand in for "
       "it: checkins.tsv with minutes, posts.tsv with Unix seconds, or an event store"},
  };
  return kSets;
}

const DataSet& data_set(std::string_view name) { return find_named(data_sets(), name, "data set"); }

nlohmann::json to_json(const DataRequest& request) {
  return {{"set", request.set},
          {"train", request.train},
          {"test", request.test},
          {"shift", request.shift},
          {"form", request.form},
          {"unit", request.unit},
          {"unit_length", request.unit_length},
          {"made", request.made}};
}

DataShelf::DataShelf(std::string folder, std::map<std::string, std::string> paths)
    : folder_(std::move(folder)), paths_(std::move(paths)) {}

std::string DataShelf::place(std::string_view set) const {
  const auto given = paths_.find(std::string(set));
  return given != paths_.end() ? given->second : (fs::path(folder_) / set).string();
}

std::optional<std::string> DataShelf::find(std::string_view set) const {
  std::string path = place(set);
  const bool exists = fs::exists(path);
  if (exists && holds(set, path)) return path;
  if (!paths_.contains(std::string(set))) return std::nullopt;
  if (!exists) fail("{}: there is no such file or folder (`data` {}=...)", path, set);
  fail("{}: does not hold {} (`data` {}=...)", path, data_set(set).files, set);
}

data::EventStore DataShelf::read(const DataRequest& request) const {
  data::EventStore store;
  data::GroupCounts counts;
  const std::optional<std::string> path = request.made ? std::nullopt : find(request.set);
  if (!path && !request.made) {
    fail("{}: no {} there; {}", place(request.set), data_set(request.set).title,
         data_set(request.set).how_to_get);
  }
  EventTable table;
  if (request.made) {
    table = made_data(request);
  } else if (request.set == "mnist") {
    table = read_mnist(*path, request.shift);
  } else if (request.set == "spikes") {
    table = read_spikes(*path, request.form);
  } else {
    table = read_badges(*path);
  }
  store.events = data::group(std::move(table), data::Order::kSort, counts);
  if (!request.unit.empty() && store.events.scale.has_unit()) data::set_unit(store.events, request.unit);
  store.events.view.ticks_per_unit *= request.unit_length;
  return store;
}

const LoadedData& DataShelf::load(const DataRequest& request) {
  const std::string wanted = to_json(request).dump();
  if (wanted == loaded_) return data_;
  loaded_.clear();
  data_ = {};
  data::EventStore store = read(request);
  const data::Split all = first_split(store);
  data::Split used = all;
  draw(used.train, request.train);
  draw(used.test, request.test);
  data_.about = about(request, request.made ? "" : place(request.set), all, used);
  store.split = std::move(used);
  data_.store = std::move(store);
  loaded_ = wanted;
  return data_;
}

}  // namespace t2v::paper
