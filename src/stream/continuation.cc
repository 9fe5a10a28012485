#include "stream/continuation.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/random.h"
#include "data/batches.h"
#include "kernels/losses.h"
#include "model/prediction.h"
#include "nn/when.h"

namespace t2v {
namespace {

constexpr int64_t kBlock = 64;  // pieces worked on before they are given out

std::size_t at_of(int64_t i) { return static_cast<std::size_t>(i); }

/// Which of some shares that sum up to about 1.
std::size_t draw_of(std::span<const double> shares, double u) {
  std::size_t i = 0;
  for (; i + 1 < shares.size() && u >= shares[i]; ++i) u -= shares[i];
  return i;
}

}  // namespace

void check_continuing(const TrainedModel& model, const ContinueConfig& config) {
  if (find_head(model.config, "when") < 0) {
    fail("the model does not say when the next event comes; train with `when`");
  }
  if (config.events < 0 || config.events > kMostSampledEvents) {
    fail("`events` is 1 to {} events ahead, not {}", kMostSampledEvents, config.events);
  }
  if (!(config.horizon >= 0)) fail("the `horizon` of events is after the last one; it is {}", config.horizon);
  if (config.events == 0 && config.horizon == 0) fail("events ahead need `events`, `horizon` or both");
  if (config.samples < 1) fail("`samples` is at least 1; it is {}", config.samples);
  if (model.encoding.together) fail("events of one time are taken together, so none is predicted");
}

Continuer::Continuer(const TrainedModel& trained, const Model& model)
    : trained_(trained),
      model_(model),
      stepper_(model, trained.parameters),
      head_(model, trained.parameters, 0),
      timed_(is_timed(trained.config)) {
  when_ = static_cast<std::size_t>(find_head(trained.config, "when"));
}

KnownSequence Continuer::known(const SequenceBatch& batch, int64_t sequence) {
  KnownSequence known;
  known.state.resize(at_of(stepper_.state_size()));
  const auto features = at_of(model_.config().features);
  for (int64_t e = batch.offsets[at_of(sequence)]; e < batch.offsets[at_of(sequence) + 1]; ++e) {
    known.last = {};
    if (!batch.events.empty()) known.last.event = batch.events[at_of(e)];
    known.last.features = batch.features.subspan(at_of(e) * features, features);
    for (std::size_t i = 0; i < kTimeInputs; ++i) {
      if (!batch.times[i].empty()) known.last.times[i] = batch.times[i][at_of(e)];
    }
    stepper_.advance(known.state, known.last);
    if (model_.rules() != nullptr) known.past.add(known.last.event);
  }
  known.features.assign(known.last.features.begin(), known.last.features.end());
  known.last.features = {};
  return known;
}

Continuer::Said Continuer::said(const RecentTypes& past) {
  Said said;
  const std::span<const float> types = stepper_.outputs(0, past);
  said.types.assign(types.begin(), types.end());
  const std::span<const float> when = stepper_.outputs(when_);
  said.when.assign(when.begin(), when.end());
  return said;
}

int32_t Continuer::draw_type(const Said& said, double start, double gap, Random& random) const {
  const int64_t answers = answers_of(trained_, trained_.config.heads[0]);
  std::vector<float> logits = said.types;
  if (timed_) head_.logits(logits, said.types.data(), start, {&gap, 1});
  std::vector<double> shares(logits.begin(), logits.begin() + answers);
  kernels::softmax(shares.data(), shares.data(), answers);
  return static_cast<int32_t>(draw_of(shares, random.uniform()));
}

Continuation Continuer::draw(const KnownSequence& known, const ContinueConfig& config, std::string_view id,
                             int64_t number) {
  const uint64_t name = checksum(std::as_bytes(std::span(id)));
  Random random(config.seed ^ name, static_cast<uint64_t>(number));
  std::vector<float> state = known.state;
  RecentTypes past = known.past;
  StepInput event = known.last;
  event.features = known.features;
  const int64_t most = config.events > 0 ? config.events : kMostSampledEvents;
  const auto kStart = static_cast<std::size_t>(TimeInput::kStart);
  const auto kSince = static_cast<std::size_t>(TimeInput::kSince);
  const StepInput first = event;
  Continuation drawn;
  double after = 0;
  stepper_.resume(state, event);
  while (static_cast<int64_t>(drawn.size()) < most) {
    const Said now = said(past);
    const double gap = nn::GapMixture(now.when.data(), trained_.config.heads[when_]).draw(random);
    const double start = first.times[kStart] + after;
    const int32_t type = draw_type(now, start, gap, random);
    after += gap;
    const bool beyond = config.horizon > 0 && after > config.horizon;
    if (beyond || !(after < head_.most_gap())) break;  // so late that it never comes
    drawn.push_back({type, after});
    event.event = type;
    event.times[kStart] = first.times[kStart] + after;
    event.times[kSince] = first.times[kSince] + after;
    event.times[static_cast<std::size_t>(TimeInput::kGap)] = gap;
    stepper_.advance(state, event);
    if (model_.rules() != nullptr) past.add(type);
  }
  return drawn;
}

void continue_sequences(const TrainedModel& model, const data::Events& events,
                        std::span<const data::Piece> pieces, const ContinueConfig& config, ThreadPool& pool,
                        const ContinuationConsumer& consumer, Share share,
                        const std::function<void()>& round) {
  check_continuing(model, config);
  const Model network = network_of(model);
  std::vector<std::unique_ptr<Continuer>> continuers;
  for (int i = 0; i < pool.threads(); ++i) continuers.push_back(std::make_unique<Continuer>(model, network));
  const data::Batches batches(events, {pieces.begin(), pieces.end()}, model.encoding, model.batches(false));
  const auto count = static_cast<int64_t>(pieces.size());
  const int64_t blocks = (count + kBlock - 1) / kBlock;
  std::vector<std::vector<Continuation>> made(at_of(kBlock));
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t first = block * kBlock;
    const int64_t some = std::min(kBlock, count - first);
    if (block % share.parts == share.part) {
      pool.run_with_worker(some, [&](int64_t i, int worker) {
        Continuer& continuer = *continuers[static_cast<std::size_t>(worker)];
        data::Batch batch;
        const int64_t number = first + i;
        batches.make({&number, 1}, batch);
        const KnownSequence known = continuer.known(batch.view(), 0);
        auto& of_piece = made[at_of(i)];
        of_piece.clear();
        const std::string_view id = events.ids[pieces[at_of(number)].sequence];
        for (int64_t s = 0; s < config.samples; ++s) of_piece.push_back(continuer.draw(known, config, id, s));
      });
      for (int64_t i = 0; i < some; ++i) consumer(first + i, made[at_of(i)]);
    }
    const bool end = (block + 1) % share.parts == 0 || block + 1 == blocks;
    if (end && round) round();
  }
}

}  // namespace t2v
