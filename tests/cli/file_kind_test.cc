#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tool.h"

namespace t2v {
namespace {

using namespace std::string_literals;

using FileKind = Tool;

TEST_F(FileKind, IsToldByTheFirstBytesWithWhatToDo) {
  const std::string sheet = "PK\x03\x04\x14\x00\x06\x00\x08"s + std::string(21, '\0');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"\x00\x00\x08\x01\x00\x00\x00\x02\x07\x01"s,
       "x: this is an IDX file of labels; give it after its images with --format mnist\n"},
      {"\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\xff"s,
       "x: this is an IDX file of images; give it and its labels with --format mnist\n"},
      {"\x89HDF\r\n\x1a\n\x00\x00"s, "x: this is an HDF5 file; if it is N-TIDIGITS18 use --format ntidigits"},
      {"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"s, "x: this is a PNG image; "},
      {"Obj\x01\x04\x15\x10"s, "x: this is an Avro file; export it as CSV\n"},
      {sheet + "xl/workbook.xml", "x: this is an Excel file; export it as CSV\n"},
      {sheet + "[Content_Types].xml", "x: this is an Excel file; export it as CSV\n"},
      {sheet + "data.csv", "x: this is a zip archive; unpack it\n"},
  };
  for (const auto& [bytes, says] : cases) {
    put("x", bytes);
    expect_refused("import x -o y.events", says);
    expect_refused("import x --format table -o y.events", says);
    expect_refused("doctor --train x", says);
  }
}

TEST_F(FileKind, IsToldOfWhatIsCompressed) {
  put("x", "\x00\x00\x08\x01\x00\x00\x00\x02\x07\x01"s);
  ASSERT_EQ(bash("gzip x").code, 0);
  expect_refused("import x.gz -o y.events", "x.gz: this is an IDX file of labels; ");
}

TEST_F(FileKind, IsATableIfItsFirstNameIsLikeAMark) {
  for (const char* name : {"PAR1", "PK", "BZh", "Obj", "\xC3\xA9"}) {
    put("x.csv", name + ",user,time\n1,a,5\n1,a,6\n"s);
    EXPECT_EQ(run("import x.csv -o y.events").code, 0) << name;
  }
}

}  // namespace
}  // namespace t2v
