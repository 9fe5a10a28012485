// Any text is a time, a number, or a fault, in any form, and the forms that it may have can be read; any
// bytes are the file of a time zone, or t2v::Error.

#include <algorithm>
#include <span>
#include <string>

#include "data/decimal.h"
#include "data/iso_time.h"
#include "data/time_shape.h"
#include "data/time_zone.h"
#include "fuzz_input.h"

namespace {

/// The first line as the form of a time, the second as a time.
void try_format(const std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  t2v::fuzz::expect_error_or_nothing([&] {
    const t2v::data::TimeFormat format(text.substr(0, end));
    t2v::data::IsoTime time;
    const auto fault = format.parse(std::string_view(text).substr(std::min(end + 1, text.size())), time);
    t2v::fuzz::check(fault == t2v::data::TimeFault::kNone || !format.explain(fault).empty());
  });
}

/// A form that a text seems to have is one.
void try_shapes(const std::string& text) {
  t2v::data::IsoTime time;
  for (const std::string& form : t2v::data::time_shapes(text)) t2v::data::TimeFormat(form).parse(text, time);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string own(t2v::fuzz::text_of(data, size));
  t2v::data::IsoTime time;
  if (parse_iso(own, time) == t2v::data::TimeFault::kNone) {
    t2v::data::IsoTime again;
    const std::string text = t2v::data::format_iso(time.nanoseconds);
    t2v::fuzz::check(parse_iso(text, again) == t2v::data::TimeFault::kNone);
    t2v::fuzz::check(again.nanoseconds == time.nanoseconds);
  }
  try_format(own);
  try_shapes(own);
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
