#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "api/event_log.h"
#include "api/time_model.h"
#include "base/fail.h"
#include "base/text_check.h"
#include "data/human_time.h"
#include "stream/stream.h"
#include "t2v/stream.h"

namespace t2v {
namespace {

StreamConfig config_of(const StreamOptions& options) {
  return {options.max_sequences, options.top, options.keep_late ? LateEvents::kKeep : LateEvents::kDrop};
}

}  // namespace

struct EventStream::Impl {
  Impl(TimeModel shared, const StreamOptions& options)
      : model(std::move(shared)),
        trained(model.impl().trained),
        stream(trained, config_of(options)),
        reader(api::time_reader(trained)),
        cells(stream.columns().size()) {}

  /// The cells of an event in the order of the model's columns. Throws for a feature that the model does not
  /// have, and for one that is a text where the model has numbers, or the other way.
  void set_cells(const Event& event) {
    cells.assign(cells.size(), {});
    const bool sees_value = trained.encoding.value || trained.encoding.typed_values;
    if (sees_value) cells.front().number = event.value;  // the first of the columns
    for (const EventFeature& feature : event.features) {
      const auto column = std::ranges::find(stream.columns(), feature.name, &FeatureColumn::name);
      if (column == stream.columns().end()) fail_unknown(feature.name);
      const bool text = !feature.text.empty();
      if (!text && std::isnan(feature.number)) continue;
      if (column->number == text) {
        fail("the feature {} is a {}, but the model was trained on {}s", in_quotes(feature.name),
             text ? "text" : "number", column->number ? "number" : "text");
      }
      cells[static_cast<std::size_t>(column - stream.columns().begin())] = {feature.number, feature.text};
    }
  }

  [[noreturn]] void fail_unknown(std::string_view name) const {
    std::string has;
    for (const FeatureColumn& column : stream.columns()) has += (has.empty() ? "" : ", ") + column.name;
    fail("the model has no feature {}; it has {}", in_quotes(name), has.empty() ? "none" : has);
  }

  const StreamReply& replied(const StreamAnswer& answer, std::string_view id, std::string time,
                             const std::optional<int64_t>& at) {
    reply.taken = answer.taken;
    reply.late = answer.late;
    reply.unknown = answer.unknown;
    reply.evicted = answer.evicted;
    if (answer.prediction == nullptr) {
      reply.prediction.reset();
      return reply;
    }
    if (!reply.prediction) reply.prediction.emplace();
    Predicted& said = *reply.prediction;
    said.id = id;
    said.time = std::move(time);
    said.at = at ? data::tick_text(trained.times.scale, *at) : "";
    api::name_choices(said, *answer.prediction, trained);
    return reply;
  }

  int64_t tick_of(const EventTime& time) const { return api::tick_of(time, trained.times.scale, reader); }

  TimeModel model;
  const TrainedModel& trained;
  Stream stream;
  data::TimeReader reader;
  std::vector<FeatureCell> cells;
  StreamReply reply;
};

EventStream::EventStream(const TimeModel& model, const StreamOptions& options)
    : impl_(std::make_unique<Impl>(model, options)) {}
EventStream::~EventStream() = default;
EventStream::EventStream(EventStream&&) noexcept = default;
EventStream& EventStream::operator=(EventStream&&) noexcept = default;

const StreamReply& EventStream::push(const Event& event, const std::optional<EventTime>& at) {
  StreamEvent taken;
  taken.id = event.id;
  taken.tick = impl_->tick_of(event.time);
  taken.event = event.type;
  if (at) taken.at = impl_->tick_of(*at);
  impl_->set_cells(event);
  taken.features = impl_->cells;
  const StreamAnswer answer = impl_->stream.push(taken);
  return impl_->replied(answer, event.id, data::tick_text(impl_->trained.times.scale, taken.tick), taken.at);
}

const StreamReply& EventStream::ask(std::string_view id, const EventTime& at) {
  const int64_t tick = impl_->tick_of(at);
  return impl_->replied(impl_->stream.ask(id, tick), id, "", tick);
}

int64_t EventStream::sequences() const { return impl_->stream.sequences(); }

void EventStream::save(const std::string& path) const { impl_->stream.save(FileSystem::real(), path); }
void EventStream::restore(const std::string& path) { impl_->stream.restore(path); }

}  // namespace t2v
