#include "data/citeulike.h"

#include "base/fail.h"
#include "base/text_check.h"
#include "data/text_lines.h"

namespace t2v::data {

ItemLog read_citeulike(const std::string& path) {
  ItemLog log;
  TextLines lines(path);
  std::vector<std::string_view> fields;
  std::string before;
  for (std::string_view line; lines.next(line);) {
    split_fields(line, '|', fields);
    if (fields.size() < 3) {
      fail("{}: {} has {} fields with | between; write article, user, time and tag", lines.place(),
           in_quotes(line), fields.size());
    }
    const std::string_view post = line.substr(0, fields[0].size() + fields[1].size() + fields[2].size() + 2);
    if (post == before) continue;
    before = post;
    log.item.push_back(fields[0].empty() ? ItemLog::kNoItem : log.items.add(fields[0]));
    log.user.push_back(log.users.add(fields[1]));
    log.ticks.push_back(fields[2].empty() ? ItemLog::kNoTime : instant_of(lines, line, fields[2]));
  }
  return log;
}

EventTable import_citeulike(const std::string& path, const CiteulikeOptions& options) {
  const ItemLog all = read_citeulike(path);
  const ItemLog kept = frequent_rows(all, options.time_lstm.vocabulary, options.fewest_posts);
  EventTable table = prepare_time_lstm(kept, options.time_lstm, "article");
  table.source = fmt::format("posts of CiteULike users in {}", path);
  table.notes.push_back(fmt::format(
      "Of {} posts of {} users, {} are of the {} most posted articles and of users "
      "with at least {} such posts.",
      all.rows(), all.users.size(), kept.rows(), options.time_lstm.vocabulary, options.fewest_posts));
  return table;
}

}  // namespace t2v::data
