#include "data/table_schema.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/fail.h"
#include "base/nearest_name.h"
#include "base/text_check.h"

namespace t2v::data {
namespace {

struct RoleNames {
  Role role;
  std::string_view word;    // in messages
  std::string_view option;  // on the command line
  std::vector<std::string> usual;
};

const std::vector<RoleNames>& roles() {
  static const std::vector<RoleNames> table = {
      {Role::kId,
       "id",
       "--id",
       {"sequence_id", "unique_id", "user_id", "user", "id", "seq_idx", "seq_id", "userid", "session_id",
        "session", "customer_id", "customer", "client_id", "patient_id", "device_id", "uid"}},
      {Role::kTime,
       "time",
       "--time",
       {"time", "timestamp", "ds", "event_time", "date", "t", "datetime", "ts", "event_timestamp",
        "created_at", "unixtime", "unix_time", "utc_timestamp"}},
      {Role::kEvent,
       "event",
       "--event",
       {"event", "type_event", "item_id", "item", "type", "event_type", "event_name", "action", "activity",
        "code", "product_id", "badge", "place"}},
      {Role::kValue, "value", "--value", {"value", "y"}},
      {Role::kLabel, "label", "--label", {"label", "class"}},
      {Role::kTarget, "target", "--target", {}},
      {Role::kFeature, "feature", "--features", {}},
      {Role::kSequenceFeature, "feature of the sequence", "--sequence-features", {}},
  };
  return table;
}

const RoleNames& entry_of(Role role) { return *std::ranges::find(roles(), role, &RoleNames::role); }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// "user_id:token" is user_id with a type.
std::string_view without_type(std::string_view name) {
  constexpr std::array<std::string_view, 4> kTypes = {":token", ":float", ":token_seq", ":float_seq"};
  for (const std::string_view type : kTypes) {
    if (name.ends_with(type)) return name.substr(0, name.size() - type.size());
  }
  return name;
}

/// "user_id, time" has a blank before its second name, which nobody means.
std::string_view without_blanks(std::string_view name) {
  const std::size_t begin = std::min(name.find_first_not_of(" \t"), name.size());
  return name.substr(begin, name.find_last_not_of(" \t") + 1 - begin);
}

std::string_view bare(std::string_view name) { return without_type(without_blanks(name)); }

std::string list_of(const std::vector<std::string>& header, bool has_header) {
  if (!has_header) return fmt::format("there are the columns 1 to {}", header.size());
  constexpr std::size_t kMost = 20;
  std::string list = "the columns are ";
  for (std::size_t i = 0; i < std::min(kMost, header.size()); ++i) {
    list += fmt::format("{}'{}'", i == 0 ? "" : ", ", shown(header[i]));
  }
  return header.size() > kMost ? list + fmt::format(" and {} more", header.size() - kMost) : list;
}

/// Finds columns of one table.
class Finder {
 public:
  Finder(const std::vector<std::string>& header, bool has_header) : header_(header), has_header_(has_header) {
    for (const std::string& name : header) bare_.push_back(lower(bare(name)));
  }

  /// The column that was asked for.
  std::size_t given(std::string_view name, Role role) const {
    if (has_header_) {
      if (const auto found = by_name(name)) return *found;
    }
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = error == std::errc() && end == name.data() + name.size();
    if (is_number && number >= 1 && number <= header_.size()) return number - 1;
    const std::string near = has_header_ ? nearest_name(name, header_) : "";
    fail("there is no column '{}' ({} {}); {}{}", shown(name), entry_of(role).option, shown(name),
         near.empty() ? "" : fmt::format("did you mean '{}'? ", shown(near)), list_of(header_, has_header_));
  }

  /// The first of the usual names that there is.
  std::optional<std::size_t> usual(Role role) const {
    if (!has_header_) return std::nullopt;
    for (const std::string& name : entry_of(role).usual) {
      const auto found = std::ranges::find(bare_, name);
      if (found != bare_.end()) return static_cast<std::size_t>(found - bare_.begin());
    }
    return std::nullopt;
  }

  std::string name_of(std::size_t field) const {
    if (!has_header_) return fmt::format("column {}", field + 1);
    const auto same = [&](const std::string& name) { return bare(name) == bare(header_[field]); };
    const bool alone = std::ranges::count_if(header_, same) == 1;
    return std::string(alone ? bare(header_[field]) : without_type(header_[field]));
  }

 private:
  std::optional<std::size_t> by_name(std::string_view name) const {
    auto found = std::ranges::find(header_, name);
    if (found != header_.end()) return static_cast<std::size_t>(found - header_.begin());
    const auto alike = std::ranges::find(bare_, lower(bare(name)));
    if (alike == bare_.end()) return std::nullopt;
    return static_cast<std::size_t>(alike - bare_.begin());
  }

  const std::vector<std::string>& header_;
  bool has_header_;
  std::vector<std::string> bare_;
};

/// Throws t2v::Error if a column is one of sequences, and there is nothing that tells them apart.
void check_needs_no_id(const std::vector<ColumnChoice>& columns, const std::string& list) {
  if (std::ranges::count(columns, Role::kId, &ColumnChoice::role) > 0) return;
  for (const ColumnChoice& column : columns) {
    const bool of_sequence =
        column.role == Role::kLabel || column.role == Role::kTarget || column.role == Role::kSequenceFeature;
    if (!of_sequence) continue;
    fail("the {} '{}' is one of each sequence, but no column for the id was found; {}; name one with --id{}",
         entry_of(column.role).word, shown(column.name), list,
         column.role == Role::kLabel ? ", or give --label - if it is none" : "");
  }
}

}  // namespace

bool is_feature(Role role) { return role == Role::kFeature || role == Role::kSequenceFeature; }

const std::vector<std::string>& usual_names(Role role) { return entry_of(role).usual; }

std::vector<ColumnChoice> choose_columns(const std::vector<std::string>& header, bool has_header,
                                         const TableOptions& options) {
  if (options.time == "-") fail("every event needs a time, but --time is '-'; name a column");
  const Finder finder(header, has_header);
  std::vector<ColumnChoice> columns;
  const auto take = [&](Role role, std::size_t field) {
    for (const ColumnChoice& taken : columns) {
      if (taken.field != field) continue;
      fail("the column '{}' is taken as {} and as {}; give it one of them", shown(finder.name_of(field)),
           entry_of(taken.role).word, entry_of(role).word);
    }
    columns.push_back({role, field, finder.name_of(field)});
  };
  const auto taken = [&](std::size_t field) {
    return std::ranges::any_of(columns, [&](const ColumnChoice& column) { return column.field == field; });
  };
  const std::array<std::pair<Role, const std::string*>, 6> single = {{{Role::kId, &options.id},
                                                                      {Role::kTime, &options.time},
                                                                      {Role::kEvent, &options.event},
                                                                      {Role::kValue, &options.value},
                                                                      {Role::kLabel, &options.label},
                                                                      {Role::kTarget, &options.target}}};
  for (const auto& [role, name] : single) {
    if (!name->empty() && *name != "-") take(role, finder.given(*name, role));
  }
  for (const std::string& name : options.features) take(Role::kFeature, finder.given(name, Role::kFeature));
  for (const std::string& name : options.sequence_features) {
    take(Role::kSequenceFeature, finder.given(name, Role::kSequenceFeature));
  }
  for (const auto& [role, name] : single) {
    if (!name->empty()) continue;
    const auto field = finder.usual(role);
    if (field && !taken(*field)) {
      take(role, *field);
    } else if (role == Role::kTime || (role == Role::kId && field)) {
      fail("no column for the {} was found; {}; name one with {}{}", entry_of(role).word,
           list_of(header, has_header), entry_of(role).option,
           role == Role::kId ? " (or --id - if all rows are one sequence)" : "");
    }
  }
  if (options.id.empty()) check_needs_no_id(columns, list_of(header, has_header));
  for (const std::string& name : options.categories) {
    const std::size_t field = finder.given(name, Role::kFeature);
    const auto column = std::ranges::find(columns, field, &ColumnChoice::field);
    if (column == columns.end() || !is_feature(column->role)) {
      fail("the category '{}' is not among the features; name it there too", shown(name));
    }
    column->category = true;
  }
  std::ranges::stable_sort(columns, {}, &ColumnChoice::role);
  return columns;
}

std::string describe(const std::vector<ColumnChoice>& columns) {
  std::string text;
  for (const ColumnChoice& column : columns) {
    text +=
        fmt::format("{}{} '{}'", text.empty() ? "" : ", ", entry_of(column.role).word, shown(column.name));
  }
  return text;
}

}  // namespace t2v::data
