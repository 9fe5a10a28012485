#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/container_writer.h"
#include "forecast/forecaster.h"

namespace t2v::forecast {

/// The ids of a forecaster's series one after another, as a file has them.
struct StoredIds {
  std::string bytes = {};
  std::vector<int64_t> offsets = {0};
};
StoredIds stored_ids(const Forecaster& forecaster);

/// Adds metadata 'forecast' and tensors 'forecast.*'. Both arguments must stay as they are until the file is
/// written.
void add_to(ContainerWriter& writer, const Forecaster& forecaster, const StoredIds& ids);

/// Nothing for a file without one. Throws t2v::Error for numbers that cannot be of a forecaster.
std::optional<Forecaster> read_forecaster(const Container& file);

}  // namespace t2v::forecast
