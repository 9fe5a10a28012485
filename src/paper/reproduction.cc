#include "paper/reproduction.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/fail.h"
#include "base/steady_seconds.h"

namespace t2v::paper {
namespace {

namespace fs = std::filesystem;

/// Before that, times are told by kWorkRate.
constexpr double kSecondsToTrust = 5;

/// What cannot be removed does no harm: the run is on the disk.
void remove_partial(FileSystem& disk, const std::string& partial) {
  for (const char* end : {".checkpoint", ".curve"}) {
    try {
      remove_file(disk, partial + end);
    } catch (const Error&) {  // of no matter
    }
  }
}

}  // namespace

Reproduction::Reproduction(std::vector<const Experiment*> experiments, Plan plan, const RunFiles& files,
                           DataShelf& data, ThreadPool& pool, FileSystem& disk)
    : experiments_(std::move(experiments)),
      plan_(std::move(plan)),
      files_(files),
      data_(data),
      pool_(pool),
      disk_(disk) {
  std::set<std::string> seen;
  std::set<std::string> models;
  for (std::size_t e = 0; e < experiments_.size(); ++e) {
    for (Run& run : experiments_[e]->runs(plan_)) {
      const bool wanted = plan_.wants(run.model);
      models.insert(run.model);
      if (!wanted && run.trains) continue;
      if (!seen.insert(files_.stem(run)).second) continue;
      if (files_.read(run)) {
        remove_partial(disk_, files_.stem(run));  // that a crash after it was finished left
        ++finished_before_;
        continue;
      }
      work_ += run.work;
      pending_.push_back({std::move(run), e});
    }
  }
  for (const std::string& model : plan_.models) {
    if (!models.contains(model)) fail("none of the experiments has a model '{}'; `list` names them", model);
  }
}

double Reproduction::seconds_expected() const { return work_ * 2 / (kWorkRate * pool_.threads()); }

Progress Reproduction::progress() const {
  Progress progress;
  progress.runs = pending();
  progress.done = done_;
  double done = work_done_;
  for (const auto& [file, work] : under_way_) done += work;
  double before = 0;
  for (const auto& [file, work] : work_before_) before += work;
  const double seconds = steady_seconds() - started_;
  const double rate = seconds > kSecondsToTrust && done > before ? (done - before) / seconds
                                                                 : kWorkRate * pool_.threads() / 2;
  progress.share = work_ > 0 ? std::min(1.0, done / work_) : 1;
  progress.seconds_left = std::max(0.0, work_ - done) / rate;
  return progress;
}

void Reproduction::note(const Run& run, double share) {
  const std::string file = files_.stem(run);
  // What a run that goes on had done before says nothing about the speed now.
  if (!work_before_.contains(file))
    work_before_[file] = share < 0.5 / static_cast<double>(run.epochs) ? 0 : share * run.work;
  under_way_[file] = share * run.work;
}

bool Reproduction::run_one(const Run& run, const ReproductionHooks& hooks) {
  RunContext context{pool_, data_, disk_, files_.stem(run), hooks.stop, {}, {}};
  context.found = [&](const nlohmann::json& about) { files_.refuse_other_data(run, about); };
  create_folders(disk_, fs::path(context.partial).parent_path().string());
  context.progress = [&](double share) {
    const std::scoped_lock lock(mutex_);
    note(run, share);
    if (hooks.progress) hooks.progress(run, progress());
  };
  context.epoch = [&](int64_t epoch, const Measures& measures) {
    const std::scoped_lock lock(mutex_);
    if (hooks.epoch) hooks.epoch(run, epoch, measures, progress());
  };
  const std::optional<nlohmann::json> record = complete(run, files_, context);
  if (!record) return false;
  const std::scoped_lock lock(mutex_);
  under_way_.erase(files_.stem(run));
  work_done_ += run.work;
  ++done_;
  if (hooks.run) hooks.run(run, *record, progress());
  return true;
}

bool Reproduction::run_from(std::size_t begin, std::size_t end, const ReproductionHooks& hooks) {
  const auto stopped = [&] { return hooks.stop && hooks.stop(); };
  if (!pending_[begin].run.one_core) {
    for (std::size_t i = begin; i < end; ++i) {
      if (stopped() || !run_one(pending_[i].run, hooks)) return false;
    }
    return true;
  }
  std::atomic<bool> complete = true;
  pool_.run(static_cast<int64_t>(end - begin), [&](int64_t i) {
    if (stopped() || !run_one(pending_[begin + static_cast<std::size_t>(i)].run, hooks)) complete = false;
  });
  return complete;
}

bool Reproduction::run(const ReproductionHooks& hooks, const Origin& origin) {
  started_ = steady_seconds();
  files_.clear_unfinished();
  std::size_t next = 0;
  for (std::size_t e = 0; e < experiments_.size(); ++e) {
    while (next < pending_.size() && pending_[next].experiment == e) {
      std::size_t end = next + 1;
      while (end < pending_.size() && pending_[end].experiment == e &&
             pending_[end].run.one_core == pending_[next].run.one_core) {
        ++end;
      }
      if (!run_from(next, end, hooks)) return false;
      next = end;
    }
    write_results(disk_, *experiments_[e], plan_, files_, origin);
  }
  return true;
}

std::optional<nlohmann::json> complete(const Run& run, const RunFiles& files, RunContext& context) {
  std::optional<nlohmann::json> record = run.go(context);
  if (!record) return std::nullopt;
  files.write(run, *record);
  remove_partial(context.files, context.partial);
  return record;
}

std::vector<std::string> missing_data(const Experiment& experiment, const DataShelf& data) {
  std::vector<std::string> missing;
  for (const std::string_view set : experiment.needs) {
    if (!data.find(set)) missing.emplace_back(set);
  }
  return missing;
}

double expected_seconds(const Experiment& experiment, const Plan& plan) {
  double work = 0;
  for (const Run& run : experiment.runs(plan)) work += run.work;
  return work / kWorkRate;
}

}  // namespace t2v::paper
