#include <cmath>

#include "base/checksum.h"
#include "base/fail.h"
#include "model/parameters_file.h"
#include "train/training.h"

// A fit, saved between two steps and taken up again.
namespace t2v {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kKind = "checkpoint";

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

EpochReport report_from(const Json& json) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  EpochReport report;
  report.epoch = json.at("epoch").get<int64_t>();
  report.loss = number_of(json.at("loss"), kNone);
  report.valid_loss = number_of(json.at("valid_loss"), kNone);
  report.measure = number_of(json.at("measure"), kNone);
  report.rate = json.at("rate").get<double>();
  report.seconds = json.at("seconds").get<double>();
  report.best = json.at("best").get<bool>();
  return report;
}

Json parsed(const Container& file, const char* key) {
  Json json = Json::parse(file.get(key), nullptr, false);
  if (json.is_discarded()) fail("{}: '{}' is not JSON{}", file.path(), key, kDamaged);
  return json;
}

/// Options that may differ when a run goes on.
bool may_differ(const std::string& option) { return option == "epochs" || option == "max-time"; }

void check_options(const Json& saved, const Json& asked, const std::string& path) {
  for (const auto& item : asked.items()) {
    if (may_differ(item.key())) continue;
    const auto found = saved.find(item.key());
    if (found != saved.end() && *found == item.value()) continue;
    fail("{}: was made with --{} {}, but now it is {}; give the same options, or start without --resume",
         path, item.key(), found == saved.end() ? "unset" : found->dump(), item.value().dump());
  }
}

}  // namespace

void Fit::add_to(ContainerWriter& writer) const {
  const auto position = trainer_.position();
  Json history = Json::array();
  for (const EpochReport& report : history_) history.push_back(json_of(report));
  const double run = started_ > 0 ? seconds() : seconds_before_;
  const Json fit = {{"epoch", epoch_},
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
                    {"seconds", run},
                    {"history", history}};
  writer.set("fit", fit.dump());
  const nn::Layout& layout = model_.layout();
  add_parameters(writer, "now.", layout, trainer_.parameters());
  add_parameters(writer, "first.", layout, trainer_.optimizer().first());
  if (config_.optimizer.kind == "adam") {
    add_parameters(writer, "second.", layout, trainer_.optimizer().second());
  }
  if (config_.average > 0 && position.steps > 0) add_parameters(writer, "average.", layout, average_);
  if (best_epoch_ > 0) add_parameters(writer, "best.", layout, best_);
}

void Fit::restore(const Container& file) {
  const Json fit = parsed(file, "fit");
  const nn::Layout& layout = model_.layout();
  try {
    epoch_ = fit.at("epoch").get<int64_t>();
    batch_ = fit.at("batch").get<int64_t>();
    loss_sum_ = fit.at("loss_sum").get<double>();
    trainer_.restore({fit.at("steps").get<int64_t>(), fit.at("skipped").get<int64_t>(),
                      fit.at("skipped_in_a_row").get<int64_t>()});
    best_epoch_ = fit.at("best_epoch").get<int64_t>();
    best_loss_ = number_of(fit.at("best_loss"), std::numeric_limits<double>::infinity());
    worse_ = fit.at("worse").get<int64_t>();
    cuts_ = fit.at("cuts").get<int64_t>();
    converged_ = fit.at("converged").get<bool>();
    seconds_before_ = fit.at("seconds").get<double>();
    history_.clear();
    for (const Json& report : fit.at("history")) history_.push_back(report_from(report));
    const bool adam = config_.optimizer.kind == "adam";
    trainer_.optimizer().restore(fit.at("optimizer_steps").get<int64_t>(),
                                 read_parameters(file, "first.", layout),
                                 adam ? read_parameters(file, "second.", layout) : nn::Parameters<float>{});
  } catch (const Json::exception&) {
    fail("{}: its description lacks a field or has one of another type{}", file.path(), kDamaged);
  }
  if (epoch_ < 0 || batch_ < 0 || batch_ > steps_of_epoch() || cuts_ < 0 || best_epoch_ > epoch_) {
    fail("{}: says that it is at batch {} of epoch {}, which cannot be{}", file.path(), batch_, epoch_ + 1,
         kDamaged);
  }
  trainer_.parameters() = read_parameters(file, "now.", layout);
  if (config_.average > 0 && trainer_.steps() > 0) average_ = read_parameters(file, "average.", layout);
  if (best_epoch_ > 0) best_ = read_parameters(file, "best.", layout);
}

/// What tells one data set from another without reading all of a large one: its sizes, the parts, and some of
/// its events.
std::string Training::data_digest() const {
  constexpr int64_t kLooked = 65536;
  std::vector<int64_t> looked = {events_.sequences(), events_.size()};
  const int64_t every = std::max<int64_t>(1, events_.size() / kLooked);
  for (int64_t e = 0; e < events_.size(); e += every) {
    events_.check(e, e + 1);
    looked.push_back(events_.tick(e));
    if (events_.event) looked.push_back(events_.event->codes[static_cast<std::size_t>(e)]);
  }
  for (const auto* pieces : {&split_.train, &split_.valid}) {
    looked.push_back(static_cast<int64_t>(pieces->size()));
    for (const data::Piece& piece : *pieces) looked.push_back(piece.begin ^ (piece.end << 20));
  }
  return fmt::format("{:016x}", checksum(std::as_bytes(std::span(looked))));
}

void Training::save_checkpoint(FileSystem& files, const std::string& path) const {
  ContainerWriter writer{std::string(kKind)};
  writer.set("options", trained_.options.dump());
  writer.set("data", data_digest());
  fit_->add_to(writer);
  writer.write(files, path);
}

void Training::restore_checkpoint(const std::string& path) {
  const Container file = Container::open(path, kKind);
  file.verify();
  check_options(parsed(file, "options"), trained_.options, path);
  if (file.get("data") != data_digest()) {
    fail("{}: was made with other data; give the same, or start without --resume", path);
  }
  fit_->restore(file);
}

}  // namespace t2v
