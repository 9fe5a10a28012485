#include "data/typed_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/encoding.h"
#include "made_events.h"
#include "t2v/error.h"

namespace t2v::data {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// One sequence of events of two types: "heart" has 1, 2, ..., 101, and "drug" is skewed.
TypedValues learned(double unit, double outlier = 0) {
  std::vector<int64_t> ticks;
  std::vector<std::string> types;
  std::vector<double> values;
  for (int i = 1; i <= 101; ++i) {
    ticks.insert(ticks.end(), {i, i});
    types.insert(types.end(), {"heart", "drug"});
    values.insert(values.end(), {unit * i, std::exp(i / 10.0)});
  }
  if (outlier != 0) values[0] = outlier;
  const Events events = MadeEvents({ticks}).types(types).value(values).events();
  const std::vector<Piece> all = {{0, 0, events.size(), 0}};
  return learn_typed_values(events, all, std::vector<int32_t>{0, 1}, 2);
}

/// The weight of each row.
std::map<int32_t, float> parts_of(const TypedValues& values, int32_t type, double value) {
  std::vector<EventPart> parts;
  values.add(parts, type, value);
  std::map<int32_t, float> rows;
  for (const EventPart& part : parts) rows[part.row] += part.weight;
  return rows;
}

float score(const TypedValues& values, int32_t type, double value) {
  return parts_of(values, type, value).at(2 + type);
}

TEST(TypedValues, ScaleEachTypeByItsOwnQuantiles) {
  const TypedValues values = learned(1);
  EXPECT_EQ(values.rows(), 2 * 2 + 2 * 9);
  for (const int32_t type : {0, 1}) {
    const double median = type == 0 ? 51 : std::exp(5.1);
    EXPECT_NEAR(score(values, type, median), 0, 0.02) << type;
  }
  EXPECT_LT(score(values, 0, 10), -1);
  EXPECT_GT(score(values, 1, std::exp(9.5)), 1);
}

TEST(TypedValues, DoNotDependOnTheUnitAndHardlyOnAnOutlier) {
  const TypedValues values = learned(1);
  const TypedValues scaled = learned(1000);
  const TypedValues outlier = learned(1, -1e9);
  for (const double value : {-5.0, 1.0, 30.0, 77.7, 400.0}) {
    EXPECT_NEAR(score(values, 0, value), score(scaled, 0, 1000 * value), 1e-6);
    EXPECT_NEAR(score(values, 0, value), score(outlier, 0, value), 0.05);
  }
}

TEST(TypedValues, GiveTheTwoKnotsAroundAValueTheSameWeightTogether) {
  const TypedValues values = learned(1);
  for (const double value : {-1e300, 1.0, 44.5, 51.0, 1e300}) {
    double knots = 0;
    for (const auto& [row, weight] : parts_of(values, 0, value)) {
      EXPECT_LT(row, values.rows());
      EXPECT_TRUE(std::isfinite(weight));
      knots += row >= 4 ? weight : 0;
    }
    EXPECT_NEAR(knots, kKnotWeight, 1e-6) << value;
  }
}

TEST(TypedValues, KnowThatThereIsNoValue) {
  const TypedValues values = learned(1);
  EXPECT_EQ(parts_of(values, 1, kNoValue), (std::map<int32_t, float>{{1, 1.0F}}));
  EXPECT_GT(parts_of(values, 1, 3).size(), 1);
}

TEST(TypedValues, TakeATypeWithoutAnyValueAndOneWithASingleOne) {
  const Events events = MadeEvents({{1, 2, 3}}).types({"a", "b", "b"}).value({kNoValue, 7, 7}).events();
  const std::vector<Piece> all = {{0, 0, 3, 0}};
  const TypedValues values = learn_typed_values(events, all, std::vector<int32_t>{0, 1}, 2);
  EXPECT_EQ(parts_of(values, 0, 5), (std::map<int32_t, float>{{0, 1.0F}}));
  EXPECT_EQ(parts_of(values, 1, 1e9),
            (std::map<int32_t, float>{{1, 1.0F}, {3, 0.0F}, {4, static_cast<float>(kKnotWeight)}}));
}

TEST(TypedValues, AreTheSameAfterReadingTheirText) {
  const TypedValues values = learned(1);
  EXPECT_EQ(typed_values_from_json(nlohmann::json::parse(to_json(values).dump())), values);
}

TEST(TypedValues, ThatMakeNoSenseAreRefused) {
  const auto refused = [](const std::vector<double>& knots, const std::vector<double>& scores) {
    EXPECT_THROW(TypedValues("x", {{knots, scores}}), Error);
  };
  refused({1, 1}, {0, 1});
  refused({1, 2}, {0});
  refused({2, 1}, {0, 1});
  refused({1, kNoValue}, {0, 1});
  refused(std::vector<double>(100, 1), std::vector<double>(100, 1));
}

TEST(Encoding, WithTypedValuesIsTheSameAfterReadingItsText) {
  Encoding encoding;
  encoding.event = Vocabulary{{"heart", "drug"}, false, 0, 0};
  encoding.typed_values = learned(1);
  encoding.together = true;
  EXPECT_EQ(encoding.event_rows(), encoding.typed_values->rows());
  EXPECT_EQ(encoding_from_json(to_json(encoding)), encoding);
  encoding.typed_values.reset();
  EXPECT_EQ(encoding.event_rows(), 2);
  encoding.together = false;
  EXPECT_EQ(encoding.event_rows(), 0);
}

}  // namespace
}  // namespace t2v::data
