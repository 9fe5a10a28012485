#include "model/learned_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "data/human_time.h"
#include "nn/frequency.h"

namespace t2v {
namespace {

using nn::Activation;
using Json = nlohmann::json;
using std::numbers::pi;

bool is_periodic(Activation activation) {
  return activation == Activation::kSin || activation == Activation::kCos ||
         activation == Activation::kTriangle || activation == Activation::kMod;
}

/// The norms of the rows of all weights that leave an encoder: [width].
std::vector<double> importances(const Model& model, const nn::Parameters<float>& parameters,
                                std::size_t encoder) {
  std::vector<double> squares(static_cast<std::size_t>(model.times().encoders()[encoder].width()));
  for (const Model::TimeWeight& weight : model.time_weights()) {
    if (weight.encoder != encoder) continue;
    const nn::Tensor& tensor = model.layout()[weight.tensor];
    for (int64_t i = 0; i < tensor.size(); ++i) {
      const double w = parameters.data(tensor)[i];
      squares[static_cast<std::size_t>(i / tensor.cols)] += w * w;
    }
  }
  for (double& square : squares) square = std::sqrt(square);
  return squares;
}

/// The frequency as the grid lets it be known, and the phase of the same function at that frequency.
nn::Folded fold(Activation activation, double omega, double phi, double grid) {
  // fold() is about sines, of which a cosine is one a quarter turn ahead. A saw tooth that runs backwards is
  // the negative of one that runs forwards, not its mirror image by half a turn.
  const double ahead = activation == Activation::kCos ? pi / 2 : 0;
  nn::Folded folded = nn::fold(omega, phi + ahead, 1, grid);
  if (activation == Activation::kMod) {
    const bool turned = (grid > 0 ? std::remainder(omega, 2 * pi / grid) : omega) < 0;
    folded.phi = turned ? -phi : phi;
  }
  folded.phi = std::remainder(folded.phi - ahead, 2 * pi);
  return folded;
}

LearnedTerm term_of(Activation activation, double omega, double phi, double grid) {
  const bool periodic = is_periodic(activation);
  const double turn = periodic ? 2 * pi : 1;
  LearnedTerm term{};
  term.omega = omega;
  term.phi = phi;
  term.period = turn / std::abs(omega);
  const nn::Folded folded = periodic ? fold(activation, omega, phi, grid) : nn::Folded{std::abs(omega), phi};
  term.folded_omega = folded.omega;
  term.folded_period = turn / folded.omega;
  term.phase = folded.phi;
  return term;
}

LearnedEncoder encoder_of(const TrainedModel& trained, const Model& model, std::size_t number) {
  const nn::TimeEncoder& encoder = model.times().encoders()[number];
  const nn::TimeEncoderConfig& config = encoder.config();
  LearnedEncoder learned{number, config.input, config.activation, is_periodic(config.activation), {}, {}};
  const double* omega = trained.parameters.wide_data(model.layout()[encoder.omega()]);
  const double* phi = trained.parameters.wide_data(model.layout()[encoder.phi()]);
  const std::vector<double> importance = importances(model, trained.parameters, number);
  if (config.linear) learned.line = {omega[0], phi[0], importance[0]};
  for (int64_t i = encoder.first_periodic(); i < encoder.width(); ++i) {
    LearnedTerm term = term_of(config.activation, omega[i], phi[i], trained.times.grid);
    term.entry = i;
    term.importance = importance[static_cast<std::size_t>(i)];
    learned.terms.push_back(term);
  }
  std::ranges::stable_sort(learned.terms, std::ranges::greater(), &LearnedTerm::importance);
  return learned;
}

// --- as JSON and CSV ---

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json json_of(const LearnedTerm& term, bool periodic) {
  Json json = {{"entry", term.entry},
               {"omega", term.omega},
               {"phi", term.phi},
               {"importance", term.importance},
               {periodic ? "period" : "scale", finite(term.period)}};
  if (!periodic) return json;
  json["folded_omega"] = term.folded_omega;
  json["folded_period"] = finite(term.folded_period);
  json["phase"] = term.phase;
  return json;
}

std::string csv_number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : ""; }

// --- for people ---

/// 3 digits, also where the last ones are zeros.
std::string three_digits(double x) { return fmt::format("{:.{}f}", x, x < 9.995 ? 2 : x < 99.95 ? 1 : 0); }

std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  constexpr double kDay = 86400;
  if (seconds < kMinute || seconds >= 365.25 * kDay) return data::human_duration(seconds);
  if (seconds < kHour) return three_digits(seconds / kMinute) + " min";
  return seconds < kDay ? three_digits(seconds / kHour) + " h" : three_digits(seconds / kDay) + " d";
}

/// Nothing is known about periods beyond what was seen.
std::string row_period(double period, const LearnedTime& learned) {
  if (learned.span && period > *learned.span) return "longer than the data";
  return period_text(period, learned);
}

std::string table_of(const LearnedEncoder& encoder, const LearnedTime& learned, int64_t top) {
  std::string text = fmt::format("  {:>10}  {:<20}", "importance", encoder.periodic ? "period" : "scale");
  text +=
      encoder.periodic ? fmt::format("  {:>6}  as learned\n", "phase") : fmt::format("  {:>6}\n", "phase");
  int64_t shown = 0;
  for (const LearnedTerm& term : encoder.terms) {
    if (shown++ == top) break;
    text += fmt::format("  {:>10.3g}  {:<20}  {:>6.2f}", term.importance,
                        row_period(term.folded_period, learned), term.phase);
    if (encoder.periodic) text += "  " + period_text(term.period, learned);
    text += '\n';
  }
  const auto more = static_cast<int64_t>(encoder.terms.size()) - top;
  return more > 0 ? text + fmt::format("  and {} more\n", more) : text;
}

/// Frequencies in equal bins from 0 to the largest, a bar for each bin; no more bins than frequencies.
std::string histogram_of(const LearnedEncoder& encoder, const LearnedTime& learned) {
  constexpr std::size_t kMostBins = 8;
  constexpr int64_t kWidest = 40;
  double largest = 0;
  for (const LearnedTerm& term : encoder.terms) largest = std::max(largest, term.folded_omega);
  if (largest == 0) return "";
  const std::size_t bins = std::min(kMostBins, encoder.terms.size());
  std::vector<int64_t> counts(bins);
  for (const LearnedTerm& term : encoder.terms) {
    const auto bin = static_cast<std::size_t>(term.folded_omega / largest * static_cast<double>(bins));
    ++counts[std::min(bin, bins - 1)];
  }
  const int64_t most = *std::ranges::max_element(counts);
  const double width = largest / (2 * pi) / static_cast<double>(bins);
  std::string text = fmt::format("  frequencies, in periods per {}\n",
                                 learned.seconds_per_unit ? learned.unit : "unit of the data");
  for (std::size_t i = 0; i < bins; ++i) {
    const int64_t bar = most <= kWidest ? counts[i] : (counts[i] * kWidest + most - 1) / most;
    text += fmt::format("  {:>9.4g} to {:<9.4g} {} {}\n", width * static_cast<double>(i),
                        width * static_cast<double>(i + 1), std::string(static_cast<std::size_t>(bar), '#'),
                        counts[i]);
  }
  return text;
}

/// Whether a period stands out, as a sentence.
std::string standing_text(const LearnedEncoder& encoder, const LearnedTime& learned) {
  constexpr std::size_t kMost = 5;
  const std::size_t count = standing_out(encoder);
  if (!learned.trained) return "  nothing was learned yet: these are the periods that it starts from\n";
  if (count == 0) {
    return fmt::format("  no period stands out: none is {} times as important as the median\n", kStandsOut);
  }
  std::string periods;
  for (std::size_t i = 0; i < std::min(count, kMost); ++i) {
    periods += (i == 0 ? "" : ", ") + row_period(encoder.terms[i].folded_period, learned);
  }
  if (count > kMost) periods += fmt::format(" and {} more", count - kMost);
  return fmt::format("  {} out, at least {} times as important as the median: {}\n",
                     count == 1 ? "one period stands" : "periods that stand", kStandsOut, periods);
}

std::string line_text(const LearnedLine& line, const LearnedTime& learned) {
  return fmt::format("  linear term: slope {:.4g} per {}, importance {:.3g}\n", line.slope,
                     learned.seconds_per_unit ? learned.unit : "unit of the data", line.importance);
}

/// Whether a training record, which may lack anything, has an epoch.
bool was_trained(const Json& training) {
  const auto best = training.find("best_epoch");
  return best == training.end() || !best->is_number_integer() || best->get<int64_t>() > 0;
}

/// A pattern over time as one encoder: a sine and a cosine of one frequency are one sine, A sin(ωt + φ).
LearnedEncoder encoder_of(const forecast::Pattern& pattern) {
  LearnedEncoder encoder{};
  encoder.input = TimeInput::kStart;
  encoder.activation = nn::Activation::kSin;
  encoder.periodic = true;
  std::size_t at = 1;
  if (pattern.shape.trend != forecast::Trend::kNone) {
    const double half = pattern.span.length() > 0 ? pattern.span.length() / 2 : 1;
    const double slope = pattern.weights[at++] / half;
    encoder.line = LearnedLine{slope, pattern.weights[0], std::abs(slope * half)};
  }
  for (const forecast::Cycle& cycle : pattern.shape.cycles) {
    for (int64_t k = 1; k <= cycle.harmonics; ++k, at += 2) {
      const double omega = 2 * std::numbers::pi * static_cast<double>(k) / cycle.period;
      const double phi = std::atan2(pattern.weights[at + 1], pattern.weights[at]);
      const double period = 2 * std::numbers::pi / omega;
      encoder.terms.push_back({static_cast<int64_t>(at), omega, phi,
                               std::hypot(pattern.weights[at], pattern.weights[at + 1]), period, omega,
                               period, phi});
    }
  }
  std::ranges::stable_sort(encoder.terms, std::ranges::greater{}, &LearnedTerm::importance);
  return encoder;
}

}  // namespace

std::size_t standing_out(const LearnedEncoder& encoder) {
  if (!encoder.periodic || encoder.terms.empty()) return 0;
  const auto& terms = encoder.terms;
  const std::size_t half = terms.size() / 2;
  const double median = terms.size() % 2 == 1 ? terms[half].importance
                                              : (terms[half - 1].importance + terms[half].importance) / 2;
  const double least = std::max(kStandsOut * median, kNotFaint * terms.front().importance);
  std::size_t count = 0;
  while (count < terms.size() && terms[count].importance > 0 && terms[count].importance >= least) ++count;
  return count;
}

LearnedTime learned_time(const TrainedModel& trained) {
  LearnedTime learned;
  learned.unit = trained.times.view.unit;
  if (trained.times.scale.instants) {
    learned.seconds_per_unit =
        trained.times.view.ticks_per_unit * std::pow(10.0, -trained.times.scale.decimals);
  }
  learned.grid = trained.times.grid;
  learned.trained = was_trained(*trained.training);
  const auto span = trained.training->find("span");
  if (span != trained.training->end() && span->is_number()) learned.span = span->get<double>();
  if (trained.forecaster) {
    learned.trained = true;
    learned.span = trained.forecaster->pattern.span.length();
    if (!trained.forecaster->pattern.weights.empty()) {
      learned.encoders.push_back(encoder_of(trained.forecaster->pattern));
    }
    return learned;
  }
  const Model model = network_of(trained);
  for (std::size_t i = 0; i < model.times().encoders().size(); ++i) {
    if (model.times().encoders()[i].learned()) learned.encoders.push_back(encoder_of(trained, model, i));
  }
  return learned;
}

std::string period_text(double period, const LearnedTime& learned) {
  if (learned.seconds_per_unit) return duration_text(period * *learned.seconds_per_unit);
  return std::isfinite(period) ? fmt::format("{:.4g}", period) : "for ever";
}

nlohmann::json to_json(const LearnedTime& learned) {
  Json json = {{"unit", learned.unit},
               {"grid", learned.grid},
               {"trained", learned.trained},
               {"encoders", Json::array()}};
  json["seconds_per_unit"] = learned.seconds_per_unit ? Json(*learned.seconds_per_unit) : Json(nullptr);
  if (learned.span) json["span"] = *learned.span;
  for (const LearnedEncoder& encoder : learned.encoders) {
    Json one = {{"encoder", encoder.encoder},
                {"input", nn::name_of(encoder.input)},
                {"activation", nn::name_of(encoder.activation)},
                {"terms", Json::array()}};
    if (encoder.line) {
      one["linear"] = {{"slope", encoder.line->slope},
                       {"phi", encoder.line->phi},
                       {"importance", encoder.line->importance}};
    }
    for (const LearnedTerm& term : encoder.terms) one["terms"].push_back(json_of(term, encoder.periodic));
    if (encoder.periodic) {
      const auto out = static_cast<std::ptrdiff_t>(learned.trained ? standing_out(encoder) : 0);
      one["standing_out"] = Json(one["terms"].begin(), one["terms"].begin() + out);
    }
    json["encoders"].push_back(std::move(one));
  }
  return json;
}

std::string to_csv(const LearnedTime& learned) {
  std::string text =
      "encoder,input,term,entry,importance,omega,phi,period,folded_omega,folded_period,phase\n";
  for (const LearnedEncoder& encoder : learned.encoders) {
    const auto start = [&](std::string_view term) {
      return fmt::format("{},{},{}", encoder.encoder, nn::name_of(encoder.input), term);
    };
    if (const auto& line = encoder.line) {
      text += fmt::format("{},0,{},{},{},,,,\n", start("linear"), line->importance, line->slope, line->phi);
    }
    for (const LearnedTerm& term : encoder.terms) {
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", start(nn::name_of(encoder.activation)), term.entry,
                          term.importance, term.omega, term.phi, csv_number(term.period), term.folded_omega,
                          csv_number(term.folded_period), term.phase);
    }
  }
  return text;
}

std::string describe(const LearnedTime& learned, int64_t top, bool spread) {
  std::string text;
  for (const LearnedEncoder& encoder : learned.encoders) {
    text += fmt::format("time input {} ({}), {} terms {}\n", encoder.encoder, nn::name_of(encoder.input),
                        encoder.terms.size(), nn::name_of(encoder.activation));
    if (encoder.line) text += line_text(*encoder.line, learned);
    if (encoder.terms.empty()) continue;
    if (encoder.periodic) text += standing_text(encoder, learned);
    text += table_of(encoder, learned, top);
    if (!encoder.periodic || !spread) continue;
    text += histogram_of(encoder, learned);
    if (learned.grid > 0) {
      text += fmt::format(
          "  times lie on a grid of {}; periods under {} are shown as the longer ones that look the same\n",
          period_text(learned.grid, learned), period_text(2 * learned.grid, learned));
    }
  }
  return text;
}

}  // namespace t2v
