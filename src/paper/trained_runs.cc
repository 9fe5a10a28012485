#include <algorithm>
#include <array>

#include "base/fail.h"
#include "base/options.h"
#include "paper/run.h"
#include "paper/training_run.h"

// LSTMs on Event-MNIST, spikes and Stack Overflow: model x data x settings.
namespace t2v::paper {
namespace {

struct Counts {
  int64_t train;
  int64_t test;
};

/// What all runs on a data set have in common.
struct Home {
  std::string_view name;
  std::string_view set;
  std::string_view task;
  int64_t hidden;
  int64_t batch;
  Counts all;    // about how many sequences there are, for the estimate of the time
  Counts smoke;  // how many are taken; 0: all
  Counts quick;
};

constexpr std::array<Home, 3> kHomes = {{
    {"event-mnist", "mnist", "classify", 128, 512, {60000, 10000}, {300, 100}, {15000, 5000}},
    {"spikes", "spikes", "classify", 64, 128, {2464, 2486}, {40, 20}, {600, 300}},
    {"stackoverflow", "stackoverflow", "next", 128, 128, {3842, 1326}, {200, 100}, {0, 0}},
}};

/// A model: what it sees as time, and which options of `t2v train` differ.
struct Series {
  std::string_view name;
  std::string_view time;           // raw, or t2v:k
  double events;                   // of a sequence, about
  std::string_view view = {};      // of spikes their form, of Stack Overflow the unit of time
  std::string_view settings = {};  // such as 'omega_init=equal freeze=true'
  bool as_many_parameters = true;  // as with raw time
};

constexpr double kImage = 69;
constexpr double kSample = 1114;
constexpr double kFrames = 12;
constexpr double kUser = 72.5;
constexpr std::string_view kGiven = "query_time=true time_input=query";

constexpr Series kSeries[] = {
    {"event-mnist/lstm-t", "raw", kImage},
    {"event-mnist/lstm-t2v-64", "t2v:64", kImage},
    {"event-mnist/lstm-t2v-64-triangle", "t2v:64", kImage, {}, "activation=triangle"},
    {"event-mnist/lstm-t2v-64-mod", "t2v:64", kImage, {}, "activation=mod"},
    {"event-mnist/lstm-t2v-64-sigmoid", "t2v:64", kImage, {}, "activation=sigmoid"},
    {"event-mnist/lstm-t2v-64-no-linear", "t2v:64", kImage, {}, "no_linear=true"},
    {"event-mnist/lstm-t2v-64-n1", "t2v:64", kImage, {}, "omega_init=n1"},
    {"event-mnist/lstm-t2v-64-u01", "t2v:64", kImage, {}, "omega_init=u01"},
    {"event-mnist/lstm-t2v-64-hidden-128", "t2v:64", kImage, {}, {}, false},
    {"event-mnist/lstm-t2v-16", "t2v:16", kImage},
    {"event-mnist/lstm-t2v-16-equal", "t2v:16", kImage, {}, "omega_init=equal freeze=true"},
    {"event-mnist/lstm-t2v-16-positional", "t2v:16", kImage, {}, "omega_init=positional freeze=true"},
    {"spikes/lstm-t-raw", "raw", kSample, "raw"},
    {"spikes/lstm-t2v-64-raw", "t2v:64", kSample, "raw"},
    {"spikes/lstm-t-raw-clipped", "raw", kSample, "raw", "clip=1"},
    {"spikes/lstm-t2v-64-raw-clipped", "t2v:64", kSample, "raw", "clip=1"},
    {"spikes/lstm-t-binned", "raw", kFrames, "binned"},
    {"spikes/lstm-t2v-64-binned", "t2v:64", kFrames, "binned"},
    {"spikes/lstm-t-times", "raw", kFrames, "times"},
    {"spikes/lstm-t2v-64-times", "t2v:64", kFrames, "times"},
    {"stackoverflow/lstm-t-seconds", "raw", kUser, "s"},
    {"stackoverflow/lstm-t2v-64-seconds", "t2v:64", kUser, "s"},
    {"stackoverflow/lstm-t-days", "raw", kUser, "d"},
    {"stackoverflow/lstm-t2v-64-days", "t2v:64", kUser, "d"},
    {"stackoverflow/lstm-t-given", "raw", kUser, "d", kGiven},
    {"stackoverflow/lstm-t2v-64-given", "t2v:64", kUser, "d", kGiven},
};

/// 'a=1 b=2', option by option.
void set_options(TrainConfig& config, std::string_view settings) {
  const OptionTable table = options_of(config);
  while (!settings.empty()) {
    const std::string_view one = settings.substr(0, settings.find(' '));
    const std::size_t equals = one.find('=');
    table.set(one.substr(0, equals), std::string(one.substr(equals + 1)));
    settings.remove_prefix(std::min(one.size() + 1, settings.size()));
  }
}

TrainingSpec spec_of(const Series& series, const Home& home, const Plan& plan) {
  TrainingSpec spec;
  spec.home = home.name;
  spec.model = series.name.substr(home.name.size() + 1);
  const Counts counts = plan.scale == Scale::kSmoke   ? home.smoke
                        : plan.scale == Scale::kQuick ? home.quick
                                                      : Counts{0, 0};
  spec.data.set = home.set;
  spec.data.train = counts.train;
  spec.data.test = counts.test;
  if (home.set == "spikes") spec.data.form = series.view;
  if (home.set == "stackoverflow") spec.data.unit = series.view;
  spec.data.made = plan.is_made(home.set);
  spec.train = paper_training();
  spec.train.task = home.task;
  spec.train.batch = home.batch;
  spec.train.hidden = home.hidden;
  spec.train.time = series.time;
  set_options(spec.train, series.settings);
  spec.like_raw_hidden = series.time == "raw" || !series.as_many_parameters ? 0 : home.hidden;
  return spec;
}

}  // namespace

std::optional<Run> trained_run(std::string_view name, int64_t epochs, uint64_t seed, const Plan& plan) {
  const auto* series = std::ranges::find(kSeries, name, &Series::name);
  if (series == std::end(kSeries)) return std::nullopt;
  const auto* home = std::ranges::find(kHomes, name.substr(0, name.find('/')), &Home::name);
  const TrainingSpec spec = spec_of(*series, *home, plan);
  const auto train = spec.data.train > 0 ? spec.data.train : home->all.train;
  const auto test = spec.data.test > 0 ? spec.data.test : home->all.test;
  return training_run(spec, plan.scale, epochs, seed, series->events * static_cast<double>(train),
                      series->events * static_cast<double>(test));
}

Run run_of(std::string_view name, int64_t epochs, uint64_t seed, const Plan& plan) {
  for (const auto make : {trained_run, toy_run, recommendation_run}) {
    if (std::optional<Run> run = make(name, epochs, seed, plan)) return *std::move(run);
  }
  fail("there is no run '{}'", name);
}

}  // namespace t2v::paper
