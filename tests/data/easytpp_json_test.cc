#include "data/easytpp_json.h"

#include "importer_files.h"

namespace t2v::data {
namespace {

const std::string kRow0 =
    R"({"dim_process": 3, "seq_len": 2, "seq_idx": 0, "time_since_start": [0.0, 1.7399999999999998],
 "time_since_last_event": [0.0, 1.74], "type_event": [2, 0]})";
const std::string kRow1 =
    R"({"dim_process": 3, "seq_len": 1, "seq_idx": 1, "time_since_start": [1e-05], "time_since_last_event": [0], "type_event": [1]})";

EventTable read(const std::string& text) {
  const OwnFiles files;
  return import_easytpp({{files.write("rows.json", text)}});
}

std::string joined(const std::string& row) {
  std::string line = row;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

void expect_both_rows(const EventTable& table) {
  EXPECT_EQ(names_of(table.ids), (Texts{"0", "1"}));
  EXPECT_EQ(table.sequence, (Codes{0, 0, 1}));
  EXPECT_EQ(table.scale, (TickScale{false, 16}));
  EXPECT_EQ(table.ticks, (Ticks{0, 17'399'999'999'999'998, 100'000'000'000}));
  EXPECT_EQ(table.event->codes, (Codes{2, 0, 1}));
  EXPECT_EQ(names_of(table.event->names), (Texts{"0", "1", "2"}));
  EXPECT_TRUE(table.part.empty());
}

TEST(Easytpp, ReadsAList) { expect_both_rows(read("[" + kRow0 + ",\n" + kRow1 + "]\n")); }

TEST(Easytpp, ReadsJsonLines) {
  expect_both_rows(read(joined(kRow0) + "\r\n\n" + kRow1 + "\n"));
  EXPECT_EQ(read(kRow1).rows(), 1);
  EXPECT_EQ(read(kRow0).rows(), 2) << "one object over two lines";
}

TEST(Easytpp, ReadsRowsWithinAnAnswerOfTheHub) {
  expect_both_rows(read(R"({"features": [{"name": "dim_process", "type": {"dtype": "int64"}}], "rows": [
      {"row_idx": 0, "row": )" +
                        kRow0 + R"(, "truncated_cells": []}, {"row_idx": 1, "row": )" + kRow1 + "}]}"));
}

TEST(Easytpp, KeepsPartsApart) {
  const OwnFiles files;
  const std::string path = files.write("rows.json", kRow1);
  const EventTable table = import_easytpp({{path, Part::kTrain}, {path, Part::kValid}, {path, Part::kTest}});
  EXPECT_EQ(names_of(table.ids), (Texts{"train-1", "valid-1", "test-1"}));
  EXPECT_EQ(table.part, (std::vector<Part>{Part::kTrain, Part::kValid, Part::kTest}));
}

TEST(Easytpp, NeedsOnlyTimesAndTypes) {
  const EventTable table = read(R"([{"time_since_start": [1], "type_event": [4]},
                                    {"time_since_start": [], "type_event": []},
                                    {"type_event": [0], "time_since_start": [2.5]}])");
  EXPECT_EQ(names_of(table.ids), (Texts{"0", "2"}));
  EXPECT_EQ(table.ticks, (Ticks{10, 25}));
  EXPECT_EQ(table.event->names.size(), 5);
  EXPECT_TRUE(any_note(table, "1 rows without events"));
}

TEST(Easytpp, NamesThePlaceOfWhatIsNotJson) {
  EXPECT_SAYS(complaint([] { read("[" + kRow1 + ",\n  oops]"); }),
              "rows.json:2:3: this is not JSON ('oops]'); write a list of rows, or one row a line");
  EXPECT_SAYS(complaint([] { read(joined(kRow0) + "\n" + kRow1 + "x\n"); }),
              "rows.json:2:" + std::to_string(kRow1.size() + 1) + ": this is not JSON ('x'); write");
  EXPECT_SAYS(complaint([] { read(""); }), "rows.json:1:1: this is not JSON ('')");
  EXPECT_SAYS(complaint([] { read("[{\"time_since_start\": [\n1e999]}]"); }),
              "rows.json:2:1: a number that is too large ('1e999]}]')");
  for (const std::string text : {"{", "[1,]", R"(["\x"])", "nul", "[1 2]", "\xFF"}) {
    const std::string what = complaint([&] { read(text); });
    EXPECT_SAYS(what, "this is not JSON");
    EXPECT_EQ(what.find("syntax error"), std::string::npos) << what;
  }
}

TEST(Easytpp, NamesRowAndFieldOfWhatDoesNotFit) {
  const auto what = [](const std::string& row) {
    return complaint([&] { read("[" + kRow1 + "," + row + "]"); });
  };
  EXPECT_SAYS(what(R"({"time_since_start": [1]})"),
              "row 1: has no type_event; write both time_since_start and type_event");
  EXPECT_SAYS(what(R"({"type_event": [1]})"), "row 1: has no time_since_start");
  EXPECT_SAYS(what(R"({"time_since_start": [1], "type_event": [1, 2]})"),
              "row 1: type_event of '2', but 1 entries of time_since_start; give");
  EXPECT_SAYS(what(R"({"time_since_start": [1], "type_event": [1], "seq_len": 3})"), "seq_len of '3'");
  EXPECT_SAYS(what(R"({"time_since_start": [1], "type_event": [1], "time_since_last_event": []})"),
              "time_since_last_event of '0'");
  EXPECT_SAYS(what(R"({"time_since_start": [1], "type_event": [3], "dim_process": 3})"),
              "type_event: '3' is out of range; write 0 to 2");
  EXPECT_SAYS(what(R"({"time_since_start": [1], "type_event": [-1]})"), "type_event: '-1' is out of range");
  EXPECT_SAYS(what(R"({"time_since_start": [1], "type_event": [1.5]})"),
              "type_event: '1.5' is not a whole number; write");
  EXPECT_SAYS(what(R"({"time_since_start": 1, "type_event": [1]})"),
              "time_since_start: '1' is not in a list; write a list");
  EXPECT_SAYS(what(R"({"time_since_start": [null], "type_event": [1]})"),
              "time_since_start: 'null' is not a number; write a list of numbers");
  EXPECT_SAYS(what(R"({"time_since_start": ["1"], "type_event": [1]})"),
              "time_since_start: '1' is not a number; write a list");
  EXPECT_SAYS(what(R"({"time_since_start": [[1]], "type_event": [[1]]})"), "a list within the list");
  EXPECT_SAYS(what(R"({"time_since_start": [1], "type_event": [1], "dim_process": 0})"),
              "dim_process: '0' cannot be; write");
  EXPECT_SAYS(what(R"({"time_since_start": [1e19], "type_event": [1]})"),
              "time_since_start: '1e19' is too large");
  EXPECT_SAYS(what(kRow1), "two sequences have the id '1'");
}

}  // namespace
}  // namespace t2v::data
