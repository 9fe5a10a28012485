#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace t2v::paper {

/// How much is run. smoke: everything within two minutes, to see that it works. quick: everything within an
/// hour on two cores, to see large effects. paper: the sizes and epochs of the paper.
enum class Scale : uint8_t { kSmoke, kQuick, kPaper };

/// Which reading of the paper. paper: what it writes. as-coded: what the released Time-LSTM code does, for
/// the recommendations. best: how far each model really gets; scaled time, a good start, validation.
enum class Protocol : uint8_t { kPaper, kAsCoded, kBest };

std::string_view name_of(Scale scale);
std::string_view name_of(Protocol protocol);
/// By name; throws t2v::Error that lists the names.
Scale scale_from(std::string_view name);
Protocol protocol_from(std::string_view name);

/// Training sequences, test sequences (0 for all), epochs and seeds of an experiment at a scale.
struct Sizes {
  int64_t train;
  int64_t test;
  int64_t epochs;
  int64_t seeds;
};

/// What a person asks for.
struct Plan {
  Scale scale = Scale::kQuick;
  Protocol protocol = Protocol::kPaper;
  int64_t seeds = 0;                     // 0: by the scale
  int64_t epochs = 0;                    // 0: by the scale
  std::vector<std::string> models = {};  // which to train; none: all
  std::vector<std::string> made = {};    // data sets that made data stand in for
  /// Choices that differ from the protocol's, by name: of recommendations (RecommendationConfig), of all else
  /// but toy (TrainConfig).
  std::map<std::string, std::string> settings = {};

  /// Those of the scale, with what was asked for instead.
  Sizes of(const Sizes& smoke, const Sizes& quick, const Sizes& paper) const;
  bool wants(std::string_view model) const;
  bool is_made(std::string_view data_set) const;
};

}  // namespace t2v::paper
