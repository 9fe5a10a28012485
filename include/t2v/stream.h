#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "t2v/model.h"

namespace t2v {

struct StreamOptions {
  std::int64_t max_sequences = 100'000;  // kept at once; of more, the one idle for longest makes room
  std::int64_t top = 5;                  // choices of a prediction
  bool keep_late = false;  // take an event that is earlier than the last of its sequence, as if at the time
                           // of that; else it is left out
};

/// What became of an event.
struct StreamReply {
  bool taken = true;         // else it was late and is left out
  bool late = false;         // earlier than the last one of its sequence
  bool unknown = false;      // its type, or a category, is one that the model has not met
  std::string evicted = {};  // the id that made room for it, if one did
  std::optional<Predicted> prediction = {};
};

/// Predicts from events as they come, of many sequences in any mixture, one state for each: the same numbers
/// as for whole sequences at once. One thread at a time; many streams may share a model.
///
/// A model that looks at the time of what it predicts (TimeModel::needs_time) answers only where that time is
/// given.
class T2V_API EventStream {
 public:
  explicit EventStream(const TimeModel& model, const StreamOptions& options = {});
  ~EventStream();
  EventStream(EventStream&&) noexcept;
  EventStream& operator=(EventStream&&) noexcept;

  /// Takes an event; `at` is the time to predict for. Features of the model that the event lacks count as
  /// empty cells. Throws t2v::Error for an event that the model cannot take, such as one with a feature that
  /// the model does not have; it then changes nothing.
  /// The reply is good until the next call.
  const StreamReply& push(const Event& event, const std::optional<EventTime>& at = {});

  /// What the model says of a time not before the last event of a known sequence, without an event: for
  /// models that look at the time of what they predict. The reply is good until the next call.
  const StreamReply& ask(std::string_view id, const EventTime& at);

  /// How many sequences it remembers.
  std::int64_t sequences() const;

  /// Writes all that it knows as one file, atomically.
  void save(const std::string& path) const;
  /// Goes on from such a file; only before the first event. Throws t2v::Error for a file of another model and
  /// for a damaged one; nothing has changed then.
  void restore(const std::string& path);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace t2v
