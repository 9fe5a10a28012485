// Any text is an object of options, or t2v::Error.

#include "fuzz_input.h"
#include "train/options_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  t2v::fuzz::expect_error_or_nothing(
      [&] { t2v::fuzz::check(t2v::parse_options("fuzz", t2v::fuzz::text_of(data, size)).is_object()); });
  return 0;
}
