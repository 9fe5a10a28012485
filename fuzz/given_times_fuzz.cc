// Any file of times, as 't2v encode' takes it: each line is a time of a model, of dates or of numbers, or
// t2v::Error.

#include "fuzz_input.h"
#include "given_times.h"

namespace {

t2v::ModelTimes times_of(bool dates, t2v::data::OriginKind origin) {
  t2v::ModelTimes times;
  times.scale.instants = dates;
  times.view.unit = dates ? "h" : "1";
  times.view.ticks_per_unit = dates ? 3.6e12 : 1;
  times.view.origin = origin;
  times.view.origin_tick = 1'700'000'000;
  return times;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const t2v::fuzz::MemoryFile file(t2v::fuzz::text_of(data, size));
  const std::vector<t2v::cli::GivenTime> given = t2v::cli::given_times({file.path()});
  for (const bool dates : {false, true}) {
    for (const auto origin : {t2v::data::OriginKind::kSequence, t2v::data::OriginKind::kInstant}) {
      const t2v::ModelTimes times = times_of(dates, origin);
      for (const t2v::cli::GivenTime& time : given) {
        for (const t2v::TimeInput input : {t2v::TimeInput::kStart, t2v::TimeInput::kGap}) {
          t2v::fuzz::expect_error_or_nothing([&] { t2v::cli::tau_of(time.text, times, input, "UTC"); });
        }
      }
    }
  }
  return 0;
}
