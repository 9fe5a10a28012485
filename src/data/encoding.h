#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/events.h"
#include "data/pieces.h"
#include "data/typed_values.h"

namespace t2v::data {

/// What of a data set a model is to see. The single source of the options' names and defaults.
struct EncodingConfig {
  int64_t vocabulary = 0;            // so many of the most frequent event types, 0 for all
  bool vocabulary_from_all = false;  // count types over the whole data set instead of the training pieces
  int64_t categories = 256;          // so many of the most frequent values of each further category
  /// A place for what is not known: if-needed (where the data set has such values), always, or never (then
  /// they are an error).
  std::string unknown = "if-needed";
  bool value = true;                        // whether the value of an event is among its features
  std::vector<std::string> leave_out = {};  // columns that are not to be features
};

/// Names with codes 0, 1, ... The last code, if `unknown`, stands for all other names.
struct Vocabulary {
  std::vector<std::string> names;
  bool unknown = false;
  int64_t unknown_train = 0;  // how many entries of the training pieces it stands for
  int64_t unknown_other = 0;  // how many of the rest of the data set

  int64_t size() const { return static_cast<int64_t>(names.size()) + (unknown ? 1 : 0); }
  int32_t unknown_code() const { return unknown ? static_cast<int32_t>(names.size()) : -1; }
  bool operator==(const Vocabulary&) const = default;
};

/// A number becomes (number - mean) / std, and where there is none 0.
struct NumberFeature {
  std::string name;
  double mean = 0;
  double std = 1;
  bool flag = false;  // a second feature: 1 where there is none
  int64_t empty = 0;  // how many of the whole data set

  /// How many numbers it becomes.
  int64_t width() const { return flag ? 2 : 1; }
  /// Writes x, NaN for none, to `width` zeros.
  void encode(float* out, double x) const {
    if (!std::isnan(x)) {
      out[0] = static_cast<float>((x - mean) / std);
    } else if (flag) {
      out[1] = 1;
    }
  }
  bool operator==(const NumberFeature&) const = default;
};

/// A category becomes one of its vocabulary's codes, as a row of zeros and a one.
struct CategoryFeature {
  std::string name;
  Vocabulary vocabulary;

  bool operator==(const CategoryFeature&) const = default;
};

/// How the columns of a data set become the inputs of a model: learned from the training pieces, stored with
/// the model, and good for any data set with the same columns. The features of an event are, in this order:
/// its value, its numbers, its categories, then those of its sequence.
struct Encoding {
  std::optional<Vocabulary> event;  // most frequent first
  std::optional<NumberFeature> value;
  std::vector<NumberFeature> numbers;
  std::vector<CategoryFeature> categories;
  std::vector<NumberFeature> sequence_numbers;
  std::vector<CategoryFeature> sequence_categories;
  std::optional<Vocabulary> label;  // classes, in the order of the store
  // Mean and spread of what may be predicted, for models that predict it in standard units.
  std::optional<NumberFeature> value_scale;
  std::optional<NumberFeature> target_scale;
  /// How the values of events are seen where they belong to the types; then they are not among the features.
  std::optional<TypedValues> typed_values;
  bool together = false;  // events of one time of a sequence are one step, the sum of them

  int64_t event_types() const { return event ? event->size() : 0; }
  /// Rows of weights that events are sums of; 0 where each type is a row and each event a step.
  int64_t event_rows() const { return typed_values ? typed_values->rows() : together ? event_types() : 0; }
  int64_t classes() const { return label ? label->size() : 0; }
  /// How many numbers an event has beside its type and times.
  int64_t features() const;
  std::vector<std::string> feature_names() const;
  bool operator==(const Encoding&) const = default;
};

/// How many types are told apart unless it is said: of more than 1,000, as of items to recommend, the 5,000
/// most frequent; 0 for all.
int64_t default_vocabulary(const Events& events);

/// Each event, and each sequence, of the training pieces counts once, however often it is in them.
/// Throws t2v::Error for a configuration that does not fit the data.
Encoding learn_encoding(const Events& events, std::span<const Piece> train, const EncodingConfig& config);

/// For each code of a store's column the code of the vocabulary; -1 for a name that it has no place for.
std::vector<int32_t> codes_of(const Vocabulary& vocabulary, const Strings& names);

/// How many events of the pieces are of types that the encoding has no name for.
int64_t count_unknown(const Encoding& encoding, const Events& events, std::span<const Piece> pieces);

/// Throws t2v::Error if the label of a piece's sequence is not among the classes.
void check_labels(const Encoding& encoding, const Events& events, std::span<const Piece> pieces);

nlohmann::json to_json(const Encoding& encoding);
/// Throws t2v::Error for JSON that is not an encoding.
Encoding encoding_from_json(const nlohmann::json& json);

/// What was learned, a line for each column, for people.
std::string describe(const Encoding& encoding);

}  // namespace t2v::data
