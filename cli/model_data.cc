#include "model_data.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/fail.h"
#include "data/doctor_text.h"
#include "data/encoding.h"
#include "data/event_store.h"
#include "data/human_time.h"
#include "say.h"
#include "train/same_ranks.h"

namespace t2v::cli {

TrainedModel read_given_model(const std::string& path) {
  constexpr std::uintmax_t kLeast = 10;  // of a file of ours; a shorter one was cut
  std::error_code ignored;
  const bool whole =
      std::filesystem::is_regular_file(path, ignored) && std::filesystem::file_size(path, ignored) >= kLeast;
  if (whole && !data::is_store(path)) {
    fail("{}: is a table or another file, not a model; are the arguments swapped? The model comes first",
         path);
  }
  return read_model(path);
}

data::DataSet load_given_data(const DataOptions& options, const TrainedModel& model, ThreadPool& pool,
                              bool targets) {
  ReadingLine line;
  data::DataSet data = load_for_model(sources_of(options), options.load, model, targets, pool,
                                      [&](const data::ReadProgress& progress) { line.show(progress); });
  say_notes(data.notes);
  return data;
}

void check_same_model_and_data(comm::Communicator& ranks, const TrainedModel& model,
                               const data::Events& events) {
  if (ranks.alone()) return;
  comm::Facts facts = facts_of(events);
  facts.emplace_back("the weights", digest_of(model.parameters));
  comm::check_same(ranks, facts);
}

void say_unknown(const TrainedModel& model, const data::Events& events,
                 const std::vector<data::Piece>& pieces, std::string_view more) {
  if (!model.encoding.event || !model.encoding.event->unknown) return;
  const int64_t unknown = data::count_unknown(model.encoding, events, pieces);
  if (unknown == 0) return;
  int64_t all = 0;
  for (const data::Piece& piece : pieces) all += piece.end - piece.begin;
  say("{} of {} ({}) {} that the model does not know: '(other)' to it{}\n", data::human_count(unknown),
      data::counted(all, "event"), data::percent(static_cast<double>(unknown) / static_cast<double>(all)),
      unknown == 1 ? "is of a type" : "are of types", more);
}

}  // namespace t2v::cli
