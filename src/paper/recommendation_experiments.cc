#include "paper/recommendation_experiments.h"

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "base/fail.h"
#include "base/steady_seconds.h"
#include "data/human_time.h"
#include "paper/recommendation_references.h"
#include "paper/recommendation_report.h"
#include "paper/recommendation_source.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

/// About how many events are learned from in an epoch, for the estimate of time.
double lesson_events(std::string_view data) { return data == "lastfm" ? 80e3 : 20e3; }

constexpr const char* kRecall = "recall@10";
constexpr const char* kMrr = "mrr@10";
constexpr double kReferenceSeconds = 0.2;
constexpr int64_t kSmokeLength = 30;  // of histories
constexpr int64_t kMadeHidden = 16;   // on made data, which is small

struct Prepared {
  RecommendationData data;
  Json about;
};

/// What of a configuration decides about the data.
Json data_fields(const RecommendationConfig& config) {
  return {{"vocabulary", config.vocabulary},
          {"max_len", config.max_len},
          {"split", config.split},
          {"train_share", config.train_share},
          {"train_users", config.train_users},
          {"test_users", config.test_users},
          {"split_seed", config.split_seed},
          {"valid_share", config.valid_share},
          {"delta", config.delta},
          {"time_unit", config.time_unit},
          {"carry_across_users", config.carry_across_users}};
}

/// The data of runs that may go on at once: what was prepared last is shared.
class PreparedShelf {
 public:
  std::shared_ptr<const Prepared> get(const PlannedRecommendation& run, bool made, const DataShelf& shelf) {
    const std::scoped_lock lock(mutex_);
    const std::string key = fmt::format("{} {} {}", run.data, made, data_fields(run.config).dump());
    if (key != key_) {
      prepared_ = prepare(run, made, shelf);
      key_ = key;
    }
    return prepared_;
  }

 private:
  /// The paper's Last.FM has 992 users; the released code learns from 800 of them and tests on 192.
  static RecommendationConfig with_published_split(const PlannedRecommendation& run,
                                                   const RecommendationSource& source) {
    constexpr int64_t kTrain = 800;
    constexpr int64_t kTest = 192;
    RecommendationConfig config = run.config;
    const bool published =
        run.data == "lastfm" && source.kind == "original" && source.log.users.size() == kTrain + kTest;
    if (published && !run.own_split) {
      config.train_users = kTrain;
      config.test_users = kTest;
    }
    return config;
  }

  static std::shared_ptr<const Prepared> prepare(const PlannedRecommendation& run, bool made,
                                                 const DataShelf& shelf) {
    RecommendationSource source;
    if (made) {
      source = made_recommendation_source();
    } else {
      const std::optional<std::string> path = shelf.find(run.data);
      if (!path) fail("{}: no data set '{}' there", shelf.place(run.data), run.data);
      source = read_recommendation_source(run.data, *path);
    }
    auto prepared = std::make_shared<Prepared>();
    prepared->data = prepare_recommendation(source.log, with_published_split(run, source));
    const RecommendationData& data = prepared->data;
    prepared->about = {
        {"name", run.data == "lastfm" ? "Last.FM" : "CiteULike"},
        {"kind", source.kind},
        {"note",
         fmt::format("{}: {} users to learn from, {} held out, {} tested; {} items, {} events", source.note,
                     data::human_count(static_cast<int64_t>(data.train.size())), data.valid.size(),
                     data.test.size(), data::human_count(data.items), data::human_count(data.events()))},
        {"train_users", data.train.size() + data.valid.size()},
        {"test_users", data.test.size()},
        {"items", data.items},
        {"events", data.events()}};
    return prepared;
  }

  std::mutex mutex_;
  std::string key_;
  std::shared_ptr<const Prepared> prepared_;
};

std::optional<Json> go(const PlannedRecommendation& planned, bool made, PreparedShelf& shelf,
                       RunContext& context) {
  const std::shared_ptr<const Prepared> prepared = shelf.get(planned, made, context.data);
  if (context.found) context.found(prepared->about);
  ThreadPool own(1);  // small batches use one core; the context's pool may be running this
  const auto epochs = static_cast<double>(planned.config.epochs);
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
  const RecommendationResult result = run_recommendation(planned.config, prepared->data, own, observer);
  const bool complete = static_cast<int64_t>(result.curve.size()) == planned.config.epochs;
  if (!complete && result.stopped.empty()) return std::nullopt;
  Json record = run_record(result);
  record["data"] = prepared->about;
  record["threads"] = 1;
  return record;
}

/// The same for a predictor without a network.
Json refer(Reference reference, const PlannedRecommendation& planned, bool made, PreparedShelf& shelf,
           RunContext& context) {
  const double start = steady_seconds();
  const std::shared_ptr<const Prepared> prepared = shelf.get(planned, made, context.data);
  if (context.found) context.found(prepared->about);
  const ReferenceScore score = reference_score(reference, prepared->data, planned.config);
  return {{"parameters", 0},
          {"curve", {{kRecall, {score.recall}}, {kMrr, {score.mrr}}}},
          {"seconds", steady_seconds() - start},
          {"data", prepared->about}};
}

RecommendationPlan recommendation_plan(const Plan& plan) {
  const Sizes sizes = plan.of({0, 0, 2, 1}, {0, 0, 6, 2}, {0, 0, 50, 3});
  RecommendationPlan own;
  own.protocol = name_of(plan.protocol);
  own.settings = plan.settings;
  own.epochs = sizes.epochs;
  own.seeds = sizes.seeds;
  if (plan.scale != Scale::kPaper) own.sines = {};
  own.sweep = plan.scale != Scale::kSmoke;
  return own;
}

std::vector<PlannedRecommendation> planned(std::string_view experiment, const Plan& plan) {
  std::vector<PlannedRecommendation> runs = planned_recommendations(experiment, recommendation_plan(plan));
  for (PlannedRecommendation& run : runs) {
    if (plan.scale == Scale::kSmoke) run.config.max_len = kSmokeLength;
    if (plan.is_made(run.data)) run.config.hidden = kMadeHidden;
  }
  return runs;
}

/// The same model on two data sets is two models of an experiment.
std::string run_model(const PlannedRecommendation& run) { return run.data + "-" + run.model; }

Json config_of(const PlannedRecommendation& planned, bool made) {
  Json config = to_json(planned.config);
  for (const char* key : {"seed", "epochs", "protocol"}) config.erase(key);
  return {{"recommendation", config}, {"data", planned.data}, {"made", made}};
}

Run run_on(const std::string& data, const Plan& plan) {
  Run run;
  run.home = data;
  run.scale = plan.scale;
  run.protocol = plan.protocol;
  run.data_set = data;
  run.one_core = true;
  return run;
}

std::string reference_model(std::string_view data, Reference reference) {
  return fmt::format("{}-{}", data, model_of(reference));
}

/// A predictor without a network on the data of a run. It does not depend on seeds.
Run reference_run(Reference reference, const PlannedRecommendation& like, const Plan& plan,
                  const std::shared_ptr<PreparedShelf>& shelf) {
  const bool made = plan.is_made(like.data);
  Run run = run_on(like.data, plan);
  run.model = reference_model(like.data, reference);
  Json config = data_fields(like.config);
  config["negatives"] = like.config.negatives;
  config["dynamic_updating"] = like.config.dynamic_updating;
  run.config = {{"recommendation", config}, {"data", like.data}, {"made", made}};
  run.epochs = 1;
  run.trains = false;
  run.work = kReferenceSeconds * kWorkRate;
  run.go = [=](RunContext& context) -> std::optional<Json> {
    return refer(reference, like, made, *shelf, context);
  };
  return run;
}

Run model_run(const PlannedRecommendation& one, const Plan& plan,
              const std::shared_ptr<PreparedShelf>& shelf) {
  const bool made = plan.is_made(one.data);
  Run run = run_on(one.data, plan);
  run.model = run_model(one);
  run.seed = one.config.seed;
  run.config = config_of(one, made);
  run.epochs = one.config.epochs;
  run.longer_serves = false;  // prefixes grow up to the last epoch
  run.work = 3 * lesson_events(one.data) *
             static_cast<double>(run.epochs * one.config.hidden * one.config.vocabulary);
  run.go = [one, made, shelf](RunContext& context) { return go(one, made, *shelf, context); };
  return run;
}

std::vector<Run> runs_of(std::string_view experiment, const Plan& plan) {
  const auto shelf = std::make_shared<PreparedShelf>();
  std::vector<Run> runs;
  std::set<std::string> referred;
  for (const PlannedRecommendation& one : planned(experiment, plan)) {
    if (referred.insert(one.data).second) {
      for (const Reference reference : kReferences) {
        runs.push_back(reference_run(reference, one, plan, shelf));
      }
    }
    runs.push_back(model_run(one, plan, shelf));
  }
  return runs;
}

std::vector<FinishedReference> finished_references(const FinishedRuns& runs) {
  std::vector<FinishedReference> finished;
  for (const char* data : {"lastfm", "citeulike"}) {
    for (const Reference reference : kReferences) {
      const ModelRuns& run = runs.of(reference_model(data, reference));
      if (!run.empty()) finished.push_back({data, reference, {run.mean_last(kRecall), run.mean_last(kMrr)}});
    }
  }
  return finished;
}

Findings findings_of(std::string_view experiment, const Plan& plan, const FinishedRuns& runs) {
  std::vector<FinishedRecommendation> finished;
  for (PlannedRecommendation& one : planned(experiment, plan)) {
    if (one.config.seed != 1) continue;  // all seeds of a model are together
    for (const Json& record : runs.of(run_model(one)).records) {
      finished.push_back({one, recommendation_result_from(record.at("result"))});
    }
  }
  return recommendation_findings(experiment, finished, finished_references(runs));
}

/// A function without arguments of its own for each name, as the table wants it.
template <const char* kName>
Experiment experiment(std::string_view title, std::string_view shows, std::vector<std::string_view> needs) {
  return {kName,
          title,
          shows,
          std::move(needs),
          {Protocol::kPaper, Protocol::kAsCoded, Protocol::kBest},
          [](const Plan& plan) { return runs_of(kName, plan); },
          [](const Plan& plan, const FinishedRuns& runs) { return findings_of(kName, plan, runs); }};
}

constexpr char kLastfm[] = "lastfm";
constexpr char kCiteulike[] = "citeulike";
constexpr char kTimelstm[] = "timelstm";
constexpr char kLinearTerm[] = "linear-tlstm3";

}  // namespace

Experiment lastfm() {
  return experiment<kLastfm>("Last.FM: the next song, LSTM with time and with Time2Vec", "Fig. 1d",
                             {"lastfm"});
}

Experiment citeulike() {
  return experiment<kCiteulike>("CiteULike: the next article, LSTM with time and with Time2Vec", "Fig. 1e",
                                {"citeulike"});
}

Experiment timelstm() {
  return experiment<kTimelstm>("Time-LSTM with and without Time2Vec", "Fig. 2", {"lastfm", "citeulike"});
}

Experiment linear_tlstm3() {
  return experiment<kLinearTerm>("CiteULike: TLSTM3 with Time2Vec, with and without the linear term",
                                 "Fig. 5d", {"citeulike"});
}

}  // namespace t2v::paper
