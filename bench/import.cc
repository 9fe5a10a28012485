// Speed of reading tables into memory, grouped and sorted:
//   bench_import make FOLDER ROWS      writes iso.csv and unix.csv: user, time, event, price
//   bench_import read FILE THREADS [REPETITIONS]
// prints the megabytes of text a second, median of the repetitions: of reading alone (rows parsed, names
// numbered, times exact), and with grouping by sequence and sorting by time; and the peak memory.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "bench/clock.h"
#include "bench/measurement.h"
#include "data/events.h"
#include "data/iso_time.h"
#include "data/table_reader.h"
#include "t2v/error.h"

namespace {

using namespace t2v;

/// Shop events of many users, mixed, in order of time: the usual log.
void make(const std::string& folder, int64_t rows) {
  constexpr uint64_t kUsers = 20000;
  constexpr std::array<const char*, 6> kEvents = {"view", "search", "cart", "buy", "return", "review"};
  Random random(1);
  std::FILE* iso = std::fopen((folder + "/iso.csv").c_str(), "wb");
  std::FILE* unix_time = std::fopen((folder + "/unix.csv").c_str(), "wb");
  if (iso == nullptr || unix_time == nullptr) throw Error("cannot write to " + folder);
  fmt::print(iso, "user_id,time,event,price\n");
  fmt::print(unix_time, "user_id,time,event,price\n");
  int64_t seconds = 1'600'000'000;
  for (int64_t row = 0; row < rows; ++row) {
    seconds += static_cast<int64_t>(random.below(3));
    const std::string rest = fmt::format("{},{:.2f}\n", kEvents[random.below(6)], random.uniform(0, 200));
    const uint64_t user = random.below(kUsers);
    fmt::print(iso, "u{},{},{}", user, data::format_iso(seconds * 1'000'000'000), rest);
    fmt::print(unix_time, "u{},{},{}", user, seconds, rest);
  }
  std::fclose(iso);
  std::fclose(unix_time);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void read(const std::string& path, int threads, int repetitions) {
  ThreadPool pool(threads);
  data::TableOptions options;
  options.features = {"price"};
  int64_t rows = 0;
  std::vector<double> read_times;
  std::vector<double> all_times;
  for (int r = 0; r < repetitions; ++r) {
    data::EventTable table;
    const double reading = bench::seconds_of([&] {
      data::ReadReport report;
      table = data::read_tables({{path}}, options, pool, report);
    });
    rows = table.rows();
    const double grouping = bench::seconds_of([&] {
      data::GroupCounts counts;
      const data::Events events = data::group(std::move(table), data::Order::kSort, counts);
    });
    read_times.push_back(reading);
    all_times.push_back(reading + grouping);
  }
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  fmt::print(
      "{} threads, {:.2f} million rows: read {:.1f} MB/s, read and grouped {:.1f} MB/s, peak {:.0f} MB\n",
      threads, static_cast<double>(rows) / 1e6, megabytes / bench::middle_of(read_times).median,
      megabytes / bench::middle_of(all_times).median, peak_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv, argv + argc);
  try {
    if (args.size() == 4 && args[1] == "make") {
      make(args[2], std::stoll(args[3]));
    } else if (args.size() >= 4 && args[1] == "read") {
      read(args[2], std::stoi(args[3]), args.size() > 4 ? std::stoi(args[4]) : 5);
    } else {
      fmt::print(stderr, "bench_import make FOLDER ROWS | read FILE THREADS [REPETITIONS]\n");
      return 2;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_import: {}\n", error.what());
    return 1;
  }
  return 0;
}
