#include "train/checkpoint.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/json_text.h"
#include "base/options.h"
#include "model/parameters_file.h"
#include "train/training.h"

// A fit, saved between two steps and taken up again.
namespace t2v {
namespace {

using Json = nlohmann::json;

/// Format 1 knew no scale of times.
constexpr std::string_view kOldFormat = "1";
/// What format 1 did before there were options for it.
Json old_defaults() {
  return Json::parse(R"({"time-scale": "unit", "valid-by": "random", "no-rules": true, "average-after": 0,
    "head-pool": "last", "typed-values": "no", "together": "no", "no-calibrate": true})");
}

/// NaN and infinity have no place in JSON.
Json json_of(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double number_of(const Json& json, double otherwise) {
  return json.is_null() ? otherwise : json.get<double>();
}

Json json_of(const EpochReport& report) {
  return {{"epoch", report.epoch},
          {"loss", json_of(report.loss)},
          {"valid_loss", json_of(report.valid_loss)},
          {"measure", json_of(report.measure)},
          {"rate", report.rate},
          {"seconds", report.seconds},
          {"best", report.best}};
}

/// A count; get<int64_t> would make one of 1.5, too.
int64_t count_of(const Json& json, const char* name) {
  return json.at(name).get_ref<const Json::number_integer_t&>();
}

EpochReport report_from(const Json& json) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  EpochReport report;
  report.epoch = count_of(json, "epoch");
  report.loss = number_of(json.at("loss"), kNone);
  report.valid_loss = number_of(json.at("valid_loss"), kNone);
  report.measure = number_of(json.at("measure"), kNone);
  report.rate = json.at("rate").get<double>();
  report.seconds = json.at("seconds").get<double>();
  report.best = json.at("best").get<bool>();
  return report;
}

int64_t bits_of(double value) { return std::bit_cast<int64_t>(value); }

/// Numbers, and a text, as a checksum.
class Digest {
 public:
  void add(std::initializer_list<int64_t> numbers) { numbers_.insert(numbers_.end(), numbers); }
  /// Calls add_one(i) for some of 0 .. count - 1, at least as many as kSome if there are.
  template <class Function>
  void add_some(int64_t count, Function add_one) {
    constexpr int64_t kSome = 65536;
    const int64_t every = std::max<int64_t>(1, count / kSome);
    for (int64_t i = 0; i < count; i += every) add_one(static_cast<std::size_t>(i));
  }
  std::string text(const std::string& rest) const {
    const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(numbers_)),
                                                 std::as_bytes(std::span(rest))};
    return checksum_text(checksum(pieces));
  }

 private:
  std::vector<int64_t> numbers_;
};

/// Options that may differ when a run goes on.
bool may_differ(const std::string& option) { return option == "epochs" || option == "max-time"; }

std::string text_of(const Json& options, const std::string& name) {
  const auto found = options.find(name);
  if (found == options.end()) return "unset";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

/// The options of a checkpoint; those that its format did not have yet, as they are asked for.
Json saved_options(const Container& file, const Json& asked) {
  Json saved = parsed_metadata(file, "options");
  if (file.get("t2v.format") != kOldFormat || !saved.is_object()) return saved;
  const Json old = old_defaults();
  for (const auto& item : old.items()) saved.emplace(item.key(), item.value());
  for (const auto& item : asked.items()) saved.emplace(item.key(), item.value());
  return saved;
}

}  // namespace

nlohmann::json parsed_metadata(const Container& file, const char* key) {
  Json json = parse_json_text(file.get(key));
  if (json.is_discarded()) fail("{}: '{}' is not JSON{}", file.path(), key, kDamaged);
  return json;
}

void check_options(const nlohmann::json& saved, const nlohmann::json& asked, const std::string& path) {
  if (!saved.is_object()) fail("{}: its options are no JSON object{}", path, kDamaged);
  Json all = saved;
  all.update(asked);
  for (const auto& item : all.items()) {
    const std::string before = text_of(saved, item.key());
    const std::string now = text_of(asked, item.key());
    if (may_differ(item.key()) || before == now) continue;
    fail("{}: was made with `{}` {}, but now it is {}; give the same options, or start without `resume`",
         path, field_name(item.key()), before, now);
  }
}

void Fit::add_to(ContainerWriter& writer) const {
  const auto position = trainer_.position();
  Json history = Json::array();
  for (const EpochReport& report : history_) history.push_back(json_of(report));
  Json fit = {{"epoch", epoch_},
              {"batch", batch_},
              {"loss_sum", loss_sum_},
              {"steps", position.steps},
              {"skipped", position.skipped},
              {"skipped_in_a_row", position.skipped_in_a_row},
              {"optimizer_steps", trainer_.optimizer().steps()},
              {"best_epoch", best_epoch_},
              {"best_loss", json_of(best_loss_)},
              {"worse", worse_},
              {"cuts", cuts_},
              {"converged", converged_},
              {"seconds", seconds()},
              {"history", history}};
  if (start_) fit["start"] = {{"loss", start_->loss}, {"measure", json_of(start_->measure)}};
  writer.set("fit", fit.dump());
  const nn::Layout& layout = model_.layout();
  add_parameters(writer, "now.", layout, trainer_.parameters());
  add_parameters(writer, "first.", layout, trainer_.optimizer().first());
  if (config_.optimizer.kind == "adam") {
    add_parameters(writer, "second.", layout, trainer_.optimizer().second());
  }
  if (has_average()) add_parameters(writer, "average.", layout, average_);
  if (has_best()) add_parameters(writer, "best.", layout, best_);
}

bool Fit::makes_sense() const {
  const auto position = trainer_.position();
  const bool epochs = epoch_ >= 0 && static_cast<int64_t>(history_.size()) == epoch_ && batch_ >= 0 &&
                      batch_ <= steps_of_epoch();
  if (!epochs) return false;
  for (int64_t i = 0; i < epoch_; ++i) {
    if (history_[static_cast<std::size_t>(i)].epoch != i + 1) return false;
  }
  // An epoch that ran out of time has fewer steps than batches.
  const bool steps = position.steps >= epoch_ + batch_ &&
                     position.steps <= epoch_ * steps_of_epoch() + batch_ && position.skipped_in_a_row >= 0 &&
                     position.skipped_in_a_row <= position.skipped && position.skipped <= position.steps &&
                     trainer_.optimizer().steps() == position.steps - position.skipped;
  const bool best = best_epoch_ >= 0 && best_epoch_ <= epoch_ &&
                    (best_epoch_ == 0 || history_[static_cast<std::size_t>(best_epoch_ - 1)].best);
  const bool judged = worse_ >= 0 && (worse_ == 0 || worse_ < patience()) && cuts_ >= 0 &&
                      cuts_ <= config_.cuts + 1 && converged_ == (cuts_ > config_.cuts);
  return steps && best && judged && seconds_before_ >= 0;
}

void Fit::restore(const Container& file) {
  const Json fit = parsed_metadata(file, "fit");
  const nn::Layout& layout = model_.layout();
  try {
    epoch_ = count_of(fit, "epoch");
    batch_ = count_of(fit, "batch");
    loss_sum_ = fit.at("loss_sum").get<double>();
    trainer_.restore({count_of(fit, "steps"), count_of(fit, "skipped"), count_of(fit, "skipped_in_a_row")});
    best_epoch_ = count_of(fit, "best_epoch");
    best_loss_ = number_of(fit.at("best_loss"), std::numeric_limits<double>::infinity());
    start_.reset();
    if (const auto start = fit.find("start"); start != fit.end()) {
      start_ = Validation{start->at("loss").get<double>(),
                          number_of(start->at("measure"), std::numeric_limits<double>::quiet_NaN())};
    }
    worse_ = count_of(fit, "worse");
    cuts_ = count_of(fit, "cuts");
    converged_ = fit.at("converged").get<bool>();
    seconds_before_ = fit.at("seconds").get<double>();
    history_.clear();
    for (const Json& report : fit.at("history")) history_.push_back(report_from(report));
    const bool adam = config_.optimizer.kind == "adam";
    trainer_.optimizer().restore(count_of(fit, "optimizer_steps"), read_parameters(file, "first.", layout),
                                 adam ? read_parameters(file, "second.", layout) : nn::Parameters<float>{});
  } catch (const Json::exception&) {
    fail("{}: its description lacks a field or has one of another type{}", file.path(), kDamaged);
  }
  if (!makes_sense()) fail("{}: says that it is where no run can be{}", file.path(), kDamaged);
  trainer_.parameters() = read_parameters(file, "now.", layout);
  if (has_average()) average_ = read_parameters(file, "average.", layout);
  if (has_best()) best_ = read_parameters(file, "best.", layout);
}

/// What tells one data set from another without reading all of a large one: its sizes, the parts, some of its
/// entries, and how they are encoded.
std::string Training::data_digest() const {
  Digest digest;
  digest.add({events_.sequences(), events_.size(), static_cast<int64_t>(events_.view.origin),
              events_.view.origin_tick, bits_of(events_.view.ticks_per_unit)});
  digest.add_some(events_.size(), [&](std::size_t e) {
    events_.check(static_cast<int64_t>(e), static_cast<int64_t>(e) + 1);
    digest.add({events_.ticks[e]});
    if (events_.event) digest.add({events_.event->codes[e]});
    if (events_.value) digest.add({bits_of(events_.value->values[e])});
    if (events_.interval) digest.add({bits_of(events_.interval->values[e])});
    for (const auto& column : events_.numbers) digest.add({bits_of(column.values[e])});
    for (const auto& column : events_.categories) digest.add({column.codes[e]});
  });
  digest.add_some(events_.sequences(), [&](std::size_t s) {
    if (events_.label) digest.add({events_.label->codes[s]});
    if (events_.target) digest.add({bits_of(events_.target->values[s])});
    for (const auto& column : events_.sequence_numbers) digest.add({bits_of(column.values[s])});
    for (const auto& column : events_.sequence_categories) digest.add({column.codes[s]});
  });
  for (const auto* pieces : {&split_.train, &split_.valid}) {
    digest.add({static_cast<int64_t>(pieces->size())});
    for (const data::Piece& piece : *pieces) digest.add({piece.begin, piece.end, piece.first_target});
  }
  return digest.text(data::to_json(trained_.encoding).dump(-1, ' ', true, Json::error_handler_t::replace));
}

void take_old_defaults(TrainConfig& config, const std::string& checkpoint, FileSystem& files) {
  const Container file = Container::open(checkpoint, kCheckpointKind, files);
  if (file.get("t2v.format") != kOldFormat) return;
  const Json saved = parsed_metadata(file, "options");
  TrainConfig taken = config;
  const OptionTable table = options_of(taken);
  Json values = old_defaults();
  for (const auto& entry : table.entries()) {
    const std::string key = key_of(entry.option.name);
    if (config.given.contains(entry.option.name)) {
      values.erase(key);
    } else if (saved.contains(key)) {
      values[key] = saved[key];
    }
  }
  table.read(values);
  taken.given = config.given;
  config = std::move(taken);
}

void Training::save_checkpoint(FileSystem& files, const std::string& path) const {
  ContainerWriter writer{kCheckpointKind};
  writer.set("options", trained_.options->dump());
  writer.set("data", data_digest());
  if (!config_.race->empty()) writer.set("race", config_.race->dump());
  fit_->add_to(writer);
  writer.write(files, path);
}

void Training::restore_checkpoint(const std::string& path, FileSystem& files) {
  const Container file = Container::open(path, kCheckpointKind, files);
  file.verify();
  check_options(saved_options(file, *trained_.options), *trained_.options, path);
  if (file.get("data") != data_digest()) {
    fail("{}: was made with other data; give the same, or start without `resume`", path);
  }
  fit_->restore(file);
}

}  // namespace t2v
