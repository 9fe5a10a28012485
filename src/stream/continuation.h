#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "data/events.h"
#include "data/pieces.h"
#include "model/timed_head.h"
#include "model/trained_model.h"
#include "stream/stepper.h"

namespace t2v {

/// How sequences are continued. The single source of the options' names and defaults.
struct ContinueConfig {
  int64_t events = 0;     // at most so many; 0: as many as come before the horizon
  double horizon = 0;     // up to so long after the last known event, in units of the model; 0: without end
  int64_t samples = 100;  // continuations of each sequence
  uint64_t seed = 1;
};
/// However far the horizon is.
inline constexpr int64_t kMostSampledEvents = 10'000;

/// An event that may come.
struct SampledEvent {
  int32_t type;
  double after;  // the last known event, in units of the model

  bool operator==(const SampledEvent&) const = default;
};
using Continuation = std::vector<SampledEvent>;

/// A sequence as far as it is known, for a model at work on it.
struct KnownSequence {
  std::vector<float> state;     // after its last event
  StepInput last = {};          // that event
  std::vector<float> features;  // of that event
  RecentTypes past;             // its types, for models with rules
};

/// Draws what may come after known events, event by event: the gap, then the type at that time, then the
/// next. Features of events to come are taken to be those of the last known one. One thread at a time.
class Continuer {
 public:
  /// Both must outlive it; of a model that says when (check_continuing).
  Continuer(const TrainedModel& trained, const Model& model);

  /// The first events of a batch's sequence, all of them.
  KnownSequence known(const SequenceBatch& batch, int64_t sequence);
  /// Continuation `number` of a sequence named `id`: a function of the seed, these and what is known alone.
  Continuation draw(const KnownSequence& known, const ContinueConfig& config, std::string_view id,
                    int64_t number);

 private:
  struct Said {
    std::vector<float> types;  // outputs of the head, open where it is timed
    std::vector<float> when;
  };
  Said said(const RecentTypes& past);
  int32_t draw_type(const Said& said, double start, double gap, Random& random) const;

  const TrainedModel& trained_;
  const Model& model_;
  Stepper stepper_;
  TimedHead head_;
  bool timed_;
  std::size_t when_ = 0;
};

using ContinuationConsumer =
    std::function<void(int64_t piece, const std::vector<Continuation>& continuations)>;

/// Continues each piece of a data set that was fitted to the model from its last event on. Pieces come in
/// order, on the calling thread, with the same bits for any number of threads. Several who share the work
/// take turns with blocks of pieces, as in predict().
void continue_sequences(const TrainedModel& model, const data::Events& events,
                        std::span<const data::Piece> pieces, const ContinueConfig& config, ThreadPool& pool,
                        const ContinuationConsumer& consumer, Share share = {},
                        const std::function<void()>& round = {});

/// What those functions refuse, before anything is done.
void check_continuing(const TrainedModel& model, const ContinueConfig& config);

}  // namespace t2v
