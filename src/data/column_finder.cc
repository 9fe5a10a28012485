#include "data/column_finder.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/fail.h"
#include "base/nearest_name.h"
#include "base/text_check.h"
#include "data/column_words.h"

namespace t2v::data {
namespace {

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

}  // namespace

ColumnFinder::ColumnFinder(std::vector<std::string> header, bool has_header)
    : header_(std::move(header)), has_header_(has_header) {
  for (const std::string& name : header_) {
    bare_.push_back(lower(bare(name)));
    words_.push_back(words_of(bare(name)));
    ++counts_[std::string(bare(name))];
  }
}

std::optional<std::size_t> ColumnFinder::named(std::string_view name) const {
  if (has_header_) return by_name(name);
  const auto field = field_without_name(name);
  return field && *field < header_.size() ? field : std::nullopt;
}

std::optional<std::size_t> ColumnFinder::by_name(std::string_view name) const {
  auto found = std::ranges::find(header_, name);
  if (found != header_.end()) return static_cast<std::size_t>(found - header_.begin());
  const auto alike = std::ranges::find(bare_, lower(bare(name)));
  if (alike == bare_.end()) return std::nullopt;
  return static_cast<std::size_t>(alike - bare_.begin());
}

std::size_t ColumnFinder::given(std::string_view name, Role role) const {
  if (const auto found = named(name)) return *found;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc() && end == name.data() + name.size();
  if (is_number && number >= 1 && number <= header_.size()) return number - 1;
  const std::string near = has_header_ ? nearest_name(name, header_) : "";
  fail("there is no column '{}' (`{}` {}); {}{}", shown(name), option_of(role), shown(name),
       near.empty() ? "" : fmt::format("did you mean '{}'? ", shown(near)), list());
}

std::vector<std::size_t> ColumnFinder::usual(Role role) const {
  std::vector<std::size_t> fields;
  if (!has_header_) return fields;
  for (const std::string& name : usual_names(role)) {
    const auto words = words_of(name);
    for (std::size_t field = 0; field < header_.size(); ++field) {
      const bool found = bare_[field] == name || words_[field] == words;
      if (found && std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
    }
  }
  return fields;
}

std::string ColumnFinder::name_of(std::size_t field) const {
  if (!has_header_) return fmt::format("column {}", field + 1);
  const bool alone = counts_.find(bare(header_[field]))->second == 1;
  return std::string(alone ? bare(header_[field]) : without_type(header_[field]));
}

std::vector<std::string> ColumnFinder::names() const {
  std::vector<std::string> names;
  for (std::size_t field = 0; field < header_.size(); ++field) names.push_back(name_of(field));
  return names;
}

std::string ColumnFinder::list() const {
  if (!has_header_) return fmt::format("there are the columns 1 to {}", header_.size());
  constexpr std::size_t kMost = 20;
  std::string list = "the columns are ";
  for (std::size_t i = 0; i < std::min(kMost, header_.size()); ++i) {
    list += fmt::format("{}'{}'", i == 0 ? "" : ", ", shown(header_[i]));
  }
  return header_.size() > kMost ? list + fmt::format(" and {} more", header_.size() - kMost) : list;
}

}  // namespace t2v::data
