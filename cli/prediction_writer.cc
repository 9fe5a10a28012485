#include "prediction_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>

#include "base/fail.h"
#include "data/human_time.h"
#include "data/table_schema.h"
#include "data_options.h"

namespace t2v::cli {
namespace {

constexpr std::size_t kFull = std::size_t{1} << 20;

/// Whether a spreadsheet would execute a cell (OWASP, CSV injection).
bool is_formula(std::string_view cell) {
  constexpr std::string_view kStarts = "=+-@\t\r\n";
  return !cell.empty() && kStarts.find(cell.front()) != std::string_view::npos;
}

}  // namespace

void add_csv_cell(std::string& text, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
  text += '"';
}

bool predicts(const TrainedModel& model, nn::TargetKind kind) {
  return std::ranges::any_of(model.config.heads,
                             [&](const nn::HeadConfig& head) { return nn::head_from(head).target == kind; });
}

TextOutput::TextOutput(std::string path) : path_(std::move(path)) {
  if (path_ == "-" || path_.empty()) return;
  file_ = std::make_unique<AtomicFile>(FileSystem::real(), path_);
}

void TextOutput::flush_if_full() {
  if (buffer_.size() >= kFull && !path_.empty()) flush();
}

void TextOutput::flush() {
  if (file_) {
    file_->write(std::as_bytes(std::span(buffer_)));
  } else if (std::fwrite(buffer_.data(), 1, buffer_.size(), stdout) != buffer_.size() ||
             std::fflush(stdout) != 0) {
    fail("standard output: cannot be written: {}", std::generic_category().message(errno));
  }
  buffer_.clear();
}

void TextOutput::finish() {
  flush();
  if (file_) file_->finish();
}

PredictionWriter::PredictionWriter(const TrainedModel& model, const data::Events& events, PredictionForm form,
                                   TextOutput& output)
    : model_(model),
      events_(events),
      form_(std::move(form)),
      has_ids_(events.sequences() != 1 || events.ids[0] != data::kOneSequence),
      output_(output) {
  if (form_.csv && model.forecaster) {
    write_forecast_header();
  } else if (form_.csv) {
    write_header();
  }
}

void PredictionWriter::write(int64_t sequence, const Place& place, const Prediction& prediction) {
  if (model_.forecaster && form_.csv) {
    write_forecast_csv(sequence, place, prediction);
  } else if (model_.forecaster) {
    write_forecast_json(sequence, place, prediction);
  } else if (form_.csv) {
    write_csv(sequence, place, prediction);
  } else {
    write_json(sequence, place, prediction);
  }
  output_.flush_if_full();
}

void PredictionWriter::write_json(int64_t sequence, const Place& place, const Prediction& prediction) {
  std::string& text = output_.buffer();
  const auto quoted = [](std::string_view name) { return printable(nlohmann::json(name), -1); };
  text += "{\"id\":" + quoted(events_.ids[sequence]);
  text += ",\"time\":" + quoted(data::tick_text(events_.scale, events_.tick(place.event)));
  if (place.query) text += ",\"at\":" + quoted(data::tick_text(events_.scale, *place.query));
  const nlohmann::json said = to_json(prediction, model_);
  if (!said.empty()) text += "," + printable(said, -1).substr(1);
  text += said.empty() ? "}\n" : "\n";
}

void PredictionWriter::write_forecast_header() {
  output_.buffer() += has_ids_ ? "id,time,value" : "time,value";
  for (const double share : form_.quantiles) output_.buffer() += "," + quantile_name(share);
  output_.buffer() += '\n';
}

/// A value at a time to come.
void PredictionWriter::write_forecast_json(int64_t sequence, const Place& place,
                                           const Prediction& prediction) {
  std::string& text = output_.buffer();
  const auto quoted = [](std::string_view name) { return printable(nlohmann::json(name), -1); };
  text += '{';
  if (has_ids_) text += "\"id\":" + quoted(events_.ids[sequence]) + ",";
  text += "\"time\":" + quoted(data::tick_text(events_.scale, *place.query));
  text += fmt::format(",\"value\":{:.9g}", *prediction.value);
  for (const Prediction::Quantile& quantile : prediction.quantiles) {
    text += fmt::format(",\"{}\":{:.9g}", quantile_name(quantile.share), quantile.value);
  }
  text += "}\n";
}

void PredictionWriter::write_forecast_csv(int64_t sequence, const Place& place,
                                          const Prediction& prediction) {
  std::string& text = output_.buffer();
  if (has_ids_) {
    add_name(events_.ids[sequence]);
    text += ',';
  }
  text += fmt::format("{},{:.9g}", data::tick_text(events_.scale, *place.query), *prediction.value);
  for (const Prediction::Quantile& quantile : prediction.quantiles)
    text += fmt::format(",{:.9g}", quantile.value);
  text += '\n';
}

void PredictionWriter::write_header() {
  std::string& text = output_.buffer();
  text += "id,time";
  if (form_.has_query) text += ",at";
  if (predicts(model_, nn::TargetKind::kClass)) {
    text += model_.task == Task::kClassify ? ",rank,label,probability" : ",rank,event,probability";
  }
  if (predicts(model_, nn::TargetKind::kValue)) text += ",value";
  if (predicts(model_, nn::TargetKind::kGap)) text += ",when_p10,when_median,when_p90,when_mean";
  const bool dates = model_.times.scale.instants && predicts(model_, nn::TargetKind::kGap);
  if (dates) text += ",when_p10_at,when_median_at,when_p90_at,when_mean_at";
  text += '\n';
}

void PredictionWriter::add_name(std::string_view name) {
  add_csv_cell(output_.buffer(),
               form_.safe && is_formula(name) ? "'" + std::string(name) : std::string(name));
}

void PredictionWriter::write_csv(int64_t sequence, const Place& place, const Prediction& prediction) {
  std::string& text = output_.buffer();
  const auto write_row = [&](std::size_t rank) {
    add_name(events_.ids[sequence]);
    text += "," + data::tick_text(events_.scale, events_.tick(place.event));
    if (place.query) text += "," + data::tick_text(events_.scale, *place.query);
    if (rank < prediction.top.size()) {
      text += fmt::format(",{},", rank + 1);
      add_name(name_of_choice(model_, prediction.top[rank].code));
      text += fmt::format(",{:.6g}", prediction.top[rank].probability);
    }
    if (prediction.value) text += fmt::format(",{}", *prediction.value);
    if (const auto& when = prediction.when) {
      text += fmt::format(",{:.6g},{:.6g},{:.6g},{:.6g}", when->p10, when->median, when->p90, when->mean);
      if (model_.times.scale.instants) {
        for (const double gap : {when->p10, when->median, when->p90, when->mean}) {
          text += "," + date_after(prediction, model_, gap);
        }
      }
    }
    text += '\n';
  };
  for (std::size_t rank = 0; rank == 0 || rank < prediction.top.size(); ++rank) write_row(rank);
}

}  // namespace t2v::cli
