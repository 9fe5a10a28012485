#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "model/prediction.h"
#include "model/trained_model.h"
#include "stream/event_encoder.h"
#include "stream/sequence_table.h"
#include "stream/snapshot.h"
#include "stream/stepper.h"

namespace t2v {

/// Longer ids are refused, so that sequences bound the memory: each has its state and at most so much.
inline constexpr std::size_t kMostIdBytes = 1024;

/// What to do with an event that is earlier than the last one of its sequence.
enum class LateEvents : uint8_t {
  kDrop,  // leave it out
  kKeep,  // take it, at the time of that last one: time never runs backwards in a model
};

struct StreamConfig {
  int64_t max_sequences = 100'000;  // kept at once; of more, the one idle for longest makes room
  int64_t top = 5;                  // classes or next events of a prediction
  LateEvents late = LateEvents::kDrop;
};

struct StreamEvent {
  std::string_view id;
  int64_t tick = 0;  // when, exactly: in the scale of the model's times
  std::string_view event = {};
  std::span<const FeatureCell> features = {};  // one for each of Stream::columns()
  std::optional<int64_t> at = {};              // the time that is asked about, for models that need it
};

struct StreamCounts {
  int64_t events = 0;        // that came, whatever became of them
  int64_t predictions = 0;   // that were given, also for questions
  int64_t late_dropped = 0;  // see LateEvents
  int64_t late_kept = 0;
  int64_t unknown = 0;   // taken, with a type or category that is the model's 'unknown'
  int64_t refused = 0;   // events and questions that cannot be: an error was thrown
  int64_t evicted = 0;   // sequences that made room
  int64_t returned = 0;  // sequences that came back after that, and started anew (as far as remembered)

  bool operator==(const StreamCounts&) const = default;
};

/// What became of an event.
struct StreamAnswer {
  bool taken = true;  // else it was late and is left out
  bool late = false;
  bool unknown = false;                    // as in StreamCounts
  bool returned = false;                   // likewise
  std::string_view evicted = {};           // the id that made room, if one did; good until the next call
  const Prediction* prediction = nullptr;  // none unless there is one; good until the next call
};

/// A checksum of all of a model that the states of its sequences depend on.
uint64_t digest_of(const TrainedModel& model);

/// Predicts from events as they come, of many sequences in any mixture, with the same numbers as a batch of
/// whole sequences would give. One thread at a time.
///
/// A model that takes events of one time together takes a step in only once a later event comes: until then
/// the step waits, and each prediction is made on a copy of the state.
///
/// A model that says what and when answers each event, as if nothing were known of the time of the next one;
/// or, where a time is given with the event (`at`), of an event at that time.
///
/// A model that looks at the time of the next event (the query time) can take an event in only once that time
/// is known. So its last event waits: it is taken in when the next one comes, and a prediction is made only
/// for a time that is asked about (`at`), on a copy of the state. A model that predicts for whole sequences
/// needs no such time: as in a batch, it is then the one of the last event.
class Stream {
 public:
  /// The model must outlive it and stay as it is.
  Stream(const TrainedModel& model, const StreamConfig& config);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const std::vector<FeatureColumn>& columns() const { return encoder_.columns(); }
  int64_t sequences() const { return table_.size(); }
  StreamCounts counts() const;
  /// Whether predictions need StreamEvent::at.
  bool needs_time() const { return waits_ && predicts_next_; }

  /// Takes an event. Throws t2v::Error for one that the model cannot take, which then changes nothing.
  StreamAnswer push(const StreamEvent& event);
  /// What the model says of a time not before the last event of a known sequence; for models that look at the
  /// query time. Throws t2v::Error otherwise.
  StreamAnswer ask(std::string_view id, int64_t at);

  /// Writes all that it knows as one file (docs/file-format.md), atomically.
  void save(FileSystem& files, const std::string& path) const;
  /// The same in steps, each of which takes little time: a snapshot of now is started, continued after events
  /// by up to so many sequences, and taken once continue_snapshot says that it is whole.
  void start_snapshot();
  bool continue_snapshot(int64_t sequences) { return table_.copy_some(sequences); }
  StreamSnapshot take_snapshot();
  bool has_started_snapshot() const { return table_.is_copying(); }
  /// Goes on from such a file; only before the first event. Throws t2v::Error for a file of another model and
  /// for one that is damaged; nothing has changed then. Sequences beyond max_sequences make room at once.
  void restore(const std::string& path, FileSystem& files = FileSystem::real());

 private:
  StreamAnswer take(const StreamEvent& event);
  StreamAnswer answer_to(std::string_view id, int64_t at);
  void take_now(const StreamEvent& event, Sequence* sequence, StepInput input, StreamAnswer& answer);
  void let_wait(const StreamEvent& event, Sequence* sequence, StepInput input, StreamAnswer& answer);
  StreamSnapshot frame() const;
  void take_together(const StreamEvent& event, Sequence* sequence, StepInput input, StreamAnswer& answer);
  Sequence& updated(const StreamEvent& event, Sequence* sequence, std::span<const float> state);
  StepInput waiting_event(const Sequence& sequence, int64_t query) const;
  int64_t origin_of(const Sequence* sequence, int64_t tick) const;
  static void load(std::span<float> state, const Sequence* sequence);
  void advance(std::span<float> state, const StepInput& input);
  const RecentTypes& past_with(const Sequence* sequence, int32_t event);
  const Prediction* predict(const RecentTypes& past);
  /// What a model of what and when says after an event, of `at` if that is given.
  const Prediction* predict_timed(const RecentTypes& past, const StreamEvent& event, double start);

  const TrainedModel& trained_;
  uint64_t digest_;
  StreamConfig config_;
  Model model_;
  Stepper stepper_;
  EventEncoder encoder_;
  bool waits_;     // the model looks at the query time
  bool together_;  // the model takes events of one time together
  bool timed_;     // the model says what and when
  TimedHead timed_head_;
  bool predicts_next_;  // a head predicts at each event
  std::size_t state_size_;
  SequenceTable table_;
  StreamCounts counts_;  // but what the table counts
  std::vector<float> state_;
  std::vector<float> copy_;
  std::vector<float> features_;
  std::vector<EventPart> parts_;  // of the event
  std::vector<EventPart> step_;   // of all events of its time
  std::vector<const float*> outputs_;
  RecentTypes past_;  // of the event that was taken last
  Prediction prediction_;
  StreamSnapshot snapshot_;  // without its sequences, of the one that was started
};

}  // namespace t2v
