#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/trained_model.h"
#include "nn/time_encoder.h"

namespace t2v {

/// A term F(ωτ + φ) of a Time2Vec encoder. Times are in units of the model.
struct LearnedTerm {
  int64_t entry;      // of the time vector
  double omega;       // as learned
  double phi;         // as learned
  double importance;  // norm of all weights that leave it, of all layers and heads
  double period;      // 2π/|ω|, infinite for ω = 0; for F without a period its scale 1/|ω|
  // What can be told apart at times that are multiples of the grid: F(folded_omega τ + phase) is the same
  // there (-F for `mod` where the sign of ω was turned). As learned for F without a period.
  double folded_omega;   // in [0, π/grid]
  double folded_period;  // infinite for 0
  double phase;          // in [-π, π]
};

/// The linear term slope τ + φ.
struct LearnedLine {
  double slope;
  double phi;
  double importance;
};

struct LearnedEncoder {
  std::size_t encoder;  // its number among the model's time inputs
  TimeInput input;
  nn::Activation activation;
  bool periodic;  // whether F is
  std::optional<LearnedLine> line;
  std::vector<LearnedTerm> terms;  // the most important first
};

/// How many of the first terms stand out: of a periodic F, at least kStandsOut times as important as the
/// median of all, and kNotFaint times as the first. Weights that were never learned are all about alike.
std::size_t standing_out(const LearnedEncoder& encoder);
inline constexpr double kStandsOut = 1.5;
inline constexpr double kNotFaint = 0.1;

/// What a model learned about time, of all its Time2Vec encoders.
struct LearnedTime {
  std::string unit;                        // of the model: s, min, h, d, w; 1 for plain numbers
  std::optional<double> seconds_per_unit;  // none for plain numbers
  double grid = 0;                         // in units; 0 if there is none
  bool trained = true;                     // false if the training record says that no epoch was done
  std::optional<double> span;  // of the data, in units: "span" of the training record, if it is there
  std::vector<LearnedEncoder> encoders;
};

LearnedTime learned_time(const TrainedModel& trained);

/// Everything; null for what is infinite.
nlohmann::json to_json(const LearnedTime& learned);
/// A header and a line for each term, the linear ones too.
std::string to_csv(const LearnedTime& learned);
/// For people: of each encoder the `top` most important terms and, with `spread`, how its frequencies are
/// spread.
std::string describe(const LearnedTime& learned, int64_t top, bool spread = true);

/// A length of time in units of the model: '7.00 d', '23.9 h', '1.5 s' where the unit is known, else '12.3'.
std::string period_text(double period, const LearnedTime& learned);

}  // namespace t2v
