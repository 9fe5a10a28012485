#include "paper/recommendation.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/file_system.h"
#include "paper/recommendation_run.h"

namespace t2v::paper {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

Json json_of(const RecommendationScore& score) {
  return {{"recall", score.recall},
          {"mrr", score.mrr},
          {"sampled_recall", score.sampled_recall},
          {"sampled_mrr", score.sampled_mrr},
          {"mean_rank", score.mean_rank},
          {"tied", score.tied}};
}

RecommendationScore score_from(const Json& json) {
  return {json.at("recall"),      json.at("mrr"),       json.at("sampled_recall"),
          json.at("sampled_mrr"), json.at("mean_rank"), json.at("tied")};
}

Json json_of(const RecommendationEpoch& epoch) {
  return {{"epoch", epoch.epoch},     {"loss", epoch.loss},     {"test", json_of(epoch.test)},
          {"learned", epoch.learned}, {"prefix", epoch.prefix}, {"seconds", epoch.seconds}};
}

RecommendationEpoch epoch_from(const Json& json) {
  RecommendationEpoch epoch;
  json.at("epoch").get_to(epoch.epoch);
  json.at("loss").get_to(epoch.loss);
  epoch.test = score_from(json.at("test"));
  json.at("learned").get_to(epoch.learned);
  json.at("prefix").get_to(epoch.prefix);
  json.at("seconds").get_to(epoch.seconds);
  return epoch;
}

}  // namespace

RecommendationResult run_recommendation(const RecommendationConfig& config, const RecommendationData& data,
                                        ThreadPool& pool, const RecommendationObserver& observer) {
  FileSystem& files = observer.files;
  RecommendationRun run(config, data, pool);
  const bool keeps = !observer.checkpoint.empty();
  if (keeps && exists(files, observer.checkpoint)) run.restore(files, observer.checkpoint);
  Clock::time_point saved = Clock::now();
  while (!run.done() && run.run_epoch(observer.stop)) {
    if (observer.epoch && run.result().stopped.empty()) observer.epoch(run.result().curve.back());
    const std::chrono::duration<double> since = Clock::now() - saved;
    if (!keeps || run.done() || since.count() < observer.checkpoint_seconds) continue;
    run.save(files, observer.checkpoint);
    saved = Clock::now();
  }
  return run.result();
}

Json to_json(const RecommendationResult& result) {
  Json curve = Json::array();
  for (const RecommendationEpoch& epoch : result.curve) curve.push_back(json_of(epoch));
  return {{"config", to_json(result.config)},
          {"train_users", result.train_users},
          {"test_users", result.test_users},
          {"items", result.items},
          {"events", result.events},
          {"parameters", result.parameters},
          {"skipped", result.skipped},
          {"epochs", curve},
          {"users", result.users},
          {"omega", result.omega},
          {"phi", result.phi},
          {"stopped", result.stopped}};
}

RecommendationResult recommendation_result_from(const Json& json) {
  RecommendationResult result;
  try {
    result.config = recommendation_config_from(json.at("config"));
    json.at("train_users").get_to(result.train_users);
    json.at("test_users").get_to(result.test_users);
    json.at("items").get_to(result.items);
    json.at("events").get_to(result.events);
    json.at("parameters").get_to(result.parameters);
    json.at("skipped").get_to(result.skipped);
    for (const Json& epoch : json.at("epochs")) result.curve.push_back(epoch_from(epoch));
    json.at("users").get_to(result.users);
    json.at("omega").get_to(result.omega);
    json.at("phi").get_to(result.phi);
    json.at("stopped").get_to(result.stopped);
  } catch (const Json::exception& error) {
    fail("what was kept of a recommendation run cannot be read: {}", error.what());
  }
  const bool sound = std::ranges::all_of(result.curve, [](const auto& epoch) { return epoch.prefix >= 0; });
  if (!sound) fail("what was kept of a recommendation run has a length below 0");
  const auto users = static_cast<int64_t>(result.users.size());
  if (users != 0 && users != result.test_users) {
    fail("what was kept of a recommendation run has values of {} users for {}", users, result.test_users);
  }
  return result;
}

}  // namespace t2v::paper
