#pragma once

#include <string>

#include "data/event_table.h"
#include "data/time_lstm_preparation.h"

namespace t2v::data {

struct CiteulikeOptions {
  CiteulikeOptions() { time_lstm.train_share = 0.8; }

  TimeLstmOptions time_lstm;
  /// Posts of frequent articles that a user must have. The published data sets do not say theirs.
  int64_t fewest_posts = 10;
};

/// CiteULike's log of who posted what: article|user|time|tag, a line for each tag. Lines that agree with the
/// one before in the first three fields are one post. Kept are the posts of the most posted articles (as many
/// as the vocabulary), and of these the ones of users who have enough. Throws t2v::Error for lines with fewer
/// fields and for what is not a time.
EventTable import_citeulike(const std::string& path, const CiteulikeOptions& options);

/// The posts of such a file.
ItemLog read_citeulike(const std::string& path);

}  // namespace t2v::data
