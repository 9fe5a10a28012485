#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/batches.h"
#include "data/encoding.h"
#include "model/config.h"

namespace t2v {

/// What a model is for.
enum class Task : uint8_t {
  kClassify,   // the class of a sequence, from all of it
  kNext,       // the type of the next event, after each event; and when it comes, if asked for
  kRecommend,  // the same, judged as a list of items out of many
  kRegress,    // a number: of the sequence, or of each event (from its time and what came before)
  kForecast,   // the value of the next event, whose time is known
};

std::string_view name_of(Task task);
/// Throws t2v::Error that lists the names.
Task task_from(std::string_view name);

/// The task that a data set's columns suggest: classify with labels, regress with a number of the sequence,
/// recommend with more than kManyTypes event types, next with fewer, forecast with values alone. Throws
/// t2v::Error if there is nothing to predict.
Task suggested_task(const data::Events& events);
inline constexpr int64_t kManyTypes = 1000;

/// What a model of this task predicts: which columns of a batch are its targets. `values` is for kRegress
/// and kForecast. Throws t2v::Error if the events lack the column.
data::ValueTarget value_target(Task task, const data::Events& events);

/// What batches a model needs: the inputs of its configuration and, with `targets`, what it is to predict.
data::BatchConfig batch_config(const ModelConfig& model, Task task, data::ValueTarget values, bool targets);

/// Whether one of its times is that of the event to be predicted.
bool knows_query_time(const ModelConfig& model);
/// Whether its first head sees the time of the next event, and another says when that is: it predicts what
/// and when together.
bool is_timed(const ModelConfig& model);
/// The head of that kind, or -1.
int find_head(const ModelConfig& model, std::string_view kind);

}  // namespace t2v
