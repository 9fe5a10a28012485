#include "paper/figures.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/fail.h"
#include "paper/published.h"
#include "train/paired_test.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

struct Line {
  const char* label;
  const char* run;
  const char* published = "";  // the curve's name in the figure; empty for none
};

struct FigureOfThePaper {
  const char* id;
  const char* figure;  // of the paper, for the published curves
  const char* title;
  const char* measure;
  const char* axis;
  std::vector<Line> lines;
};

constexpr const char* kAccuracy = "accuracy";
constexpr const char* kRecall = "recall@10";

std::vector<FigureOfThePaper> all_figures() {
  const auto lastfm = [](const char* id, const char* figure, const char* title, const Line& without,
                         const Line& with) {
    return FigureOfThePaper{id, figure, title, kRecall, "Recall@10", {without, with}};
  };
  return {
      {"event-mnist",
       "1a",
       "Fig. 1a: Event-MNIST",
       kAccuracy,
       "test accuracy",
       {{"LSTM+T", "event-mnist/lstm-t", "LSTM+T"}, {"LSTM+T2V", "event-mnist/lstm-t2v-64", "LSTM+T2V"}}},
      {"spikes",
       "1b",
       "Fig. 1b: spoken digits from spikes",
       kAccuracy,
       "test accuracy",
       {{"LSTM+T", "spikes/lstm-t-raw", "LSTM+T"},
        {"LSTM+T2V", "spikes/lstm-t2v-64-raw", "LSTM+T2V"},
        {"LSTM+T, clipped", "spikes/lstm-t-raw-clipped"},
        {"LSTM+T2V, clipped", "spikes/lstm-t2v-64-raw-clipped"}}},
      {"stackoverflow-seconds",
       "1c",
       "Fig. 1c: Stack Overflow, in seconds",
       "recall@3",
       "Recall@3",
       {{"LSTM+T", "stackoverflow/lstm-t-seconds", "LSTM+T"},
        {"LSTM+T2V", "stackoverflow/lstm-t2v-64-seconds", "LSTM+T2V"}}},
      {"stackoverflow-days",
       "1c",
       "Fig. 1c: Stack Overflow, in days",
       "recall@3",
       "Recall@3",
       {{"LSTM+T", "stackoverflow/lstm-t-days", "LSTM+T"},
        {"LSTM+T2V", "stackoverflow/lstm-t2v-64-days", "LSTM+T2V"},
        {"LSTM+T, next time given", "stackoverflow/lstm-t-given"},
        {"LSTM+T2V, next time given", "stackoverflow/lstm-t2v-64-given"}}},
      lastfm("lastfm", "1d", "Fig. 1d: Last.FM, as coded", {"LSTM+T", "lastfm/lstm-t-as-coded", "LSTM+T"},
             {"LSTM+T2V", "lastfm/lstm-t2v-64-as-coded", "LSTM+T2V"}),
      lastfm("lastfm-tlstm1", "2a", "Fig. 2a: Last.FM, as coded",
             {"TLSTM1", "lastfm/tlstm1-as-coded", "TLSTM1"},
             {"TLSTM1+T2V", "lastfm/tlstm1-t2v-64-as-coded", "TLSTM1+T2V"}),
      lastfm("lastfm-tlstm3", "2c", "Fig. 2c: Last.FM, as coded",
             {"TLSTM3", "lastfm/tlstm3-as-coded", "TLSTM3"},
             {"TLSTM3+T2V", "lastfm/tlstm3-t2v-16-as-coded", "TLSTM3+T2V"}),
      {"functions",
       "5a",
       "Fig. 5a: other functions than the sine on Event-MNIST",
       kAccuracy,
       "test accuracy",
       {{"sine", "event-mnist/lstm-t2v-64", "sin"},
        {"triangle", "event-mnist/lstm-t2v-64-triangle", "triangle"},
        {"mod", "event-mnist/lstm-t2v-64-mod", "mod"},
        {"sigmoid", "event-mnist/lstm-t2v-64-sigmoid", "sigmoid"}}},
      {"frequencies",
       "5b",
       "Fig. 5b: learned and fixed frequencies on Event-MNIST",
       kAccuracy,
       "test accuracy",
       {{"learned", "event-mnist/lstm-t2v-16", "learned"},
        {"equally spaced", "event-mnist/lstm-t2v-16-equal", "equal"},
        {"positional", "event-mnist/lstm-t2v-16-positional", "positional"}}},
      {"variations",
       "1a",
       "Event-MNIST: why Time2Vec learns faster here than published",
       kAccuracy,
       "test accuracy",
       {{"as in Fig. 1a", "event-mnist/lstm-t2v-64", "LSTM+T2V"},
        {"from N(0, 1)", "event-mnist/lstm-t2v-64-n1"},
        {"from U(0, 1)", "event-mnist/lstm-t2v-64-u01"},
        {"without the linear term", "event-mnist/lstm-t2v-64-no-linear"},
        {"128 hidden units", "event-mnist/lstm-t2v-64-hidden-128"}}},
  };
}

/// Of the finished runs of a scale.
std::vector<const Json*> seeds_of(const std::vector<Json>& records, std::string_view run, Scale scale) {
  std::vector<const Json*> found;
  for (const Json& record : records) {
    const std::string name = fmt::format("{}/{}", record.value("experiment", ""), record.value("model", ""));
    if (name == run && record.value("scale", "") == name_of(scale)) found.push_back(&record);
  }
  return found;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::size_t epochs_of(const Json& record, const char* measure) {
  const Json& curves = record.at("curve");
  return curves.contains(measure) ? curves.at(measure).size() : 0;
}

std::vector<double> values_at(const std::vector<const Json*>& seeds, const char* measure, std::size_t epoch) {
  std::vector<double> values;
  for (const Json* record : seeds) {
    const Json& value = record->at("curve").at(measure)[epoch];
    if (value.is_number()) values.push_back(value.get<double>());
  }
  return values;
}

/// As far as all seeds go.
Json series_of(const Line& line, const char* measure, const std::vector<const Json*>& seeds) {
  std::size_t epochs = epochs_of(*seeds[0], measure);
  for (const Json* record : seeds) epochs = std::min(epochs, epochs_of(*record, measure));
  Json series = {{"name", line.label}, {"n", seeds.size()}};
  for (const char* key : {"x", "y", "low", "high"}) series[key] = Json::array();
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    const Estimate mean = estimate(values_at(seeds, measure, epoch));
    series["x"].push_back(epoch + 1);
    series["y"].push_back(number(mean.mean));
    series["low"].push_back(number(std::max(mean.low(), 0.0)));
    series["high"].push_back(number(std::min(mean.high(), 1.0)));
  }
  if (seeds.size() < 2) {
    series.erase("low");
    series.erase("high");
  }
  return series;
}

/// The points that lie within so many epochs.
Json published_series(const FigureOfThePaper& figure, const Line& line, double epochs) {
  const PublishedCurve& curve = published_curve(figure.figure, line.published);
  Json series = {{"name", fmt::format("{} (paper)", line.label)}, {"like", line.label}};
  for (const char* key : {"x", "y"}) series[key] = Json::array();
  for (std::size_t i = 0; i < curve.epochs.size() && curve.epochs[i] <= epochs; ++i) {
    series["x"].push_back(curve.epochs[i]);
    series["y"].push_back(curve.values[i]);
  }
  return series;
}

Json figure_of(const FigureOfThePaper& about, const std::vector<Json>& records, Scale scale) {
  Json figure = {{"id", about.id},
                 {"title", about.title},
                 {"x", {{"label", "epoch"}, {"scale", "linear"}}},
                 {"y", {{"label", about.axis}, {"format", ".3f"}}},
                 {"series", Json::array()},
                 {"published", Json::array()}};
  std::string alt;
  std::string data;
  for (const Line& line : about.lines) {
    const std::vector<const Json*> seeds = seeds_of(records, line.run, scale);
    if (seeds.empty() || epochs_of(*seeds[0], about.measure) == 0) continue;
    data = seeds[0]->contains("data") ? seeds[0]->at("data").value("kind", "") : "";
    figure["series"].push_back(series_of(line, about.measure, seeds));
    const Json& drawn = figure["series"].back();
    if (!drawn["y"].back().is_null()) {
      alt += fmt::format("{}{} {:.3f}", alt.empty() ? "" : ", ", line.label, drawn["y"].back().get<double>());
    }
    if (*line.published == '\0') continue;
    Json dots = published_series(about, line, drawn["x"].back().get<double>());
    if (!dots["x"].empty()) figure["published"].push_back(std::move(dots));
  }
  if (data == "stand-in" || data == "invented")
    figure["title"] = fmt::format("{} ({} data)", about.title, data);
  figure["alt"] = fmt::format("{}. After the last epoch: {}.", figure["title"].get<std::string>(), alt);
  return figure;
}

}  // namespace

Json figures_of(const RunFiles& files, Scale scale) {
  const std::vector<Json> records = files.all();
  Json figures = Json::array();
  for (const FigureOfThePaper& about : all_figures()) {
    Json figure = figure_of(about, records, scale);
    if (!figure["series"].empty()) figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace t2v::paper
