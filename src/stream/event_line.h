#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/cells.h"
#include "data/time_reader.h"
#include "stream/stream.h"

namespace t2v {

/// The keys of a line; an empty one stands for the usual names (data::usual_names), "-" for none.
struct LineKeys {
  std::string id = {};
  std::string time = {};
  std::string event = {};
};

/// A time as it is written; no text if there is none.
struct LineTime {
  std::string_view text = {};
  bool is_number = false;  // of JSON, not in quotes
};

/// A line of a stream. Views are good until the next line is read.
struct EventLine {
  StreamEvent event;
  bool is_question = false;  // it has no event: the id is asked about at event.at
  LineTime time = {};        // none of a question
  LineTime at = {};
  std::vector<std::string_view> missing = {};  // features that the line has no value of
};

/// Reads events from JSON objects, one a line: id, time, event type, `at`, and the features by the names of
/// their columns. Of several usual names that a line has, the first one counts.
class EventLineReader {
 public:
  /// `known`: keys that are looked for before the usual ones. `one_sequence`: lines without an id are all of
  /// data::kOneSequence.
  EventLineReader(const std::vector<FeatureColumn>& columns, const LineKeys& keys, data::TimeReader times,
                  const LineKeys& known = {}, bool one_sequence = false);

  /// Throws t2v::Error for a line that is no event, nor a question.
  const EventLine& read(std::string_view line);

 private:
  /// Keys [begin, end) of keys_, of which the first that a line has counts.
  struct Keys {
    std::size_t begin;
    std::size_t end;
  };
  Keys add_keys(const std::string& given, const std::string& known, const std::vector<std::string>& usual);
  /// The key that the line has; keys.end if it has none.
  std::size_t key_of(Keys keys) const;
  std::string_view cell(Keys keys) const;
  LineTime time_of(Keys keys) const;
  void read_features();

  std::vector<FeatureColumn> columns_;
  data::TimeReader times_;
  bool one_sequence_;
  std::vector<std::string> keys_;  // the features' first
  Keys id_;
  Keys time_;
  Keys event_;
  Keys at_;
  data::CellChunk chunk_;
  std::vector<FeatureCell> cells_;
  EventLine line_;
};

}  // namespace t2v
