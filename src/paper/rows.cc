#include "paper/rows.h"

#include <algorithm>
#include <string>

#include "base/fail.h"
#include "base/text_check.h"
#include "paper/published.h"

namespace t2v::paper {
namespace {

constexpr std::string_view kAccuracy = "accuracy";
constexpr std::string_view kRecall = "recall@10";
constexpr std::string_view kPerfect = "perfect";
constexpr std::string_view kNoItemRepeats =
    "no item repeats in the stand-in, and every Time-LSTM ends near chance";
constexpr int64_t kToyEpochs = 10000;
constexpr Size kToyQuick = {6000, 12};

using Runs = std::vector<std::string_view>;

std::vector<Row> event_mnist() {
  const std::string_view sine = "event-mnist/lstm-t2v-64";
  const std::string_view learned = "event-mnist/lstm-t2v-16";
  const Runs both = {sine, "event-mnist/lstm-t"};
  const Published curve = {"1a", "LSTM+T2V", "LSTM+T"};
  const auto function = [&](std::string_view id, std::string_view claim, std::string_view run,
                            std::string_view name, Size quick) {
    return Row{id,          claim,   "Fig. 5a",           "mnist", Kind::kDifference, kAccuracy,
               {sine, run}, {50, 5}, {"5a", "sin", name}, quick};
  };
  const auto frequencies = [&](std::string_view id, std::string_view claim, std::string_view run,
                               std::string_view name, Size paper) {
    return Row{id,
               claim,
               "Fig. 5b",
               "mnist",
               Kind::kDifference,
               kAccuracy,
               {learned, run},
               paper,
               {"5b", "learned", name}};
  };
  std::vector<Row> all = {
      {"1a",
       "Time2Vec beats raw time on Event-MNIST",
       "Fig. 1a",
       "mnist",
       Kind::kDifference,
       kAccuracy,
       both,
       {50, 5},
       curve,
       {8, 5}},
      {"1a-200",
       "the same at the paper's length",
       "Fig. 1a",
       "mnist",
       Kind::kDifference,
       kAccuracy,
       both,
       {200, 3},
       curve},
      function("5a-triangle", "the sine beats the triangle", "event-mnist/lstm-t2v-64-triangle", "triangle",
               {}),
      function("5a-mod", "the sine beats mod", "event-mnist/lstm-t2v-64-mod", "mod", {}),
      function("5a-sigmoid", "the sine beats the sigmoid", "event-mnist/lstm-t2v-64-sigmoid", "sigmoid",
               {8, 5}),
      frequencies("5b-equal", "learned frequencies beat equally spaced ones", "event-mnist/lstm-t2v-16-equal",
                  "equal", {50, 5}),
      frequencies("5b-positional", "learned frequencies beat those of the positional encoding",
                  "event-mnist/lstm-t2v-16-positional", "positional", {50, 5}),
      {"5.6",
       "without the linear term Event-MNIST does not change",
       "Section 5.6",
       "mnist",
       Kind::kParity,
       kAccuracy,
       {sine, "event-mnist/lstm-t2v-64-no-linear"},
       {50, 5}},
      frequencies("5b-positional-15", "the same, carried over from shorter runs",
                  "event-mnist/lstm-t2v-16-positional", "positional", {15, 5}),
      {"why",
       "why Time2Vec learns faster here than published",
       "Fig. 1a",
       "mnist",
       Kind::kRuns,
       kAccuracy,
       {"event-mnist/lstm-t2v-64-n1", "event-mnist/lstm-t2v-64-u01", "event-mnist/lstm-t2v-64-no-linear",
        "event-mnist/lstm-t2v-64-hidden-128"},
       {10, 1}},
  };
  for (Row& row : all) row.beside = row.id == "5b-positional-15" || row.id == "why";
  return all;
}

std::vector<Row> spikes() {
  const Published curve = {"1b", "LSTM+T2V", "LSTM+T"};
  return {{"1b",
           "Time2Vec beats raw time on spikes",
           "Fig. 1b",
           "spikes",
           Kind::kDifference,
           kAccuracy,
           {"spikes/lstm-t2v-64-raw", "spikes/lstm-t-raw"},
           {100, 5},
           curve},
          {.id = "1b-clipped",
           .claim = "the same with gradients clipped at 1",
           .where = "Fig. 1b",
           .data = "spikes",
           .measure = kAccuracy,
           .runs = {"spikes/lstm-t2v-64-raw-clipped", "spikes/lstm-t-raw-clipped"},
           .paper = {100, 5},
           .published = curve,
           .beside = true},
          {.id = "B-frames",
           .claim = "on frames of 100 spikes both are on par",
           .where = "Appendix B",
           .data = "spikes",
           .kind = Kind::kParity,
           .measure = kAccuracy,
           .runs = {"spikes/lstm-t2v-64-binned", "spikes/lstm-t-binned"},
           .paper = {100, 8},
           .beside = true},
          {.id = "B-times",
           .claim = "with the times of frames alone Time2Vec is better",
           .where = "Appendix B",
           .data = "spikes",
           .measure = kAccuracy,
           .runs = {"spikes/lstm-t2v-64-times", "spikes/lstm-t-times"},
           .paper = {500, 8},
           .beside = true}};
}

std::vector<Row> stack_overflow() {
  const auto row = [](std::string_view id, std::string_view claim, const Runs& runs) {
    return Row{id,
               claim,
               "Fig. 1c",
               "stackoverflow",
               Kind::kDifference,
               "recall@3",
               runs,
               {100, 8},
               {"1c", "LSTM+T2V", "LSTM+T"}};
  };
  return {
      row("1c-seconds", "Time2Vec beats raw time on Stack Overflow, in seconds",
          {"stackoverflow/lstm-t2v-64-seconds", "stackoverflow/lstm-t-seconds"}),
      row("1c-days", "the same, in days", {"stackoverflow/lstm-t2v-64-days", "stackoverflow/lstm-t-days"}),
      row("1c-given", "the same, in days, with the time of the next badge given",
          {"stackoverflow/lstm-t2v-64-given", "stackoverflow/lstm-t-given"})};
}

/// A pair on Last.FM by the protocol that counts, and beside it by two others.
void add_lastfm(std::vector<Row>& all, const std::vector<std::string_view>& ids, std::string_view claim,
                std::string_view where, const std::vector<Runs>& runs, const Published& curve) {
  const std::string_view claims[] = {claim, "the same under the protocol `paper`, in seconds",
                                     "the same under the protocol `paper`, in days"};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    all.push_back({.id = ids[i],
                   .claim = claims[i],
                   .where = where,
                   .data = "lastfm",
                   .measure = kRecall,
                   .runs = runs[i],
                   .paper = {50, 8},
                   .published = curve,
                   .beside = i > 0});
  }
}

void add_citeulike(std::vector<Row>& all, std::string_view id, std::string_view claim, std::string_view where,
                   const Runs& runs, const Published& curve) {
  all.push_back({.id = id,
                 .claim = claim,
                 .where = where,
                 .data = "citeulike",
                 .measure = kRecall,
                 .runs = runs,
                 .paper = {50, 8},
                 .published = curve,
                 .beside = true,
                 .needs_items = kNoItemRepeats});
}

std::vector<Row> recommendations() {
  std::vector<Row> all;
  add_lastfm(all, {"1d", "1d-paper", "1d-days"}, "Time2Vec improves LSTM+T on Last.FM", "Fig. 1d",
             {{"lastfm/lstm-t2v-64-as-coded", "lastfm/lstm-t-as-coded"},
              {"lastfm/lstm-t2v-64-paper", "lastfm/lstm-t-paper"},
              {"lastfm/lstm-t2v-64-days", "lastfm/lstm-t-days"}},
             {"1d", "LSTM+T2V", "LSTM+T"});
  add_lastfm(all, {"2a", "2a-paper", "2a-days"}, "Time2Vec improves TLSTM1 on Last.FM", "Fig. 2a",
             {{"lastfm/tlstm1-t2v-64-as-coded", "lastfm/tlstm1-as-coded"},
              {"lastfm/tlstm1-t2v-64-paper", "lastfm/tlstm1-paper"},
              {"lastfm/tlstm1-t2v-64-days", "lastfm/tlstm1-days"}},
             {"2a", "TLSTM1+T2V", "TLSTM1"});
  add_lastfm(all, {"2c", "2c-paper", "2c-days"}, "Time2Vec improves TLSTM3 on Last.FM", "Fig. 2c",
             {{"lastfm/tlstm3-t2v-16-as-coded", "lastfm/tlstm3-as-coded"},
              {"lastfm/tlstm3-t2v-16-paper", "lastfm/tlstm3-paper"},
              {"lastfm/tlstm3-t2v-16-days", "lastfm/tlstm3-days"}},
             {"2c", "TLSTM3+T2V", "TLSTM3"});
  all.push_back({.id = "citeulike",
                 .claim = "Time2Vec improves LSTM+T, TLSTM1 and TLSTM3 on CiteULike, and TLSTM3 needs its "
                          "linear term",
                 .where = "Figs. 1e, 2b, 2d, 5d",
                 .data = "none",
                 .needs_items = kNoItemRepeats});
  const std::string_view tlstm3 = "citeulike/tlstm3-t2v-16-as-coded";
  add_citeulike(all, "1e", "Time2Vec improves LSTM+T on CiteULike", "Fig. 1e",
                {"citeulike/lstm-t2v-64-as-coded", "citeulike/lstm-t-as-coded"},
                {"1e", "LSTM+T2V", "LSTM+T"});
  add_citeulike(all, "2b", "Time2Vec improves TLSTM1 on CiteULike", "Fig. 2b",
                {"citeulike/tlstm1-t2v-64-as-coded", "citeulike/tlstm1-as-coded"},
                {"2b", "TLSTM1+T2V", "TLSTM1"});
  add_citeulike(all, "2d", "Time2Vec improves TLSTM3 on CiteULike", "Fig. 2d",
                {tlstm3, "citeulike/tlstm3-as-coded"}, {"2d", "TLSTM3+T2V", "TLSTM3"});
  add_citeulike(all, "5d", "TLSTM3 with Time2Vec needs its linear term on CiteULike", "Fig. 5d",
                {tlstm3, "citeulike/tlstm3-t2v-16-no-linear-as-coded"},
                {"5d", "TLSTM3+T2V", "TLSTM3+T2V without linear term"});
  return all;
}

std::vector<Row> toy() {
  const Published all_runs = {.number = 0.5};
  const auto share = [&](std::string_view id, std::string_view claim, std::string_view measure,
                         std::string_view run, bool beside) {
    return Row{.id = id,
               .claim = claim,
               .where = "Section 5.2",
               .data = "made",
               .kind = Kind::kShare,
               .measure = measure,
               .runs = {run},
               .paper = {kToyEpochs, 16},
               .published = all_runs,
               .quick = kToyQuick,
               .beside = beside};
  };
  const auto pair = [](std::string_view id, std::string_view claim, Kind kind, const Runs& runs,
                       Published published) {
    return Row{.id = id,
               .claim = claim,
               .where = "Section 5.2",
               .data = "made",
               .kind = kind,
               .measure = kAccuracy,
               .runs = runs,
               .paper = {kToyEpochs, 16},
               .published = published,
               .quick = kToyQuick,
               .beside = true};
  };
  return {
      share("5.2-period", "the period of 7 days is learned", "period", "toy/days", false),
      share("5.2-perfect", "all test days are classified correctly", kPerfect, "toy/days", false),
      pair("5.2-noise", "with 5 % of the labels flipped the accuracy stays the same", Kind::kParity,
           {"toy/days-noise", "toy/days"}, {}),
      pair("5.2-sigmoid", "the sine beats a sigmoid, which predicts the majority", Kind::kDifference,
           {"toy/days", "toy/days-sigmoid"}, {.number = 0.141}),
      share("5.2-full", "all test days are classified correctly in full batches", kPerfect, "toy/days-full",
            true),
      share("5.2-u01", "all test days are classified correctly from U(0, 1)", kPerfect, "toy/days-u01", true),
      share("5.2-n01", "all test days are classified correctly from N(0, 0.1)", kPerfect, "toy/days-n01",
            true),
  };
}

/// Those of the page in the order of the paper's figures, then those beside them.
std::vector<Row> all_rows() {
  std::vector<Row> all;
  for (const auto& part : {event_mnist(), spikes(), stack_overflow(), recommendations(), toy()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  const auto place = [](const Row& row) {
    const bool later = row.id.starts_with("5a") || row.id.starts_with("5b") || row.id == "5.6";
    return row.beside ? 3 : row.where == "Section 5.2" ? 2 : later ? 1 : 0;
  };
  std::ranges::stable_sort(all, {}, place);
  return all;
}

/// The value of a curve between the points that were read off it; its last one after them.
std::optional<double> value_at(const PublishedCurve& curve, double epoch) {
  const auto next = std::ranges::lower_bound(curve.epochs, epoch);
  const auto i = static_cast<std::size_t>(next - curve.epochs.begin());
  if (next == curve.epochs.end()) return curve.values.back();
  if (*next == epoch) return curve.values[i];
  if (i == 0) return std::nullopt;
  const double part = (epoch - curve.epochs[i - 1]) / (curve.epochs[i] - curve.epochs[i - 1]);
  return curve.values[i - 1] + part * (curve.values[i] - curve.values[i - 1]);
}

}  // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = all_rows();
  return kRows;
}

const Row& row_from(std::string_view id) {
  std::string ids;
  for (const Row& row : rows()) {
    if (row.id == id) return row;
    ids += std::string(row.id) + ", ";
  }
  fail("there is no row '{}'; there is: {}all", shown(id), ids);
}

Size size_of(const Row& row, Scale scale) {
  if (scale == Scale::kPaper || row.runs.empty()) return row.paper;
  return scale == Scale::kQuick ? row.quick : Size{2, 2};
}

int64_t epochs_that_count(int64_t epochs) { return epochs < 50 ? (epochs + 4) / 5 : 10; }

std::optional<double> published_difference(const Row& row, int64_t epochs) {
  if (row.published.figure.empty()) return row.published.number;
  const PublishedCurve& a = published_curve(row.published.figure, row.published.a);
  const PublishedCurve& b = published_curve(row.published.figure, row.published.b);
  double sum = 0;
  for (int64_t epoch = epochs - epochs_that_count(epochs) + 1; epoch <= epochs; ++epoch) {
    const auto x = value_at(a, static_cast<double>(epoch));
    const auto y = value_at(b, static_cast<double>(epoch));
    if (!x || !y) return std::nullopt;
    sum += *x - *y;
  }
  return sum / static_cast<double>(epochs_that_count(epochs));
}

}  // namespace t2v::paper
