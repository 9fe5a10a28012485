// Graphs as ONNX has them. Numbers of fields are those of onnx.proto.
#include "export/graph.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <set>
#include <string>

#include "export/operators.h"
#include "proto_reader.h"

namespace t2v::onnx {
namespace {

using testing::ProtoReader;

constexpr int kNode = 1;
constexpr int kConstant = 5;

std::vector<ProtoReader> parts_of(const Graph& graph, int field) {
  std::vector<ProtoReader> parts;
  for (const std::string& bytes : ProtoReader(graph.message().bytes()).all(field)) parts.emplace_back(bytes);
  return parts;
}

TEST(Graph, HasItsNodesInTheOrderTheyWereAdded) {
  Graph graph("");
  const Tensor x = graph.input("x", Type::kDouble, {"batch", int64_t{3}}, "what goes in");
  const Tensor y = sin(x + x);
  graph.output(y, "y", {"batch", int64_t{3}}, "");
  const auto nodes = parts_of(graph, kNode);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0].text(4), "Add");
  EXPECT_EQ(nodes[0].all(1), (std::vector<std::string>{"x", "x"}));
  EXPECT_EQ(nodes[1].text(4), "Sin");
  EXPECT_EQ(nodes[1].all(1), nodes[0].all(2));
  EXPECT_EQ(nodes[2].text(4), "Identity");
  EXPECT_EQ(nodes[2].text(2), "y");
  EXPECT_EQ(graph.inputs(), std::vector<std::string>{"x"});
  EXPECT_EQ(graph.outputs(), std::vector<std::string>{"y"});
}

TEST(Graph, SaysOfAnInputItsTypeItsShapeAndWhatItIs) {
  Graph graph("");
  graph.input("x", Type::kDouble, {"batch", int64_t{3}}, "what goes in");
  const ProtoReader input = parts_of(graph, 11).at(0);
  EXPECT_EQ(input.text(1), "x");
  EXPECT_EQ(input.text(3), "what goes in");
  const ProtoReader tensor = input.message(2).message(1);
  EXPECT_EQ(tensor.integer(1), 11);  // double
  const auto sizes = tensor.message(2).all(1);
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(ProtoReader(sizes[0]).text(2), "batch");
  EXPECT_EQ(ProtoReader(sizes[1]).integer(1), 3);
}

TEST(Graph, HoldsConstantsAsBytes) {
  Graph graph("");
  const std::array<float, 6> numbers = {1, 2, 3, 4, 5, -6};
  graph.constant("w", std::span<const float>(numbers), {2, 3});
  const ProtoReader constant = parts_of(graph, kConstant).at(0);
  EXPECT_EQ(constant.text(8), "w");
  EXPECT_EQ(constant.integer(2), 1);  // float
  ASSERT_EQ(constant.all(1).size(), 2U);
  EXPECT_EQ(constant.fields()[0].integer, 2U);
  EXPECT_EQ(constant.fields()[1].integer, 3U);
  std::array<float, 6> read{};
  ASSERT_EQ(constant.text(9).size(), sizeof(read));
  std::memcpy(read.data(), constant.text(9).data(), sizeof(read));
  EXPECT_EQ(read, numbers);
}

TEST(Graph, HoldsEqualScalarsAndListsOnce) {
  Graph graph("");
  EXPECT_EQ(graph.scalar(Type::kFloat, 1).name, graph.scalar(Type::kFloat, 1).name);
  EXPECT_NE(graph.scalar(Type::kFloat, 1).name, graph.scalar(Type::kDouble, 1).name);
  EXPECT_NE(graph.scalar(Type::kFloat, 1).name, graph.scalar(Type::kFloat, 2).name);
  EXPECT_EQ(graph.integers({1}).name, graph.integers({1}).name);
  EXPECT_NE(graph.integers({1}).name, graph.scalar(Type::kInt64, 1).name);
  EXPECT_EQ(parts_of(graph, kConstant).size(), 5U);
}

TEST(Graph, GivesNamesWithinThatAreItsOwn) {
  Graph outer("");
  Graph inner("loop");
  const Tensor x = outer.input("x", Type::kFloat, {int64_t{1}}, "");
  const Tensor y = inner.input("x", Type::kFloat, {int64_t{1}}, "");
  const Tensor sum = y + inner.outer(x);
  inner.output(sum, "y", {int64_t{1}}, "");
  const Tensor made = outer.node("Scan", {x}, {{"body", &inner}, {"num_scan_inputs", int64_t{1}}});
  const std::set<std::string> names = {x.name, y.name, sum.name, made.name, inner.outputs().at(0)};
  EXPECT_EQ(names.size(), 5U);
  const auto attributes = parts_of(outer, kNode).at(0).all(5);
  ASSERT_EQ(attributes.size(), 2U);
  EXPECT_EQ(ProtoReader(attributes[0]).integer(20), 5);  // a graph
  EXPECT_EQ(ProtoReader(attributes[0]).message(6).text(2), "loop");
  EXPECT_EQ(ProtoReader(attributes[1]).integer(20), 2);  // a number
  EXPECT_EQ(ProtoReader(attributes[1]).integer(3), 1);
}

TEST(Graph, IsAFileWithItsVersionsAndNotes) {
  Graph graph("");
  const std::vector<Note> notes = {{"t2v.unit", "d"}};
  const ProtoReader file(file_of(graph, "a model", notes));
  EXPECT_EQ(file.integer(1), 8);              // IR version
  EXPECT_EQ(file.message(8).integer(2), 17);  // opset
  EXPECT_EQ(file.text(2), "time2vec");
  EXPECT_EQ(file.text(6), "a model");
  EXPECT_EQ(file.message(14).text(1), "t2v.unit");
  EXPECT_EQ(file.message(14).text(2), "d");
  EXPECT_EQ(file.message(7).text(2), "time2vec");
}

}  // namespace
}  // namespace t2v::onnx
