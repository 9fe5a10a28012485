#include "data/table_schema.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"

namespace t2v::data {
namespace {

std::string choice(const Texts& header, const TableOptions& options = {}, bool has_header = true) {
  return describe(choose_columns(header, has_header, options));
}

TEST(TableSchema, TakesUsualNamesBestFirst) {
  EXPECT_EQ(choice({"id", "user_id", "ts", "time", "y", "class", "action"}),
            "id 'user_id', time 'time', event 'action', value 'y', label 'class'");
  for (const std::string& id : usual_names(Role::kId))
    EXPECT_EQ(choice({"t", id}), "id '" + id + "', time 't'");
  for (const std::string& time : usual_names(Role::kTime)) {
    EXPECT_EQ(choice({"uid", time}), "id 'uid', time '" + time + "'");
  }
}

TEST(TableSchema, TakesWhatIsGivenAndLeavesOutWhatIsRefused) {
  TableOptions options;
  options.id = "-";
  options.time = "when";
  options.event = "-";
  options.value = "-";
  options.label = "-";
  EXPECT_EQ(choice({"id", "time", "event", "value", "label", "when"}, options), "time 'when'");
  options.time = "-";
  EXPECT_SAYS(complaint([&] { choice({"id", "time"}, options); }), "every event needs a time");
}

TEST(TableSchema, NeedsNoId) {
  EXPECT_EQ(choice({"date", "y"}), "time 'date', value 'y'");
  EXPECT_EQ(choice({"shop", "date", "y"}), "time 'date', value 'y'");
  EXPECT_SAYS(
      complaint([&] {
        choice({"date", "y", "label"});
      }),
      "the label 'label' is one of each sequence, but no column for the id was found; the columns are "
      "'date', 'y', 'label'; name one with `id`, or give `label` - if it is none");
  TableOptions options;
  options.event = "user";
  EXPECT_SAYS(complaint([&] { choice({"user", "date"}, options); }), "no column for the id was found");
}

TEST(TableSchema, TakesKnownNamesBeforeUsualOnesWhereTheyAreThere) {
  TableOptions options;
  options.known = {{Role::kId, "who"}, {Role::kTime, "when"}, {Role::kEvent, "-"}, {Role::kLabel, "churned"}};
  EXPECT_EQ(choice({"id", "who", "time", "when", "event", "churned"}, options),
            "id 'who', time 'when', label 'churned'");
  EXPECT_EQ(choice({"id", "time", "event", "class"}, options), "id 'id', time 'time', label 'class'");
  options.id = "id";
  options.event = "event";
  EXPECT_EQ(choice({"id", "who", "time", "event"}, options), "id 'id', time 'time', event 'event'");
  options.features = {"when"};
  EXPECT_EQ(choice({"id", "time", "event", "when"}, options),
            "id 'id', time 'time', event 'event', feature 'when'");
}

TEST(TableSchema, RefusesATableWithoutTheKnownIdOrAUsualOne) {
  TableOptions options;
  options.known = {{Role::kId, "user"}};
  EXPECT_SAYS(
      complaint([&] {
        choice({"host", "time", "event"}, options);
      }),
      "the id was 'user' in training, but there is no such column, nor another usual one; the columns "
      "are 'host', 'time', 'event'; name it with `id` (or `id` - if all rows are one sequence)");
  options.id = "-";
  EXPECT_EQ(choice({"host", "time"}, options), "time 'time'");
  options.id = "host";
  EXPECT_EQ(choice({"host", "time"}, options), "id 'host', time 'time'");
}

TEST(TableSchema, FindsKnownColumnsWithoutNamesByTheirPlaceIfThereIsNoHeader) {
  TableOptions options;
  options.known = {{Role::kId, "column 2"}, {Role::kTime, "column 1"}};
  options.features = {"column 3"};
  EXPECT_EQ(choice({"1", "2", "3"}, options, false), "id 'column 2', time 'column 1', feature 'column 3'");
  options.features.clear();
  EXPECT_EQ(choice({"time", "user_id", "x"}, options), "id 'user_id', time 'time'");
  EXPECT_EQ(field_without_name("column 3"), 2U);
  for (const char* other : {"column", "column ", "column 0", "column 1x", "columns 1"}) {
    EXPECT_EQ(field_without_name(other), std::nullopt) << other;
  }
}

TEST(TableSchema, AGivenColumnIsNotTakenAgainByItsUsualName) {
  TableOptions options;
  options.features = {"event", "value"};
  EXPECT_EQ(choice({"id", "time", "event", "value"}, options),
            "id 'id', time 'time', feature 'event', feature 'value'");
}

TEST(TableSchema, PrefersExactNamesToThoseInAnotherCase) {
  TableOptions options;
  options.features = {"Price"};
  EXPECT_EQ(choose_columns({"price", "id", "time", "Price"}, true, options)[2].field, 3U);
  options.features = {"PRICE:float"};
  EXPECT_EQ(choose_columns({"price:token", "id", "time"}, true, options)[2].name, "price");
}

TEST(TableSchema, FindsNamesWithBlanksAroundThem) {
  EXPECT_EQ(choice({" user_id", "Time ", "\tevent:token "}), "id 'user_id', time 'Time', event 'event'");
  TableOptions options;
  options.id = "who";
  options.features = {" price "};
  EXPECT_EQ(choice({"who ", " time", "  price"}, options), "id 'who', time 'time', feature 'price'");
  EXPECT_SAYS(complaint([&] { choice({"who", "time", " "}, options); }), "there is no column ' price '");
}

TEST(TableSchema, PrefersNamesWithTheSameBlanksAndKeepsSuchNamesApart) {
  TableOptions options;
  options.features = {" price", "price"};
  const auto columns = choose_columns({"price", " price", "id", "time"}, true, options);
  EXPECT_EQ(columns[2].field, 1U);
  EXPECT_EQ(columns[2].name, " price");
  EXPECT_EQ(columns[3].field, 0U);
  EXPECT_EQ(columns[3].name, "price");
}

TEST(TableSchema, TakesANameBeforeANumber) {
  TableOptions options;
  options.features = {"1"};
  EXPECT_EQ(choose_columns({"id", "time", "1"}, true, options)[2].field, 2U);
  EXPECT_EQ(choose_columns({"x", "time", "id"}, true, options)[2].field, 0U);
}

TEST(TableSchema, MarksCategoriesAmongFeaturesAlone) {
  TableOptions options;
  options.features = {"a", "b"};
  options.categories = {"B"};
  const auto columns = choose_columns({"id", "time", "a", "b"}, true, options);
  EXPECT_FALSE(columns[2].category);
  EXPECT_TRUE(columns[3].category);
  options.categories = {"time"};
  EXPECT_SAYS(complaint([&] { choice({"id", "time", "a", "b"}, options); }), "is not among the features");
}

TEST(TableSchema, ShowsNamesInOneLine) {
  TableOptions options;
  options.features = {"a\nb"};
  EXPECT_EQ(complaint([&] {
              choice({"id", "time", std::string(50, 'x')}, options);
            }),
            "there is no column 'a\\x0ab' (`features` a\\x0ab); the columns are 'id', 'time', '" +
                std::string(40, 'x') + "...'");
}

TEST(TableSchema, NamesColumnsByNumberWithoutAHeader) {
  TableOptions options;
  options.id = "2";
  options.time = "1";
  EXPECT_EQ(choice({"x", "y"}, options, false), "id 'column 2', time 'column 1'");
  options.id = "3";
  EXPECT_SAYS(complaint([&] { choice({"x", "y"}, options, false); }), "there are the columns 1 to 2");
}

}  // namespace
}  // namespace t2v::data
