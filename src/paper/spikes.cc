#include "base/fail.h"
#include "paper/comparison.h"
#include "paper/experiment.h"
#include "paper/figures.h"
#include "paper/lstm_models.h"
#include "paper/training_run.h"

// Fig. 1b: spoken digits from spikes, and its two variants (Appendix B).
namespace t2v::paper {
namespace {

constexpr int64_t kHidden = 64;
constexpr int64_t kBatch = 128;
constexpr int64_t kBestBatch = 32;
constexpr int64_t kTrainSamples = 2464;
constexpr int64_t kTestSamples = 2486;
/// How far accuracies may be apart for 'on par' on frames: 300 test samples tell no less.
constexpr double kFramesOnPar = 0.02;

struct Form {
  const char* name;  // raw, binned or times
  const char* describes;
  double events;  // of a sample, about
  int64_t paper_epochs;
};
constexpr Form kForms[] = {{"raw", "raw spikes", 1114, 200},
                           {"binned", "frames of 100 spikes", 12, 200},
                           {"times", "times of the frames alone", 12, 1000}};

std::string model_of(const std::string& time, const Form& form) { return lstm_model(time, form.name); }

Sizes sizes_of(const Form& form, const Plan& plan) {
  const int64_t quick = std::string_view(form.name) == "raw" ? 8 : 30;
  Sizes sizes = plan.of({40, 20, 2, 2}, {600, 300, quick, 3}, {0, 0, form.paper_epochs, 5});
  // One form takes longer to converge, and the paper gives it more epochs than the others.
  if (plan.epochs > 0) sizes.epochs = plan.epochs * form.paper_epochs / kForms[0].paper_epochs;
  return sizes;
}

TrainingSpec spec_of(const std::string& time, const Form& form, const Plan& plan) {
  const Sizes sizes = sizes_of(form, plan);
  TrainingSpec spec;
  spec.home = "spikes";
  spec.model = model_of(time, form);
  spec.data.set = "spikes";
  spec.data.train = sizes.train;
  spec.data.test = sizes.test;
  spec.data.form = form.name;
  spec.data.made = plan.is_made("spikes");
  const bool best = plan.protocol == Protocol::kBest;
  spec.train = best ? best_lstm_training() : paper_training();
  spec.train.task = "classify";
  spec.train.batch = best ? kBestBatch : kBatch;
  spec.train.hidden = kHidden;
  spec.train.time = time;
  spec.like_raw_hidden = time == "raw" ? 0 : kHidden;
  return spec;
}

std::vector<Run> runs(const Plan& plan) {
  std::vector<Run> all;
  for (const Form& form : kForms) {
    const Sizes sizes = sizes_of(form, plan);
    const auto train = static_cast<double>(sizes.train > 0 ? sizes.train : kTrainSamples);
    const auto test = static_cast<double>(sizes.test > 0 ? sizes.test : kTestSamples);
    for (int64_t seed = 1; seed <= sizes.seeds; ++seed) {
      for (const char* time : kLstmTimes) {
        all.push_back(training_run(spec_of(time, form, plan), plan, sizes.epochs, static_cast<uint64_t>(seed),
                                   form.events * train, form.events * test));
      }
    }
  }
  return all;
}

void add_form(Findings& found, const Form& form, const FinishedRuns& runs) {
  const bool raw = std::string_view(form.name) == "raw";
  const ModelRuns& plain = runs.of(model_of("raw", form));
  const ModelRuns& k64 = runs.of(model_of("t2v:64", form));
  const ModelRuns& k32 = runs.of(model_of("t2v:32", form));
  const ModelRuns& k16 = runs.of(model_of("t2v:16", form));
  const std::vector<Line> lines = {
      {"LSTM+T", &plain, raw ? &published_curve("1b", "LSTM+T") : nullptr},
      {"LSTM+T2V, k = 16", &k16},
      {"LSTM+T2V, k = 32", &k32},
      {"LSTM+T2V, k = 64", &k64, raw ? &published_curve("1b", "LSTM+T2V") : nullptr, kPapersBest}};
  const std::string id = std::string("spikes-") + form.name;
  const std::string title = std::string("Spoken digits, ") + form.describes;
  found.figures.push_back(
      curves_figure(id + "-accuracy", "Test accuracy, " + title, "accuracy", "test accuracy", lines));
  found.tables.push_back(models_table(id + "-models", title, lines, {"accuracy", "log_loss"}));
  if (raw)
    found.tables.push_back(periods_table(id + "-periods", "Learned periods, " + title, "seconds", lines));
  const auto add = [&](Verdict verdict) { found.verdicts.push_back(std::move(verdict)); };
  if (raw) {
    add(better({"Time2Vec beats raw time on spikes", "Q1, Section 5.1, Fig. 1b",
                against(published_curve("1b", "LSTM+T2V"), published_curve("1b", "LSTM+T"), k64.epochs),
                Tally::kTime},
               k64, plain, "accuracy"));
    add(less_spread({"Time2Vec varies less from run to run on spikes", "Section 5.1, Fig. 1b",
                     "from 0.40 to 0.60 against from 0.19 to 0.48"},
                    k64, plain, "accuracy"));
    for (const auto& [k, other] : {std::pair{16, &k16}, std::pair{32, &k32}}) {
      add(better_or_on_par({fmt::format("64 sines are better than {} on spikes, or on par", k), "Appendix B",
                            "in most cases", Tally::kSines},
                           k64, *other, "accuracy"));
    }
  } else if (std::string_view(form.name) == "binned") {
    add(same({"on frames of spikes both are on par", "Appendix B", "on par"}, k64, plain, "accuracy",
             kFramesOnPar));
  } else {
    add(better({"with the times of frames alone Time2Vec is better", "Appendix B, Fig. 6", "better"}, k64,
               plain, "accuracy"));
  }
}

Findings findings(const Plan&, const FinishedRuns& runs) {
  Findings found;
  for (const Form& form : kForms) add_form(found, form, runs);
  found.notes = {"Times are seconds since the first spike of a sample; the channel is one of 64 types.",
                 "The counts of a frame are standardised by those of the training samples."};
  return found;
}

}  // namespace

Experiment spikes() {
  return {"spikes",   "Spoken digits from spikes",         "Fig. 1b, Fig. 6",
          {"spikes"}, {Protocol::kPaper, Protocol::kBest}, runs,
          findings};
}

}  // namespace t2v::paper
