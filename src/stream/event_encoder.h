#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/names.h"
#include "model/trained_model.h"

namespace t2v {

/// A column that a model needs of each event beside its type.
struct FeatureColumn {
  std::string name;
  bool number;  // else a category
};

/// A cell of such a column: a number (NaN for none) or a name (an empty one is a name too).
struct FeatureCell {
  double number = std::numeric_limits<double>::quiet_NaN();
  std::string_view name = {};
};

/// Turns the cells of one event into the inputs of a model, as data::Batches does for a data set.
class EventEncoder {
 public:
  explicit EventEncoder(const TrainedModel& model);

  /// The columns of the features: those of sequences are the last, and are given with each event too.
  const std::vector<FeatureColumn>& columns() const { return columns_; }
  int64_t features() const { return features_; }

  struct Encoded {
    int32_t event;
    bool unknown;  // the type, or a category, is one that the model has not met
  };
  /// Writes features [F]. Throws t2v::Error for a name that the model has no place for, and for a number that
  /// is not finite or far too large.
  Encoded encode(std::span<float> features, std::string_view event,
                 std::span<const FeatureCell> cells) const {
    std::vector<EventPart> parts;
    return encode(features, parts, event, cells);
  }
  /// The same; writes also what the event is the sum of, for models whose events are sums of rows.
  Encoded encode(std::span<float> features, std::vector<EventPart>& parts, std::string_view event,
                 std::span<const FeatureCell> cells) const;

 private:
  struct Place {
    int64_t at = 0;               // first of its features
    data::NumberFeature feature;  // of a number
    data::Names names;            // of a category
    int32_t unknown = -1;         // its code, -1 for none
  };

  void add_number(const data::NumberFeature& feature);
  void add_category(const data::CategoryFeature& feature);
  static void encode_number(std::span<float> features, const Place& place, double x);

  bool has_events_;
  data::Names events_;
  bool sums_;                                      // events are sums of rows
  std::optional<data::TypedValues> typed_values_;  // their values are the first column
  int32_t unknown_event_ = -1;
  std::vector<FeatureColumn> columns_;
  std::vector<Place> places_;  // of each column
  int64_t features_ = 0;
};

}  // namespace t2v
