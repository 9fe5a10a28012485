// Any line is an event, a question, or t2v::Error.

#include "fuzz_input.h"
#include "stream/event_line.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  static t2v::EventLineReader dates(
      {{"price", true}, {"place", false}}, {},
      t2v::data::TimeReader({true, 9}, std::nullopt, t2v::data::TimeZone::find("Europe/Paris")));
  static t2v::EventLineReader numbers(
      {{"price", true}, {"place", false}}, {},
      t2v::data::TimeReader({false, 3}, std::nullopt, t2v::data::TimeZone::utc()), {}, true);
  const std::string own(t2v::fuzz::text_of(data, size));
  for (t2v::EventLineReader* reader : {&dates, &numbers}) {
    t2v::fuzz::expect_error_or_nothing([&] {
      const t2v::EventLine& line = reader->read(own);
      t2v::fuzz::check(!line.event.id.empty());
      t2v::fuzz::check(line.is_question ? line.event.at.has_value() : line.event.features.size() == 2);
    });
  }
  return 0;
}
