#include "data/table_schema.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::data {
namespace {

constexpr std::string_view kWithoutName = "column ";

struct RoleNames {
  Role role;
  std::string_view word;    // in messages
  std::string_view option;  // its name, as in TableOptions
  std::vector<std::string> usual;
};

const std::vector<RoleNames>& roles() {
  static const std::vector<RoleNames> table = {
      {Role::kId,
       "id",
       "id",
       {"sequence_id", "unique_id", "user_id", "user", "id", "seq_idx", "seq_id", "userid", "session_id",
        "session", "customer_id", "customer", "client_id", "patient_id", "subject_id", "device_id", "uid"}},
      {Role::kTime,
       "time",
       "time",
       {"time", "timestamp", "ds", "event_time", "date", "t", "datetime", "ts", "event_timestamp",
        "created_at", "unixtime", "unix_time", "utc_timestamp"}},
      {Role::kEvent,
       "event",
       "event",
       {"event", "type_event", "item_id", "item", "type", "event_type", "event_name", "action", "activity",
        "code", "product_id", "badge", "place"}},
      {Role::kValue, "value", "value", {"value", "y", "numeric_value"}},
      {Role::kLabel, "label", "label", {"label", "class"}},
      {Role::kTarget, "target", "target", {}},
      {Role::kFeature, "feature", "features", {}},
      {Role::kSequenceFeature, "feature of the sequence", "sequence_features", {}},
  };
  return table;
}

const RoleNames& entry_of(Role role) { return *std::ranges::find(roles(), role, &RoleNames::role); }

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

std::string_view option_of(Role role) { return entry_of(role).option; }

std::string list_names(const std::vector<std::string>& names, std::size_t most) {
  std::string list;
  const std::size_t count = names.size() <= most ? names.size() : most - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const bool last = i > 0 && i + 1 == names.size();
    list += fmt::format("{}'{}'", i == 0 ? "" : last ? " and " : ", ", shown(names[i]));
  }
  return count < names.size() ? list + fmt::format(" and {} more", names.size() - count) : list;
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
