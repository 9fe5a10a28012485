#include "shown_output.h"

#include <gtest/gtest.h>

namespace t2v {
namespace {

TEST(ShownLine, MayDifferInTimingsSpeedsAndWidths) {
  EXPECT_EQ(line_fault("loss 4.4891   *  25,924 events/s, 0.2 s", "loss 4.4891 *  476,533 events/s, 1.3 s"),
            "");
  EXPECT_EQ(line_fault("file a.t2v, 97,798 bytes", "file a.t2v, 97,862 bytes"), "");
  EXPECT_NE(line_fault("loss 4.4891, 0.2 s", "loss 4.4891, 0.2 d"), "");
}

TEST(ShownLine, HasItsCountsExact) {
  EXPECT_EQ(line_fault("events     1,518", "events 1,518"), "");
  EXPECT_EQ(line_fault("events     1,518", "events 1,519"), "1,518 instead of 1,519");
  EXPECT_NE(line_fault("best epoch   35", "best epoch   36"), "");
  EXPECT_NE(line_fault("at 2024-01-21T07:16:55Z", "at 2024-01-21T07:16:56Z"), "");
  EXPECT_NE(line_fault("written by t2v 0.1.0", "written by t2v 0.2.0"), "");
  EXPECT_NE(line_fault("guest38", "guest39"), "");
}

TEST(ShownLine, HasItsLossesWithinTwoPercent) {
  EXPECT_EQ(line_fault("validation   loss 0.3138", "validation   loss 0.3190"), "");
  EXPECT_EQ(line_fault("validation   loss 0.0260", "validation   loss 0.0290"), "0.0260 instead of 0.0290");
  EXPECT_NE(line_fault("loss 3.20, valid 2.00", "loss 3.20, valid 2.05"), "");
}

TEST(ShownLine, HasItsProbabilitiesWithinTwoHundredths) {
  EXPECT_EQ(line_fault("\"p\":0.900799}", "\"p\":0.919}"), "");
  EXPECT_EQ(line_fault("\"p\":0.900799}", "\"p\":0.93}"), "0.900799 instead of 0.93");
  EXPECT_EQ(line_fault("accuracy 1.0000", "accuracy 0.9821"), "");
  EXPECT_NE(line_fault("difference +0.5667", "difference -0.5667"), "");
}

TEST(ShownLine, HasItsOtherNumbersWithinTwoPercent) {
  EXPECT_EQ(line_fault("361 d", "365 d"), "");
  EXPECT_NE(line_fault("361 d", "372 d"), "");
  EXPECT_NE(line_fault("mean 167.34", "mean 177.34"), "");
  EXPECT_NE(line_fault("1.2e+03", "1.3e+03"), "");
}

TEST(ShownLine, HasItsWordsExact) {
  EXPECT_NE(line_fault("sin,4,0.42", "cos,4,0.42"), "");
  EXPECT_EQ(line_fault("one 2", "one 2 three"), "another end of the line");
  EXPECT_NE(line_fault("one two", "one two 3"), "");
}

TEST(ShownOutput, MustBePrintedInOrderAndWithoutGaps) {
  const std::string printed = "a 1\nb 2\nc 3\nd 4\n";
  EXPECT_EQ(output_fault(printed, printed), "");
  EXPECT_EQ(output_fault("a 1\n...\nc 3\n...\n", printed), "");
  EXPECT_EQ(output_fault("...\nc 3\nd 4\n", printed), "");
  EXPECT_NE(output_fault("a 1\nc 3\n...\n", printed), "");
  EXPECT_NE(output_fault("...\nc 3\n...\nb 2\n...\n", printed), "");
  EXPECT_NE(output_fault("a 1\nb 2\n", printed), "");
  EXPECT_NE(output_fault("b 2\n...\n", printed), "");
  EXPECT_NE(output_fault("...\nc 3\n", printed), "");
}

TEST(ShownOutput, NamesAFalseFigureAndItsLine) {
  EXPECT_EQ(output_fault("a 1\n...\nloss 0.5 end\n...\n", "a 1\nb 2\nloss 0.7 end\nc\n"),
            "shows\nloss 0.5 end\nwith 0.5 instead of 0.7");
}

TEST(ShownOutput, IsRefreshedAsItWasCut) {
  EXPECT_EQ(refreshed_output("a 1\n", "a 2\nb 3\n"), "a 2\nb 3\n");
  EXPECT_EQ(refreshed_output("epoch 1 loss 4\nepoch 2 loss 3\n...\nbest 2\n...\n",
                             "epoch 1 loss 5\nepoch 2 loss 4\nepoch 3 loss 3\nbest 3\nwritten\n"),
            "epoch 1 loss 5\nepoch 2 loss 4\n...\nbest 3\n...\n");
  EXPECT_EQ(
      refreshed_output("task: next\ntime: gap\n...\n", "task: next\nhidden size 16\ntime: gap\nepoch\n"),
      "task: next\nhidden size 16\ntime: gap\n...\n");
  EXPECT_EQ(refreshed_output("...\nlearned periods\n 1 d\n 2 d\n...\n",
                             "file\nlearned periods\n 3 d\n 4 d\n 5 d\n"),
            "...\nlearned periods\n 3 d\n 4 d\n...\n");
}

TEST(ShownOutput, StaysWhereItCannotBePlaced) {
  const std::string shown = "a\n...\nsomething else entirely\n...\n";
  EXPECT_EQ(refreshed_output(shown, "a\nb\nc\n"), shown);
  EXPECT_EQ(refreshed_output("", "a\n"), "");
}

}  // namespace
}  // namespace t2v
