// Any text as JSON is a configuration of a model, of a training, an encoding, or t2v::Error each.

#include <nlohmann/json.hpp>

#include "base/json_text.h"

#include "data/encoding.h"
#include "fuzz_input.h"
#include "model/config_json.h"
#include "train/training.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const nlohmann::json json = t2v::parse_json_text(t2v::fuzz::text_of(data, size));
  if (json.is_discarded()) return 0;
  t2v::fuzz::expect_error_or_nothing([&] {
    const t2v::ModelConfig config = t2v::model_config_from_json(json);
    t2v::fuzz::check(to_json(t2v::model_config_from_json(to_json(config))) == to_json(config));
  });
  t2v::fuzz::expect_error_or_nothing([&] {
    t2v::TrainConfig config;
    t2v::read_json(config, json);
  });
  t2v::fuzz::expect_error_or_nothing([&] { t2v::data::encoding_from_json(json); });
  return 0;
}
