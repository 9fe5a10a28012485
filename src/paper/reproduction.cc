#include "paper/reproduction.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>

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

std::vector<Run> runs_of(const std::vector<const Row*>& rows, const Plan& plan) {
  std::vector<Run> runs;
  std::map<std::string, std::size_t> places;
  for (const Row* row : rows) {
    const Size size = size_of(*row, plan.scale);
    for (int64_t seed = 1; seed <= size.seeds; ++seed) {
      for (const std::string_view name : row->runs) {
        const auto [place, is_new] = places.emplace(fmt::format("{}.s{}", name, seed), runs.size());
        if (!is_new && runs[place->second].epochs >= size.epochs) continue;
        Run run = run_of(name, size.epochs, static_cast<uint64_t>(seed), plan);
        if (is_new) {
          runs.push_back(std::move(run));
        } else {
          runs[place->second] = std::move(run);
        }
      }
    }
  }
  return runs;
}

Reproduction::Reproduction(const std::vector<const Row*>& rows, const Plan& plan, const RunFiles& files,
                           DataShelf& data, ThreadPool& pool, FileSystem& disk)
    : files_(files), data_(data), pool_(pool), disk_(disk) {
  for (Run& run : runs_of(rows, plan)) {
    if (files_.read(run)) {
      remove_partial(disk_, files_.stem(run));  // that a crash after it was finished left
      ++finished_before_;
      continue;
    }
    work_ += run.work;
    pending_.push_back(std::move(run));
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
  if (!pending_[begin].one_core) {
    for (std::size_t i = begin; i < end; ++i) {
      if (stopped() || !run_one(pending_[i], hooks)) return false;
    }
    return true;
  }
  std::atomic<bool> complete = true;
  pool_.run(static_cast<int64_t>(end - begin), [&](int64_t i) {
    if (stopped() || !run_one(pending_[begin + static_cast<std::size_t>(i)], hooks)) complete = false;
  });
  return complete;
}

bool Reproduction::run(const ReproductionHooks& hooks) {
  started_ = steady_seconds();
  files_.clear_unfinished();
  for (std::size_t next = 0; next < pending_.size();) {
    std::size_t end = next + 1;
    while (end < pending_.size() && pending_[end].one_core == pending_[next].one_core) ++end;
    if (!run_from(next, end, hooks)) return false;
    next = end;
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

double expected_seconds(const Row& row, const Plan& plan) {
  double work = 0;
  for (const Run& run : runs_of({&row}, plan)) work += run.work;
  return work / kWorkRate;
}

}  // namespace t2v::paper
