// How long an event store of many events takes to open, to the first batch, and to be checked whole:
//   bench_store PATH [EVENTS]     writes it to PATH (10^8 events, 1.2 GB) and removes it afterwards
#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/random.h"
#include "bench/clock.h"
#include "bench/measurement.h"
#include "data/batches.h"
#include "data/event_store.h"

namespace {

using namespace t2v;

void write(const std::string& path, int64_t events) {
  constexpr int64_t kLength = 100;
  data::EventTable table;
  table.scale = {.instants = true, .decimals = 9};
  table.event = data::Categories{"event", {}, {}};
  for (int i = 0; i < 1000; ++i) table.event->names.add(fmt::format("type {}", i));
  Random random(1);
  int64_t tick = 0;
  for (int64_t e = 0; e < events; ++e) {
    if (e % kLength == 0) tick = 1'600'000'000'000'000'000;
    tick += static_cast<int64_t>(random.next32()) * 1000;
    table.sequence.push_back(static_cast<int32_t>(e / kLength));
    table.ticks.push_back(tick);
    table.event->codes.push_back(static_cast<int32_t>(random.below(1000)));
  }
  for (int64_t s = 0; s * kLength < events; ++s) table.ids.add(fmt::format("user {}", s));
  data::GroupCounts counts;
  data::write_store(FileSystem::real(), path,
                    {data::group(std::move(table), data::Order::kSort, counts), {}, {}});
}

void first_batch(const std::string& path) {
  const data::EventStore store = data::open_store(path);
  std::vector<data::Piece> pieces;
  for (int64_t s = 0; s < 64; ++s) {
    const int64_t at = store.events.sequences() / 64 * s;
    pieces.push_back({at, store.events.begin(at), store.events.end(at), store.events.begin(at)});
  }
  const data::Encoding encoding = data::learn_encoding(store.events, pieces, {.unknown = "always"});
  data::Batches(store.events, pieces, encoding, {.batch = 64}).make(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "bench.events";
  const int64_t events = argc > 2 ? std::stoll(argv[2]) : 100'000'000;
  write(path, events);
  const auto median_of = [](const std::function<void()>& work) {
    std::vector<double> times;
    for (int r = 0; r < 5; ++r) times.push_back(bench::seconds_of(work));
    return 1e3 * bench::middle_of(times).median;
  };
  const double opened = median_of([&] { data::open_store(path); });
  const double first = median_of([&] { first_batch(path); });
  const double checked = median_of([&] { Container::open(path).verify(); });
  fmt::print("{} events: open {:.1f} ms, to the first batch {:.1f} ms, checked whole {:.0f} ms\n", events,
             opened, first, checked);
  std::remove(path.c_str());
}
