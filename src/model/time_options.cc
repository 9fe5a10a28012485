#include "model/time_options.h"

#include <nlohmann/json.hpp>

#include "data/decimal.h"
#include "data/iso_time.h"

namespace t2v {
namespace {

std::string origin_text(const ModelTimes& times) {
  switch (times.view.origin) {
    case data::OriginKind::kSequence:
      return "sequence";
    case data::OriginKind::kDataSet:
      return "dataset";
    case data::OriginKind::kInstant:
      break;
  }
  const int64_t tick = times.view.origin_tick;
  return times.scale.instants ? data::format_iso(tick) : data::to_text({tick, times.scale.decimals});
}

}  // namespace

nlohmann::json time_options(const ModelTimes& times) {
  nlohmann::json options = {{"origin", origin_text(times)}};
  if (times.view.unit != "1") options["unit"] = times.view.unit;
  return options;
}

}  // namespace t2v
