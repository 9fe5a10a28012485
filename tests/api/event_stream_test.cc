#include "t2v/stream.h"

#include <map>
#include <vector>

#include "cafe.h"

namespace t2v {
namespace {

using namespace testing;

class ApiStream : public Tool {};

TEST_F(ApiStream, PredictsWhatWholeSequencesPredict) {
  const TimeModel model = cafe_model();
  std::map<std::string, Predicted> whole;
  model.predict(model.read({cafe_table()}), {}, [&](const Predicted& said) { whole[said.id] = said; });
  EventStream stream(model);
  std::ifstream table(cafe_table());
  std::map<std::string, Predicted> streamed;
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    EventFeature price{.name = "price"};
    if (!cells[3].empty()) price.number = std::stod(cells[3]);
    const StreamReply& reply =
        stream.push({.id = cells[0], .time = cells[1], .type = cells[2], .features = {&price, 1}});
    ASSERT_TRUE(reply.taken && reply.prediction);
    streamed[cells[0]] = *reply.prediction;
  }
  EXPECT_EQ(stream.sequences(), 40);
  ASSERT_EQ(streamed.size(), whole.size());
  for (const auto& [id, said] : whole) {
    EXPECT_EQ(streamed[id].time, said.time);
    EXPECT_EQ(streamed[id].choices[0].name, said.choices[0].name) << id;
    EXPECT_NEAR(streamed[id].choices[0].probability, said.choices[0].probability, 1e-6) << id;
  }
}

TEST_F(ApiStream, GoesOnFromASnapshot) {
  const TimeModel model = cafe_model();
  EventStream stream(model);
  stream.push({.id = "ann", .time = "2024-05-01T08:00:00Z", .type = "tea"});
  stream.save(path("snapshot"));
  EventStream next(model);
  next.restore(path("snapshot"));
  EXPECT_EQ(next.sequences(), 1);
  const Event later = {.id = "ann", .time = "2024-05-02T08:00:00Z", .type = "cake"};
  const double p = stream.push(later).prediction->choices[0].probability;
  EXPECT_EQ(next.push(later).prediction->choices[0].probability, p);
  EXPECT_NE(EventStream(model).push(later).prediction->choices[0].probability, p);
}

TEST(ApiEventStream, SaysWhatBecameOfAnEvent) {
  const TimeModel model = cafe_model();
  EventStream stream(model, {.max_sequences = 1, .top = 2});
  EXPECT_EQ(stream.push({.id = "a", .time = "2024-05-02", .type = "tea"}).prediction->choices.size(), 2U);
  EXPECT_FALSE(stream.push({.id = "a", .time = "2024-05-01", .type = "tea"}).taken);
  EXPECT_EQ(stream.push({.id = "b", .time = "2024-05-03", .type = "tea"}).evicted, "a");
  const EventFeature text{.name = "price", .text = "dear"};
  EXPECT_HAS(error_of([&] {
               stream.push({.id = "b", .time = "2024-05-04", .type = "tea", .features = {&text, 1}});
             }),
             "the feature 'price' is a text, but the model was trained on numbers");
  const EventFeature unknown{.name = "colour", .number = 3};
  EXPECT_EQ(error_of([&] {
              stream.push({.id = "b", .time = "2024-05-04", .type = "tea", .features = {&unknown, 1}});
            }),
            "the model has no feature 'colour'; it has price");
  EXPECT_HAS(error_of([&] { stream.push({.id = "b", .time = "late", .type = "tea"}); }), "'late'");
  EventStream keeping(model, {.keep_late = true});
  keeping.push({.id = "a", .time = "2024-05-02", .type = "tea"});
  EXPECT_TRUE(keeping.push({.id = "a", .time = "2024-05-01", .type = "tea"}).taken);
}

TEST(ApiEventStream, AnswersForATimeWhereTheModelNeedsOne) {
  const TimeModel model = cafe_model(true);
  EventStream stream(model);
  const Event event = {.id = "a", .time = "2024-05-02", .type = "tea"};
  EXPECT_FALSE(stream.push(event).prediction);
  const StreamReply& asked = stream.ask("a", "2024-05-03T08:00:00Z");
  ASSERT_TRUE(asked.prediction);
  EXPECT_EQ(asked.prediction->at, "2024-05-03T08:00:00Z");
  const double p = asked.prediction->choices[0].probability;
  EXPECT_EQ(EventStream(model).push(event, "2024-05-03T08:00:00Z").prediction->choices[0].probability, p);
}

}  // namespace
}  // namespace t2v
