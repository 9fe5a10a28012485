#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/table_schema.h"

namespace t2v::data {

/// Finds columns of one table by their names.
class ColumnFinder {
 public:
  ColumnFinder(std::vector<std::string> header, bool has_header);

  /// The column of a name, or by its place where columns have none.
  std::optional<std::size_t> named(std::string_view name) const;
  /// The column that was asked for, by name or by number from 1. Throws t2v::Error if there is none.
  std::size_t given(std::string_view name, Role role) const;
  /// The columns of the usual names of a role, best first. Case and what is between words do not matter:
  /// "User ID" is user_id.
  std::vector<std::size_t> usual(Role role) const;

  std::string name_of(std::size_t field) const;
  std::vector<std::string> names() const;
  /// All columns in words.
  std::string list() const;

 private:
  std::optional<std::size_t> by_name(std::string_view name) const;

  std::vector<std::string> header_;
  bool has_header_;
  std::vector<std::string> bare_;
  std::vector<std::vector<std::string>> words_;
  std::map<std::string, int, std::less<>> counts_;  // of bare names, as they are written
};

}  // namespace t2v::data
