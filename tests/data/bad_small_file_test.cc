// That no small bad file takes long, whatever it is meant to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bad_inputs.h"
#include "base/random.h"
#include "compressed.h"
#include "data/citeulike.h"
#include "data/easytpp_json.h"
#include "data/lastfm.h"
#include "data/lst_triples.h"
#include "data/mnist_idx.h"
#include "data/rmtpp_twins.h"
#include "data/table_reader.h"
#include "data/time_zone.h"
#include "file_cost.h"
#include "importer_files.h"

namespace t2v::data {
namespace {

using t2v::testing::kBadFileSeconds;
using t2v::testing::kSlower;
using t2v::testing::kSmallFile;

constexpr auto kSize = static_cast<std::size_t>(kSmallFile);

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

/// As often as it fits within so many bytes, and no part of it.
std::string repeated(std::string_view text, std::size_t bytes = kSize) {
  std::string all;
  all.reserve(bytes);
  while (all.size() + text.size() <= bytes) all += text;
  return all;
}

/// Of work, by all threads: what else the machine does is not the file's.
double seconds_so_far() {
  std::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Says what is wrong with contents, one for each file that belongs to it.
using Reader = std::function<std::string(const std::vector<std::string>& contents)>;

/// Expects that the shortest of some times is below a bound; the first that is will do. Returns what is said.
std::string expect_quick(const Reader& reader, const std::vector<std::string>& contents,
                         double most = kBadFileSeconds) {
  for (const std::string& content : contents) EXPECT_LE(content.size(), kSize);
  std::string said;
  double best = 1e9;
  for (int again = 0; again < 3 && best >= most; ++again) {
    const double start = seconds_so_far();
    said = reader(contents);
    best = std::min(best, seconds_so_far() - start);
  }
  EXPECT_LT(best, most);
  return said;
}

void expect_refused(const Reader& reader, const std::vector<std::string>& contents, const char* why) {
  EXPECT_SAYS(expect_quick(reader, contents), why);
}

/// The same contents with bytes of one file changed, or its end gone.
std::vector<std::string> damaged(std::vector<std::string> contents, Random& random) {
  std::string& content = contents[random.below(contents.size())];
  if (random.below(4) == 0) content.resize(random.below(content.size() + 1));
  const uint64_t changes = content.empty() ? 0 : random.below(8);
  for (uint64_t i = 0; i < changes; ++i) {
    content[random.below(content.size())] = static_cast<char>(random.below(256));
  }
  return contents;
}

/// Full of rows, and with any damage.
void expect_quick_however_damaged(const Reader& reader, const std::vector<std::string>& sound) {
  Random random(4);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    expect_quick(reader, damaged(sound, random));
  }
}

/// Writes the contents to files and reads those.
Reader reader_of(const OwnFiles& files, std::function<void(const std::vector<std::string>&)> read) {
  return [&files, read = std::move(read)](const std::vector<std::string>& contents) {
    std::vector<std::string> paths;
    for (const std::string& content : contents) {
      paths.push_back(files.write(std::to_string(paths.size()), content));
    }
    return complaint([&] { read(paths); });
  };
}

Reader table_reader(const OwnFiles& files, const TableOptions& options = {}) {
  return reader_of(files, [options](const std::vector<std::string>& paths) {
    ReadReport report;
    read_tables({{paths[0]}}, options, pool(), report);
  });
}

TEST(BadSmallFile, IsRefusedWithinFiftyMilliseconds) {
  const OwnFiles files;
  for (const bad_inputs::Case& given : bad_inputs::kCases) {
    SCOPED_TRACE(given.name);
    expect_quick(table_reader(files), {std::string(given.content)});
  }
}

TEST(BadSmallFile, OfManyBadRowsIsReadWithinFiftyMilliseconds) {
  const OwnFiles files;
  const std::string head = "id,time,note\na,1,x\n";
  TableOptions skip;
  skip.skip_bad_rows = true;
  for (const char* row : {"a\n", "\n", "{\n", "a,1,\"\n", "\"a\n", "a,1,\"x\" y\n", "a,1,\"\"\"\n", "\r", ",",
                          "\"", "a,,\n", "a,1e999,x\n", "a,2021-02-30,x\n", "\xFF", "a,1,[[[[[[[[\n"}) {
    SCOPED_TRACE(row);
    for (const std::string& start : {head, std::string()}) {
      const std::string text = start + repeated(row, kSize - start.size());
      expect_quick(table_reader(files), {text});
      expect_quick(table_reader(files, skip), {text});
    }
  }
}

/// Rows that no compression makes much shorter, as many as become so many bytes.
std::string varied_rows(std::size_t bytes) {
  Random random(1);
  std::string text = "id,time\n";
  while (text.size() < bytes) {
    text +=
        std::to_string(random.below(1'000'000)) + "," + std::to_string(random.below(1'000'000'000)) + "\n";
  }
  return text;
}

TEST(BadSmallFile, IsRefusedWithinFiftyMillisecondsIfItIsCompressed) {
  const OwnFiles files;
  const Reader reader = table_reader(files);
  const std::string rows = varied_rows(100'000);
  for (const std::string& packed : {gzip(rows), zstd(rows)}) {
    ASSERT_GT(packed.size(), kSize / 2);
    for (std::size_t eighths = 1; eighths < 8; ++eighths) {
      expect_refused(reader, {packed.substr(0, packed.size() * eighths / 8)}, "ends early");
    }
    expect_quick_however_damaged(reader, {packed});
  }
  std::string damaged = gzip(rows);
  damaged[damaged.size() / 2] ^= 0x55;
  expect_refused(reader, {damaged}, "gzip data is damaged");
}

TEST(BadSmallFile, IsRefusedWithinFiftyMillisecondsIfItIsEasytpp) {
  const OwnFiles files;
  const Reader reader = reader_of(files, [](const auto& paths) { import_easytpp({{paths[0]}}); });
  const std::string row = R"({"time_since_start": [0, 0.5], "type_event": [3, 1], "seq_idx": 7},)";
  const std::string rows = repeated(R"({"time_since_start": [0, 1.5], "type_event": [3, 1]},)", kSize - 100);
  const std::string last = R"({"time_since_start": [0], "type_event": [100000]}])";
  expect_refused(reader, {"[" + rows + last}, "'100000' is out of range; write 0 to 99999");
  expect_quick(reader, {R"([{"time_since_start": [0], "type_event": [99999]}])"});
  expect_refused(reader, {"[" + rows}, "not JSON");
  expect_refused(reader, {"[" + repeated(row, kSize - 1)}, "7");
  expect_refused(reader, {repeated("[")}, "not JSON");
  expect_refused(reader, {repeated("{\"a\":")}, "not JSON");
  expect_refused(reader, {repeated("{}\n") + "{"}, "not JSON");
  expect_refused(reader, {std::string(kSize, '9')}, "too large");
  expect_refused(reader, {"[" + repeated("\"\\u00e9", kSize - 1)}, "not JSON");
  expect_refused(reader,
                 {R"([{"time_since_start": [)" + repeated("0,", kSize - 100) + R"(0], "type_event": []}])"},
                 "type_event of '0'");
  expect_quick_however_damaged(reader, {"[" + rows + "{}]"});
}

std::string big_endian(uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

std::string images_of(uint32_t count, uint32_t rows, uint32_t columns, const std::string& pixels) {
  return big_endian(2051) + big_endian(count) + big_endian(rows) + big_endian(columns) + pixels;
}

std::string labels_of(uint32_t count, const std::string& labels) {
  return big_endian(2049) + big_endian(count) + labels;
}

TEST(BadSmallFile, IsRefusedWithinFiftyMillisecondsIfItIsOfImages) {
  const OwnFiles files;
  const Reader reader = reader_of(files, [](const auto& paths) { import_mnist(paths[0], paths[1], {}); });
  const std::string images = images_of(80, 28, 28, std::string(80 * 784, '\xFF'));
  const std::string labels = labels_of(80, std::string(80, '\x07'));
  EXPECT_EQ(reader({images, labels}), "");
  expect_refused(reader, {images.substr(0, 15), labels}, "the header of an IDX file of images has 16");
  expect_refused(reader, {images.substr(0, 60'000), labels}, "get the file again");
  expect_refused(reader, {images, labels.substr(0, 50)}, "get the file again");
  expect_refused(reader, {labels, images}, "give images first");
  expect_refused(reader, {images_of(1'000'000, 28, 28, std::string(60'000, 'x')), labels},
                 "get the file again");
  expect_refused(reader, {images_of(0xFFFFFFFF, 32768, 32768, ""), labels}, "cut the file in parts");
  expect_refused(reader, {images_of(1, 0xFFFFFFFF, 1, ""), labels}, "has an extent of");
  expect_refused(reader, {images, labels_of(60'000, std::string(60'000, '\xFF'))},
                 "give the two files of one set");
  expect_refused(reader, {gzip(images).substr(0, 100), labels}, "ends early");
  expect_quick_however_damaged(reader, {images, labels});
}

using Pack = std::string (*)(const std::string&);

/// As many packed megabytes of a text behind a head as a small file has room for.
std::string bomb(Pack pack, const std::string& head, const std::string& text) {
  const std::string start = pack(head);
  return start + repeated(pack(repeated(text, 1 << 20)), kSize - start.size());
}

/// Packed data may become 256 times as long before they are refused, and are read until then.
TEST(BadSmallFile, IsRefusedWithinASecondIfItIsABomb) {
  constexpr double kMost = 1 * kSlower;
  const OwnFiles files;
  const Reader reader = table_reader(files);
  const std::string head = "id,time\n";
  for (const Pack pack : {gzip, zstd}) {
    for (const auto& [before, text] :
         {std::pair<std::string, std::string>{"", "\n"}, {"", "a"}, {head, "a,1\n"}, {head + "\"", "a\n"}}) {
      SCOPED_TRACE(before + text);
      EXPECT_NE(expect_quick(reader, {bomb(pack, before, text)}, kMost), "");
    }
    const Reader images = reader_of(files, [](const auto& paths) { import_mnist(paths[0], paths[0], {}); });
    const std::string dark = bomb(pack, images_of(1'000'000, 28, 28, ""), std::string(1, '\0'));
    EXPECT_SAYS(expect_quick(images, {dark}, kMost), "times as many");
  }
}

TEST(BadSmallFile, IsRefusedWithinFiftyMillisecondsIfItIsOneOfTwins) {
  const OwnFiles files;
  const Reader reader = reader_of(files, [](const auto& paths) { import_rmtpp({{paths[0], paths[1]}}); });
  const std::string events = repeated("1 2 3\n", kSize - 100);
  const std::string times = repeated("1 2 3\n", kSize - 100);
  EXPECT_EQ(reader({events, times}), "");
  expect_refused(reader, {events + "1\n", times}, "has no line that belongs to");
  expect_refused(reader, {events + "1 2\n", times + "1\n"}, "2 events, but 1 times");
  expect_refused(reader, {events + "x\n", times + "1\n"}, "is not a whole number");
  expect_refused(reader, {events + "1\n", times + "x\n"}, "is not a number");
  expect_refused(reader, {repeated("1 "), repeated("1 ", kSize - 2)}, "give each event a time");
  expect_refused(reader, {std::string(kSize, '1'), "1\n"}, "is not a whole number of 64 bits");
  expect_refused(reader, {"1\n", std::string(kSize, '1')}, "is too large");
  expect_refused(reader, {repeated("\n"), "\n"}, "has no line that belongs to");
  expect_quick_however_damaged(reader, {events, times});
}

TEST(BadSmallFile, IsRefusedWithinFiftyMillisecondsIfItIsOneOfThreeLists) {
  const OwnFiles files;
  const Reader reader = reader_of(files, [](const auto& paths) {
    import_lst({{paths[0], paths[1], paths[2]}});
  });
  std::string items;
  for (int user = 0; items.size() < kSize - 100; ++user) items += std::to_string(user) + ",5 6 7\n";
  std::string deltas;
  std::string accumulated;
  for (int user = 0; deltas.size() < kSize - 100; ++user) {
    deltas += std::to_string(user) + ",1 1 0\n";
    accumulated += std::to_string(user) + ",0 1 2\n";
  }
  EXPECT_EQ(reader({items, deltas, accumulated}), "");
  expect_refused(reader, {items + "x,1\n", deltas, accumulated}, "have different numbers of lines");
  expect_refused(reader, {items + "x,1\n", deltas + "y,1\n", accumulated + "x,1\n"}, "with the same users");
  expect_refused(reader, {items + "x\n", deltas, accumulated}, "has no comma");
  expect_refused(reader, {items + "x,1\n", deltas + "x,1\n", accumulated + "x,z\n"}, "is not a number");
  expect_refused(reader, {items + "0,1\n", deltas + "0,1\n", accumulated + "0,1\n"}, "0");
  expect_refused(reader, {repeated("x"), repeated("x"), repeated("x")}, "has no comma");
  expect_quick_however_damaged(reader, {items, deltas, accumulated});
}

TEST(BadSmallFile, IsRefusedWithinFiftyMillisecondsIfItIsALogOfPlays) {
  const OwnFiles files;
  const Reader reader = reader_of(files, [](const auto& paths) { import_lastfm(paths[0], {}); });
  std::string rows;
  for (int i = 0; rows.size() < kSize - 100; ++i) {
    rows += "u" + std::to_string(i) + "\t2009-05-04T23:08:57Z\t\ta\t\tt" + std::to_string(i % 1000) + "\n";
  }
  expect_refused(reader, {rows + "u\tsoon\t\ta\t\tt\n"}, "is not a time");
  expect_refused(reader, {repeated("\t")}, "fields with tabs between");
  expect_refused(reader, {repeated("x")}, "fields with tabs between");
  expect_refused(reader, {"u\t" + std::string(kSize - 100, '2') + "\t\ta\t\tt\n"}, "is not a time");
  expect_quick(reader, {rows.substr(0, rows.find('\n') + 1) + repeated("\n", kSize - 100)});
  expect_quick_however_damaged(reader, {rows});
}

TEST(BadSmallFile, IsRefusedWithinFiftyMillisecondsIfItIsALogOfPosts) {
  const OwnFiles files;
  const Reader reader = reader_of(files, [](const auto& paths) { import_citeulike(paths[0], {}); });
  std::string rows;
  for (int i = 0; rows.size() < kSize - 100; ++i) {
    rows += std::to_string(i) + "|u" + std::to_string(i % 50) + "|2009-05-04 23:08:57+00|tag\n";
  }
  expect_refused(reader, {rows + "1|u|soon|tag\n"}, "is not a time");
  expect_refused(reader, {rows + "1|u\n"}, "fields with | between");
  expect_refused(reader, {repeated("x")}, "fields with | between");
  expect_refused(reader, {repeated("x|u|")}, "is not a time");
  expect_quick(reader, {repeated("|")});
  expect_quick_however_damaged(reader, {rows});
}

/// A file of the time zone database, of version 2, with these changes of one clock.
std::string tzif(const std::vector<int64_t>& changes, const std::string& rule) {
  const auto header = [](uint32_t times, uint32_t types) {
    return "TZif2" + std::string(15 + 3 * 4, '\0') + big_endian(times) + big_endian(types) + big_endian(0);
  };
  std::string bytes = header(0, 0) + header(static_cast<uint32_t>(changes.size()), 2);
  for (const int64_t at : changes) {
    bytes += big_endian(static_cast<uint32_t>(at >> 32)) + big_endian(static_cast<uint32_t>(at));
  }
  for (std::size_t i = 0; i < changes.size(); ++i) bytes += static_cast<char>(i % 2);
  bytes += big_endian(0) + std::string(2, '\0') + big_endian(3600) + std::string("\1\0", 2);
  return bytes + "\n" + rule + "\n";
}

TEST(BadSmallFile, IsRefusedWithinFiftyMillisecondsIfItIsATimeZone) {
  const Reader reader = [](const std::vector<std::string>& contents) {
    return complaint([&] { TimeZone::from_tzif("Z", std::as_bytes(std::span(contents[0]))); });
  };
  std::vector<int64_t> changes;
  for (int64_t i = 0; i < 7'000; ++i) changes.push_back(i * 1'000'000);
  const std::string sound = tzif(changes, "CET-1CEST,M3.5.0,M10.5.0/3");
  EXPECT_EQ(reader({sound}), "");
  expect_refused(reader, {repeated("x")}, "it is not a TZif file");
  for (std::size_t eighths = 1; eighths < 8; ++eighths) {
    expect_refused(reader, {sound.substr(0, sound.size() * eighths / 8)}, "ends too early");
  }
  expect_refused(reader, {tzif({}, std::string(60'000, 'A'))}, "is not understood");
  expect_refused(reader, {tzif({}, "A" + std::string(60'000, '1'))}, "is not understood");
  std::ranges::reverse(changes);
  expect_quick(reader, {tzif(changes, "CET-1CEST,M3.5.0,M10.5.0/3")});
  expect_quick_however_damaged(reader, {sound});
}

}  // namespace
}  // namespace t2v::data
