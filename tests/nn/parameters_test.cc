#include "nn/parameters.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "t2v/error.h"

namespace t2v::nn {
namespace {

TEST(Layout, StoresTensorsOfOneKindOneAfterTheOther) {
  Layout layout;
  const int a = layout.add("a", Role::kWeight, 2, 3);
  const int b = layout.add("b", Role::kTable, 4, 3);
  const int c = layout.add("c", Role::kBias, 1, 3);
  const int d = layout.add("d", Role::kOmega, 1, 5);
  const int e = layout.add("e", Role::kPhi, 1, 5);
  EXPECT_EQ(layout[a].offset, 0);
  EXPECT_EQ(layout[b].offset, 0);
  EXPECT_EQ(layout[c].offset, 6);
  EXPECT_EQ(layout[d].offset, 0);
  EXPECT_EQ(layout[e].offset, 5);
  EXPECT_EQ(layout.dense_size(), 9);
  EXPECT_EQ(layout.table_size(), 12);
  EXPECT_EQ(layout.wide_size(), 10);
  EXPECT_EQ(layout.parameter_count(), 31);
  EXPECT_EQ(layout.find("c"), c);
  EXPECT_EQ(layout.find("none"), -1);
}

TEST(Layout, RefusesMoreNumbersThanCanBeCounted) {
  Layout layout;
  const int64_t many = int64_t{1} << 28;
  layout.add("largest", Role::kWeight, many, many);
  EXPECT_EQ(layout.dense_size(), int64_t{1} << 56);
  EXPECT_THROW(layout.add("more", Role::kBias, 1, 1), Error);
  EXPECT_THROW(layout.add("table", Role::kTable, INT64_MAX, 3), Error);
  EXPECT_EQ(layout.tensors().size(), 1U);
  layout.add("omega", Role::kOmega, many, many);
  layout.add("table", Role::kTable, many, many);
  EXPECT_EQ(layout.parameter_count(), int64_t{3} << 56);
}

TEST(Parameters, KeepFrequenciesInDoubleAndTheRestInTheModelsType) {
  Layout layout;
  const int weight = layout.add("weight", Role::kWeight, 1, 1);
  const int omega = layout.add("omega", Role::kOmega, 1, 1);
  const int table = layout.add("table", Role::kTable, 2, 2);
  Parameters<double> exact;
  exact.assign_zeros(layout);
  const double third = 1.0 / 3;
  exact.set(layout[weight], 0, third);
  exact.set(layout[omega], 0, third);
  exact.set(layout[table], 3, 7);
  const Parameters<float> floats = convert<float>(exact);
  EXPECT_EQ(floats.get(layout[weight], 0), static_cast<double>(static_cast<float>(third)));
  EXPECT_EQ(floats.get(layout[omega], 0), third);
  EXPECT_EQ(floats.get(layout[table], 3), 7);
  EXPECT_EQ(floats.get(layout[table], 2), 0);
}

}  // namespace
}  // namespace t2v::nn
