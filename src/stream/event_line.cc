#include "stream/event_line.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/chunk_reader.h"
#include "data/decimal.h"
#include "data/json_lines.h"
#include "data/table_schema.h"

namespace t2v {

EventLineReader::EventLineReader(const std::vector<FeatureColumn>& columns, const LineKeys& keys,
                                 data::TimeReader times, const LineKeys& known, bool one_sequence)
    : columns_(columns), times_(std::move(times)), one_sequence_(one_sequence) {
  for (const FeatureColumn& column : columns) keys_.push_back(column.name);
  id_ = add_keys(keys.id, known.id, data::usual_names(data::Role::kId));
  time_ = add_keys(keys.time, known.time, data::usual_names(data::Role::kTime));
  event_ = add_keys(keys.event, known.event, data::usual_names(data::Role::kEvent));
  at_ = add_keys("at", "", {});
}

/// A usual name that is a feature, or has another meaning already, is left out.
EventLineReader::Keys EventLineReader::add_keys(const std::string& given, const std::string& known,
                                                const std::vector<std::string>& usual) {
  const std::size_t begin = keys_.size();
  const auto taken = [&](const std::string& key) { return std::ranges::find(keys_, key) != keys_.end(); };
  if (given == "-" || (given.empty() && known == "-")) return {begin, begin};
  if (!given.empty()) {
    if (taken(given)) fail("the key {} has two meanings; name another one", in_quotes(given));
    keys_.push_back(given);
    return {begin, keys_.size()};
  }
  if (!known.empty() && !taken(known)) keys_.push_back(known);
  for (const std::string& key : usual) {
    if (!taken(key)) keys_.push_back(key);
  }
  return {begin, keys_.size()};
}

std::size_t EventLineReader::key_of(Keys keys) const {
  std::size_t key = keys.begin;
  while (key < keys.end && chunk_.cell(key, 0).empty()) ++key;
  return key;
}

std::string_view EventLineReader::cell(Keys keys) const {
  const std::size_t key = key_of(keys);
  return key == keys.end ? std::string_view() : chunk_.cell(key, 0);
}

LineTime EventLineReader::time_of(Keys keys) const {
  const std::size_t key = key_of(keys);
  if (key == keys.end) return {};
  const data::CellChunk::Cell at = chunk_.columns[key][0];
  const std::size_t behind = std::size_t{at.begin} + at.size;
  const bool quoted = !chunk_.stands(at) || behind >= chunk_.text.size() || chunk_.text[behind] == '"';
  return {data::trimmed(chunk_.cell(key, 0)), !quoted};
}

void EventLineReader::read_features() {
  cells_.resize(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    cells_[i] = {};
    const std::string_view text = chunk_.cell(i, 0);
    if (text.empty()) line_.missing.push_back(columns_[i].name);
    if (!columns_[i].number) {
      cells_[i].name = text;
      continue;
    }
    const data::NumberFault fault = data::parse_double(data::trimmed(text), cells_[i].number);
    if (fault == data::NumberFault::kNone || fault == data::NumberFault::kEmpty) continue;
    fail("{} in {} {}", in_quotes(text), in_quotes(columns_[i].name), data::explain(fault));
  }
}

const EventLine& EventLineReader::read(std::string_view line) {
  data::read_json_lines(chunk_, line, keys_);
  if (!chunk_.faults.empty()) {
    const data::Fault& fault = chunk_.faults.front();
    fail("{} ({}); {}", fault.what, in_quotes(fault.seen), fault.advice);
  }
  if (chunk_.rows() != 1) fail("there is not one object in the line");
  std::string_view id = cell(id_);
  if (id.empty() && one_sequence_) id = data::kOneSequence;
  const LineTime time = time_of(time_);
  const LineTime at = time_of(at_);
  if (id.empty()) fail("the line has no id; name its key with `id`");
  if (time.text.empty() && at.text.empty()) fail("the line has no time; name its key with `time`");
  line_.is_question = time.text.empty();
  line_.time = time;
  line_.at = at;
  line_.event = {};
  line_.missing.clear();
  line_.event.id = id;
  if (!at.text.empty()) line_.event.at = times_.tick_of(at.text);
  if (line_.is_question) return line_;
  line_.event.tick = times_.tick_of(time.text);
  line_.event.event = cell(event_);
  read_features();
  line_.event.features = cells_;
  return line_;
}

}  // namespace t2v
