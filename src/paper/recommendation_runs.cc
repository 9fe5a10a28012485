#include <algorithm>
#include <memory>
#include <mutex>

#include "base/fail.h"
#include "data/human_time.h"
#include "paper/recommendation.h"
#include "paper/recommendation_source.h"
#include "paper/rows.h"
#include "paper/run.h"

// Recommendations on Last.FM and CiteULike: model x data x reading.
namespace t2v::paper {
namespace {

using Json = nlohmann::json;

constexpr const char* kRecall = "recall@10";
constexpr const char* kMrr = "mrr@10";
constexpr int64_t kSmokeLength = 30;  // of histories
constexpr int64_t kMadeHidden = 16;   // on made data, which is small

struct Home {
  std::string_view set;
  std::string_view title;
  int64_t hidden;
  double events;  // that are learned from in an epoch, about
};
constexpr Home kHomes[] = {{"lastfm", "Last.FM", 128, 80e3}, {"citeulike", "CiteULike", 256, 20e3}};

/// How the papers are read: a protocol and a unit of time.
struct Reading {
  std::string_view name;
  std::string_view protocol;
  std::string_view unit;
};
constexpr Reading kReadings[] = {
    {"as-coded", "as-coded", "s"}, {"paper", "paper", "s"}, {"days", "paper", "d"}};

struct Model {
  std::string_view name;
  std::string_view cell;
  int64_t sines;  // 0: the interval itself
  bool linear = true;
};
constexpr Model kModels[] = {{"lstm-t", "lstm", 0},
                             {"lstm-t2v-64", "lstm", 64},
                             {"tlstm1", "tlstm1", 0},
                             {"tlstm1-t2v-64", "tlstm1", 64},
                             {"tlstm3", "tlstm3", 0},
                             {"tlstm3-t2v-16", "tlstm3", 16},
                             {"tlstm3-t2v-16-no-linear", "tlstm3", 16, false}};

/// One of them on a data set, all that decides what comes out.
struct Series {
  const Home* home;
  RecommendationConfig config;
  bool made;
};

/// What of a configuration decides about the data.
std::string data_key(const Series& series) {
  const RecommendationConfig& config = series.config;
  return fmt::format("{} {} {} {} {} {}", series.home->set, series.made, config.max_len, config.delta,
                     config.time_unit, config.carry_across_users);
}

struct Prepared {
  RecommendationData data;
  Json about;
};

/// The paper's Last.FM has 992 users; the released code learns from 800 of them and tests on 192.
RecommendationConfig with_published_split(const Series& series, const RecommendationSource& source) {
  constexpr int64_t kTrain = 800;
  constexpr int64_t kTest = 192;
  RecommendationConfig config = series.config;
  if (series.home->set == "lastfm" && source.kind == "original" &&
      source.log.users.size() == kTrain + kTest) {
    config.train_users = kTrain;
    config.test_users = kTest;
  }
  return config;
}

std::shared_ptr<const Prepared> prepare(const Series& series, const DataShelf& shelf) {
  RecommendationSource source;
  const std::string set(series.home->set);
  if (series.made) {
    source = made_recommendation_source();
  } else {
    const std::optional<std::string> path = shelf.find(set);
    if (!path) fail("{}: no data set '{}' there", shelf.place(set), set);
    source = read_recommendation_source(set, *path);
  }
  auto prepared = std::make_shared<Prepared>();
  prepared->data = prepare_recommendation(source.log, with_published_split(series, source));
  const RecommendationData& data = prepared->data;
  prepared->about = {
      {"name", series.home->title},
      {"kind", source.kind},
      {"note", fmt::format("{}: {} users to learn from, {} tested; {} items, {} events", source.note,
                           data::human_count(static_cast<int64_t>(data.train.size())), data.test.size(),
                           data::human_count(data.items), data::human_count(data.events()))},
      {"train_users", data.train.size()},
      {"test_users", data.test.size()},
      {"items", data.items},
      {"events", data.events()}};
  return prepared;
}

/// The data of runs that may go on at once: what was prepared last is shared.
std::shared_ptr<const Prepared> prepared_for(const Series& series, const DataShelf& shelf) {
  static std::mutex mutex;
  static std::string last;
  static std::shared_ptr<const Prepared> prepared;
  const std::scoped_lock lock(mutex);
  const std::string key = data_key(series) + shelf.place(series.home->set);
  if (key != last) prepared = prepare(series, shelf);
  last = key;
  return prepared;
}

Json record_of(const RecommendationResult& result, const Json& about) {
  Json curve = Json::object();
  double seconds = 0;
  for (const RecommendationEpoch& epoch : result.curve) {
    curve[kRecall].push_back(epoch.test.recall);
    curve[kMrr].push_back(epoch.test.mrr);
    curve["recall@10 sampled"].push_back(epoch.test.sampled_recall);
    curve["training loss"].push_back(epoch.loss);
    seconds += epoch.seconds;
  }
  for (Json& values : curve) {
    while (values.size() < static_cast<std::size_t>(result.config.epochs)) values.push_back(nullptr);
  }
  Json users = Json::array();
  const auto count = static_cast<double>(epochs_that_count(result.config.epochs));
  for (const double sum : result.users) users.push_back(sum / count);
  Json record = {{"parameters", result.parameters},
                 {"curve", curve},
                 {"seconds", seconds},
                 {"users", users},
                 {"data", about},
                 {"threads", 1}};
  if (!result.stopped.empty()) record["stopped"] = result.stopped;
  return record;
}

std::optional<Json> go(const Series& series, RunContext& context) {
  const std::shared_ptr<const Prepared> prepared = prepared_for(series, context.data);
  if (context.found) context.found(prepared->about);
  ThreadPool own(1);  // small batches use one core; the context's pool may be running this
  const auto epochs = static_cast<double>(series.config.epochs);
  RecommendationObserver observer{.files = context.files};
  observer.checkpoint = context.partial + ".checkpoint";
  observer.stop = context.stop;
  observer.epoch = [&](const RecommendationEpoch& epoch) {
    if (context.epoch) {
      context.epoch(epoch.epoch, {{kRecall, epoch.test.recall}, {kMrr, epoch.test.mrr}});
    }
    if (context.progress) context.progress(static_cast<double>(epoch.epoch) / epochs);
  };
  // From here on time is told by what is done; a run that goes on is further at its first epoch.
  if (context.progress && !exists(context.files, observer.checkpoint)) context.progress(0);
  const RecommendationResult result = run_recommendation(series.config, prepared->data, own, observer);
  const bool complete = static_cast<int64_t>(result.curve.size()) == series.config.epochs;
  if (!complete && result.stopped.empty()) return std::nullopt;
  return record_of(result, prepared->about);
}

std::optional<Series> series_of(std::string_view name, const Plan& plan) {
  const auto* home = std::ranges::find(kHomes, name.substr(0, name.find('/')), &Home::set);
  if (home == std::end(kHomes)) return std::nullopt;
  for (const Model& model : kModels) {
    for (const Reading& reading : kReadings) {
      if (name != fmt::format("{}/{}-{}", home->set, model.name, reading.name)) continue;
      Series series{home, recommendation_protocol(reading.protocol), plan.is_made(home->set)};
      series.config.cell = model.cell;
      series.config.time2vec = model.sines > 0;
      if (model.sines > 0) series.config.k = model.sines;
      series.config.linear = model.linear;
      series.config.time_unit = reading.unit;
      series.config.hidden = series.made ? kMadeHidden : home->hidden;
      if (plan.scale == Scale::kSmoke) series.config.max_len = kSmokeLength;
      return series;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Run> recommendation_run(std::string_view name, int64_t epochs, uint64_t seed,
                                      const Plan& plan) {
  std::optional<Series> series = series_of(name, plan);
  if (!series) return std::nullopt;
  RecommendationConfig& config = series->config;
  config.epochs = epochs;
  config.first_stage = epochs / 5;
  config.seed = seed;
  Run run;
  run.home = series->home->set;
  run.model = name.substr(name.find('/') + 1);
  run.seed = seed;
  run.scale = plan.scale;
  run.data_set = series->home->set;
  run.epochs = epochs;
  run.longer_serves = false;  // prefixes grow up to the last epoch
  run.one_core = true;
  run.work = 3 * series->home->events * static_cast<double>(epochs * config.hidden * config.vocabulary);
  Json json = to_json(config);
  for (const char* key : {"seed", "epochs", "protocol"}) json.erase(key);
  run.config = {{"recommendation", json}, {"made", series->made}};
  run.go = [series = *series](RunContext& context) { return go(series, context); };
  return run;
}

}  // namespace t2v::paper
