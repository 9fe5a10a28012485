#include "train_display.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/version.h"
#include "data/human_time.h"
#include "data_options.h"
#include "say.h"
#include "train/evaluation.h"

namespace t2v::cli {
namespace {

constexpr double kRedraw = 0.1;  // seconds
constexpr int64_t kBar = 20;
constexpr std::size_t kUsualWidth = 80;

std::string bar(int64_t done, int64_t all) {
  const int64_t full = kBar * done / std::max<int64_t>(all, 1);
  return std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(kBar - full), '.');
}

/// Columns of the terminal but the last: some go to the next line there.
std::size_t live_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return (known ? size.ws_col : kUsualWidth) - 1;
}

/// NaN has no place in JSON.
nlohmann::json json_of(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

/// What the live line says.
struct LiveLine {
  int64_t epoch;
  int64_t batch;
  int64_t batches;
  double rate;  // events per second
  double loss;
  const std::string& last;  // the validation of the epoch before
  double left;              // seconds of the epoch
};

/// At most `width` columns: what is least needed is left out, the time left never.
std::string live_line(const LiveLine& line, std::size_t width) {
  // The least needed first.
  enum Part { kBarPart, kRate, kLast, kLoss, kParts };
  std::array<bool, kParts> shown;
  shown.fill(true);
  const auto text = [&] {
    std::string all = fmt::format("epoch {}", line.epoch);
    if (shown[kBarPart]) all += fmt::format(" [{}]", bar(line.batch, line.batches));
    if (shown[kRate]) all += fmt::format(" {} events/s", data::human_count(std::llround(line.rate)));
    if (shown[kLoss]) all += fmt::format("{} loss {:.4f}", shown[kRate] ? "," : "", line.loss);
    if (shown[kLast]) all += line.last;
    return all + fmt::format(", {:.0f} s left of it", line.left);
  };
  std::string all = text();
  for (std::size_t part = 0; part < kParts && all.size() > width; ++part) {
    shown[part] = false;
    all = text();
  }
  if (all.size() > width) all = fmt::format("{:.0f} s left", line.left).substr(0, width);
  return all;
}

}  // namespace

TrainDisplay::TrainDisplay(const Training& training, const std::string& log, int64_t epochs)
    : training_(training),
      terminal_(isatty(STDERR_FILENO) != 0),
      epochs_(epochs),
      path_(log),
      measure_(main_measure(training.description().task).name) {
  if (log.empty()) return;
  log_.open(log, std::ios::app);
  if (!log_) fail("{}: cannot be written; name another file by --log", log);
  this->log({{"event", "start"}, {"version", kVersion}, {"options", *training.description().options}});
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
  const std::size_t width = live_width();
  const LiveLine line{progress.epoch, progress.batch, progress.batches, rate, progress.loss, last_, left};
  say("\r{:<{}}", live_line(line, width), width);
}

void TrainDisplay::clear() const {
  if (terminal_) say("\r{:<{}}\r", "", live_width());
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
  clear();
  const int64_t tenth = std::max<int64_t>(epochs_ / 10, 1);
  if (terminal_ || report.epoch == 1 || report.epoch % tenth == 0 || report.epoch == epochs_)
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
  clear();
  log({{"event", "end"}, {"reason", reason}, {"best_epoch", training_.fit().best_epoch()}});
}

}  // namespace t2v::cli
