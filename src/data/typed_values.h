#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/packed_batch.h"
#include "data/events.h"
#include "data/pieces.h"

namespace t2v::data {

/// How the values of one type of event are seen: between quantiles of the training values, so that neither
/// the unit, nor skew, nor outliers matter. Without knots there were no values.
struct ValueScale {
  std::vector<double> knots;   // ascending
  std::vector<double> scores;  // what a normal distribution has there

  bool operator==(const ValueScale&) const = default;
};

/// Values that belong to the types of events, as in a long table: each type has a scale and weights of its
/// own. Of V types, row v says that an event is of type v, with or without a value; row V + v is weighted by
/// the value's score; the rows after 2 V are those of the knots, of which a value has the two around it, each
/// by how near it is.
class TypedValues {
 public:
  TypedValues() = default;
  /// Of the column `name`. Throws t2v::Error for scales that make no sense.
  TypedValues(std::string name, std::vector<ValueScale> scales);

  const std::string& name() const { return name_; }
  const std::vector<ValueScale>& scales() const { return scales_; }
  /// Rows of weights in all.
  int64_t rows() const { return rows_; }
  /// Adds what an event of a type with a value (NaN for none) is made of.
  void add(std::vector<EventPart>& parts, int32_t type, double value) const;

  bool operator==(const TypedValues& other) const { return name_ == other.name_ && scales_ == other.scales_; }

 private:
  std::string name_;
  std::vector<ValueScale> scales_;   // of each type
  std::vector<int64_t> first_knot_;  // row of each type's first knot
  int64_t rows_ = 0;
};

/// Adds what an event is the sum of: its type's row alone where there are no such values.
inline void add_parts(std::vector<EventPart>& parts, const std::optional<TypedValues>& values, int32_t type,
                      double value) {
  values ? values->add(parts, type, value) : parts.push_back({type, 1});
}

/// Less than for the score: rows of knots are many, and few values teach each.
inline constexpr double kKnotWeight = 0.3;
/// So many types, and no more, have scales of their own.
inline constexpr int64_t kMostTypedValues = 1000;

/// Learns the scales from the values of each type: `codes` of the events (those of the vocabulary, by the
/// store's code), `types` codes in all.
TypedValues learn_typed_values(const Events& events, std::span<const Piece> train,
                               std::span<const int32_t> codes, int64_t types);

nlohmann::json to_json(const TypedValues& values);
/// Throws t2v::Error or nlohmann's exception for JSON that is none.
TypedValues typed_values_from_json(const nlohmann::json& json);

}  // namespace t2v::data
