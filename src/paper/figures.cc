#include "paper/figures.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/fail.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json series_over_epochs(const Line& line, const std::string& measure) {
  Json series = {{"name", line.label}, {"x", Json::array()}, {"y", Json::array()}};
  Json low = Json::array();
  Json high = Json::array();
  int64_t n = 0;
  for (int64_t epoch = 1; epoch <= line.runs->epochs; ++epoch) {
    const Estimate mean = estimate(line.runs->at(measure, epoch));
    if (mean.count == 0) break;
    n = std::max(n, mean.count);
    series["x"].push_back(epoch);
    series["y"].push_back(number(mean.mean));
    const Band band = band_of(mean);
    low.push_back(number(band.low));
    high.push_back(number(band.high));
  }
  series["n"] = n;
  if (n > 1) {
    series["low"] = low;
    series["high"] = high;
  }
  return series;
}

std::string published_name(const Line& line) {
  return line.published_as.empty() ? line.label + " (paper)" : line.published_as;
}

/// The points of a published curve that lie within so many epochs.
Json published_series(const Line& line, int64_t epochs) {
  Json x = Json::array();
  Json y = Json::array();
  for (std::size_t i = 0; i < line.published->epochs.size(); ++i) {
    if (line.published->epochs[i] > static_cast<double>(epochs)) break;
    x.push_back(line.published->epochs[i]);
    y.push_back(line.published->values[i]);
  }
  return {{"name", published_name(line)}, {"like", line.label}, {"x", x}, {"y", y}};
}

std::string last_values(const std::vector<Line>& lines, const std::string& measure) {
  std::string text;
  for (const Line& line : lines) {
    if (line.runs->empty()) continue;
    text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", line.label, line.runs->mean_last(measure));
  }
  return text;
}

int64_t most_epochs(const std::vector<Line>& lines) {
  int64_t most = 0;
  for (const Line& line : lines) most = std::max(most, line.runs->empty() ? 0 : line.runs->epochs);
  return most;
}

}  // namespace

Band band_of(const Estimate& mean) { return {std::max(mean.low(), 0.0), std::min(mean.high(), 1.0)}; }

std::string with_interval(const Estimate& estimate) {
  if (estimate.count < 2) return fmt::format("{:.4f}", estimate.mean);
  return fmt::format("{:.4f} ± {:.4f}", estimate.mean, estimate.half_width);
}

void add_rules(Json& figure, const std::vector<Rule>& rules) {
  std::string alt = figure.value("alt", "");
  for (const Rule& rule : rules) {
    figure["series"].push_back({{"name", rule.label}, {"style", "rule"}, {"y", Json::array({rule.value})}});
    alt += fmt::format(" {}: {:.3f}.", rule.label, rule.value);
  }
  figure["alt"] = alt;
}

Json curves_figure(const std::string& id, const std::string& title, const std::string& measure,
                   const std::string& axis, const std::vector<Line>& lines, const std::vector<Rule>& rules) {
  const int64_t epochs = most_epochs(lines);
  Json series = Json::array();
  Json published = Json::array();
  for (const Line& line : lines) {
    if (line.runs->empty()) continue;
    series.push_back(series_over_epochs(line, measure));
    if (line.published == nullptr) continue;
    // What comes long after our last epoch would leave little room for the rest.
    Json dots = published_series(line, 4 * epochs);
    if (!dots["x"].empty()) published.push_back(std::move(dots));
  }
  Json figure = {{"id", id},
                 {"title", title},
                 {"alt", fmt::format("{} after {} epochs: {}.", title, epochs, last_values(lines, measure))},
                 {"kind", "curves"},
                 {"x", {{"label", "epoch"}, {"scale", "linear"}}},
                 {"y", {{"label", axis}, {"format", ".3f"}}},
                 {"series", series},
                 {"published", published}};
  add_rules(figure, rules);
  return figure;
}

Json bars_figure(const std::string& id, const std::string& title, const std::string& measure,
                 const std::string& axis, const std::vector<Line>& lines) {
  Json series = Json::array();
  Json published = Json::array();
  std::string when = fmt::format("after {} epochs", most_epochs(lines));
  for (const Line& line : lines) {
    if (line.runs->empty()) continue;
    const Estimate mean = estimate(line.runs->last(measure));
    Json bar = {{"name", line.label}, {"y", Json::array({number(mean.mean)})}, {"n", mean.count}};
    if (mean.count > 1) {
      const Band band = band_of(mean);
      bar["low"] = Json::array({number(band.low)});
      bar["high"] = Json::array({number(band.high)});
    }
    series.push_back(bar);
    if (line.published == nullptr) continue;
    const Json dots = published_series(line, line.runs->epochs);
    if (dots["y"].empty()) continue;
    const auto epoch = dots["x"].back().get<double>();
    if (published.empty()) when += fmt::format(", the paper's after {:g}", epoch);
    published.push_back({{"name", fmt::format("{}, epoch {:g}", published_name(line), epoch)},
                         {"like", line.label},
                         {"y", Json::array({dots["y"].back()})}});
  }
  return {
      {"id", id},
      {"title", fmt::format("{} ({})", title, when)},
      {"alt", fmt::format("{} after {} epochs: {}.", title, most_epochs(lines), last_values(lines, measure))},
      {"kind", "bars"},
      {"x", {{"label", ""}, {"scale", "linear"}}},
      {"y", {{"label", axis}, {"format", ".3f"}}},
      {"series", series},
      {"published", published}};
}

Json models_table(const std::string& id, const std::string& title, const std::vector<Line>& lines,
                  const std::vector<std::string>& measures) {
  Json columns = {"model", "seeds", "hidden size", "parameters", "epochs"};
  for (const std::string& measure : measures) columns.push_back(measure);
  columns.push_back("seconds a run");
  Json rows = Json::array();
  for (const Line& line : lines) {
    if (line.runs->empty()) continue;
    const Json& one = line.runs->records[0];
    Json row = {line.label, line.runs->records.size(), one.value("hidden", Json()),
                one.value("parameters", Json()), line.runs->epochs};
    for (const std::string& measure : measures) {
      row.push_back(with_interval(estimate(line.runs->last(measure))));
    }
    double seconds = 0;
    for (const Json& record : line.runs->records) seconds += record.value("seconds", 0.0);
    row.push_back(fmt::format("{:.1f}", seconds / static_cast<double>(line.runs->records.size())));
    rows.push_back(row);
  }
  return {{"id", id}, {"title", title}, {"columns", columns}, {"rows", rows}};
}

Json periods_table(const std::string& id, const std::string& title, const std::string& unit,
                   const std::vector<Line>& lines) {
  constexpr std::size_t kShown = 5;
  Json rows = Json::array();
  for (const Line& line : lines) {
    if (line.runs->empty() || !line.runs->records[0].contains("periods")) continue;
    const Json& record = line.runs->records[0];
    const double length = record.at("config").at("data").value("unit_length", 1.0);
    std::vector<double> periods = record.at("periods").get<std::vector<double>>();
    for (double& period : periods) period *= length;
    std::string first;
    for (std::size_t i = 0; i < std::min(kShown, periods.size()); ++i) {
      first += fmt::format("{}{:.3g}", first.empty() ? "" : ", ", periods[i]);
    }
    std::ranges::sort(periods);
    if (periods.empty()) continue;
    rows.push_back({line.label, record.value("seed", Json()), record.value("epochs", Json()), first,
                    fmt::format("{:.3g}", periods.front()),
                    fmt::format("{:.3g}", periods[periods.size() / 2]),
                    fmt::format("{:.3g}", periods.back())});
  }
  return {{"id", id},
          {"title", fmt::format("{}, in {}", title, unit)},
          {"columns", {"model", "seed", "after epoch", "most important", "shortest", "median", "longest"}},
          {"rows", rows}};
}

Json histogram_figure(const std::string& id, const std::string& title, const std::string& axis,
                      const std::string& series, const std::vector<double>& values, double width) {
  const double most = values.empty() ? width : *std::ranges::max_element(values);
  const auto bins = static_cast<std::size_t>(std::max(1.0, std::floor(most / width) + 1));
  std::vector<int64_t> counts(bins);
  for (const double value : values) {
    ++counts[std::min(bins - 1, static_cast<std::size_t>(std::max(0.0, value / width)))];
  }
  std::vector<double> edges;
  for (std::size_t i = 0; i <= bins; ++i) edges.push_back(static_cast<double>(i) * width);
  const auto peak = std::ranges::max_element(counts);
  return {{"id", id},
          {"title", title},
          {"alt", fmt::format("{}: {} values; the fullest bar has {} of them, from {:.2f} to {:.2f}.", title,
                              values.size(), *peak, edges[static_cast<std::size_t>(peak - counts.begin())],
                              edges[static_cast<std::size_t>(peak - counts.begin()) + 1])},
          {"kind", "histogram"},
          {"x", {{"label", axis}, {"scale", "linear"}}},
          {"y", {{"label", "number"}, {"format", "d"}}},
          {"series", Json::array({{{"name", series}, {"x", edges}, {"y", counts}}})},
          {"published", Json::array()}};
}

std::string against(const PublishedCurve& a, const PublishedCurve& b, int64_t epochs) {
  const std::string last = a.epochs.back() == b.epochs.back()
                               ? fmt::format("{:.0f}", a.epochs.back())
                               : fmt::format("{:.0f} and {:.0f}", a.epochs.back(), b.epochs.back());
  std::string end =
      fmt::format("{:.3f} against {:.3f} after {} epochs", a.values.back(), b.values.back(), last);
  if (a.epochs.back() <= static_cast<double>(epochs)) return end;
  for (std::size_t i = a.epochs.size(); i-- > 0;) {
    const auto same = std::ranges::find(b.epochs, a.epochs[i]);
    if (a.epochs[i] > static_cast<double>(epochs) || same == b.epochs.end()) continue;
    const double other = b.values[static_cast<std::size_t>(same - b.epochs.begin())];
    return fmt::format("{:.3f} against {:.3f} after {:.0f} epochs; {}", a.values[i], other, a.epochs[i], end);
  }
  return end;
}

}  // namespace t2v::paper
