#include "train_display.h"
#include "say.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/version.h"
#include "data/human_time.h"
#include "data_options.h"
#include "train/evaluation.h"

namespace t2v::cli {
namespace {

constexpr double kRedraw = 0.1;  // seconds
constexpr int64_t kBar = 20;
constexpr int kLineWidth = 100;

std::string bar(int64_t done, int64_t all) {
  const int64_t full = kBar * done / std::max<int64_t>(all, 1);
  return std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(kBar - full), '.');
}

/// NaN has no place in JSON.
nlohmann::json json_of(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

}  // namespace

TrainDisplay::TrainDisplay(const Training& training, const std::string& log)
    : training_(training),
      terminal_(isatty(STDERR_FILENO) != 0),
      path_(log),
      measure_(main_measure(training.description().task).name) {
  if (log.empty()) return;
  log_.open(log, std::ios::app);
  if (!log_) fail("{}: cannot be written; name another file by --log", log);
  this->log({{"event", "start"}, {"version", kVersion}, {"options", training.description().options}});
}

void TrainDisplay::log(const nlohmann::json& line) {
  if (!log_.is_open()) return;
  log_ << printable(line, -1) << '\n' << std::flush;
  if (!log_) fail("{}: cannot be written; is the disk full?", path_);
}

void TrainDisplay::step(const FitProgress& progress) {
  now_events_ = progress.events;
  if (!terminal_ || progress.seconds < shown_ + kRedraw) return;
  shown_ = progress.seconds;
  const double rate = static_cast<double>(progress.events) / std::max(progress.seconds, 1e-9);
  const double share = static_cast<double>(progress.batch) / static_cast<double>(progress.batches);
  const double epoch_events = static_cast<double>(progress.events - events_) / std::max(share, 1e-9);
  const double left = epoch_events * (1 - share) / std::max(rate, 1e-9);
  const std::string line = fmt::format("epoch {} [{}] {} events/s, loss {:.4f}{}, {:.0f} s left of it",
                                       progress.epoch, bar(progress.batch, progress.batches),
                                       data::human_count(std::llround(rate)), progress.loss, last_, left);
  say("\r{:<{}}", line.substr(0, kLineWidth), kLineWidth);
}

void TrainDisplay::epoch(const EpochReport& report) {
  const auto events = static_cast<double>(now_events_ - events_);
  events_ = now_events_;
  const double rate = events / std::max(report.seconds, 1e-9);
  const std::string valid =
      std::isfinite(report.valid_loss)
          ? fmt::format(", valid {:.4f}, {} {:.4f}", report.valid_loss, measure_, report.measure)
          : "";
  last_ = valid;
  if (terminal_) say("\r{:<{}}\r", "", kLineWidth);
  say("epoch {:>3}  loss {:.4f}{}{}  {} events/s, {:.1f} s\n", report.epoch, report.loss, valid,
      report.best && !valid.empty() ? " *" : "  ", data::human_count(std::llround(rate)), report.seconds);
  log({{"event", "epoch"},
       {"epoch", report.epoch},
       {"loss", json_of(report.loss)},
       {"valid_loss", json_of(report.valid_loss)},
       {measure_, json_of(report.measure)},
       {"rate", report.rate},
       {"seconds", report.seconds},
       {"events_per_second", rate},
       {"best", report.best}});
}

void TrainDisplay::end(std::string_view reason) {
  if (terminal_) say("\r{:<{}}\r", "", kLineWidth);
  log({{"event", "end"}, {"reason", reason}, {"best_epoch", training_.fit().best_epoch()}});
}

}  // namespace t2v::cli
