#include "data/table_form.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"

namespace t2v::data {
namespace {

bool has_header(std::string_view text, const TableOptions& options = {}) {
  return read_form(text, options).has_header;
}

TEST(TableForm, TakesAFirstRowLikeThoseBelowForData) {
  EXPECT_FALSE(has_header("a,5\nb,6\n"));
  EXPECT_FALSE(has_header("1\t2847\t828441691\n1\t23829\t828458276\n"));
  EXPECT_FALSE(has_header("ann,2024-01-31,x\nbob,2024-02-01,y\n"));
  EXPECT_FALSE(has_header("ann,Jan 31 2024,x\nbob,Feb 1 2024,y\n"));
  EXPECT_FALSE(has_header("5,,1\n6,2,1\n"));
}

TEST(TableForm, TakesAFirstRowOfNamesForAHeader) {
  EXPECT_TRUE(has_header("id,t\na,5\nb,6\n"));
  EXPECT_TRUE(has_header("id,name\na,b\nc,d\n"));
  EXPECT_TRUE(has_header("id,2024\na,5\nb,x\n"));
  EXPECT_TRUE(has_header("date,2023,2024\n2024-01-31,5,6\n2024-02-01,7,8\n"));
  EXPECT_TRUE(has_header("0,1,2\n5,6,7\n8,9,10\n"));
  EXPECT_TRUE(has_header("a,5\n"));
  EXPECT_TRUE(has_header(",5\n,6\n", [] {
    TableOptions options;
    options.header = "yes";
    return options;
  }()));
}

TEST(TableForm, FollowsTheOptions) {
  TableOptions options;
  options.header = "no";
  EXPECT_FALSE(has_header("id,t\na,5\n", options));
  options = {};
  options.time = "5";
  EXPECT_TRUE(has_header("4,5\n3,6\n", options));
  options = {};
  options.known = {{Role::kTime, "5"}, {Role::kId, "4"}};
  EXPECT_TRUE(has_header("4,5\n3,6\n", options));
  options.known = {{Role::kTime, "column 2"}};
  EXPECT_FALSE(has_header("4,5\n", options));
}

TEST(TableForm, SketchesTheColumns) {
  const TableForm form = read_form("id;t\na;5\n\"b\";6\nragged\n", {});
  EXPECT_EQ(form.separator, ';');
  EXPECT_EQ(form.rows_begin, 4U);
  ASSERT_EQ(form.columns.size(), 2U);
  EXPECT_EQ(form.columns[0].name, "id");
  EXPECT_EQ(form.columns[0].text, 2);
  EXPECT_EQ(form.columns[1].whole, 2);
}

TEST(TableForm, ReadsTheKeysOfJson) {
  const TableForm lines = read_form("\n{\"a\":1,\"b\":{\"c\":2}}\n{\"a\":2,\"b\":3}\n", {});
  EXPECT_TRUE(lines.json);
  EXPECT_FALSE(lines.json_list);
  EXPECT_EQ(lines.header, (Texts{"a", "b"}));
  EXPECT_EQ(lines.columns[0].whole, 2);
  EXPECT_EQ(lines.columns[1].empty, 1);
  const TableForm list = read_form(" [\n{\"a\":\n1,\"b\":[[]]},{\"a\":2}", {});
  EXPECT_TRUE(list.json && list.json_list);
  EXPECT_EQ(list.header, (Texts{"a", "b"}));
  EXPECT_EQ(list.columns[0].whole, 2);
}

}  // namespace
}  // namespace t2v::data
