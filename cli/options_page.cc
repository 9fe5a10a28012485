#include "options_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "option_flags.h"
#include "train/training_data.h"

namespace t2v::cli {
namespace {

using Entry = OptionTable::Entry;

constexpr const char* kHead =
    "# Options\n\n"
    "All options of reading, splitting and training data, then those of each command. This page is written "
    "by "
    "`t2v manual\n--options`.\n\n"
    "| where | how an option is given |\n|---|---|\n"
    "| command line | `--query-time`, `--hidden 64` |\n"
    "| file for `--config` | `{\"query_time\": true, \"hidden\": 64}` |\n"
    "| C++ and C | settings of a name and a text: `{\"hidden\", \"64\"}`, `{\"query_time\", \"true\"}` |\n"
    "| Python | keywords of an estimator, or `options={\"hidden\": 64}`; those of reading in `columns={...}` "
    "|\n\n"
    "Lists have commas between on the command line and in texts. `time_column` is called `time` where `time` "
    "has "
    "no other\nmeaning: in `t2v import`, `doctor`, `predict` and `evaluate`, in `ReadOptions`, and in "
    "`columns`. "
    "Options in bold are those\nthat most people need.\n";

/// A text within a cell of a table.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, "\\");
  }
  return text;
}

std::string value_of(const Entry& entry) {
  const Option& option = entry.option;
  if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, ", "));
  const std::string kind = kind_of(entry);
  if (kind == "FLAG") return "true or false";
  if (kind != "INT" && kind != "NUMBER") return kind == "TEXT" ? "a text" : kind;
  const std::string what = kind == "INT" ? "a whole number" : "a number";
  const bool from = option.least > -1e300;
  const bool to = option.most < 1e300;
  if (from && to)
    return fmt::format("{} from {} to {}{}", what, option.least, option.below_most ? "below " : "",
                       option.most);
  return from ? fmt::format("{} from {} up", what, option.least) : what;
}

std::string row_of(const Entry& entry) {
  const std::string name = fmt::format("`{}`", entry.option.name);
  const std::vector<std::string> texts = texts_of(entry);
  const std::string text = fmt::format("{}", fmt::join(texts, ","));
  return fmt::format("| {} | {} | {} | {} |\n",
                     entry.option.audience == Audience::kBasic ? "**" + name + "**" : name,
                     cell(value_of(entry)), text.empty() ? "" : "`" + text + "`", cell(entry.option.help));
}

std::string head_of(std::string_view title) {
  return fmt::format("\n## {}\n\n| option | takes | default | meaning |\n|---|---|---|---|\n", title);
}

/// The options of a command that were not told before.
std::string own_rows(const std::string& command, const OptionTable& told) {
  std::string rows = head_of("t2v " + command);
  for (const Entry& entry : table_of(command).entries()) {
    const Entry* same = told.find(entry.option.name == "time" ? "time_column" : entry.option.name);
    if (same == nullptr || same->option.help != entry.option.help) rows += row_of(entry);
  }
  return rows;
}

}  // namespace

std::string options_page() {
  TrainRequest request;
  const OptionTable table = options_of(request);
  std::string page = kHead;
  std::string_view group;
  for (const Entry& entry : table.entries()) {
    if (entry.option.group != group) {
      group = entry.option.group;
      page += head_of(group);
    }
    page += row_of(entry);
  }
  for (const char* command : {"train", "evaluate", "predict", "stream", "doctor", "import", "inspect",
                              "encode", "rescale", "export", "ablate", "reproduce", "report"}) {
    if (!table_of(command).entries().empty()) page += own_rows(command, table);  // all are not always built
  }
  return page;
}

}  // namespace t2v::cli
