#include "data/mnist_idx.h"

#include "data/compressed.h"
#include "importer_files.h"

namespace t2v::data {
namespace {

std::string big_endian(uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

/// Images of two rows and three columns.
std::string images_of(const std::vector<std::vector<int>>& images) {
  std::string bytes =
      big_endian(2051) + big_endian(static_cast<uint32_t>(images.size())) + big_endian(2) + big_endian(3);
  for (const auto& image : images) {
    for (const int pixel : image) bytes += static_cast<char>(pixel);
  }
  return bytes;
}

std::string labels_of(const std::string& labels) {
  return big_endian(2049) + big_endian(static_cast<uint32_t>(labels.size())) + labels;
}

const std::vector<std::vector<int>> kTwo = {{0, 230, 229, 255, 0, 231}, {0, 0, 0, 0, 229, 0}};
const std::string kLabels("\x07\x02", 2);

TEST(Mnist, TakesPositionsOfBrightPixels) {
  const OwnFiles files;
  const EventTable table =
      import_mnist(files.write("i", images_of(kTwo)), files.write("l", labels_of(kLabels)), {.shift = false});
  EXPECT_EQ(table.ticks, (Ticks{1, 3, 5, 0}));
  EXPECT_EQ(table.sequence, (Codes{0, 0, 0, 1}));
  EXPECT_EQ(names_of(table.ids), (Texts{"0", "1"}));
  EXPECT_EQ(table.label->codes, (Codes{7, 2}));
  EXPECT_EQ(table.label->names.size(), 8);
  EXPECT_EQ(table.label->names[7], "7");
  EXPECT_FALSE(table.event);
  EXPECT_EQ(table.scale, (TickScale{false, 0}));
  EXPECT_TRUE(any_note(table, "1 images have no such pixel"));
  EXPECT_TRUE(table.part.empty());
}

TEST(Mnist, StartsAtZeroWhenShifted) {
  const OwnFiles files;
  const EventTable table =
      import_mnist(files.write("i", images_of(kTwo)), files.write("l", labels_of(kLabels)), {});
  EXPECT_EQ(table.ticks, (Ticks{0, 2, 4, 0}));
}

TEST(Mnist, HasAThresholdThatIsAShareOfFullScale) {
  const OwnFiles files;
  const std::string images = files.write("i", images_of({{1, 127, 128, 254, 255, 0}}));
  const std::string labels = files.write("l", labels_of("\x01"));
  EXPECT_EQ(import_mnist(images, labels, {0.5, false}).ticks, (Ticks{2, 3, 4}));
  EXPECT_EQ(import_mnist(images, labels, {0.0, false}).ticks, (Ticks{0, 1, 2, 3, 4}));
  EXPECT_EQ(import_mnist(images, labels, {0.999, false}).ticks, Ticks{4});
  EXPECT_SAYS(complaint([&] {
                import_mnist(images, labels, {1.0, false});
              }),
              "threshold '1' is no share of full scale; set it");
}

TEST(Mnist, ReadsCompressedFiles) {
  const OwnFiles files;
  const std::string images = files.write("i.gz", gzip(images_of(kTwo)));
  const std::string labels = files.write("l.gz", gzip(labels_of(kLabels)));
  EXPECT_EQ(import_mnist(images, labels, {}).ticks, (Ticks{0, 2, 4, 0}));
}

TEST(Mnist, KeepsPartsApart) {
  const OwnFiles files;
  const std::string images = files.write("i", images_of(kTwo));
  const std::string labels = files.write("l", labels_of(kLabels));
  const EventTable table = import_mnist({{images, labels, Part::kTrain}, {images, labels, Part::kTest}}, {});
  EXPECT_EQ(names_of(table.ids), (Texts{"train-0", "train-1", "test-0", "test-1"}));
  EXPECT_EQ(table.part, (std::vector<Part>{Part::kTrain, Part::kTrain, Part::kTest, Part::kTest}));
  EXPECT_EQ(table.rows(), 8);
  EXPECT_SAYS(complaint([&] {
                import_mnist({{images, labels}, {images, labels}}, {});
              }),
              "two sequences have the id '0'");
  EXPECT_SAYS(complaint([&] {
                import_mnist({{images, labels}, {images, labels, Part::kTest}}, {});
              }),
              "for none");
}

TEST(Mnist, RefusesAWrongMagicNumber) {
  const OwnFiles files;
  const std::string images = files.write("i", images_of(kTwo));
  const std::string labels = files.write("l", labels_of(kLabels));
  EXPECT_SAYS(complaint([&] { import_mnist(images, images, {}); }),
              "magic number '2051', expected 2049: not an IDX file of labels; give images first");
  EXPECT_SAYS(complaint([&] { import_mnist(files.write("s", "abc"), labels, {}); }),
              "3 bytes, but the header of an IDX file of images has 16; get it again");
}

TEST(Mnist, RefusesSizesThatDoNotFitTheFile) {
  const OwnFiles files;
  const std::string labels = files.write("l", labels_of(kLabels));
  const std::string whole = images_of(kTwo);
  const std::string cut = files.write("cut", whole.substr(0, whole.size() - 1));
  EXPECT_SAYS(complaint([&] { import_mnist(cut, labels, {}); }), "11 bytes behind the header, expected 12");
  const std::string more = files.write("more", whole + "x");
  EXPECT_SAYS(complaint([&] { import_mnist(more, labels, {}); }),
              "more bytes behind the header, expected 12");
  const std::string huge =
      files.write("huge", big_endian(2051) + big_endian(1) + big_endian(0xFFFFFFFFU) + big_endian(9));
  EXPECT_SAYS(complaint([&] { import_mnist(huge, labels, {}); }),
              "dimension 2 has an extent of '4294967295', expected 1 to 32768; get");
}

TEST(Mnist, RefusesMoreThanItWouldKeepInMemoryAlsoIfItIsPackedInFewBytes) {
  const OwnFiles files;
  const std::string labels = files.write("l", labels_of(kLabels));
  const std::string promise = big_endian(2051) + big_endian(0xFFFFFFFFU) + big_endian(28) + big_endian(28);
  EXPECT_SAYS(complaint([&] { import_mnist(files.write("many", promise), labels, {}); }),
              "4294967295 images of 784 bytes, more than 1073741824 in all");
  const std::string bomb = big_endian(2051) + big_endian(900'000) + big_endian(28) + big_endian(28);
  EXPECT_SAYS(complaint([&] {
                import_mnist(files.write("bomb.gz", gzip(bomb + std::string(20 << 20, '\0'))), labels, {});
              }),
              "compressed bytes become more than 256 times as many");
}

TEST(Mnist, RefusesLabelsOfAnotherSet) {
  const OwnFiles files;
  const std::string images = files.write("i", images_of(kTwo));
  const std::string labels = files.write("l", labels_of("\x01\x02\x03"));
  EXPECT_SAYS(complaint([&] { import_mnist(images, labels, {}); }), "2 images, but");
}

TEST(Mnist, RefusesACompressedFileThatIsCutOffOrDamaged) {
  const OwnFiles files;
  const std::string labels = files.write("l", labels_of(kLabels));
  std::string packed = gzip(images_of(kTwo));
  const std::string cut = files.write("cut.gz", packed.substr(0, packed.size() - 9));
  EXPECT_SAYS(complaint([&] { import_mnist(cut, labels, {}); }),
              "cut.gz: the gzip data ends early; the file is cut off");
  packed[packed.size() - 6] ^= 1;
  const std::string damaged = files.write("bad.gz", packed);
  EXPECT_SAYS(complaint([&] { import_mnist(damaged, labels, {}); }), "damaged");
}

TEST(Mnist, SaysThatAFileIsMissing) {
  const OwnFiles files;
  EXPECT_SAYS(complaint([&] { import_mnist(files.path("none"), files.path("none"), {}); }), "cannot open");
}

}  // namespace
}  // namespace t2v::data
