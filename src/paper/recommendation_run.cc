#include "paper/recommendation_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/checksum.h"
#include "base/container.h"
#include "base/container_writer.h"
#include "base/fail.h"
#include "base/json_text.h"
#include "base/random.h"
#include "model/initialise.h"
#include "model/parameters_file.h"
#include "paper/recommendation_update.h"
#include "paper/rows.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kKind = "recommendation-run";
/// Random streams of the order of users and of the candidates, one an epoch, apart from those of tensors.
constexpr uint64_t kOrderStream = uint64_t{1} << 40;
constexpr uint64_t kCandidateStream = uint64_t{2} << 40;

std::vector<Lesson> lessons_of(const std::vector<History>& histories) {
  std::vector<Lesson> lessons;
  for (const History& history : histories) lessons.push_back(lesson_of(history));
  return lessons;
}

std::vector<Question> questions_of(const RecommendationData& data) {
  std::vector<Question> questions;
  for (const History& history : data.test) questions.push_back(question_of(history));
  return questions;
}

CandidateConfig candidates_of(const RecommendationConfig& config, int64_t items, int64_t epoch) {
  CandidateConfig candidates;
  candidates.types = items;
  candidates.negatives = config.negatives;
  candidates.draws = config.draws;
  candidates.seed = Random(config.seed, kCandidateStream + static_cast<uint64_t>(epoch)).next64();
  return candidates;
}

}  // namespace

RecommendationRun::RecommendationRun(const RecommendationConfig& config, const RecommendationData& data,
                                     ThreadPool& pool)
    : pool_(pool),
      lessons_(lessons_of(data.train)),
      train_lessons_(lessons_.size()),
      questions_(questions_of(data)),
      model_((check(config), model_config(config, data.items))),
      test_(model_, questions_),
      trainer_(model_, {}, optimizer_config(config), pool) {
  result_.config = config;
  result_.train_users = static_cast<int64_t>(data.train.size());
  result_.test_users = static_cast<int64_t>(data.test.size());
  result_.items = data.items;
  result_.events = data.events();
  result_.parameters = model_.layout().parameter_count();
  for (const Question& question : questions_) {
    longest_ = std::max(longest_, static_cast<int64_t>(question.items.size()));
  }
  trainer_.parameters() = starting_parameters();
}

nn::Parameters<float> RecommendationRun::starting_parameters() const {
  const RecommendationConfig& config = result_.config;
  InitialiserConfig initialiser;
  initialiser.kind = "lasagne";
  std::vector<nn::TimeScale> scales;
  if (config.time2vec && config.omega_init == "span") {
    LessonBatch all;
    for (const Lesson& lesson : lessons_) all.add(lesson);
    scales.push_back(nn::time_scale(all.view(), TimeInput::kGap));
  }
  nn::Parameters<double> parameters = initialise(model_, config.seed, initialiser, scales);
  const nn::TimeEncoder& encoder = model_.times().encoders()[0];
  if (encoder.learned()) {
    double* omega = parameters.wide_data(model_.layout()[encoder.omega()]);
    for (int64_t i = 0; i < encoder.width(); ++i) {
      omega[i] *= i < encoder.first_periodic() ? config.linear_scale : config.omega_scale;
    }
  }
  return nn::convert<float>(parameters);
}

std::vector<int64_t> RecommendationRun::order_of(int64_t epoch) const {
  std::vector<int64_t> order(lessons_.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  if (result_.config.order == "shuffle") {
    Random(result_.config.seed, kOrderStream + static_cast<uint64_t>(epoch)).shuffle(order);
  }
  return order;
}

std::optional<double> RecommendationRun::learn(int64_t epoch, const std::function<bool()>& stop) {
  const std::vector<int64_t> order = order_of(epoch);
  const auto batch_size = static_cast<std::size_t>(result_.config.batch);
  LessonBatch batch;
  double loss = 0;
  double steps = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += batch_size) {
    if (stop && stop()) return std::nullopt;
    batch.clear();
    for (std::size_t i = begin; i < std::min(order.size(), begin + batch_size); ++i) {
      batch.add(lessons_[static_cast<std::size_t>(order[i])]);
    }
    const SequenceBatch view = batch.view();
    const double of_batch = trainer_.step(view);
    if (!std::isfinite(of_batch)) continue;
    loss += of_batch * static_cast<double>(view.event_count());
    steps += static_cast<double>(view.event_count());
  }
  return steps > 0 ? loss / steps : 0;
}

void RecommendationRun::evaluate(RecommendationEpoch& epoch) {
  const CandidateConfig candidates = candidates_of(result_.config, result_.items, epoch.epoch);
  const nn::Parameters<float>& parameters = trainer_.parameters();
  const std::vector<RankRecord> ranks = test_.ranks(parameters, work_, pool_);
  epoch.test = score_of(ranks, candidates, pool_);
  const int64_t epochs = result_.config.epochs;
  if (epoch.epoch <= epochs - epochs_that_count(epochs)) return;
  const UserScores users = user_scores(ranks, candidates);
  result_.users.resize(users.recall.size());
  for (std::size_t i = 0; i < users.recall.size(); ++i) result_.users[i] += users.recall[i];
}

void RecommendationRun::set_prefixes(int64_t length) {
  if (length == 0) return;
  lessons_.resize(train_lessons_);
  for (Lesson& lesson : prefix_lessons(questions_, length, result_.config.tail == "as_coded")) {
    lessons_.push_back(std::move(lesson));
  }
}

void RecommendationRun::keep_frequencies() {
  const nn::TimeEncoder& encoder = model_.times().encoders()[0];
  if (!encoder.learned()) return;
  const double* omega = trainer_.parameters().wide_data(model_.layout()[encoder.omega()]);
  const double* phi = trainer_.parameters().wide_data(model_.layout()[encoder.phi()]);
  result_.omega.assign(omega, omega + encoder.width());
  result_.phi.assign(phi, phi + encoder.width());
}

bool RecommendationRun::run_epoch(const std::function<bool()>& stop) {
  const Clock::time_point start = Clock::now();
  RecommendationEpoch epoch;
  epoch.epoch = epochs_done() + 1;
  epoch.learned = static_cast<int64_t>(lessons_.size());
  epoch.prefix = prefix_length(result_.config, epoch.epoch, longest_);
  try {
    const std::optional<double> loss = learn(epoch.epoch, stop);
    if (!loss) return false;
    epoch.loss = *loss;
    evaluate(epoch);
  } catch (const Error& error) {
    result_.stopped = fmt::format("epoch {}: {}", epoch.epoch, error.what());
    return true;
  }
  set_prefixes(epoch.prefix);
  keep_frequencies();
  result_.skipped = trainer_.skipped();
  epoch.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result_.curve.push_back(epoch);
  return true;
}

/// Of everything that is learned from or asked.
std::string RecommendationRun::digest() const {
  std::vector<double> numbers = {static_cast<double>(result_.items)};
  const auto add = [&](const auto& sequence) {
    numbers.push_back(static_cast<double>(sequence.items.size()));
    numbers.insert(numbers.end(), sequence.items.begin(), sequence.items.end());
    numbers.insert(numbers.end(), sequence.times.begin(), sequence.times.end());
  };
  for (const Lesson& lesson : std::span(lessons_).first(train_lessons_)) add(lesson);
  for (const Question& question : questions_) {
    add(question);
    numbers.push_back(question.answer);
  }
  const std::span<const std::byte> bytes[] = {std::as_bytes(std::span(numbers))};
  return checksum_text(checksum(bytes));
}

void RecommendationRun::save(FileSystem& files, const std::string& path) const {
  ContainerWriter writer{std::string(kKind)};
  writer.set("result", to_json(result_).dump());
  writer.set("data", digest());
  const auto position = trainer_.position();
  writer.set("steps", nlohmann::json{{"steps", position.steps},
                                     {"skipped", position.skipped},
                                     {"skipped_in_a_row", position.skipped_in_a_row},
                                     {"optimizer", trainer_.optimizer().steps()}}
                          .dump());
  add_parameters(writer, "now.", model_.layout(), trainer_.parameters());
  add_parameters(writer, "first.", model_.layout(), trainer_.optimizer().first());
  writer.write(files, path);
}

void RecommendationRun::restore(FileSystem& files, const std::string& path) {
  const Container file = Container::open(path, kKind, files);
  file.verify();
  RecommendationResult result;
  Trainer<float>::Position position;
  int64_t optimizer_steps = 0;
  try {
    result = recommendation_result_from(parse_json_text(file.get("result")));
    const nlohmann::json steps = parse_json_text(file.get("steps"));
    position = {steps.at("steps").get<int64_t>(), steps.at("skipped").get<int64_t>(),
                steps.at("skipped_in_a_row").get<int64_t>()};
    optimizer_steps = steps.at("optimizer").get<int64_t>();
  } catch (const nlohmann::json::exception& error) {
    fail("{}: {}{}", path, error.what(), kDamaged);
  } catch (const Error& error) {
    fail("{}: {}{}", path, error.what(), kDamaged);
  }
  if (std::min({position.steps, position.skipped, position.skipped_in_a_row, optimizer_steps}) < 0) {
    fail("{}: counts steps below 0{}", path, kDamaged);
  }
  if (to_json(result.config) != to_json(result_.config) || file.get("data") != digest()) {
    fail("{}: is of another configuration or other data; remove it, or give the same", path);
  }
  result_ = std::move(result);
  trainer_.restore(position);
  trainer_.parameters() = read_parameters(file, "now.", model_.layout());
  trainer_.optimizer().restore(optimizer_steps, read_parameters(file, "first.", model_.layout()), {});
  for (const RecommendationEpoch& epoch : result_.curve) set_prefixes(epoch.prefix);
}

}  // namespace t2v::paper
