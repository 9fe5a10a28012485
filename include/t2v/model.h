#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "t2v/events.h"
#include "t2v/time2vec.h"

namespace t2v {

/// What a model says in one place: after an event, or of a sequence. Only what it predicts is there.
struct Predicted {
  struct Choice {
    std::string_view name;  // of a class or a type of event; good while the model or a copy of it lives
    double probability;
  };
  /// The time until the next event, in units of the model (TimeModel::unit). The mean may be infinite.
  struct When {
    double p10;
    double median;
    double p90;
    double mean;
    // The same as dates, where times are dates; else empty.
    std::string p10_at = {};
    std::string median_at = {};
    std::string p90_at = {};
    std::string mean_at = {};
  };
  std::string id = {};               // of the sequence
  std::string time = {};             // of the event it was made at: a date in UTC, or a number
  std::string at = {};               // the time that was asked about, if there was one
  std::vector<Choice> choices = {};  // most probable first
  std::optional<double> value = {};  // in the unit of the data
  std::optional<When> when = {};
};

struct PredictOptions {
  std::int64_t top = 5;            // choices of each prediction
  std::vector<EventTime> at = {};  // for models that look at the time of what they predict, or that predict
                                   // what and when: that time,
  std::vector<double> after = {};  // or so long after the last event of each sequence, in units of the model
  bool every_event = false;        // after every event, not after the last of each sequence alone
  int threads = 0;                 // 0: one a core
};

/// What is asked of several events ahead; `events`, `horizon` or both are given.
struct AheadOptions {
  std::int64_t events = 0;     // at most so many
  double horizon = 0;          // up to so long after the last event of a sequence, in units of the model
  std::int64_t samples = 100;  // continuations that are drawn of each sequence
  std::uint64_t seed = 1;
  int threads = 0;  // 0: one a core; the result does not depend on it
};

/// What may come after a sequence: a summary of continuations that were drawn.
struct PredictedAhead {
  /// A type that is in one of them, by how many are expected. Times are of the first such event, where there
  /// is one: after the last known event, in units of the model.
  struct Type {
    std::string_view name;  // good while the model or a copy of it lives
    double expected;        // events of the type
    double probability;     // that there is one
    double p10;
    double median;
    double p90;
  };
  /// The events in order, as long as more than half of the continuations have one.
  struct Next {
    std::string_view name;  // the most frequent type
    double probability;
    double median;  // of the time of the event, whatever its type
  };
  std::string id = {};    // of the sequence
  std::string time = {};  // of its last event
  double expected = 0;    // events of all types
  std::vector<Type> types = {};
  std::vector<Next> next = {};
};

/// A Time2Vec layer with its weights.
struct TrainedTime2Vec {
  Time2Vec layer;
  std::vector<double> omega;  // [width], radians per unit of the model
  std::vector<double> phi;    // [width]
};

/// Vectors of a fixed width, one after another.
struct Vectors {
  std::int64_t width = 0;
  std::vector<float> values;  // [count, width]
};

/// A trained model, as 't2v train' and t2v::train make it. Copies are cheap and share it; it never changes,
/// so any number of threads may use it at once. Functions throw t2v::Error for what cannot be done.
class T2V_API TimeModel {
 public:
  /// Reads a file, checking everything: checksums, configuration, shapes, finite numbers.
  static TimeModel load(const std::string& path);
  /// Writes one (docs/file-format.md), atomically.
  void save(const std::string& path) const;

  /// classify, next, recommend, regress or forecast.
  std::string_view task() const;
  /// Of its times: s, min, h, d, w, or 1 for plain numbers.
  std::string_view unit() const;
  /// The classes or types of events that it tells apart, in the order of its outputs.
  std::vector<std::string_view> names() const;
  /// The further columns that it looks at.
  std::vector<std::string> features() const;
  /// Whether predictions of what comes next need its time (PredictOptions::at or after).
  bool needs_time() const;

  /// Reads data for it: columns are found by the names they had in training, unless the options name others.
  /// Labels and targets are not read.
  EventLog read(const std::vector<std::string>& files, const ReadOptions& options = {}) const;

  /// Gives one prediction after another to the consumer, on the calling thread, in the order of the sequences
  /// of the log; the same bits for any number of threads. The prediction is good until the consumer returns.
  void predict(const EventLog& log, const PredictOptions& options,
               const std::function<void(const Predicted&)>& consumer) const;
  std::vector<Predicted> predict(const EventLog& log, const PredictOptions& options = {}) const;

  /// Several events ahead, by a model that says what and when (`when`), for each sequence of the log.
  std::vector<PredictedAhead> ahead(const EventLog& log, const AheadOptions& options) const;

  /// A time as the model sees it: in its unit, from its origin. Only where all sequences share one origin.
  double time_of(const EventTime& time) const;
  /// The vectors of times, which are in units of the model and, for the inputs start and query, from its
  /// origin. `input`: start, gap, query, until or since; empty: the first that it has.
  Vectors encode(std::span<const double> times, std::string_view input = {}) const;
  /// The Time2Vec behind them, to be used elsewhere. Throws t2v::Error if that input has no Time2Vec.
  TrainedTime2Vec time2vec(std::string_view input = {}) const;
  /// The hidden state after the last event of each sequence of the log, [sequences, hidden units].
  Vectors states(const EventLog& log, int threads = 0) const;

  struct Impl;
  explicit TimeModel(std::shared_ptr<const Impl> impl);
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace t2v
