#include "inspect_saved.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/json_text.h"
#include "data/decimal.h"
#include "data/doctor_text.h"
#include "data/duration.h"
#include "data/human_time.h"
#include "data/iso_time.h"
#include "train/evaluation.h"

namespace t2v::cli {
namespace {

using data::counted;
using data::human_count;
using Json = nlohmann::json;

std::string line(const char* name, const std::string& what) { return fmt::format("{:<10} {}\n", name, what); }

/// The object of a key; an empty one if it is not there.
Json object_of(const Container& file, const char* key) {
  const auto text = file.find(key);
  Json json = text ? parse_json_text(*text) : Json::object();
  if (!json.is_object()) fail("{}: '{}' is not a JSON object{}", file.path(), key, kDamaged);
  return json;
}

/// What `make` makes of a file's description.
template <class Function>
auto of_description(const Container& file, const Function& make) {
  try {
    return make();
  } catch (const Json::exception&) {
    fail("{}: its description lacks a field or has one of another type{}", file.path(), kDamaged);
  }
}

/// When a file was written, to the second; empty if that is not known.
std::string written_at(const std::string& path) {
  struct stat about = {};
  if (::stat(path.c_str(), &about) != 0) return "";
  return data::format_iso(int64_t{about.st_mtim.tv_sec} * data::kNanosecondsPerSecond);
}

// --- checkpoints ---

/// The best epoch so far, as it was reported; null if there is none.
Json best_of(const Json& fit) {
  const auto best = fit.at("best_epoch").get<int64_t>();
  for (const Json& report : fit.at("history")) {
    if (report.at("epoch").get<int64_t>() == best) return report;
  }
  return nullptr;
}

std::string best_text(const Json& fit, const std::string& task) {
  const Json best = best_of(fit);
  if (best.is_null()) return "none yet: no epoch is done";
  std::string text = fmt::format("epoch {}", best.at("epoch").get<int64_t>());
  if (best.at("valid_loss").is_number()) {
    text += fmt::format(", validation loss {:.4f}", best.at("valid_loss").get<double>());
  }
  if (best.at("measure").is_number()) {
    text += fmt::format(", {} {:.4f}", main_measure(task_from(task)).name, best.at("measure").get<double>());
  }
  return text;
}

std::string place_text(const Json& fit) {
  const auto epochs = fit.at("epoch").get<int64_t>();
  const auto batches = fit.at("batch").get<int64_t>();
  std::string text = counted(epochs, "epoch") + " done";
  if (batches > 0)
    text += fmt::format(", {} {} of the next", human_count(batches), batches == 1 ? "batch" : "batches");
  return text + fmt::format(", {} in {:.0f} s", counted(fit.at("steps").get<int64_t>(), "step"),
                            fit.at("seconds").get<double>());
}

/// "cafe.t2v" of "cafe.t2v.checkpoint".
std::string output_of(const std::string& checkpoint) {
  constexpr std::string_view kEnd = ".checkpoint";
  if (!checkpoint.ends_with(kEnd)) return "MODEL";
  return checkpoint.substr(0, checkpoint.size() - kEnd.size());
}

// --- snapshots ---

constexpr std::array<const char*, 8> kCounts = {"events",  "predictions", "late_dropped", "late_kept",
                                                "unknown", "refused",     "evicted",      "returned"};

struct Snapshot {
  int64_t sequences = 0;
  std::string last;  // the time of the latest event; empty if it is not known
  std::span<const int64_t> counts;
  std::string task;  // empty if it is not known
};

Snapshot read_snapshot(const Container& file) {
  Snapshot snapshot;
  const auto ticks = file.tensor<int64_t>("ticks");
  snapshot.sequences = static_cast<int64_t>(ticks.size() / 2);
  snapshot.counts = file.tensor<int64_t>("counts");
  if (snapshot.counts.size() != kCounts.size()) fail("{}: 'counts' is too short{}", file.path(), kDamaged);
  const Json about = object_of(file, "about");
  if (about.empty()) return snapshot;
  snapshot.task = about.at("task").get<std::string>();
  const int decimals = about.at("decimals").get<int>();
  if (ticks.empty() || decimals < 0 || decimals > 18) return snapshot;
  int64_t last = ticks[1];
  for (std::size_t i = 1; i < ticks.size(); i += 2) last = std::max(last, ticks[i]);
  snapshot.last = about.at("instants").get<bool>() ? data::format_iso(last) : data::to_text({last, decimals});
  return snapshot;
}

}  // namespace

std::string checkpoint_text(const Container& file) {
  return of_description(file, [&] {
    const Json options = object_of(file, "options");
    const Json fit = object_of(file, "fit");
    const auto task = options.at("task").get<std::string>();
    return line("what", "a checkpoint of 't2v train': all that a stopped run needs to go on") +
           line("task", fmt::format("{}, cell {}, {}", task, options.at("cell").get<std::string>(),
                                    counted(options.at("hidden").get<int64_t>(), "hidden unit"))) +
           line("at", place_text(fit)) + line("best", best_text(fit, task)) +
           line("written", written_at(file.path())) +
           line("go on", fmt::format("the same 't2v train' with -o {} --resume", output_of(file.path())));
  });
}

Json checkpoint_json(const Container& file) {
  return of_description(file, [&]() -> Json {
    const Json fit = object_of(file, "fit");
    return {{"task", object_of(file, "options").at("task")},
            {"epochs", fit.at("epoch")},
            {"batches", fit.at("batch")},
            {"steps", fit.at("steps")},
            {"seconds", fit.at("seconds")},
            {"best", best_of(fit)},
            {"written", written_at(file.path())}};
  });
}

std::string snapshot_text(const Container& file) {
  return of_description(file, [&] {
    const Snapshot snapshot = read_snapshot(file);
    const auto& counts = snapshot.counts;
    std::string text =
        line("what", "a snapshot of 't2v stream': where each of its sequences is") +
        line("model", fmt::format("{}the one whose checksum is {}; it goes with no other",
                                  snapshot.task.empty() ? "" : snapshot.task + ", ", file.get("model"))) +
        line("sequences", human_count(snapshot.sequences)) +
        line("events",
             fmt::format("{} came, {} given", human_count(counts[0]), counted(counts[1], "prediction")));
    if (!snapshot.last.empty()) text += line("last event", snapshot.last);
    return text + line("written", written_at(file.path())) +
           line("go on", fmt::format("t2v stream MODEL --snapshot {}", file.path()));
  });
}

Json snapshot_json(const Container& file) {
  return of_description(file, [&] {
    const Snapshot snapshot = read_snapshot(file);
    Json json = {{"model", file.get("model")},
                 {"sequences", snapshot.sequences},
                 {"written", written_at(file.path())}};
    for (std::size_t i = 0; i < kCounts.size(); ++i) json["counts"][kCounts[i]] = snapshot.counts[i];
    if (!snapshot.task.empty()) json["task"] = snapshot.task;
    if (!snapshot.last.empty()) json["last"] = snapshot.last;
    return json;
  });
}

}  // namespace t2v::cli
