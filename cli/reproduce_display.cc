#include "reproduce_display.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/steady_seconds.h"
#include "data/human_time.h"
#include "say.h"

namespace t2v::cli {
namespace {

using paper::Measures;
using paper::Progress;
using paper::Run;
using paper::Scale;

constexpr double kRedraw = 0.2;  // seconds

std::size_t width_of_terminal() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return 79;
  return size.ws_col - 1U;
}

std::string text_of(const Measures& measures) {
  std::string text;
  for (const auto& [name, value] : measures) {
    text += fmt::format("{}{} {:.4f}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

std::string left_of(const Progress& progress) {
  return fmt::format("about {} left", data::human_duration(std::ceil(progress.seconds_left)));
}

/// What a curve ends with.
Measures last_of(const nlohmann::json& record) {
  Measures measures;
  for (const auto& curve : record.at("curve").items()) {
    if (!curve.value().empty() && curve.value().back().is_number()) {
      measures[curve.key()] = curve.value().back().get<double>();
    }
  }
  return measures;
}

/// Each column as wide as its widest cell.
template <std::size_t kColumns>
std::string columns_of(const std::vector<std::array<std::string, kColumns>>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < kColumns; ++i) widths[i] = std::max(widths[i], row[i].size() + 2);
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) text += fmt::format("{:<{}}", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

std::string time_at(const paper::Row& row, Scale scale) {
  const paper::Size size = paper::size_of(row, scale);
  if (size.epochs == 0) return "-";
  return data::human_duration(std::ceil(paper::expected_seconds(row, {.scale = scale})));
}

}  // namespace

ReproduceDisplay::ReproduceDisplay() : terminal_(isatty(STDERR_FILENO) == 1) {}
ReproduceDisplay::~ReproduceDisplay() { clear(); }

void ReproduceDisplay::clear() {
  if (drawn_) say("\r{:<{}}\r", "", width_of_terminal());
  drawn_ = false;
}

void ReproduceDisplay::progress(const Run& run, const Progress& progress) {
  if (!terminal_ || steady_seconds() < shown_ + kRedraw) return;
  shown_ = steady_seconds();
  constexpr int kBar = 20;
  const int full = static_cast<int>(progress.share * kBar);
  const std::string line =
      fmt::format("[{:=<{}}{: <{}}] {:.0f} %, {}; run {} of {}: {} {}, seed {}{}", "", full, "", kBar - full,
                  100 * progress.share, left_of(progress), progress.done + 1, progress.runs, run.home,
                  run.model, run.seed, last_);
  const std::size_t width = width_of_terminal();
  say("\r{:<{}.{}}", line, width, width);
  std::fflush(stderr);
  drawn_ = true;
}

void ReproduceDisplay::epoch(const Run& run, int64_t epoch, const Measures& measures,
                             const Progress& progress) {
  last_ = ", " + text_of(measures);
  if (terminal_) return;
  say("{} {}, seed {}, epoch {} of {}: {}; {}\n", run.home, run.model, run.seed, epoch, run.epochs,
      text_of(measures), left_of(progress));
}

void ReproduceDisplay::run(const Run& run, const nlohmann::json& record, const Progress& progress) {
  clear();
  last_.clear();
  say("run {} of {}: {} {}, seed {}: {}, {}{}\n", progress.done, progress.runs, run.home, run.model, run.seed,
      text_of(last_of(record)), data::human_duration(record.value("seconds", 0.0)),
      progress.done < progress.runs ? "; " + left_of(progress) : "");
}

std::string describe_rows(const paper::DataShelf& data) {
  std::vector<std::array<std::string, 6>> rows = {{"row", "claim", "where", "data", "quick", "paper"}};
  for (const paper::Row& row : paper::rows()) {
    if (row.runs.empty()) continue;
    rows.push_back({std::string(row.id), std::string(row.claim), std::string(row.where),
                    std::string(row.data), time_at(row, Scale::kQuick), time_at(row, Scale::kPaper)});
  }
  std::string text = columns_of(rows);
  text +=
      "\nTimes are of two cores, by the number of events and what training an LSTM of 128 units "
      "takes.\n\nData:\n";
  for (const paper::DataSet& set : paper::data_sets()) {
    text += fmt::format(
        "  {:<14} {}; {}\n  {:<14} to get it: {}\n", set.name,
        data.find(set.name) ? "found at " + data.place(set.name) : "not at " + data.place(set.name),
        set.files, "", set.how_to_get);
  }
  return text;
}

}  // namespace t2v::cli
