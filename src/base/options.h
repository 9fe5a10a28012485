#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace t2v {

/// Who an option is for: everybody, or those who know what they are after.
enum class Audience : uint8_t { kBasic, kExpert };

/// What an option is called and what it may be. Its type and default are those of a member of a struct.
struct Option {
  std::string_view name;   // query_time; on the command line --query-time
  std::string_view group;  // the heading that it stands under in a help
  Audience audience = Audience::kExpert;
  std::string help;
  std::vector<std::string> choices = {};  // of texts: all that are valid; empty: any
  std::string_view takes = {};            // of texts: what they are, in a word: COLUMN
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool below_most = false;     // whether `most` itself is too large
  char letter = 0;             // on the command line also -o
  std::string_view bare = {};  // of texts: what it is on the command line if no value follows
};

/// The options that were given, by name: a default that is given is more than a default.
using GivenOptions = std::set<std::string, std::less<>>;

/// The options of a struct with its members: the one declaration behind the command line, JSON, texts, the
/// checks of ranges and the tables of the documentation. A view: the struct must outlive it.
class OptionTable {
 public:
  using Member = std::variant<bool*, int*, int64_t*, uint64_t*, double*, std::string*,
                              std::vector<std::string>*, std::vector<int64_t>*>;
  struct Entry {
    Option option;
    Member member;
    GivenOptions* given;  // where it is noted that it was set
  };

  explicit OptionTable(GivenOptions* given = nullptr) : given_(given) {}
  void add(Option option, Member member) { entries_.push_back({std::move(option), member, given_}); }
  void add(OptionTable other);
  void remove(std::string_view name);

  const std::vector<Entry>& entries() const { return entries_; }
  /// nullptr if there is none. Names may have - for _.
  const Entry* find(std::string_view name) const;

  /// The values by key_of their names.
  nlohmann::json json() const;
  /// Sets those options that are there. Throws t2v::Error for one that is unknown, of another type, out of
  /// its range or none of its choices.
  void read(const nlohmann::json& json) const;
  /// Sets an option from texts, of which only lists take several. Throws t2v::Error likewise.
  static void set(const Entry& entry, const std::vector<std::string>& texts);
  /// The same by name; of lists the parts between commas.
  void set(std::string_view name, const std::string& text) const;
  /// Throws t2v::Error for a value that is out of its range or none of the choices.
  void check() const;

 private:
  const Entry& named(std::string_view name) const;

  std::vector<Entry> entries_;
  GivenOptions* given_ = nullptr;
};

/// Whether it takes several values.
bool is_list(const OptionTable::Entry& entry);
/// The value of an option as texts: one, or those of a list.
std::vector<std::string> texts_of(const OptionTable::Entry& entry);
/// What an option takes, in a word: FLAG, INT, NUMBER, TEXT or what it says itself.
std::string kind_of(const OptionTable::Entry& entry);

/// "query-time" as the name of a field: "query_time".
std::string field_name(std::string_view name);
/// "query_time" as it is on the command line: "--query-time".
std::string flag_of(std::string_view name);
/// "query_time" as it is in JSON, where files of all versions have it so: "query-time".
std::string key_of(std::string_view name);

/// A message in which options stand as `query_time`, with them as the command line has them: --query-time.
/// Only the names that `is_option` knows are rewritten.
std::string with_flags(std::string_view message, const std::function<bool(std::string_view)>& is_option);

}  // namespace t2v
