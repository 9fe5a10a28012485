// Any text is the record of a run, or t2v::Error; also one whose checksum is right.

#include <nlohmann/json.hpp>

#include "base/json_text.h"

#include "fuzz_input.h"
#include "paper/run_record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view text = t2v::fuzz::text_of(data, size);
  t2v::fuzz::expect_error_or_nothing([&] { t2v::paper::parse_run_record("fuzz", text); });
  const nlohmann::json record = t2v::parse_json_text(text);
  if (!record.is_object()) return 0;
  const std::string sealed = t2v::paper::run_record_text(record);
  t2v::fuzz::expect_error_or_nothing([&] { t2v::paper::parse_run_record("fuzz", sealed); });
  return 0;
}
