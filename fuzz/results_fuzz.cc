// Any text is the results of experiments, or t2v::Error.

#include "fuzz_input.h"
#include "report/results.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  t2v::fuzz::expect_error_or_nothing(
      [&] { t2v::report::parse_results("fuzz", std::string(t2v::fuzz::text_of(data, size))); });
  return 0;
}
