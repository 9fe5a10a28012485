// Looking at parts of a tensor.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/container.h"
#include "container_files.h"

namespace t2v {
namespace {

constexpr int64_t kPerBlock = (1 << 20) / 8;

/// A file whose tensor `a` is blocks 0 to 2, and `b` the bytes behind.
class PartlyChecked : public ContainerFiles {
 protected:
  void SetUp() override {
    ContainerFiles::SetUp();
    const std::vector<int64_t> a(3 * kPerBlock, 5);
    const std::vector<uint8_t> b = {1, 2, 3};
    ContainerWriter writer("test");
    writer.add<int64_t>("a", a);
    writer.add<uint8_t>("b", b);
    written(writer);
    payload_ = fs::file_size(path("a")) - a.size() * 8 - b.size();
  }
  void spoil(int64_t element) const {
    std::fstream file(path("a"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(payload_ + static_cast<std::size_t>(element) * 8)).put('?');
  }
  std::size_t payload_ = 0;
};

TEST_F(PartlyChecked, GivesATensorUncheckedAndFindsDamageWhereItIs) {
  spoil(kPerBlock);  // the first of block 1
  const Container file = Container::open(path("a"));
  const auto a = file.unchecked_tensor<int64_t>("a");
  EXPECT_EQ(a.size(), 3U * kPerBlock);
  EXPECT_EQ(a[0], 5);
  file.check("a", 0, kPerBlock);
  file.check("a", 2 * kPerBlock, 3 * kPerBlock);
  file.check("a", kPerBlock, kPerBlock);  // nothing
  file.check("b", 0, 3);
  const std::string damage = path("a") + ": tensor 'a': block 1 ";
  for (int again = 0; again < 2; ++again) {
    expect_contains(error_of([&] { file.check("a", 0, kPerBlock + 1); }), damage);
    expect_contains(error_of([&] { file.check("a", 2 * kPerBlock - 1, 2 * kPerBlock + 1); }), damage);
    expect_contains(error_of([&] { file.check("a", 0, 3 * kPerBlock); }), damage);
  }
}

TEST_F(PartlyChecked, RefusesRangesThatATensorDoesNotHave) {
  const Container file = Container::open(path("a"));
  const std::pair<int64_t, int64_t> bad[] = {
      {-1, 1}, {0, 3 * kPerBlock + 1}, {2, 1}, {0, INT64_MAX}, {INT64_MIN, 0}};
  for (const auto& range : bad) {
    expect_contains(error_of([&] { file.check("a", range.first, range.second); }),
                    "tensor 'a' has 393216 elements, but [" + std::to_string(range.first) + ", ");
  }
  expect_contains(error_of([&] { file.check("c", 0, 0); }), "tensor 'c' is missing");
  expect_contains(error_of([&] { file.unchecked_tensor<double>("a"); }), "is of I64, but F64 is needed");
}

}  // namespace
}  // namespace t2v
