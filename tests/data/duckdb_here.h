#pragma once

#include <string>

#include "data/duckdb_library.h"
#include "t2v/error.h"

namespace t2v::data {

/// Why DuckDB cannot be used here; empty if it can. For GTEST_SKIP.
inline std::string no_duckdb() {
  static const std::string reason = [] {
    try {
      duckdb();
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  }();
  return reason;
}

}  // namespace t2v::data
