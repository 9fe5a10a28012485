#include "data/json_list.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"

namespace t2v::data {
namespace {

/// Where objects end, over pieces of a size.
std::vector<std::size_t> ends_of(std::string_view text, std::size_t piece) {
  JsonListScanner scanner("file");
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    const std::size_t end = scanner.scan(text.substr(at, piece));
    if (end > 0) ends.push_back(at + end);
  }
  scanner.finish();
  return ends;
}

std::string wrong(std::string_view text) {
  return complaint([&] { ends_of(text, 3); });
}

TEST(JsonListScanner, FindsTheEndsOfObjects) {
  const std::string text = " [ {\"a\": \"}]\\\"{\"} ,\r\n{\"b\":[{}, {\"c\":{}}]}\n] \n";
  const std::vector<std::size_t> ends = {text.find("} ,") + 1, text.find("]}\n") + 2};
  EXPECT_EQ(ends_of(text, 1), ends);
  EXPECT_EQ(ends_of(text, text.size()), (std::vector<std::size_t>{ends[1]}));
  EXPECT_EQ(ends_of("[]", 1), std::vector<std::size_t>());
}

TEST(JsonListScanner, RefusesWhatIsNoListOfObjects) {
  EXPECT_SAYS(wrong("[[1,2],[3]]"), "file:1:2: the list holds lists, not objects; write one for each event");
  EXPECT_SAYS(wrong("[\n 1]"), "file:2:2: the list holds single values, not objects");
  EXPECT_SAYS(wrong("[{},1]"), "file:1:5: the list holds single values");
  EXPECT_SAYS(wrong("[{} {}]"), "file:1:5: a comma or ] is missing behind the object");
  EXPECT_SAYS(wrong("[{},]"), "file:1:5: an object is missing behind the comma");
  EXPECT_SAYS(wrong("[{}]\r\n\r\n x"), "file:3:2: there is more behind the end of the list");
  EXPECT_SAYS(wrong("[{\"a\":[}]"), "file:1:8: this bracket closes one of another kind");
  EXPECT_SAYS(wrong("[" + std::string(100, '{')), "file:1:66: the object is nested too deeply");
  EXPECT_SAYS(wrong("x"), "file:1:1: a list of objects starts with [");
}

TEST(JsonListScanner, RefusesAListThatIsCutOff) {
  for (const char* text : {"[", "[{\"a\":1}", "[{\"a\":1},", "[{\"a\":\"x", "[{\"a\":1"}) {
    EXPECT_SAYS(wrong(text), "the list ends without its ]; is the file cut off?") << text;
  }
  EXPECT_SAYS(wrong("[{},\n{}"), "file:2:3: ");
}

TEST(ObjectEnd, IsThatOfTheFirstObject) {
  EXPECT_EQ(object_end("{\"a\":\"}\\\"\",\"b\":{}} {}"), 18U);
  EXPECT_EQ(object_end("{\"a\""), 4U);
  EXPECT_EQ(object_end(""), 0U);
}

}  // namespace
}  // namespace t2v::data
