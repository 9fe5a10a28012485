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

constexpr std::string_view kWithoutName = "column ";

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

  /// The column of a name, or by its place where columns have none.
  std::optional<std::size_t> named(std::string_view name) const {
    if (has_header_) return by_name(name);
    const auto field = field_without_name(name);
    return field && *field < header_.size() ? field : std::nullopt;
  }

  /// The column that was asked for.
  std::size_t given(std::string_view name, Role role) const {
    if (const auto found = named(name)) return *found;
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
    if (!has_header_) return fmt::format("{}{}", kWithoutName, field + 1);
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

/// Gives columns of a table to roles, one after another.
class Chooser {
 public:
  Chooser(const std::vector<std::string>& header, bool has_header, const TableOptions& options)
      : header_(header), has_header_(has_header), options_(options), finder_(header, has_header) {}

  std::vector<ColumnChoice> choose() {
    take_given();
    take_known();
    take_usual();
    if (options_.id.empty()) check_needs_no_id(columns_, list_of(header_, has_header_));
    mark_categories();
    std::ranges::stable_sort(columns_, {}, &ColumnChoice::role);
    return std::move(columns_);
  }

 private:
  bool is_taken(std::size_t field) const {
    return std::ranges::find(columns_, field, &ColumnChoice::field) != columns_.end();
  }
  void take(Role role, std::size_t field) {
    const auto taken = std::ranges::find(columns_, field, &ColumnChoice::field);
    if (taken != columns_.end()) {
      fail("the column '{}' is taken as {} and as {}; give it one of them", shown(finder_.name_of(field)),
           entry_of(taken->role).word, entry_of(role).word);
    }
    columns_.push_back({role, field, finder_.name_of(field)});
  }
  bool take_if_free(Role role, std::optional<std::size_t> field) {
    if (!field || is_taken(*field)) return false;
    take(role, *field);
    return true;
  }

  void take_given() {
    const std::array<std::pair<Role, const std::string*>, 6> single = {{{Role::kId, &options_.id},
                                                                        {Role::kTime, &options_.time},
                                                                        {Role::kEvent, &options_.event},
                                                                        {Role::kValue, &options_.value},
                                                                        {Role::kLabel, &options_.label},
                                                                        {Role::kTarget, &options_.target}}};
    for (const auto& [role, name] : single) {
      if (name->empty()) {
        open_.push_back(role);
      } else if (*name != "-") {
        take(role, finder_.given(*name, role));
      }
    }
    const auto take_all = [&](Role role, const std::vector<std::string>& names) {
      for (const std::string& name : names) take(role, finder_.given(name, role));
    };
    take_all(Role::kFeature, options_.features);
    take_all(Role::kSequenceFeature, options_.sequence_features);
  }

  void take_known() {
    std::erase_if(open_, [&](Role role) {
      const auto known = options_.known.find(role);
      if (known == options_.known.end() || known->second.empty()) return false;
      if (known->second == "-") return role != Role::kTime;
      return take_if_free(role, finder_.named(known->second));
    });
  }

  /// Without the ids of training, sequences that a model knows apart would become one.
  void refuse_lost_id() const {
    const auto known = options_.known.find(Role::kId);
    if (known == options_.known.end() || known->second.empty()) return;
    fail(
        "the id was '{}' in training, but there is no such column, nor another usual one; {}; name it with "
        "--id (or --id - if all rows are one sequence)",
        shown(known->second), list_of(header_, has_header_));
  }

  void take_usual() {
    for (const Role role : open_) {
      const auto field = finder_.usual(role);
      if (role == Role::kId && !field) refuse_lost_id();
      const bool needed = role == Role::kTime || (role == Role::kId && field.has_value());
      if (take_if_free(role, field) || !needed) continue;
      fail("no column for the {} was found; {}; name one with {}{}", entry_of(role).word,
           list_of(header_, has_header_), entry_of(role).option,
           role == Role::kId ? " (or --id - if all rows are one sequence)" : "");
    }
  }

  void mark_categories() {
    for (const std::string& name : options_.categories) {
      const std::size_t field = finder_.given(name, Role::kFeature);
      const auto column = std::ranges::find(columns_, field, &ColumnChoice::field);
      if (column == columns_.end() || !is_feature(column->role)) {
        fail("the category '{}' is not among the features; name it there too", shown(name));
      }
      column->category = true;
    }
  }

  const std::vector<std::string>& header_;
  bool has_header_;
  const TableOptions& options_;
  Finder finder_;
  std::vector<ColumnChoice> columns_;
  std::vector<Role> open_;  // roles whose column is not given
};

}  // namespace

std::optional<std::size_t> field_without_name(std::string_view name) {
  if (!name.starts_with(kWithoutName)) return std::nullopt;
  name.remove_prefix(kWithoutName.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number == 0) return std::nullopt;
  return number - 1;
}

std::string_view word_of(Role role) { return entry_of(role).word; }

bool is_feature(Role role) { return role == Role::kFeature || role == Role::kSequenceFeature; }

const std::vector<std::string>& usual_names(Role role) { return entry_of(role).usual; }

std::vector<ColumnChoice> choose_columns(const std::vector<std::string>& header, bool has_header,
                                         const TableOptions& options) {
  if (options.time == "-") fail("every event needs a time, but --time is '-'; name a column");
  return Chooser(header, has_header, options).choose();
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
