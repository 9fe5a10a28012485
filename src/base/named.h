#pragma once

#include <string>
#include <string_view>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v {

/// The entry of a table whose `name` is the given one. Throws t2v::Error that lists the names there are.
template <class Table>
const auto& find_named(const Table& table, std::string_view name, std::string_view what) {
  std::string all;
  for (const auto& entry : table) {
    if (entry.name == name) return entry;
    all += (all.empty() ? "" : ", ") + std::string(entry.name);
  }
  fail("unknown {} '{}'; use one of {}", what, shown(name), all);
}

}  // namespace t2v
