// Any bytes, also with checksums that are right, are an event store whose every column can be used, or
// t2v::Error.

#include "base/memory_disk.h"
#include "data/event_store.h"
#include "fuzz_input.h"

namespace {

using t2v::fuzz::check;

void open(const std::string& bytes) {
  t2v::MemoryDisk disk(std::as_bytes(std::span(bytes)));
  t2v::fuzz::expect_error_or_nothing([&] {
    const t2v::data::EventStore store = t2v::data::open_store("fuzz", disk);
    const t2v::data::Events& events = store.events;
    events.check(0, events.size());
    for (int64_t s = 0; s < events.sequences(); ++s) check(events.length(s) > 0);
    const auto check_codes = [](const t2v::data::CategoryColumn& column) {
      for (const int32_t code : column.codes) check(code >= 0 && code < column.names.size());
    };
    if (events.event) check_codes(*events.event);
    if (events.label) check_codes(*events.label);
    for (const auto& column : events.categories) check_codes(column);
    for (const auto& column : events.sequence_categories) check_codes(column);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  open(t2v::fuzz::corrected(std::string(t2v::fuzz::text_of(data, size))));
  return 0;
}
