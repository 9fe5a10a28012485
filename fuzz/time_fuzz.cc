// Any text is a time, a number, or a fault; any bytes are the file of a time zone, or t2v::Error.

#include "data/decimal.h"
#include "data/iso_time.h"
#include "data/time_zone.h"
#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string own(t2v::fuzz::text_of(data, size));
  t2v::data::IsoTime time;
  if (parse_iso(own, time) == t2v::data::TimeFault::kNone) {
    t2v::data::IsoTime again;
    const std::string text = t2v::data::format_iso(time.nanoseconds);
    t2v::fuzz::check(parse_iso(text, again) == t2v::data::TimeFault::kNone);
    t2v::fuzz::check(again.nanoseconds == time.nanoseconds);
  }
  t2v::data::Decimal decimal;
  parse_decimal(own, decimal);
  double number = 0;
  t2v::data::parse_double(own, number);
  t2v::fuzz::expect_error_or_nothing([&] {
    const auto zone = t2v::data::TimeZone::from_tzif("fuzz", std::as_bytes(std::span(own)));
    for (const int64_t local : {INT64_MIN, int64_t{0}, int64_t{1'700'000'000'000'000'000}, INT64_MAX}) {
      zone.to_utc(local);
    }
  });
  return 0;
}
