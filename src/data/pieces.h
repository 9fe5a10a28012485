#pragma once

#include <cstdint>
#include <vector>

namespace t2v::data {

/// Events [begin, end) of a sequence, as one sequence for a model: those before `first_target` are context
/// alone, and predictions of them do not count.
struct Piece {
  int64_t sequence;
  int64_t begin;  // numbers of events of the data set
  int64_t end;
  int64_t first_target;  // begin: everything counts

  bool operator==(const Piece&) const = default;
};

/// What is learned from, what is chosen by, and what is measured on.
struct Split {
  std::vector<Piece> train;
  std::vector<Piece> valid;
  std::vector<Piece> test;
};

}  // namespace t2v::data
