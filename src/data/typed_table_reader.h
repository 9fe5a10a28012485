#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "data/event_table.h"
#include "data/table_reader.h"
#include "data/table_schema.h"
#include "data/typed_table.h"

namespace t2v::data {

/// A typed table and what its sequences are for, if that is given by tables.
struct TypedSource {
  std::function<std::unique_ptr<TypedTable>()> open;  // when its turn comes
  std::optional<Part> part = {};
};

/// Reads events from typed tables as read_tables() does from text; several are one table. All threads of the
/// pool turn cells into columns; the result does not depend on their number.
///
/// Throws t2v::Error, "name: row 3: ...", for the first row that cannot be used, unless those are to be
/// skipped.
EventTable read_typed_tables(const std::vector<TypedSource>& sources, const TableOptions& options,
                             ThreadPool& pool, ReadReport& report,
                             const std::function<void(const ReadProgress&)>& progress = {});

}  // namespace t2v::data
